import type { DebitSettings } from '../../banking/accounts/account-limits.ts'
import type { OverdueRule } from '../../banking/recurring-payments/overdue-rule.ts'
import type { Database } from '../../database/database.ts'
import type { RecordIds } from '../../database/record-ids.ts'
import type { RunOnce } from '../../idempotency/run-once.ts'
import type { Lane } from '../../ledger/lane.ts'
import type { AchMode } from '../../rails/ach/settings.ts'
import type { Seals } from '../../secrets/seals.ts'
import type { Hook } from '../../webhooks/hook.ts'
import type { DecisionHook } from './decision-hook.ts'
import type { Rails } from './rail.ts'

/** The services and settings that every operation of the built-in bank works with. */
export interface BankParts {
  database: Database
  ids: RecordIds
  runOnce: RunOnce
  lane: Lane
  seals: Seals
  mode: 'sandbox' | 'live'
  /** The bank's own routing number. */
  routingNumber: string
  /** Time from a purchase to the payout of its reward. */
  payoutDelayMs: number
  /** The amount by which a payment or an authorization may overdraw an account. */
  overdraftCents: number
  /** Whether payments to an external account wait for a review until one was approved. */
  reviewFirstPayment: boolean
  /** The least amount of a payment that two persons have to approve; absent if one is always enough. */
  signedApprovalFrom?: number | undefined
  /** When accounts are credited with the money of debits, if their limits do not say otherwise. */
  debits: DebitSettings
  /** Days from the settlement of micro-entries to the end of their verification. */
  verificationDays: number
  /** The rule of runs of recurring payments that are more than a day late. */
  recurringOverdue: OverdueRule
  /** How payments to other banks leave. */
  rails: Rails
  /** The settings of ACH files; `instant` if there are none. */
  ach: AchMode
  /** `automatic` approves a document when it is uploaded; `manual` leaves it to a reviewer. */
  review: 'automatic' | 'manual'
  /** Absent if no app takes part in the decision of card authorizations. */
  decision?: DecisionHook | undefined
  /** Called for each settlement that a reviewer has to look at. */
  overSettled?: (() => void) | undefined
  /** Absent if nobody screens new customers and external accounts. */
  screening?: Pick<Hook, 'ask' | 'askInTurn'> | undefined
  /** How long an upload waits for its turn; ten seconds unless set. */
  uploadWaitMs?: number | undefined
}
