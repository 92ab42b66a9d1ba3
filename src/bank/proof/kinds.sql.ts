import type { EntityType, EventType } from '../../events/event.ts'

/** A kind of record whose rows are compared with their events. */
export interface ProvenKind {
  entity: EntityType
  table: string
  /** The members that events show and the columns behind them: those that decide who may do what, or where money goes. */
  members: Record<string, string>
  /** Members that events leave out if the column is null. */
  optional?: string[]
  /** Whether each event shows the whole record: a member that the latest one leaves out is null. */
  whole?: true
  /** Events that show a part of the record, and the member that the part is. */
  parts?: Partial<Record<EventType, string>>
  /** The rows that have events. */
  where?: string
  /** When a row may have no event. */
  unshown?: string
  /** Whether rows stay for ever, so that one that is gone was removed. */
  stays?: true
}

/** The signer in the columns of a proposal, as events show it. */
const signer = (
  role: string,
) => `json_build_object('type', case when r.${role}_person_id is null then 'apiKey' else 'person' end,
  'id', coalesce(r.${role}_person_id, r.${role}_key_id)::text, 'name', r.${role}_name)`

const ended = 'r.deleted_at is not null'

export const provenKinds: ProvenKind[] = [
  {
    entity: 'apiKey',
    table: 'api_key',
    members: { name: 'r.name', scopes: 'r.scopes', expiresAt: 'r.expires_at', ended: 'r.revoked_at is not null' },
    // A start notes the key of the environment or the data folder without an event, and a sandbox those of its organisations.
    unshown: `r.source <> 'request' or (select mode from cell) is distinct from 'live'`,
  },
  {
    entity: 'customer',
    table: 'customer',
    members: { name: 'r.name', email: 'r.email', phone: 'r.phone', address: 'r.address', status: 'r.status' },
    optional: ['email', 'phone', 'address'],
    stays: true,
  },
  {
    entity: 'application',
    table: 'application',
    members: { status: 'r.status', name: 'r.name', email: 'r.email' },
    stays: true,
  },
  {
    entity: 'account',
    table: 'account',
    members: {
      customerId: 'r.customer_id::text',
      name: 'r.name',
      accountNumber: 'r.account_number',
      status: 'r.status',
      limits: 'r.limits',
      paymentBlock: 'r.payment_block',
    },
    optional: ['limits', 'paymentBlock'],
    parts: {
      'account.limitsChanged': 'limits',
      'account.paymentsBlocked': 'paymentBlock',
      'account.paymentsReleased': 'paymentBlock',
    },
    where: 'r.customer_id is not null',
    stays: true,
  },
  {
    entity: 'externalAccount',
    table: 'external_account',
    members: {
      customerId: 'r.customer_id::text',
      name: 'r.name',
      routingNumber: 'r.routing_number',
      accountNumber: 'r.account_number',
      accountType: 'r.account_type',
      review: 'r.review',
      permissions: 'r.permissions',
      mandate: 'r.mandate',
      verification: 'r.verification',
      ended,
    },
    optional: ['review', 'mandate', 'verification'],
    stays: true,
  },
  {
    entity: 'card',
    table: 'card',
    members: {
      accountId: 'r.account_id::text',
      last4Digits: 'r.last4',
      status: 'r.status',
      limits: 'r.limits',
      reference: 'r.processor_reference',
    },
    optional: ['limits', 'reference'],
    parts: { 'card.limitsChanged': 'limits' },
    stays: true,
  },
  {
    entity: 'authorization',
    table: 'card_authorization',
    members: {
      status: 'r.status',
      amount: 'r.amount',
      description: 'r.merchant_name',
      cardLast4Digits: 'r.card_last4',
      overSettlement: 'r.over_settlement',
    },
    parts: {
      'authorization.incrementDeclined': 'increment',
      'authorization.overSettled': 'review',
      'authorization.reviewed': 'review',
    },
    stays: true,
  },
  {
    entity: 'accountHold',
    table: 'account_hold',
    members: {
      status: 'r.status',
      accountId: 'r.account_id::text',
      amount: 'r.amount',
      reason: 'r.reason',
      expiresAt: 'r.expires_at',
    },
    stays: true,
  },
  {
    entity: 'receivedPayment',
    table: 'received_payment',
    members: { status: 'r.status', accountId: 'r.account_id::text', amount: 'r.amount', direction: 'r.direction' },
    unshown: 'r.account_id is null',
    stays: true,
  },
  {
    entity: 'recurringPayment',
    table: 'recurring_payment',
    members: {
      status: 'r.status',
      accountId: 'r.account_id::text',
      counterpartyAccountId: 'r.external_account_id::text',
      toAccountId: 'r.to_account_id::text',
      direction: 'r.direction',
      amount: 'r.amount',
      nextDueDate: 'r.next_due_date',
      runs: 'r.run_count',
    },
    optional: ['counterpartyAccountId', 'toAccountId', 'nextDueDate'],
    whole: true,
    stays: true,
  },
  {
    entity: 'proposal',
    table: 'proposal',
    members: {
      state: 'r.state',
      operation: 'r.operation_id',
      params: 'r.params',
      body: 'r.body',
      recordId: 'r.record_id',
      amount: 'r.amount',
      proposedBy: signer('proposer'),
      decidedBy: `case when r.signer_key_id is not null then ${signer('signer')} end`,
    },
    stays: true,
  },
  {
    entity: 'webhookEndpoint',
    table: 'webhook_endpoint',
    members: { url: 'r.url', events: 'r.events', status: 'r.status', ended },
  },
  {
    entity: 'campaign',
    table: 'campaign',
    members: { name: 'r.name', status: 'r.status' },
    stays: true,
  },
  {
    entity: 'campaignOffer',
    table: 'campaign_offer',
    members: {
      campaignId: 'r.campaign_id::text',
      status: 'r.status',
      merchantName: 'r.merchant_name',
      commission: `r.terms -> 'commission'`,
      amount: `r.terms -> 'amount'`,
    },
    stays: true,
  },
  {
    entity: 'offerActivation',
    table: 'offer_activation',
    members: {
      offerId: 'r.offer_id::text',
      partnerUserId: 'r.partner_user_id',
      status: 'r.status',
      expiresAt: 'r.expires_at',
      uses: 'r.uses',
      used: 'r.used',
    },
    stays: true,
  },
  {
    entity: 'partnerUser',
    table: 'partner_user',
    members: { userId: 'r.user_id', isRemoved: 'r.is_removed' },
  },
  {
    entity: 'partnerUserCard',
    table: 'partner_user_card',
    members: { partnerUserId: 'r.partner_user_id', bankCardId: 'r.bank_card_id', isRemoved: 'r.is_removed' },
  },
]
