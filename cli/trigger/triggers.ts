import type { EventType } from '../../client/src/index.ts'
import { accessTriggers } from './access-triggers.ts'
import { accountTriggers } from './account-triggers.ts'
import { applicationTriggers } from './application-triggers.ts'
import { cardTriggers } from './card-triggers.ts'
import { recurringTriggers } from './recurring-triggers.ts'
import { rewardTriggers } from './reward-triggers.ts'
import type { Elsewhere, Trigger } from './trigger.ts'

const unit = { from: 'Unit reports it if it serves the banking operations (PURSER_BANKING_PROVIDER=unit).' }
const kard = { from: 'Kard reports it if it serves the offers (PURSER_REWARDS_PROVIDER=kard).' }

const files = {
  from: 'Unit reports it (PURSER_BANKING_PROVIDER=unit), or it comes with ACH files (PURSER_ACH=windows).',
}
const processor = {
  from: 'The card processor causes it, by a key with the scope processor:write; see docs/processor.md.',
}

const reviewer = { from: 'A reviewer causes it, by a key with the scope review:write; see docs/review.md.' }

const person = { from: 'A person causes it; see docs/people.md.' }

const second = { from: 'PURSER_TWO_SIGNATURES asks a second person for a decision; see docs/review.md.' }

const campaign = { from: 'A campaign of your own causes it; see docs/guides/campaigns.md.' }

const run = { from: 'The bank emits it when a due date of a recurring payment comes.' }

/** The way to every event. A type that has no entry does not compile. */
export const triggers: Record<EventType, Trigger | Elsewhere> = {
  ...accountTriggers,
  ...cardTriggers,
  ...applicationTriggers,
  ...rewardTriggers,
  ...recurringTriggers,
  ...accessTriggers,
  'accountHold.expired': { from: 'The bank emits it when bank time reaches the `expiresAt` of a hold.' },
  'achException.resolved': { from: 'The operator resolves an exception with `purser ach resolve`.' },
  'application.canceled': unit,
  'authorization.incrementDeclined': processor,
  'authorization.reviewed': reviewer,
  'card.referenceChanged': processor,
  'document.requested': reviewer,
  'document.viewed': reviewer,
  'customer.updated': unit,
  'customer.archived': unit,
  'customer.erased': { from: 'The operator erases a customer with `purser customers erase`.' },
  'externalAccount.approved': reviewer,
  'externalAccount.rejected': reviewer,
  'externalAccount.corrected': {
    from: 'Another bank corrects it by a notification of change in an ACH file (PURSER_ACH=windows).',
  },
  'auditLog.exported': { from: 'An export of the audit log causes it: `purser export audit-log`.' },
  'campaign.created': campaign,
  'campaign.updated': campaign,
  'campaign.budgetReached': campaign,
  'campaignOffer.created': campaign,
  'campaignOffer.updated': campaign,
  'offerActivation.created': campaign,
  'offerActivation.updated': campaign,
  'apiKey.scopesChanged': { from: 'The operator grants scopes with `purser keys grant`.' },
  'person.signedIn': person,
  'person.signInRefused': person,
  'person.signedOut': person,
  'person.sessionEnded': person,
  'person.invited': person,
  'person.roleChanged': person,
  'person.removed': person,
  'personalData.viewed': person,
  'proposal.created': second,
  'proposal.approved': second,
  'proposal.executed': second,
  'proposal.failed': second,
  'proposal.rejected': second,
  'proposal.withdrawn': second,
  'proposal.expired': second,
  'organisation.limitsChanged': { from: 'The operator changes them with `purser organisations limits`.' },
  'payment.pendingReview': unit,
  'payment.pending': {
    from: 'A reviewer approves a payment with PURSER_ACH=windows, by a key with the scope review:write; see docs/limits.md.',
  },
  'externalAccount.verificationSent': files,
  'payment.clearing': files,
  'payment.sent': files,
  'payment.rejected': files,
  'payment.canceled': files,
  'receivedPayment.created': files,
  'receivedPayment.advanced': unit,
  'receivedPayment.completed': files,
  'receivedPayment.markedForReturn': files,
  'receivedPayment.returned': files,
  'recurringPayment.completed': run,
  'recurringPayment.stopped': { from: 'The bank emits it after a return or a run that was refused.' },
  'recurringPayment.runSucceeded': run,
  'recurringPayment.runWaiting': run,
  'recurringPayment.runSkipped': run,
  'recurringPayment.runFailed': run,
  'reward.confirmed': {
    from: 'Kard reports it (PURSER_REWARDS_PROVIDER=kard), and with Unit the service emits it before a payout.',
  },
  'reward.rejected': kard,
  'upstreamEvent.failed': {
    from: 'The service emits it if it cannot apply an event of Unit or Kard; see docs/connectors.md.',
  },
}
