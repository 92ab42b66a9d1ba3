import { accountRules } from '../../banking/accounts/account.ts'
import { type Payment, requireReversible } from '../../banking/payments/payment.ts'
import type { ReversalInput } from '../../banking/payments/reverse-payment.ts'
import { requireAllowed } from '../../banking/state-rules.ts'
import { addDays } from '../../base/clock.ts'
import type { Answer, Write } from '../../base/operation.ts'
import { invalidRequest, Problem } from '../../base/problem.ts'
import type { Books, Command } from '../../ledger/books.ts'
import { bankingDaysAfter, easternOf } from '../../rails/ach/calendar.ts'
import type { Seal } from '../../secrets/seal.ts'
import { depositAccountIn } from '../accounts/deposit-account.ts'
import { overdraftOf, useLimits, useOrganisationLimits } from '../limits/check.ts'
import { debits } from '../records/debits/debits.ts'
import { accountUsage, organisationShares } from '../records/limits.ts'
import type { PaymentRow } from '../records/payment-columns.ts'
import { payments } from '../records/payments.ts'
import type { LedgerPayee, LedgerPayment } from '../records/records.ts'
import { creditDebit, termsOf } from './debit-decision.ts'
import { ownPayment, type PaymentBank, sealOf } from './payment-bank.ts'
import { newPayment } from './payment-decision.ts'
import { sendPayment, startPayment } from './send-payment.ts'

/** Banking days from the settlement in which the reversal leaves. */
const REVERSAL_DAYS = 5

/** Takes an erroneous payment back. */
export async function reversePayment(
  bank: PaymentBank,
  write: Write<Payment>,
  { paymentId, ...input }: ReversalInput & { paymentId: string },
): Promise<Answer> {
  const row = await ownPayment(bank, write.caller, paymentId)
  const command = await reversalCommand(bank, write, row, input)
  return bank.runOnce.attempt(write, () => bank.lane.run(command))
}

interface ReversalOrder extends ReversalInput {
  id: number
  paymentId: number
  transferId: number
  seal: Seal
}

async function reversalCommand(
  bank: PaymentBank,
  write: Write<Payment>,
  { id, accountId, organisationId, direction }: PaymentRow,
  input: ReversalInput,
): Promise<Command<Payment>> {
  const ids = { paymentId: await bank.ids.next(), transferId: await bank.ids.nextPair() }
  const order = { ...input, ...ids, id, seal: await sealOf(bank, write.caller) }
  const usage = [accountUsage.ids([accountId]), organisationShares.ids([organisationId])]
  return {
    write,
    accountIds: [accountId],
    reads: [payments.ids([id, { linkedTo: id }]), ...(direction === 'Debit' ? usage : [])],
    internal: ['ach_clearing'],
    decide: (books) => decideReversal(books, bank, order),
  }
}

/** Decides a reversal: refuses it, or makes the payment of the other direction. */
function decideReversal(books: Books, bank: PaymentBank, order: ReversalOrder): Payment {
  const original = books.of(payments).get(order.id)
  if (!original) throw new Problem('payment_not_found')
  const { organisationId, externalAccountId, amount, secCode } = original
  const now = books.now(organisationId)
  requireNotReversed(books, original)
  requireFresh(order, now)
  const direction = original.direction === 'Debit' ? 'Credit' : 'Debit'
  if (externalAccountId === null) throw new Problem('payment_not_reversible')
  const reversal = newPayment(
    {
      ...{ organisationId, accountId: original.accountId, paymentId: order.paymentId, rail: bank.rails.ACH },
      input: {
        ...{ accountId: String(original.accountId), counterpartyAccountId: String(externalAccountId), amount },
        ...{ description: 'REVERSAL', originalType: 'ACH', direction, ...(secCode !== null && { secCode }) },
      },
      recurringPaymentId: null,
      seal: order.seal,
      link: { kind: 'Reversal', paymentId: String(original.id), reason: order.reason },
    },
    counterpartyOf(original, externalAccountId),
    { destination: undefined, review: undefined },
    now,
  )
  requireInTime(original, reversal, now)
  return direction === 'Debit' ? collectBack(books, bank, reversal, order) : payBack(books, bank, reversal, order)
}

