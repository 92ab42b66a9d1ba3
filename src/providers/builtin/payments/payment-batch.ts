import type { CreatePaymentInput } from '../../../banking/payments/create-payment.ts'
import type { Payment } from '../../../banking/payments/payment.ts'
import type { BankingProvider } from '../../../banking/provider.ts'
import type { Answer, BatchOrder, Write } from '../../../base/operation.ts'
import { clearNumber } from '../../../secrets/numbers.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { findPayeesAt } from '../bank/payments.sql.ts'
import { type PaymentBank, type PaymentOrder, paymentBankOf, paymentCommand, paymentOrderOf } from '../bank/payments.ts'
import type { BankParts } from '../bank-parts.ts'

const noAnswer = Promise.resolve(undefined)

type Batched = BatchOrder<CreatePaymentInput, Payment>

export function paymentBatchesOf(parts: BankParts): Pick<Required<BankingProvider>, 'createPaymentBatch'> {
  const bank = paymentBankOf(parts)
  return { createPaymentBatch: (orders) => createPaymentBatch(bank, orders) }
}

/**
 * Makes payments, each as `createPayment` does. Their ids and the accounts of this bank among the payees are looked up before
 * the first one is queued: from then on nothing is waited for, so that they enter the lane in the order of the list.
 */
async function createPaymentBatch(bank: PaymentBank, batch: Batched[]): Promise<PromiseSettledResult<Answer>[]> {
  const [first] = batch
  if (!first) return []
  // A batch that is sent again would otherwise fill the queue with payments that are made already.
  const replays = await bank.runOnce.replays(batch.map(({ write }) => write as Write<never>))
  const orders: PaymentOrder[] = []
  for (const { write, input } of batch) orders.push(await paymentOrderOf(bank, write, input))
  const ownAccounts = await ownAccountsOf(bank, orders, await bank.seals.of(first.write.caller.organisationId))
  const group = Symbol('batch')
  const attempt = bank.runOnce.together()
  const answers = batch.map(({ write }, place) => {
    if (replays[place]) return undefined
    const order = orders[place] as PaymentOrder
    const known = { ...order, ownAccountId: ownAccounts.get(order.payeeId) ?? null }
    return attempt(write, () => bank.lane.run(paymentCommand(bank, write, known), group))
  })
  const made = await Promise.allSettled(answers.map((answer) => answer ?? noAnswer))
  return made.map((outcome, place) => replays[place] ?? (outcome as PromiseSettledResult<Answer>))
}

/** The accounts of this bank that the payees name, by the payee. */
async function ownAccountsOf(bank: PaymentBank, orders: PaymentOrder[], seal: Seal): Promise<Map<number, number>> {
  const ids = [...new Set(orders.map(({ payeeId }) => payeeId))]
  const { database, routingNumber } = bank
  const own = await findPayeesAt(database, orders[0]?.organisationId ?? 0, routingNumber, ids)
  const found = await Promise.all(
    own.map(async ({ id, accountNumber }) => {
      const account = await bank.findAccountByNumber(clearNumber(seal, id, accountNumber))
      return account ? [[id, account.id] as const] : []
    }),
  )
  return new Map(found.flat())
}
