import type { Authorization } from '../../banking/authorizations/authorization.ts'
import type { Write } from '../../base/operation.ts'
import type { Database } from '../../database/database.ts'
import { requireUnanswered } from '../../idempotency/run-once.ts'
import type { Hook } from '../../webhooks/hook.ts'

/** The app's part in the decision of card authorizations. */
export interface DecisionHook {
  hook: Pick<Hook, 'ask'>
  /** The decision if the app gives none that can be understood in time. */
  onSilence: 'approve' | 'decline'
}

/** A question about a purchase that the bank would approve, as the app gets it. */
export interface DecisionQuestion {
  type: 'authorization.requested' | 'authorization.incrementRequested'
  data: {
    organisationId: string
    customerId: string
    accountId: string
    cardId: string
    cardLast4Digits: string
    authorizationId: string
    /** The amount that is asked for; of an increment the further amount. */
    amount: number
    /** The amount of the authorization so far; 0 for a new one. */
    authorizedAmount: number
    merchant: Authorization['merchant']
    /** Balance less holds, before this purchase. */
    availableBalance: number
  }
}

/** The decisions of the app. */
export const DECISIONS = ['approve', 'decline']

/** The app's decision: null approves, a text is the reason of a decline. */
export type Verdict = null | string

/** The reasons if the app gives none of its own, and if it gives no decision. */
const DECLINED = 'DeclinedByApp'
const UNAVAILABLE = 'DecisionUnavailable'

/**
 * Asks the app, while nothing is locked. Throws KeyTaken if the request has an answer already: a message that is sent
 * again is not asked about again.
 */
export async function askApp(
  { database, decision }: { database: Database; decision: DecisionHook },
  write: Write<never>,
  question: DecisionQuestion,
): Promise<Verdict> {
  await requireUnanswered(database, write)
  const answer = await decision.hook.ask(write.caller.organisationId, question)
  const verdict = 'json' in answer ? verdictOf(answer.json) : undefined
  if (verdict !== undefined) return verdict
  return decision.onSilence === 'approve' ? null : UNAVAILABLE
}

/** The decision in an answer of the app; undefined if there is none. A decline counts whatever its reason looks like. */
export function verdictOf(json: unknown): Verdict | undefined {
  const { decision, reason } = (json ?? {}) as { decision?: unknown; reason?: unknown }
  if (decision === 'approve') return null
  if (decision !== 'decline') return undefined
  return typeof reason === 'string' && /^[A-Z][A-Za-z0-9]{0,63}$/.test(reason) ? reason : DECLINED
}
