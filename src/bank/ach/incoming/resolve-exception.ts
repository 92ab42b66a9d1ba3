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
import { type SentEntry, sendBack, sentEntry } from '../returning/send-back.ts'
import { findException, isAccountOf, type StoredException } from './resolve-exception.sql.ts'

export type Resolution = { reason: string } & (
  | { to: 'account'; accountId: number }
  | { to: 'writeOff' }
  | { to: 'none' }
  | { to: 'dishonor' | 'contest'; code: string }
)

interface Order {
  exception: StoredException
  resolution: Resolution
  transferId: number
  routingNumber: string
  /** The entry that goes back, if it is dishonored or contested. */
  sent: SentEntry | null
}

/**
 * Resolves an exception for good. Its money leaves the suspense account: to an account of a customer, to the account of
 * amounts that are written off, or with the entry that goes back to the other bank. An exception without money is noted.
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
  const sent =
    resolution.to === 'dishonor' || resolution.to === 'contest' ? await sentEntry(bank, exception, resolution) : null
  const order = { exception, resolution, transferId: await ids.nextPair(), routingNumber, sent }
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
  if (to === 'account') return ['ach_suspense']
  return to === 'writeOff' ? ['ach_suspense', 'ach_write_off'] : []
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

const words = {
  account: 'Account',
  writeOff: 'WrittenOff',
  none: 'Noted',
  dishonor: 'Dishonored',
  contest: 'Contested',
} as const

function decideResolution(books: Books, order: Order): AchException {
  const { exception, resolution, transferId, routingNumber, sent } = order
  const { id, organisationId, kind, detail, direction, amount, createdAt } = exception
  const { reason } = resolution
  const accountId = resolution.to === 'account' ? resolution.accountId : null
  const word = words[resolution.to]
  const resolvedAt = books.now(organisationId)
  books.of(receivedPayments).resolveException({ exceptionId: id, resolution: word, reason, accountId, resolvedAt })
  if (sent) sendBack(books, exception, sent)
  else if (direction !== null) {
    const other = accountId === null ? books.internal('ach_write_off').id : accountId
    if (accountId !== null) requireRoom(books, accountId, direction, amount)
    const suspense = books.internal('ach_suspense').id
    const [debitAccountId, creditAccountId] = direction === 'Credit' ? [suspense, other] : [other, suspense]
    const order = { id: transferId, debitAccountId, creditAccountId, amount, sourceKind: 'ach_resolution' as const }
    post(books, { ...order, sourceId: id, party: null, description: 'ACH correction' }, null, routingNumber)
  }
  return emit(books.events, 'achException.resolved', 2, {
    ...{ id: String(id), kind, detail, amount, ...(direction !== null && { direction }), createdAt },
    ...{ resolution: word, reason, ...(accountId !== null && { accountId: String(accountId) }) },
    ...{ ...(sent && { returnCode: sent.code }), resolvedAt },
  })
}

function requireRoom(books: Books, accountId: number, direction: 'Credit' | 'Debit', amount: number): void {
  const account = books.account(accountId)
  if (!account || account.status === 'Closed') throw new StartupError(`account ${accountId} is closed: reopen it first`)
  const fits = direction === 'Credit' ? account.balance + amount <= MAX_CENTS : account.balance - account.hold >= amount
  if (!fits) throw new StartupError(`account ${accountId} cannot take the amount of ${amount} cents`)
}
