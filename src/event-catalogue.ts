import { type TSchema, Type } from 'typebox'
import { ApiKey } from './access/api-key.ts'
import { AuditLogExport, PersonalDataView } from './access/disclosures.ts'
import { AccountHold } from './banking/account-holds/account-hold.ts'
import { DepositAccount } from './banking/accounts/account.ts'
import { AccountLimits, OrganisationLimits } from './banking/accounts/account-limits.ts'
import { AccountPaymentBlock } from './banking/accounts/payment-block.ts'
import { AchException } from './banking/ach/ach-exception.ts'
import { Application } from './banking/applications/application.ts'
import { Document } from './banking/applications/document.ts'
import { Authorization, AuthorizationIncrement } from './banking/authorizations/authorization.ts'
import { OverSettlement } from './banking/authorizations/over-settlement.ts'
import { Card } from './banking/cards/card.ts'
import { CardLimits } from './banking/cards/card-limits.ts'
import { Customer } from './banking/customers/customer.ts'
import { CreatedVerificationToken } from './banking/customers/verification-token.ts'
import { ExternalAccount } from './banking/external-accounts/external-account.ts'
import { Payment } from './banking/payments/payment.ts'
import { ReceivedPayment } from './banking/payments/received-payment.ts'
import { RecurringPayment } from './banking/recurring-payments/recurring-payment.ts'
import { Statement } from './banking/statements/statement.ts'
import { Transaction } from './banking/transactions/transaction.ts'
import samples from './event-samples.json' with { type: 'json' }
import type { Event, EventKind, EventType } from './events/event.ts'
import { FailedUpstreamEvent } from './events/inbound/inbound-fault.ts'
import { PersonChange } from './people/person-change.ts'
import { ProcessorCard } from './processor/processor-card.ts'
import { Proposal } from './review/proposals/proposal.ts'
import { Activation } from './rewards/campaigns/activation.ts'
import { BudgetAlert } from './rewards/campaigns/budget.ts'
import { Campaign, CampaignOffer } from './rewards/campaigns/campaign.ts'
import { PartnerUser } from './rewards/records/partner-user.ts'
import { PartnerUserCard } from './rewards/records/partner-user-card.ts'
import { Reward, UpstreamReward } from './rewards/records/reward.ts'
import { RewardPayment } from './rewards/records/reward-payment.ts'
import { RewardableTransaction } from './rewards/records/rewardable-transaction.ts'
import { SandboxOrganisation } from './sandbox/organisation.ts'
import { WebhookEndpoint } from './webhooks/endpoints/webhook-endpoint.ts'

/** A reward of the built-in engine, or of a provider of offers. */
const AnyReward = Type.Union([Reward, UpstreamReward], {
  description: 'The reward after the change',
})

