import type { CreatePaymentInput } from '../../banking/payments/create-payment.ts'
import type { Payment } from '../../banking/payments/payment.ts'
import { idNumber } from '../../base/ids.ts'
import type { Answer, BatchOrder, Write } from '../../base/operation.ts'
import type { Command } from '../../ledger/books.ts'
import type { Seal } from '../../secrets/seal.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { clearingOf } from '../parts/rail.ts'
import { accountUsage, organisationShares } from '../records/limits.ts'
import { payees } from '../records/payments.ts'
import { debitReads, decideDebit } from './debit-decision.ts'
import { type PaymentBank, sealOf } from './payment-bank.ts'
import { decidePayment, type PaymentLack, type PaymentOrder } from './payment-decision.ts'

export async function createPayment(
  bank: PaymentBank,
  write: Write<Payment>,
  input: CreatePaymentInput,
): Promise<Answer> {
  const order = await paymentOrderOf(bank, write, input)
  return bank.runOnce.attempt(write, () => bank.lane.run(paymentCommand(bank, write, order)))
}

/** A payment to be decided, with new ids. */
async function paymentOrderOf(
  bank: BankParts,
  write: Write<Payment>,
  input: CreatePaymentInput,
): Promise<PaymentOrder> {
  const ids = { paymentId: await bank.ids.next(), transferId: await bank.ids.nextPair() }
  return newOrder(bank, { write, input }, ids, await sealOf(bank, write.caller))
}

/** The same, if its ids and the seal of its organisation are there already. */
export function newOrder(
  bank: BankParts,
  { write, input }: BatchOrder<CreatePaymentInput, Payment>,
  { paymentId, transferId }: Pick<PaymentOrder, 'paymentId' | 'transferId'>,
  seal: Seal,
  recurringPaymentId: number | null = null,
): PaymentOrder {
  return {
    organisationId: write.caller.organisationId,
    requestId: write.requestId,
    accountId: idNumber(input.accountId),
    payeeId: idNumber(input.counterpartyAccountId),
    paymentId,
    transferId,
    input,
    routingNumber: bank.routingNumber,
    overdraftCents: bank.overdraftCents,
    seal,
    rail: bank.rails[input.originalType],
    recurringPaymentId,
    group: undefined,
    reviewFirstPayment: bank.reviewFirstPayment,
    screens: bank.screening !== undefined,
    ownAccountId: undefined,
  }
}

export function paymentCommand(
  bank: PaymentBank,
  write: Write<Payment>,
  order: PaymentOrder,
): Command<Payment, PaymentLack> {
  if (order.input.direction === 'Debit') return debitCommand(bank, write, order)
  const { accountId, payeeId, ownAccountId, group, input } = order
  return {
    write,
    group,
    characters: charactersIn(input.tags),
    accountIds: ownAccountId ? [accountId, ownAccountId] : [accountId],
    reads: [payees.ids([payeeId]), accountUsage.ids([accountId]), organisationShares.ids([order.organisationId])],
    internal: [clearingOf(input)],
    decide: (books) => decidePayment(books, order),
    async supply(lack) {
      if ('screen' in lack) {
        return paymentCommand(bank, write, { ...order, screened: await bank.screenPayment(write, lack.screen) })
      }
      const account = await bank.findAccountByNumber(lack.accountNumber)
      return paymentCommand(bank, write, { ...order, ownAccountId: account?.id ?? null })
    },
  }
}

function debitCommand(bank: PaymentBank, write: Write<Payment>, order: PaymentOrder): Command<Payment, PaymentLack> {
  const { accountId, group, input } = order
  return {
    write,
    group,
    characters: charactersIn(input.tags),
    accountIds: [accountId],
    reads: debitReads(order, bank),
    internal: ['ach_clearing'],
    decide: (books) => decideDebit(books, order, bank.debits),
  }
}

/** Most payments have no tags. */
function charactersIn(tags: Record<string, string> = {}): number {
  let characters = 0
  for (const name in tags) characters += name.length + (tags[name]?.length ?? 0)
  return characters
}
