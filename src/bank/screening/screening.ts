import type { Write } from '../../base/operation.ts'
import { requireUnanswered } from '../../idempotency/run-once.ts'
import type { Hook } from '../../webhooks/hook.ts'
import type { BankParts } from '../parts/bank-parts.ts'

/** The answer of the screening, and why: its own reason, or the fault of a service that gave no answer. */
export interface Screened {
  outcome: 'pass' | 'review' | 'refuse'
  reason: string | undefined
}

/** A question about a person or an account. It names no social security number and no account number in full. */
interface ScreeningQuestion {
  type: 'application.requested' | 'externalAccount.requested' | 'payment.requested'
  data: object
}

/** A payment above a soft limit. */
export interface PaymentQuestion {
  paymentId: string
  customerId: string
  customerName: string
  accountId: string
  amount: number
  description: string
  counterparty: { externalAccountId: string; name: string; routingNumber: string }
}

/** The decisions of the screening. */
export const SCREENINGS: readonly Screened['outcome'][] = ['pass', 'review', 'refuse']

const MAX_REASON = 200

type Screening = Pick<BankParts, 'screening'>

/** Asks about a payment. Throws KeyTaken if the request has an answer already. */
export async function screenPayment(
  bank: Screening & Pick<BankParts, 'database'>,
  write: Write<never>,
  data: PaymentQuestion,
): Promise<Screened> {
  await requireUnanswered(bank.database, write)
  const screened = await screen(bank, write.caller.organisationId, { type: 'payment.requested', data })
  return screened ?? { outcome: 'review', reason: undefined }
}

/** Asks about a payment of a batch, whose stored answers were looked up together. */
export async function screenInTurn(
  { screening }: Screening,
  { caller: { organisationId } }: Write<never>,
  data: PaymentQuestion,
): Promise<Screened> {
  const inTurn = screening && { ask: screening.askInTurn }
  const screened = await screen({ screening: inTurn }, organisationId, { type: 'payment.requested', data })
  return screened ?? { outcome: 'review', reason: undefined }
}

/** Asks the screening, while nothing is locked. Without an answer that can be understood in time, a person decides. */
export async function screen(
  { screening }: { screening?: Pick<Hook, 'ask'> | undefined },
  organisationId: number,
  { type, data }: ScreeningQuestion,
): Promise<Screened | undefined> {
  if (!screening) return undefined
  const answer = await screening.ask(organisationId, {
    type,
    data: { organisationId: String(organisationId), ...data },
  })
  if ('fault' in answer) return { outcome: 'review', reason: `Screening: no answer (${answer.fault})` }
  return screenedBy(answer.json)
}

/** The outcome in an answer. One that is not known needs a review. */
export function screenedBy(json: unknown): Screened {
  const { decision, reason } = (json ?? {}) as { decision?: unknown; reason?: unknown }
  if (decision === 'pass') return { outcome: 'pass', reason: undefined }
  if (decision !== 'review' && decision !== 'refuse') {
    return { outcome: 'review', reason: 'Screening: no answer (unintelligible)' }
  }
  const own =
    typeof reason === 'string'
      ? reason
          .replaceAll(/\p{Cc}|\p{Cs}/gu, ' ')
          .trim()
          .slice(0, MAX_REASON)
      : ''
  return { outcome: decision, reason: own === '' ? `Screening: ${decision}` : `Screening: ${decision}: ${own}` }
}
