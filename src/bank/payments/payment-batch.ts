import type { CreatePaymentInput } from '../../banking/payments/create-payment.ts'
import type { Payment } from '../../banking/payments/payment.ts'
import type { BankingProvider } from '../../banking/provider.ts'
import { clock } from '../../base/clock.ts'
import type { Answer, BatchOrder, Write } from '../../base/operation.ts'
import { Problem } from '../../base/problem.ts'
import { retryAfter } from '../../base/retry-after.ts'
import { clearNumber } from '../../secrets/numbers.ts'
import type { Seal } from '../../secrets/seal.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { screenInTurn } from '../screening/screening.ts'
import { type PaymentBank, paymentBankOf, sealOf } from './payment-bank.ts'
import type { PaymentOrder } from './payment-decision.ts'
import { newOrder, paymentCommand } from './payment-orders.ts'
import { findPayeesAt } from './payments.sql.ts'

const noAnswer = Promise.resolve(undefined)

type Batched = BatchOrder<CreatePaymentInput, Payment>

export function paymentBatchesOf(parts: BankParts): Pick<Required<BankingProvider>, 'createPaymentBatch'> {
  const bank = paymentBankOf(parts)
  return { createPaymentBatch: (orders) => createPaymentBatch(bank, orders) }
}

/** A batch of parts begins no further one after this time. */
const BATCH_MS = 10_000

/** Makes payments, each as `createPayment` does. */
async function createPaymentBatch(bank: PaymentBank, batch: Batched[]): Promise<PromiseSettledResult<Answer>[]> {
  const untilMs = clock.elapsedMs() + BATCH_MS
  const outcomes: PromiseSettledResult<Answer>[] = []
  for (const part of partsOf(batch)) {
    if (clock.elapsedMs() < untilMs) outcomes.push(...(await makeTogether(bank, part)))
    else outcomes.push(...part.map(() => ({ status: 'rejected', reason: unavailable() }) as const))
  }
  return outcomes
}

/**
 * Parts of a batch, mostly one, in which no idempotency key occurs twice. A payment with the key of an earlier one is made if that
 * was refused, and before those after it.
 */
function partsOf(batch: Batched[]): Batched[][] {
  const parts: Batched[][] = []
  let keys = new Set<string>()
  for (const each of batch) {
    const key = each.write.key.hash.toString('latin1')
    if (parts.length === 0 || keys.has(key)) {
      parts.push([])
      keys = new Set()
    }
    keys.add(key)
    parts.at(-1)?.push(each)
  }
  return parts
}

function unavailable(): Problem {
  return new Problem('unavailable', {
    headers: retryAfter(1),
    reason: 'the payments of the batch before it took too long',
  })
}

/**
 * Makes the payments of a part. Their ids and the accounts of this bank among the payees are looked up before
 * the first one is queued: from then on nothing is waited for, so that they enter the lane in the order of the list. As a group they keep
 * it on each account, also if the screening is asked about some of them.
 */
async function makeTogether(bank: PaymentBank, batch: Batched[]): Promise<PromiseSettledResult<Answer>[]> {
  const [first] = batch
  if (!first) return []
  // A batch that is sent again would otherwise fill the queue with payments that are made already.
  const replays = await bank.runOnce.replays(batch.map(({ write }) => write as Write<never>))
  const orders = await ordersOf(bank, batch, await sealOf(bank, first.write.caller))
  const asking = { ...bank, screenPayment: screenInTurn.bind(undefined, bank) }
  const attempt = bank.runOnce.together()
  const answers = batch.map(({ write }, place) => {
    if (replays[place]) return noAnswer
    const order = orders[place] as PaymentOrder
    return attempt(write, () => bank.lane.run(paymentCommand(asking, write, order)))
  })
  const made = await Promise.allSettled(answers)
  return made.map((outcome, place) => replays[place] ?? (outcome as PromiseSettledResult<Answer>))
}

/** The orders of payments that are made together, with their ids and the accounts of this bank among the payees. */
async function ordersOf(bank: PaymentBank, batch: Batched[], seal: Seal): Promise<PaymentOrder[]> {
  const orders: PaymentOrder[] = []
  for (const each of batch) {
    // A wait for each id, if nothing is to be waited for, took as long as the rest of the order.
    const id = bank.ids.next()
    const paymentId = typeof id === 'number' ? id : await id
    const pair = bank.ids.nextPair()
    const transferId = typeof pair === 'number' ? pair : await pair
    orders.push(newOrder(bank, each, { paymentId, transferId }, seal))
  }
  const ownAccounts = await ownAccountsOf(bank, orders, seal)
  const group = Symbol('batch')
  for (const order of orders) {
    order.group = group
    order.ownAccountId = ownAccounts.get(order.payeeId) ?? null
  }
  return orders
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
