import type { Queryable } from '../../../database/database.ts'
import type { Books, Command } from '../../../ledger/books.ts'
import type { InternalKind } from '../../../ledger/records.ts'
import { receivedPayments } from '../../records/received.ts'
import type { AchException } from '../../records/received-records.ts'
import type { IncomingEntry } from './entries.ts'
import { type OpenException, openExceptions } from './incoming.sql.ts'
import { type EntryOrder, entryRow, entryWrite, type IntakeBank } from './intake.ts'

/** The exceptions that are open, the oldest first. */
export function listExceptions(database: Queryable): Promise<OpenException[]> {
  return openExceptions(database)
}

type Kind = AchException['kind']

/** The ids that an exception needs. */
export interface ExceptionIds {
  exceptionId: number
  transferId: number
}

export async function exceptionIds({ ids }: Pick<IntakeBank, 'ids'>): Promise<ExceptionIds> {
  return { exceptionId: await ids.next(), transferId: await ids.nextPair() }
}

/** The internal accounts that an exception posts to. */
export const exceptionAccounts: InternalKind[] = ['ach_settlement', 'ach_suspense']

/** Leaves an entry to the operator. */
export async function exceptionOrder(
  intake: IntakeBank,
  entry: IncomingEntry,
  kind: Kind,
  detail: string,
  paymentId: number | null = null,
): Promise<EntryOrder> {
  const { organisationId } = intake
  const ids = await exceptionIds(intake)
  return {
    organisationId,
    accountIds: [],
    internal: exceptionAccounts,
    decide: (books) => {
      decideException(books, intake, entry, ids, { kind, detail, organisationId, paymentId })
    },
  }
}

/** The same as a command of its own, which has one effect however often it is repeated. */
export async function applyException(
  intake: IntakeBank,
  entry: IncomingEntry,
  kind: Kind,
  detail: string,
  paymentId: number | null = null,
): Promise<void> {
  await applyOrder(intake, entry, await exceptionOrder(intake, entry, kind, detail, paymentId))
}

/** Runs the order of an entry as a command of its own. */
export async function applyOrder(
  intake: IntakeBank,
  entry: IncomingEntry,
  { accountIds, internal, decide }: EntryOrder,
): Promise<void> {
  const { organisationId, runOnce, lane } = intake
  const write = entryWrite(intake, organisationId, entry)
  const command: Command<null> = {
    write,
    accountIds,
    internal,
    decide: (books) => {
      decide(books)
      return null
    },
  }
  await runOnce.attempt(write, () => lane.run(command))
}

/** An exception whose money is the bank's own, and is written off at once. */
export async function writtenOffOrder(
  intake: IntakeBank,
  entry: IncomingEntry,
  found: Pick<AchException, 'kind' | 'detail' | 'organisationId'> & { reason: string },
): Promise<EntryOrder> {
  const { exceptionId, transferId } = await exceptionIds(intake)
  const resolvingId = await intake.ids.nextPair()
  const { organisationId, reason } = found
  return {
    organisationId,
    accountIds: [],
    internal: [...exceptionAccounts, 'ach_write_off'],
    decide: (books) => {
      decideException(books, intake, entry, { exceptionId, transferId }, { ...found, paymentId: null })
      const { amount, direction } = entry
      const resolution = amount === 0 ? 'Noted' : 'WrittenOff'
      const resolvedAt = books.now(organisationId)
      books.of(receivedPayments).resolveException({ exceptionId, resolution, reason, accountId: null, resolvedAt })
      if (amount === 0) return
      const [suspense, lost] = [books.internal('ach_suspense').id, books.internal('ach_write_off').id]
      const [debitAccountId, creditAccountId] = direction === 'Credit' ? [suspense, lost] : [lost, suspense]
      books.transfer({
        ...{ id: resolvingId, debitAccountId, creditAccountId, amount, sourceKind: 'ach_resolution' as const },
        ...{ sourceId: exceptionId, party: null, description: 'ACH correction' },
      })
    },
  }
}

/** Books the money of an entry to the suspense account, and opens an exception. */
export function decideException(
  books: Books,
  intake: Pick<IntakeBank, 'fileId'>,
  entry: IncomingEntry,
  { exceptionId, transferId }: ExceptionIds,
  { kind, detail, organisationId, paymentId }: Pick<AchException, 'kind' | 'detail' | 'organisationId' | 'paymentId'>,
): void {
  const { line, amount } = entry
  const direction = amount === 0 ? null : entry.direction
  books.of(receivedPayments).insertException({
    ...{ id: exceptionId, organisationId, fileId: intake.fileId, line, kind, detail, direction, amount, paymentId },
    createdAt: books.now(organisationId),
  })
  books
    .of(receivedPayments)
    .insertEntry(entryRow(intake, entry, { organisationId, outcome: 'exception', paymentId, exceptionId }))
  if (direction)
    toSuspense(books, { id: transferId, direction, amount, sourceKind: 'ach_exception', sourceId: exceptionId })
}

interface Suspended {
  id: number
  /** The direction of the entry whose money it is. */
  direction: 'Credit' | 'Debit'
  amount: number
  sourceKind: 'ach_exception' | 'received_ach'
  sourceId: number
}

/** Books the money of an entry to the suspense account, where it stays until the entry is resolved or returned. */
export function toSuspense(books: Books, { id, direction, amount, sourceKind, sourceId }: Suspended): void {
  const [settlement, suspense] = [books.internal('ach_settlement').id, books.internal('ach_suspense').id]
  const [debitAccountId, creditAccountId] = direction === 'Credit' ? [settlement, suspense] : [suspense, settlement]
  books.transfer({
    ...{ id, debitAccountId, creditAccountId, amount, sourceKind, sourceId },
    ...{ party: null, description: null },
  })
}
