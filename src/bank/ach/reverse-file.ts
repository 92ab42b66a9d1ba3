import type { Payment } from '../../banking/payments/payment.ts'
import type { ReversalInput } from '../../banking/payments/reverse-payment.ts'
import { Problem } from '../../base/problem.ts'
import { StartupError } from '../../base/startup-error.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { bankWrite } from '../parts/bank-write.ts'
import { paymentBankOf } from '../payments/payment-bank.ts'
import { reversePayment } from '../payments/reversal.ts'
import { entriesIn } from './batches.sql.ts'
import { batchesToReverse } from './reverse-file.sql.ts'

/** Payments whose reversals are decided together. */
const PORTION = 100

/** The payments of a file or a batch that are reversed, and those that cannot be. */
export interface ReversedFile {
  reversed: number
  refused: { paymentId: string; code: string; detail: string }[]
}

export interface FileReversal {
  fileId: number
  /** The number of a batch; absent for the whole file. */
  batch?: number | undefined
  reason: ReversalInput['reason']
  /** When the error was discovered, in bank time; absent if that was now. */
  discoveredAt?: string | undefined
}

/**
 * Takes back the payments of a file or a batch that this database has, each with a reversal of its own. One that is reversed already is
 * refused, so that a call that was interrupted can be repeated.
 */
export async function reverseFile(
  parts: BankParts,
  { fileId, batch, reason, discoveredAt }: FileReversal,
): Promise<ReversedFile> {
  if (parts.ach === 'instant') throw new StartupError('ACH files are reversed with PURSER_ACH=windows only')
  const bank = paymentBankOf(parts)
  const error = { reason, ...(discoveredAt !== undefined && { discoveredAt }) }
  const outcome: ReversedFile = { reversed: 0, refused: [] }
  for (const { id: batchId, organisationId } of await batchesToReverse(bank.database, fileId, batch ?? null)) {
    for (let after = 0, left = true; left; ) {
      const entries = await entriesIn(bank.database, { batchId, after, limit: PORTION })
      const outcomes = await Promise.allSettled(
        entries.map(({ id }) => {
          return reversePayment(bank, bankWrite<Payment>(organisationId), { paymentId: String(id), ...error })
        }),
      )
      for (const [place, each] of outcomes.entries()) {
        const paymentId = String(entries[place]?.id)
        if (each.status === 'fulfilled') outcome.reversed++
        else if (each.reason instanceof Problem && each.reason.status < 500) {
          outcome.refused.push({ paymentId, code: each.reason.code, detail: each.reason.message })
        } else throw each.reason
      }
      after = entries.at(-1)?.id ?? after
      left = entries.length === PORTION
    }
  }
  return outcome
}
