import { randomInt } from 'node:crypto'
import type { ConfirmVerificationInput } from '../../../banking/external-accounts/confirm-verification.ts'
import {
  type ExternalAccount,
  requireConfirmable,
  requireVerifiable,
  type VerificationMethod,
} from '../../../banking/external-accounts/external-account.ts'
import type { StartVerificationInput } from '../../../banking/external-accounts/start-verification.ts'
import type { BankingProvider } from '../../../banking/provider.ts'
import { idNumber } from '../../../base/ids.ts'
import type { Answer, Caller, Write } from '../../../base/operation.ts'
import { Problem } from '../../../base/problem.ts'
import { hasRoutingChecksum } from '../../../base/routing-number.ts'
import { bankingDaysAfter, daysAfter, departureOf, easternInstant, easternOf } from '../../../rails/ach/calendar.ts'
import type { MicroEntries } from '../../../sandbox/get-micro-entries.ts'
import type { Simulations } from '../../../sandbox/sandbox.ts'
import { clearNumber, numberDigest } from '../../../secrets/numbers.ts'
import type { Seal } from '../../../secrets/seal.ts'
import type { BankParts } from '../../parts/bank-parts.ts'
import { bankTime } from '../../time/clock.sql.ts'
import { type ExternalAccountRow, findExternalAccount } from '../external-accounts.sql.ts'
import { changeAccount } from '../mandates.ts'
import {
  insertVerification,
  lockVerification,
  noteWrongAnswer,
  seenEntries,
  setVerification,
  storeProgress,
  wrongAnswersFor,
} from './verifications.sql.ts'

/** Wrong answers for an account number, of all records that have it. */
const MAX_WRONG = 3
/** Banking days from the settlement of a prenote to the end of the time in which it is returned. */
const PRENOTE_DAYS = 3

export function verificationsOf(bank: BankParts) {
  return {
    startVerification: (write, input) => startVerification(bank, write, input),
    confirmVerification: (write, input) => confirmVerification(bank, write, input),
  } satisfies Partial<BankingProvider>
}

async function startVerification(
  bank: BankParts,
  write: Write<ExternalAccount>,
  { externalAccountId, method }: StartVerificationInput,
): Promise<Answer> {
  const { organisationId } = write.caller
  const id = await bank.ids.next()
  const seal = await bank.seals.of(organisationId)
  return changeAccount(bank, write, externalAccountId, async (transaction, row) => {
    requireVerifiable(row)
    if (row.routingNumber === bank.routingNumber) throw new Problem('external_account_not_debitable')
    if (bank.ach !== 'instant' && !hasRoutingChecksum(row.routingNumber)) throw new Problem('invalid_routing_number')
    const digest = digestOf(seal, row)
    const wrong = await wrongAnswersFor(transaction, organisationId, digest)
    if (wrong >= MAX_WRONG) throw new Problem('verification_locked')
    const now = await bankTime(transaction, organisationId)
    const departure = departureFrom(bank, method, now)
    const isStored = await insertVerification(transaction, {
      ...{ id, organisationId, externalAccountId: row.id, method, numberDigest: digest, createdAt: now, ...departure },
      amounts: method === 'MicroEntries' ? [randomInt(1, 100), randomInt(1, 100)] : [],
    })
    if (!isStored) throw new Problem('verification_under_way')
    const { status, endsAt } = departure
    const sent = status === 'Sent' && endsAt !== null && sentMembers(method, endsAt, wrong)
    const changed = await storeProgress(transaction, row.id, { method, status, startedAt: now, ...sent })
    return { type: 'externalAccount.verificationStarted', changed }
  })
}

/** The digest of the number that an external account stands for: wrong answers count for it, with leading zeros and without. */
function digestOf(seal: Seal, { id, routingNumber, accountNumber }: ExternalAccountRow): Buffer {
  return numberDigest(seal, `${routingNumber} ${clearNumber(seal, id, accountNumber).replace(/^0+/, '')}`)
}

/** When the entries leave: with the next file, or at once. */
function departureFrom(bank: BankParts, method: VerificationMethod, now: string) {
  if (bank.ach === 'instant') {
    return { status: 'Sent' as const, endsAt: endOf(bank, method, now), cutoffAt: null, settlesAt: null }
  }
  const { cutoff, settles } = departureOf(now, false, bank.ach.windows)
  return { status: 'Pending' as const, endsAt: null, cutoffAt: cutoff, settlesAt: settles }
}