const kinds: Record<EventType, [data: TSchema, description: string]> = {
  'account.created': [DepositAccount, 'An account was opened.'],
  'account.closed': [DepositAccount, 'An account was closed.'],
  'account.reopened': [DepositAccount, 'A closed account was reopened.'],
  'account.frozen': [DepositAccount, 'An account was frozen: money comes in, and none leaves.'],
  'account.unfrozen': [DepositAccount, 'A frozen account is open again.'],
  'account.limitsChanged': [AccountLimits, 'The limits of the payments of an account or its overdraft changed.'],
  'account.paymentsBlocked': [
    AccountPaymentBlock,
    'Outgoing payments of an account are refused: the operator or the return of a debit blocked them.',
  ],
  'account.paymentsReleased': [AccountPaymentBlock, 'The operator ended the block of outgoing payments of an account.'],
  'accountHold.created': [AccountHold, 'An amount is held on an account.'],
  'accountHold.released': [AccountHold, 'A hold was released; its amount is available again.'],
  'accountHold.expired': [AccountHold, 'A hold expired; its amount is available again.'],
  'achException.resolved': [AchException, 'The operator resolved an exception of an ACH file.'],
  'apiKey.created': [ApiKey, 'An API key was created. The secret is not part of the event.'],
  'apiKey.rotated': [ApiKey, 'An API key got a new secret.'],
  'apiKey.revoked': [ApiKey, 'An API key was deleted and no longer works.'],
  'apiKey.scopesChanged': [ApiKey, 'The operator granted scopes to an API key.'],
  'application.created': [Application, 'A person applied for an account.'],
  'application.awaitingDocuments': [Application, 'An application needs documents, or other ones than those uploaded.'],
  'application.pendingReview': [Application, 'An application waits for a decision.'],
  'application.approved': [Application, 'An application was approved; its customer exists.'],
  'application.denied': [Application, 'An application was denied.'],
  'application.canceled': [Application, 'An application was canceled by the provider.'],
  'auditLog.exported': [AuditLogExport, 'The audit log was exported.'],
  'authorization.created': [Authorization, 'A merchant charged a card, and the amount is held.'],
  'authorization.declined': [Authorization, 'A charge of a card was declined; `reason` says why.'],
  'authorization.amountChanged': [
    Authorization,
    'The amount that an authorization holds changed: a part settled, or the merchant or the network changed it.',
  ],
  'authorization.incrementDeclined': [
    AuthorizationIncrement,
    'A merchant asked for more on an authorization and was declined; `reason` says why, and the hold stays.',
  ],
  'authorization.canceled': [Authorization, 'An authorization was reversed or expired, and nothing is held.'],
  'authorization.completed': [Authorization, 'An authorization settled, and nothing more is held.'],
  'authorization.overSettled': [
    OverSettlement,
    'An authorization settled for more than its trade explains. The money is booked, and a reviewer has to look.',
  ],
  'authorization.reviewed': [OverSettlement, 'A reviewer has dealt with an over-settlement.'],
  'campaign.created': [Campaign, 'A campaign was created.'],
  'campaign.updated': [Campaign, 'A campaign was changed, paused, resumed or ended.'],
  'campaign.budgetReached': [
    BudgetAlert,
    'Purchases have used 80 or 100 percent of a budget of a campaign or an offer.',
  ],
  'campaignOffer.created': [CampaignOffer, 'An offer was added to a campaign.'],
  'campaignOffer.updated': [CampaignOffer, 'An offer of a campaign was changed, paused, resumed or ended.'],
  'card.created': [Card, 'A card was created.'],
  'card.activated': [Card, 'A card was activated by its holder.'],
  'card.replaced': [Card, 'A card was replaced by another one, which has its own `card.created`.'],
  'card.statusChanged': [Card, 'A card was frozen, unfrozen, closed or reported.'],
  'card.referenceChanged': [ProcessorCard, 'A card got, changed or lost the reference of the card processor.'],
  'card.limitsChanged': [CardLimits, 'The spending limits of a card changed.'],
  'customer.created': [Customer, 'A customer was created.'],
  'customer.updated': [Customer, 'The data of a customer changed at the provider.'],
  'customer.archived': [Customer, 'A customer was archived by the provider.'],
  'customer.erased': [Customer, 'The personal data of a customer was erased by the operator.'],
  'document.requested': [Document, 'A reviewer asked an applicant for a document.'],
  'document.viewed': [Document, 'A reviewer looked at a file of a document.'],
  'document.approved': [Document, 'A document of an application was approved.'],
  'document.rejected': [Document, 'A document of an application was rejected; another one is needed.'],
  'externalAccount.created': [ExternalAccount, 'An external account was added to a customer.'],
  'externalAccount.approved': [ExternalAccount, 'A reviewer approved an external account; its payments leave.'],
  'externalAccount.rejected': [
    ExternalAccount,
    'A reviewer rejected an external account, which is deleted; its payments are rejected.',
  ],
  'externalAccount.corrected': [
    ExternalAccount,
    'An external account was corrected: by a request, or by a notification of change of another bank.',
  ],
  'externalAccount.mandateGiven': [ExternalAccount, 'A customer authorized debits of an external account.'],
  'externalAccount.mandateRevoked': [
    ExternalAccount,
    'The authorization of debits of an external account was revoked; debits that have not left are canceled.',
  ],
  'externalAccount.verificationStarted': [ExternalAccount, 'The verification of an external account began.'],
  'externalAccount.verificationSent': [
    ExternalAccount,
    'The entries that verify an external account have settled. Those that left with no file have `externalAccount.verificationStarted` alone.',
  ],
  'externalAccount.verificationAttempted': [
    ExternalAccount,
    'Wrong amounts were sent to confirm the micro-entries of an external account.',
  ],
  'externalAccount.verificationFailed': [ExternalAccount, 'The verification of an external account failed.'],
  'externalAccount.verified': [
    ExternalAccount,
    'An external account was verified: money can be collected from it with a mandate.',
  ],
  'externalAccount.deleted': [ExternalAccount, 'An external account was deleted.'],
  'offerActivation.created': [Activation, 'A partner user activated an offer.'],
  'offerActivation.updated': [
    Activation,
    'An activation was used by a purchase, got a use back by a refund, or was canceled.',
  ],
  'organisation.created': [
    SandboxOrganisation,
    'A sandbox organisation was created, or replaced the one before by a reset.',
  ],
  'organisation.limitsChanged': [
    OrganisationLimits,
    'The operator changed the limits of all payments of the organisation.',
  ],
  'partnerUser.created': [PartnerUser, 'A user was enrolled in rewards.'],
  'partnerUser.updated': [
    PartnerUser,
    'A user was removed from rewards or enrolled again, or its tags changed, which the event does not show.',
  ],
  'partnerUserCard.created': [PartnerUserCard, 'A card was linked; its purchases earn rewards.'],
  'partnerUserCard.updated': [PartnerUserCard, 'The link of a card was removed or restored.'],
  'payment.created': [Payment, 'A payment was created.'],
  'payment.pendingReview': [
    Payment,
    'A payment was stopped before it left, and waits for a review; or it waits for a review by the provider.',
  ],
  'payment.pending': [Payment, 'A payment was approved by a reviewer, and leaves with the next file.'],
  'payment.clearing': [Payment, 'A payment left with an ACH file, or is being cleared by the provider.'],
  'payment.sent': [
    Payment,
    'A payment was sent to the other bank, or the money of a debit is on the account. One that is created as `Sent` has `payment.created` alone.',
  ],
  'payment.rejected': [
    Payment,
    'A payment was rejected by a reviewer, by the receiving bank or by the provider: the money is back, and that of a debit does not come.',
  ],
  'payment.canceled': [Payment, 'A payment was canceled before it was sent.'],
  'payment.returned': [
    Payment,
    'A payment was returned by the other bank: the money is back, and that of a debit was taken back.',
  ],
  'person.signedIn': [PersonChange, 'A person with a role in the organisation signed in.'],
  'person.signInRefused': [
    PersonChange,
    'A sign-in of a person was refused; `cause` says why. Of one person at most ten a minute are noted.',
  ],
  'person.signedOut': [PersonChange, 'A person signed out.'],
  'person.sessionEnded': [PersonChange, 'A session of a person, or all of them, was ended from another one.'],
  'person.invited': [PersonChange, 'A person was invited, or got a new link for a lost device.'],
  'person.roleChanged': [PersonChange, 'A person got another role in the organisation, or lost it.'],
  'person.removed': [PersonChange, 'A person was removed from the bank.'],
  'personalData.viewed': [
    PersonalDataView,
    'A person saw numbers of accounts in full, or a document with personal data. Records that the same person sees again within 15 minutes are left out.',
  ],
  'proposal.created': [Proposal, 'A decision waits for a second person.'],
  'proposal.approved': [Proposal, 'A second person approved a proposal; its operation runs now.'],
  'proposal.executed': [Proposal, 'The operation of an approved proposal has run.'],
  'proposal.failed': [Proposal, 'The operation of an approved proposal was refused; `problem` says why.'],
  'proposal.rejected': [Proposal, 'A proposal was rejected with a reason.'],
  'proposal.withdrawn': [Proposal, 'A proposal was withdrawn by who made it.'],
  'proposal.expired': [Proposal, 'A proposal was not decided in time.'],
  'receivedPayment.created': [ReceivedPayment, 'Another bank announced a payment to an account here.'],
  'receivedPayment.advanced': [ReceivedPayment, 'The money of a received payment is available before it settles.'],
  'receivedPayment.completed': [ReceivedPayment, 'A received payment settled.'],
  'receivedPayment.markedForReturn': [ReceivedPayment, 'A received payment will be returned.'],
  'receivedPayment.returned': [ReceivedPayment, 'A received payment was returned to the other bank.'],
  'recurringPayment.created': [RecurringPayment, 'A recurring payment was created.'],
  'recurringPayment.changed': [RecurringPayment, 'Its amount was changed, or one of its due dates is skipped.'],
  'recurringPayment.paused': [RecurringPayment, 'It was paused.'],
  'recurringPayment.resumed': [RecurringPayment, 'It was resumed.'],
  'recurringPayment.canceled': [RecurringPayment, 'It was canceled by a request.'],
  'recurringPayment.completed': [RecurringPayment, 'Its last due date is over.'],
  'recurringPayment.stopped': [RecurringPayment, 'It was stopped by a rule, or cannot go on; `reason` says why.'],
  'recurringPayment.runSucceeded': [RecurringPayment, 'A run made a payment, which `lastRun` names.'],
  'recurringPayment.runWaiting': [RecurringPayment, 'A run lacked money, and is tried again at `nextRunAt`.'],
  'recurringPayment.runSkipped': [RecurringPayment, 'A due date was skipped; `lastRun` says why.'],
  'recurringPayment.runFailed': [RecurringPayment, 'A run was refused; `lastRun` says why.'],
  'reward.created': [AnyReward, 'A purchase earned a reward.'],
  'reward.amountChanged': [AnyReward, 'A part of a purchase was refunded, and its reward is smaller.'],
  'reward.confirmed': [AnyReward, 'A reward is certain and waits for its payout.'],
  'reward.paid': [
    AnyReward,
    'A reward was paid to the account of the card. One that is created as `PAID` has `reward.created` alone.',
  ],
  'reward.rejected': [AnyReward, 'A purchase earned no reward after all.'],
  'reward.reversed': [AnyReward, 'A purchase was refunded before its reward was paid.'],
  'reward.clawedBack': [AnyReward, 'A purchase was refunded, and its reward was taken back.'],
  'rewardableTransaction.created': [RewardableTransaction, 'A purchase by a linked card settled.'],
  'rewardPayment.created': [RewardPayment, 'The payout of a reward was made.'],
  'statement.created': [Statement, 'The statement of a month is ready.'],
  'transaction.created': [Transaction, 'Money moved into or out of an account.'],
  'upstreamEvent.failed': [
    FailedUpstreamEvent,
    'An event of a provider could not be applied; an operator should look.',
  ],
  'verificationToken.created': [
    CreatedVerificationToken,
    'A verification token was created; the token is not part of it.',
  ],
  'webhookEndpoint.created': [WebhookEndpoint, 'A webhook endpoint was registered.'],
  'webhookEndpoint.deleted': [WebhookEndpoint, 'A webhook endpoint was deleted.'],
  'webhookEndpoint.disabled': [WebhookEndpoint, 'A webhook endpoint was disabled; `disabledReason` says why.'],
  'webhookEndpoint.secretRotated': [WebhookEndpoint, 'A webhook endpoint got a new secret.'],
  'webhookEndpoint.updated': [WebhookEndpoint, 'A webhook endpoint was changed.'],
}

/** Every event type. OpenAPI's webhooks, the typed events of clients and the list of event types come from this table. */
export const eventCatalogue: EventKind[] = (Object.keys(kinds) as EventType[]).map((type) => {
  const [data, description] = kinds[type]
  return { type, description, data, sample: (samples as Record<EventType, Event>)[type] }
})
