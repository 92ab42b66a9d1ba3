import { LAST_INSTANT } from '../../base/clock.ts'
import { Problem } from '../../base/problem.ts'
import { sha256 } from '../../base/sha256.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { bankWrite } from '../parts/bank-write.ts'
import type { Forecast, Timer } from '../time/due.ts'
import { dropRetry, dueRetries } from './debit-retry.sql.ts'
import { retryPayment } from './debit-retry.ts'
import { type PaymentBank, paymentBankOf } from './payment-bank.ts'
import type { RailHold } from './recurring/due-runs.ts'

/** Debits that are presented again before the time of the run is looked at. */
const PORTION = 100

/** The timer that presents debits again by itself, if the operator wants it. While the rail is held, they wait with it. */
export function retryTimerOf(parts: BankParts, rail: RailHold): Timer {
  const bank = paymentBankOf(parts)
  return async (organisationId) => {
    const [next] = await dueRetries(bank.database, organisationId, { until: LAST_INSTANT, most: 1 })
    if (!next || (await rail.isHeld())) return undefined
    const { at } = next
    return {
      at,
      run: async (run) => {
        for (;;) {
          const due = await dueRetries(bank.database, organisationId, { until: at, most: PORTION })
          for (const each of due) {
            if (await retry(bank, organisationId, each.id)) {
              run.happened({ at: each.at, type: 'payment.retried', id: String(each.id) })
            }
          }
          if (due.length < PORTION || run.isOver()) return
        }
      },
    }
  }
}

/** The debits that are presented again next. */
export function retryForecastOf({ database }: Pick<BankParts, 'database'>): Forecast {
  return async (organisationId, most) =>
    (await dueRetries(database, organisationId, { until: LAST_INSTANT, most })).map(({ id, at }) => ({
      ...{ at, type: 'payment.retried', id: String(id) },
    }))
}

/** Presents a debit again, once. Returns false for one that is refused, such as after the revocation of its mandate: it is not tried again. */
async function retry(bank: PaymentBank, organisationId: number, id: number): Promise<boolean> {
  const plain = bankWrite<never>(organisationId)
  const hash = sha256(`retry of debit ${id}`)
  try {
    await retryPayment(bank, { ...plain, key: { ...plain.key, hash, fromCaller: true } }, String(id))
    return true
  } catch (error) {
    // Others pass by themselves, such as a database that is away.
    if (!(error instanceof Problem) || error.status >= 500) throw error
    await dropRetry(bank.database, id)
    return false
  }
}
