import type { AchException } from '../../../banking/ach/ach-exception.ts'
import { MAX_CENTS } from '../../../base/cents.ts'
import { sha256 } from '../../../base/sha256.ts'
import { StartupError } from '../../../base/startup-error.ts'
import { emit } from '../../../events/event.ts'
import type { Books, Command } from '../../../ledger/books.ts'
import type { InternalKind } from '../../../ledger/records.ts'
import { post } from '../../accounts/posting.ts'
import type { BankParts } from '../../parts/bank-parts.ts'
import { bankWrite } from '../../parts/bank-write.ts'
import { receivedPayments } from '../../records/received.ts'
import type { AchResolution } from '../../records/received-records.ts'
import { findException, isAccountOf, type StoredException } from './resolve-exception.sql.ts'

export type Resolution = { reason: string } & (
  | { to: 'account'; accountId: number }
  | { to: 'writeOff' }
  | { to: 'none' }
)

interface Order {
  exception: StoredException
  resolution: Resolution
  transferId: number
  routingNumber: string
}

/**
 * Resolves an exception for good. Its money leaves the suspense account: to an account of a customer, or to the account of
 * amounts that are written off. An exception without money is noted.
 */
export async function resolveException(bank: BankParts, id: number, resolution: Resolution): Promise<AchException> {
  const { ids, lane, runOnce, routingNumber, database } = bank
  const exception = await findException(database, id)
  if (!exception)
    throw new StartupError(`there is no ACH exception ${id}: \`purser ach exceptions\` lists those that are open`)
  const { organisationId } = exception
  requireFitting(exception, resolution)
  if (resolution.to === 'account' && !(await isAccountOf(database, organisationId, resolution.accountId))) {
    throw new StartupError(`organisation ${organisationId} of the exception has no account ${resolution.accountId}`)
  }
  const order = { exception, resolution, transferId: await ids.nextPair(), routingNumber }
  const plain = bankWrite(organisationId)
  // Two commands at the same time have the same key, so that one of them has an effect.
  const key = { ...plain.key, hash: sha256(`ach exception ${id}`), fromCaller: true }
  let resolved: AchException | undefined
  const write = { ...plain, key }
  const command: Command<void> = {
    write,
    accountIds: resolution.to === 'account' ? [resolution.accountId] : [],
    internal: internalOf(resolution),
    decide: (books) => {
      resolved = decideResolution(books, order)
    },
  }
  const { replayed } = await runOnce.attempt(write, () => lane.run(command))
  if (replayed || !resolved) throw new StartupError(`ACH exception ${id} was resolved before`)
  return resolved
}

function internalOf({ to }: Resolution): InternalKind[] {
  if (to === 'none') return []
  return to === 'account' ? ['ach_suspense'] : ['ach_suspense', 'ach_write_off']
}

/** Throws the reason why an exception cannot be resolved in this way. */
function requireFitting({ id, resolvedAt, direction, amount }: StoredException, { to }: Resolution): void {
  if (resolvedAt !== null) throw new StartupError(`ACH exception ${id} was resolved before`)
  if (direction === null && to !== 'none')
    throw new StartupError(`ACH exception ${id} has no money: give a reason alone`)
  if (direction !== null && to === 'none') {
    throw new StartupError(`ACH exception ${id} has ${amount} cents in suspense: say --account ID or --write-off`)
  }
}

function decideResolution(books: Books, { exception, resolution, transferId, routingNumber }: Order): AchException {
  const { id, organisationId, kind, detail, direction, amount, createdAt } = exception
  const { reason } = resolution
  const accountId = resolution.to === 'account' ? resolution.accountId : null
  const word: AchResolution['resolution'] =
    resolution.to === 'account' ? 'Account' : resolution.to === 'writeOff' ? 'WrittenOff' : 'Noted'
  const resolvedAt = books.now(organisationId)
  books.of(receivedPayments).resolveException({ exceptionId: id, resolution: word, reason, accountId, resolvedAt })
  if (direction !== null) {
    const other = accountId === null ? books.internal('ach_write_off').id : accountId
    if (accountId !== null) requireRoom(books, accountId, direction, amount)
    const suspense = books.internal('ach_suspense').id
    const [debitAccountId, creditAccountId] = direction === 'Credit' ? [suspense, other] : [other, suspense]
    const order = { id: transferId, debitAccountId, creditAccountId, amount, sourceKind: 'ach_resolution' as const }
    post(books, { ...order, sourceId: id, party: null, description: 'ACH correction' }, null, routingNumber)
  }
  return emit(books.events, 'achException.resolved', 2, {
    ...{ id: String(id), kind, detail, amount, ...(direction !== null && { direction }), createdAt },
    ...{ resolution: word, reason, ...(accountId !== null && { accountId: String(accountId) }), resolvedAt },
  })
}

function requireRoom(books: Books, accountId: number, direction: 'Credit' | 'Debit', amount: number): void {
  const account = books.account(accountId)
  if (!account || account.status === 'Closed') throw new StartupError(`account ${accountId} is closed: reopen it first`)
  const fits = direction === 'Credit' ? account.balance + amount <= MAX_CENTS : account.balance - account.hold >= amount
  if (!fits) throw new StartupError(`account ${accountId} cannot take the amount of ${amount} cents`)
}
