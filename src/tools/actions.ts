import { requireDeletable, requireRotatable } from '../access/api-key.ts'
import { type HoldRelease, requireReleasable } from '../banking/account-holds/account-hold.ts'
import {
  type AccountChange,
  type AccountStatus,
  accountRules,
  accountStatusAfter,
} from '../banking/accounts/account.ts'
import { type PaymentBlock, requireBlocked } from '../banking/accounts/payment-block.ts'
import { type ApplicationStatus, applicationRules, requireNoOpenDocument } from '../banking/applications/application.ts'
import { type DocumentStatus, documentRules } from '../banking/applications/document.ts'
import {
  type AuthorizationStatus,
  authorizationRules,
  requireRefundable,
} from '../banking/authorizations/authorization.ts'
import { type OverSettlementStatus, overSettlementRules } from '../banking/authorizations/over-settlement.ts'
import {
  type CardStatus,
  type CardType,
  cardRules,
  requireActivatable,
  requireReplaceable,
} from '../banking/cards/card.ts'
import {
  type ExternalAccountReview,
  externalAccountReviewRules,
  type Mandate,
  requireConfirmable,
  requireDebitable,
  requireLiveMandate,
  requireVerifiable,
  type Verification,
} from '../banking/external-accounts/external-account.ts'
import {
  paymentRules,
  type ReturnState,
  requireRetryable,
  requireReturnable,
  requireReversible,
  type ShownState,
} from '../banking/payments/payment.ts'
import { type ReceivedPaymentStatus, receivedPaymentRules } from '../banking/payments/received-payment.ts'
import { type RecurringStatus, recurringPaymentRules } from '../banking/recurring-payments/recurring-payment.ts'
import { requireAllowed, type StateRules } from '../banking/state-rules.ts'
import { Problem, type ProblemCode } from '../base/problem.ts'
import { type Decided, requireProposer, requireSecondPerson, requireWaiting } from '../review/proposals/proposal.ts'
import { type CampaignStatus, requireNotEnded } from '../rewards/campaigns/campaign.ts'
import { type Delivery, requireRepeatable } from '../webhooks/deliveries/delivery.ts'
import { type WebhookEndpoint, webhookEndpointRules } from '../webhooks/endpoints/webhook-endpoint.ts'
import type { RecordType } from './record-types.ts'

/** The state of a record that decides which operations are possible, by type. A type that is not named has none. */
export interface States {
  account: AccountChange & { paymentBlock?: PaymentBlock }
  accountHold: HoldRelease
  apiKey: { expired: boolean; isLastFullKey: boolean }
  application: { status: ApplicationStatus; documents: readonly { status: DocumentStatus }[] }
  authorization: {
    status: AuthorizationStatus
    settled: number
    refunded: number
    overSettlement: OverSettlementStatus | null
  }
  campaign: { status: CampaignStatus }
  campaignOffer: { status: CampaignStatus }
  card: { status: CardStatus; type: CardType; pendingReplacements: number; accountStatus: AccountStatus }
  delivery: Pick<Delivery, 'eventType'>
  document: { status: DocumentStatus; applicationStatus: ApplicationStatus }
  externalAccount: {
    accountType: string
    permissions: string
    review?: ExternalAccountReview
    verification?: Pick<Verification, 'method' | 'status'>
    mandate?: Pick<Mandate, 'revokedAt'>
  }
  payment: ReturnState & ShownState
  proposal: Decided
  receivedPayment: { status: ReceivedPaymentStatus }
  recurringPayment: { status: RecurringStatus }
  webhookEndpoint: Pick<WebhookEndpoint, 'status'>
}
type StateOf<T extends RecordType> = T extends keyof States ? States[T] : unknown

/** Throws the refusal of an operation; the operations themselves call the same functions. */
type Check<State> = (state: State) => void

const always: Check<unknown> = () => undefined

/** The checks of some operations of one table. */
function byRules<Id extends string>(rules: StateRules<Id, string>, ...ids: Id[]) {
  const checks = ids.map((id) => [id, ({ status }: { status: string }) => requireAllowed(rules, id, status)])
  return Object.fromEntries(checks) as Record<Id, Check<{ status: string }>>
}

function ofDocument(id: keyof typeof documentRules): Check<States['document']> {
  return ({ status, applicationStatus }) => {
    requireAllowed(applicationRules, id, applicationStatus)
    requireAllowed(documentRules, id, status)
  }
}

function ofReview(id: keyof typeof externalAccountReviewRules): Check<States['externalAccount']> {
  return ({ review = 'None' }) => requireAllowed(externalAccountReviewRules, id, review)
}

