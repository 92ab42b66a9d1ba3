import { type Static, type TObject, Type } from 'typebox'
import { ApiKey } from '../access/api-key.ts'
import { AccountHold } from '../banking/account-holds/account-hold.ts'
import { DepositAccount } from '../banking/accounts/account.ts'
import { AchBatch } from '../banking/ach/ach-batch.ts'
import { Application } from '../banking/applications/application.ts'
import { Document } from '../banking/applications/document.ts'
import { Authorization } from '../banking/authorizations/authorization.ts'
import { Card } from '../banking/cards/card.ts'
import { Customer } from '../banking/customers/customer.ts'
import { ExternalAccount } from '../banking/external-accounts/external-account.ts'
import { Payment } from '../banking/payments/payment.ts'
import { ReceivedPayment } from '../banking/payments/received-payment.ts'
import { RecurringPayment } from '../banking/recurring-payments/recurring-payment.ts'
import { Statement } from '../banking/statements/statement.ts'
import { Transaction } from '../banking/transactions/transaction.ts'
import type { Scope } from '../base/operation.ts'
import { Event } from '../events/event.ts'
import { LoggedRequestDetail } from '../events/requests/logged-request.ts'
import { Proposal } from '../review/proposals/proposal.ts'
import { Activation } from '../rewards/campaigns/activation.ts'
import { Campaign, CampaignOffer } from '../rewards/campaigns/campaign.ts'
import { TaggedPartnerUser } from '../rewards/records/partner-user.ts'
import { PartnerUserCard } from '../rewards/records/partner-user-card.ts'
import { Reward } from '../rewards/records/reward.ts'
import { RewardPayment } from '../rewards/records/reward-payment.ts'
import { RewardableTransaction } from '../rewards/records/rewardable-transaction.ts'
import { AchFile } from '../sandbox/ach-files/ach-file.ts'
import { DeliveryDetail } from '../webhooks/deliveries/delivery.ts'
import { WebhookEndpointWithOutcomes } from '../webhooks/endpoints/webhook-endpoint.ts'

/** Every type of record that can be looked up: its schema, and the scope that reads it, or another one in its place. */
export const recordTypes = {
  account: { record: DepositAccount, scope: 'banking:read' },
  accountHold: { record: AccountHold, scope: 'banking:read' },
  achBatch: { record: AchBatch, scope: 'banking:read' },
  achFile: { record: AchFile, scope: 'sandbox:write' },
  apiKey: { record: ApiKey, scope: 'keys:write' },
  application: { record: Application, scope: 'banking:read' },
  authorization: { record: Authorization, scope: 'banking:read' },
  campaign: { record: Campaign, scope: 'rewards:read' },
  campaignOffer: { record: CampaignOffer, scope: 'rewards:read' },
  card: { record: Card, scope: 'banking:read' },
  customer: { record: Customer, scope: 'banking:read' },
  delivery: { record: DeliveryDetail, scope: 'webhooks:write' },
  document: { record: Document, scope: 'banking:read' },
  event: { record: Event, scope: 'events:read' },
  externalAccount: { record: ExternalAccount, scope: 'banking:read' },
  offerActivation: { record: Activation, scope: 'rewards:read' },
  partnerUser: { record: TaggedPartnerUser, scope: 'rewards:read' },
  partnerUserCard: { record: PartnerUserCard, scope: 'rewards:read' },
  payment: { record: Payment, scope: 'banking:read' },
  proposal: { record: Proposal, scope: 'risk:write', orScope: 'review:write' },
  receivedPayment: { record: ReceivedPayment, scope: 'banking:read' },
  recurringPayment: { record: RecurringPayment, scope: 'banking:read' },
  request: { record: LoggedRequestDetail, scope: 'events:read' },
  reward: { record: Reward, scope: 'rewards:read' },
  rewardableTransaction: { record: RewardableTransaction, scope: 'rewards:read' },
  rewardPayment: { record: RewardPayment, scope: 'rewards:read' },
  statement: { record: Statement, scope: 'banking:read' },
  transaction: { record: Transaction, scope: 'banking:read' },
  webhookEndpoint: { record: WebhookEndpointWithOutcomes, scope: 'webhooks:write' },
} as const satisfies Record<string, { record: TObject; scope: Scope; orScope?: Scope }>

export type RecordType = keyof typeof recordTypes
export type RecordOf<T extends RecordType> = Static<(typeof recordTypes)[T]['record']>

export const recordTypeNames = Object.keys(recordTypes) as RecordType[]

/** The type of a record in a request. */
export const RecordTypeName = Type.Enum([...recordTypeNames], { description: 'Type of the record' })

/** The type of a record in an answer. */
export const AnsweredType = Type.Enum([...recordTypeNames], { description: 'Type of the record' })