/** The receiver of the payment, as it was: the external account may be corrected or deleted since. */
function counterpartyOf({ counterparty, customerId }: LedgerPayment, id: number): LedgerPayee {
  return { ...counterparty, id, customerId, type: 'Unknown', underReview: false, known: true }
}

function requireNotReversed(books: Books, original: LedgerPayment): void {
  const { id, status, type, destinationAccountId, link } = original
  const reversed = link?.kind === 'Reversal' && { reversalOf: link.paymentId }
  requireReversible({ status, type, destinationAccountId, ...reversed })
  const undone = ['Canceled', 'Rejected', 'Returned']
  const reversal = books
    .of(payments)
    .linkedTo(id)
    .find((each) => each.link?.kind === 'Reversal' && !undone.includes(each.status))
  if (reversal) throw new Problem('payment_not_reversible', { detail: `Payment ${reversal.id} reverses it already.` })
}

/** A reversal follows within a day of the discovery. */
function requireFresh({ discoveredAt }: ReversalInput, now: string): void {
  if (discoveredAt === undefined) return
  if (discoveredAt > now) {
    const message = `discoveredAt must not be later than bank time, which is ${now}`
    throw invalidRequest([{ pointer: '/discoveredAt', code: 'out_of_range', message }])
  }
  if (now > addDays(discoveredAt, 1)) {
    throw new Problem('reversal_too_late', { detail: 'The error was discovered more than a day ago.' })
  }
}

/** A reversal leaves within five banking days of the settlement. */
function requireInTime({ settlesAt, createdAt }: LedgerPayment, { cutoffAt }: LedgerPayment, now: string): void {
  const lastDay = bankingDaysAfter(easternOf(settlesAt ?? createdAt).day, REVERSAL_DAYS)
  const day = easternOf(cutoffAt ?? now).day
  if (day <= lastDay) return
  const detail = `A reversal of this payment leaves until ${lastDay}; this one would on ${day}.`
  throw new Problem('reversal_too_late', { detail })
}

/** Collects the money of a credit: the account gets it when the clearing days are over. */
function collectBack(books: Books, bank: PaymentBank, reversal: LedgerPayment, order: ReversalOrder): Payment {
  const account = depositAccountIn(books, reversal.organisationId, reversal.accountId)
  const { id, organisationId, accountId, externalAccountId, createdAt } = reversal
  if (externalAccountId === null) throw new Error('a reversal without an external account')
  const { clearingDays } = termsOf(account, bank.debits)
  books.of(debits).insert({
    ...{ id, organisationId, accountId, externalAccountId, createdAt, mandate: null, clearingDays, early: false },
  })
  const data = startPayment(books, reversal, order.seal)
  if (reversal.status === 'Sent')
    creditDebit(books, reversal, { transferId: order.transferId, routingNumber: bank.routingNumber })
  return data
}

/** Gives the money of a debit back to the account that it was collected from. */
function payBack(books: Books, bank: PaymentBank, reversal: LedgerPayment, order: ReversalOrder): Payment {
  const { organisationId, accountId, amount } = reversal
  const account = depositAccountIn(books, organisationId, accountId)
  requireAllowed(accountRules, 'createPayment', account.status)
  if (account.balance - account.hold - amount < -overdraftOf(account, bank.overdraftCents)) {
    throw new Problem('insufficient_funds')
  }
  useLimits(books, account, amount)
  useOrganisationLimits(books, organisationId, amount)
  const creditAccountId = books.internal('ach_clearing').id
  const { transferId, seal } = order
  return sendPayment(books, reversal, { transferId, creditAccountId, routingNumber: bank.routingNumber, seal })
}