/** The operations that change a record of each type, and when its state refuses them. */
const checks: { [T in RecordType]: Record<string, Check<StateOf<T>>> } = {
  account: {
    ...byRules(accountRules, 'createPayment', 'createBookTransfer', 'createCard', 'createAccountHold', 'receiveAch'),
    freezeAccount: (state) => accountStatusAfter('freezeAccount', state),
    unfreezeAccount: (state) => accountStatusAfter('unfreezeAccount', state),
    closeAccount: (state) => accountStatusAfter('closeAccount', state),
    reopenAccount: (state) => accountStatusAfter('reopenAccount', state),
    setAccountLimits: always,
    blockPayments: always,
    releasePayments: requireBlocked,
  },
  accountHold: { releaseAccountHold: requireReleasable },
  achBatch: {},
  achFile: {},
  apiKey: { rotateApiKey: requireRotatable, deleteApiKey: requireDeletable },
  application: {
    ...byRules(
      applicationRules,
      'approveApplication',
      'denyApplication',
      'approveReviewApplication',
      'denyReviewApplication',
    ),
    requestReviewDocument: requireNoOpenDocument,
  },
  authorization: {
    ...byRules(
      authorizationRules,
      'settleAuthorization',
      'reverseAuthorization',
      'incrementAuthorization',
      'adviseAuthorization',
    ),
    refundAuthorization: requireRefundable,
    settleProcessorAuthorization: ({ status }) => requireAllowed(authorizationRules, 'settleAuthorization', status),
    reverseProcessorAuthorization: ({ status }) => requireAllowed(authorizationRules, 'reverseAuthorization', status),
    refundProcessorAuthorization: requireRefundable,
    resolveOverSettlement: ({ overSettlement }) =>
      requireAllowed(overSettlementRules, 'resolveOverSettlement', overSettlement ?? 'None'),
  },
  campaign: { updateCampaign: requireNotEnded, createCampaignOffer: requireNotEnded },
  campaignOffer: { updateCampaignOffer: requireNotEnded },
  card: {
    activateCard: requireActivatable,
    ...byRules(
      cardRules,
      'freezeCard',
      'unfreezeCard',
      'closeCard',
      'reportLostCard',
      'reportStolenCard',
      'setCardLimits',
    ),
    replaceCard: requireReplaceable,
    // A card that cannot be used leads to an authorization that is declined.
    createAuthorization: always,
    createProcessorAuthorization: always,
    setCardReference: always,
  },
  customer: { createAccount: always, createExternalAccount: always, createVerificationToken: always },
  delivery: { redeliverDelivery: requireRepeatable },
  document: {
    uploadDocumentFront: ofDocument('uploadDocumentFront'),
    uploadDocumentBack: ofDocument('uploadDocumentBack'),
    approveDocument: ofDocument('approveDocument'),
    rejectDocument: ofDocument('rejectDocument'),
    approveReviewDocument: ofDocument('approveReviewDocument'),
    rejectReviewDocument: ofDocument('rejectReviewDocument'),
  },
  event: { redeliverEvent: always },
  externalAccount: {
    updateExternalAccount: always,
    deleteExternalAccount: always,
    giveMandate: always,
    revokeMandate: requireLiveMandate,
    startVerification: requireVerifiable,
    confirmVerification: requireConfirmable,
    attestExternalAccount: requireDebitable,
    approveExternalAccount: ofReview('approveExternalAccount'),
    rejectExternalAccount: ofReview('rejectExternalAccount'),
  },
  // A second cancellation changes nothing and answers as the first one.
  offerActivation: { cancelActivation: always },
  partnerUser: { updatePartnerUser: always },
  partnerUserCard: { updatePartnerUserCard: always },
  payment: {
    ...byRules(paymentRules, 'cancelPayment', 'approvePayment', 'rejectPayment', 'stopPayment'),
    retryPayment: requireRetryable,
    reversePayment: requireReversible,
    returnPayment: requireReturnable,
  },
  proposal: {
    approveProposal: (state) => {
      requireSecondPerson(state)
      requireWaiting(state)
    },
    rejectProposal: requireWaiting,
    withdrawProposal: (state) => {
      requireProposer(state)
      requireWaiting(state)
    },
  },
  receivedPayment: byRules(receivedPaymentRules, 'returnReceivedPayment'),
  recurringPayment: byRules(
    recurringPaymentRules,
    'pauseRecurringPayment',
    'resumeRecurringPayment',
    'skipRecurringPayment',
    'changeRecurringPayment',
    'cancelRecurringPayment',
  ),
  request: {},
  reward: {},
  rewardableTransaction: {},
  rewardPayment: {},
  statement: {},
  transaction: {},
  webhookEndpoint: {
    updateWebhookEndpoint: always,
    deleteWebhookEndpoint: always,
    rotateWebhookSecret: always,
    ...byRules(webhookEndpointRules, 'testWebhookEndpoint'),
    recoverWebhookEndpoint: always,
  },
}

/** The operations that change a record of a type. */
export function operationsOn(type: RecordType): string[] {
  return Object.keys(checks[type])
}

/** The code of the problem that refuses an operation in this state; null if the state allows it. */
export function problemIn<T extends RecordType>(type: T, operationId: string, state: StateOf<T>): ProblemCode | null {
  try {
    checks[type][operationId]?.(state)
    return null
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
}