/** When a verification ends whose entries settle at a time. */
export function endOf(
  { verificationDays }: Pick<BankParts, 'verificationDays'>,
  method: VerificationMethod,
  settlesAt: string,
): string {
  const { day, time } = easternOf(settlesAt)
  if (method === 'Prenote') return easternInstant(bankingDaysAfter(day, PRENOTE_DAYS), time)
  return easternInstant(daysAfter(day, verificationDays), time)
}

/** The members of a verification that is sent. */
export function sentMembers(method: VerificationMethod, endsAt: string, wrong: number) {
  return { endsAt, ...(method === 'MicroEntries' && { attemptsLeft: MAX_WRONG - wrong }) }
}

async function confirmVerification(
  bank: BankParts,
  write: Write<ExternalAccount>,
  { externalAccountId, amounts }: ConfirmVerificationInput,
): Promise<Answer> {
  return changeAccount(bank, write, externalAccountId, async (transaction, row) => {
    requireConfirmable(row)
    // The row is the only one of its number that is under way, so its lock also keeps other records from counting.
    const verification = await lockVerification(transaction, row.id)
    const now = await bankTime(transaction, write.caller.organisationId)
    if (verification?.endsAt == null || verification.endsAt <= now) throw new Problem('verification_not_confirmable')
    const { id, endsAt, createdAt: startedAt, wrongAmounts } = verification
    const shown = { method: 'MicroEntries', startedAt }
    const answer = ascending(amounts)
    if (isSame(answer, ascending(verification.amounts))) {
      await setVerification(transaction, id, 'Verified')
      const changed = await storeProgress(transaction, row.id, { ...shown, status: 'Verified', verifiedAt: now })
      return { type: 'externalAccount.verified', changed }
    }
    if (wrongAmounts.some((first, at) => at % 2 === 0 && isSame(answer, [first, wrongAmounts[at + 1] ?? 0]))) {
      return { changed: row }
    }
    const wrong = await noteWrongAnswer(transaction, id, answer)
    if (wrong < MAX_WRONG) {
      const left = { status: 'Sent', ...sentMembers('MicroEntries', endsAt, wrong) }
      const changed = await storeProgress(transaction, row.id, { ...shown, ...left })
      return { type: 'externalAccount.verificationAttempted', changed }
    }
    await setVerification(transaction, id, 'Failed')
    const failed = { ...shown, status: 'Failed', reason: 'WrongAmounts' }
    return {
      type: 'externalAccount.verificationFailed',
      changed: await storeProgress(transaction, row.id, failed),
    }
  })
}

function ascending(amounts: number[]): number[] {
  return amounts.toSorted((a, b) => a - b)
}

/** Both amounts are always compared, so that a wrong answer always takes the same time. */
function isSame([first = 0, second = 0]: number[], [otherFirst = 0, otherSecond = 0]: number[]): boolean {
  return ((first ^ otherFirst) | (second ^ otherSecond)) === 0
}

export function microEntriesOf(bank: BankParts): Pick<Simulations, 'getMicroEntries'> {
  return { getMicroEntries: (caller, externalAccountId) => getMicroEntries(bank, caller, externalAccountId) }
}

/** The micro-entries of an external account, as the other bank shows them to its customer. */
async function getMicroEntries(
  { database }: BankParts,
  { organisationId }: Caller,
  externalAccountId: string,
): Promise<MicroEntries> {
  const account = await findExternalAccount(database, organisationId, idNumber(externalAccountId))
  if (!account) throw new Problem('external_account_not_found')
  const seen = await seenEntries(database, organisationId, account.id)
  if (!seen) return { entries: [] }
  const { amounts, postedAt } = seen
  const sum = amounts.reduce((total, amount) => total + amount, 0)
  const about = { description: 'ACCTVERIFY', postedAt }
  const credits = amounts.map((amount) => ({ direction: 'Credit', amount, ...about }))
  return { entries: [...credits, { direction: 'Debit', amount: sum, ...about }] }
}
