import type { Database } from '../../database/database.ts'
import type { Books, Command } from '../../ledger/books.ts'
import { bankingDaysAfter, easternInstant, easternOf } from '../../rails/ach/calendar.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { bankWrite } from '../parts/bank-write.ts'
import { creditDebit } from '../payments/debit-decision.ts'
import { emitChange } from '../payments/payment-view.ts'
import { debits } from '../records/debits/debits.ts'
import { payments } from '../records/payments.ts'
import type { DueRun, Forecast, Timer } from '../time/due.ts'
import { clearingDaysIn, type DueDebit, nextClearing, noteClearing } from './debit-clearing.sql.ts'
import { PORTION } from './portions.ts'

/** Notes when the accounts of the debits of a batch that settles are credited. It is repeated if the process is killed before the transfer. */
export async function beginClearing(
  database: Database,
  { id, settlesAt }: { id: number; settlesAt: string },
): Promise<void> {
  const { day, time } = easternOf(settlesAt)
  for (const clearingDays of await clearingDaysIn(database, id)) {
    const endsAt = easternInstant(bankingDaysAfter(day, clearingDays), time)
    await noteClearing(database, { batchId: id, clearingDays, settlesAt, endsAt })
  }
}

/** The timer that credits accounts with their debits when the clearing days are over. */
export function clearingTimerOf(bank: BankParts): Timer {
  return async (organisationId) => {
    const [first] = await nextClearing(bank.database, organisationId, 1)
    return first && { at: first.clearsAt, run: (run) => clearUntil(bank, organisationId, first.clearsAt, run) }
  }
}

/** The debits that are credited next. */
export function clearingForecastOf({ database }: Pick<BankParts, 'database'>): Forecast {
  return async (organisationId, limit) =>
    (await nextClearing(database, organisationId, limit))
      .filter(({ isClearing }) => isClearing)
      .map(({ id, clearsAt }) => ({ at: clearsAt, type: 'payment.sent', id: String(id) }))
}

async function clearUntil(bank: BankParts, organisationId: number, until: string, run: DueRun): Promise<void> {
  for (;;) {
    const due = (await nextClearing(bank.database, organisationId, PORTION)).filter(({ clearsAt }) => clearsAt <= until)
    if (due.length === 0) return
    const sent = await clearPortion(bank, organisationId, due)
    for (const { id, clearsAt } of due) {
      if (sent.has(id)) run.happened({ at: clearsAt, type: 'payment.sent', id: String(id) })
    }
  }
}

/** Credits the accounts of debits, and returns the ids of those that are sent now. */
async function clearPortion(bank: BankParts, organisationId: number, due: DueDebit[]): Promise<Set<number>> {
  const { ids, lane, routingNumber, runOnce } = bank
  const write = bankWrite(organisationId)
  const orders: ClearingOrder[] = []
  for (const { id } of due) orders.push({ id, transferId: await ids.nextPair(), routingNumber })
  let sent = new Set<number>()
  const command: Command<void> = {
    write,
    accountIds: [...new Set(due.map(({ accountId }) => accountId))],
    internal: ['ach_clearing'],
    reads: [payments.ids(orders.map(({ id }) => id))],
    decide: (books) => {
      sent = decideCleared(books, orders)
    },
  }
  await runOnce.attempt(write, () => lane.run(command))
  return sent
}

interface ClearingOrder {
  id: number
  transferId: number
  routingNumber: string
}

/** One that was returned, or whose batch the receiving bank refused, is not credited. */
function decideCleared(books: Books, orders: ClearingOrder[]): Set<number> {
  const sent = new Set<number>()
  for (const order of orders) {
    const payment = books.of(payments).get(order.id)
    books.of(debits).finish(order.id)
    if (payment?.status !== 'Clearing') continue
    emitChange(books, books.of(payments).update({ ...payment, status: 'Sent' }))
    creditDebit(books, payment, order)
    sent.add(order.id)
  }
  return sent
}
