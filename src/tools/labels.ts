import { dollars } from '../../ground/text.ts'
import { words } from '../../ground/words.ts'
import type { SignedDecision } from '../base/operation.ts'
import type { RecordOf, RecordType } from './record-types.ts'

/** The label of a record of each type. */
const labels: { [T in RecordType]: (record: RecordOf<T>) => string } = {
  account: accountLabel,
  accountHold: ({ amount, reason, description }) => `Hold of ${dollars(amount)}, ${description ?? words(reason)}`,
  achBatch: ({ type, description, amount }) => `${type === 'returns' ? 'Returns' : description}, ${dollars(amount)}`,
  achFile: ({ name }) => name,
  apiKey: apiKeyLabel,
  application: applicationLabel,
  authorization: authorizationLabel,
  campaign: campaignLabel,
  campaignOffer: campaignOfferLabel,
  card: cardLabel,
  customer: ({ name }) => name,
  delivery: ({ eventType, endpointId }) => `${eventType} to endpoint ${endpointId}`,
  document: ({ documentType }) => words(documentType),
  event: ({ type, entity }) => `${type} of ${entity.id}`,
  externalAccount: externalAccountLabel,
  offerActivation: ({ offerId, status }) =>
    `Activation of offer ${offerId}${status === 'Canceled' ? ', canceled' : ''}`,
  partnerUser: partnerUserLabel,
  partnerUserCard: ({ bankCardId }) => `Link of card ${bankCardId}`,
  payment: paymentLabel,
  proposal: proposalLabel,
  receivedPayment: receivedPaymentLabel,
  recurringPayment: ({ description, amount, interval }) =>
    `${description}, ${dollars(amount)} ${intervalWords[interval] ?? interval}`,
  request: requestLabel,
  reward: ({ merchantName, userAmount }) => `Reward of ${dollars(userAmount)} at ${merchantName}`,
  rewardableTransaction: ({ bankTransactionId }) => `Purchase ${bankTransactionId}`,
  rewardPayment: ({ rewardId }) => `Payout of reward ${rewardId}`,
  statement: ({ period }) => `Statement of ${period}`,
  transaction: ({ attributes: { summary, amount, direction } }) =>
    `${summary.replace('  |  ', ', ')}, ${direction === 'Debit' ? '-' : ''}${dollars(amount)}`,
  webhookEndpoint: ({ url }) => url,
}

const intervalWords: Record<string, string> = {
  Once: 'once',
  Weekly: 'each week',
  EveryTwoWeeks: 'every two weeks',
  TwiceAMonth: 'twice a month',
  Monthly: 'each month',
  Yearly: 'each year',
}

export function labelOf<T extends RecordType>(type: T, record: RecordOf<T>): string {
  return labels[type](record)
}

interface Numbered {
  name: string
  accountNumber: string
}

export function accountLabel({ name, accountNumber, status }: Numbered & { status: string }): string {
  return `${name}, account ending in ${accountNumber.slice(-4)}${status === 'Closed' ? ', closed' : ''}`
}

export function externalAccountLabel({ name, accountNumber, deleted }: Numbered & { deleted?: boolean }): string {
  return `${name}, external account ending in ${accountNumber.slice(-4)}${deleted ? ', deleted' : ''}`
}

export function apiKeyLabel({ name, deleted }: { name: string; deleted?: boolean }): string {
  return `${name}${deleted ? ', deleted' : ''}`
}

export function applicationLabel({ name }: { name: string }): string {
  return `Application of ${name}`
}

export function authorizationLabel({ merchant, amount }: { merchant: { name: string }; amount: number }): string {
  return `${merchant.name}, ${dollars(amount)}`
}

export function campaignLabel({ name, status }: { name: string; status: string }): string {
  return `${name}${status === 'Ended' ? ', ended' : ''}`
}

export function campaignOfferLabel({ title: name, status }: { title: string; status: string }): string {
  return campaignLabel({ name, status })
}

export function cardLabel({ type, last4Digits }: { type: string; last4Digits: string }): string {
  return `${type === 'individualVirtualDebitCard' ? 'Virtual debit card' : 'Debit card'} ending in ${last4Digits}`
}

export function partnerUserLabel({ userId }: { userId: number }): string {
  return `Partner user ${userId}`
}

interface Paid {
  description: string
  amount: number
  direction: string
  counterparty: { name: string }
}

export function paymentLabel({ description, amount, direction, counterparty }: Paid): string {
  return `${description}, ${dollars(amount)} ${direction === 'Debit' ? 'from' : 'to'} ${counterparty.name}`
}

/** A received payment: a credit comes from the other party. */
export function receivedPaymentLabel({ direction, ...received }: Paid): string {
  return paymentLabel({ ...received, direction: direction === 'Debit' ? 'Credit' : 'Debit' })
}

export function requestLabel({ method, path, status }: { method: string; path: string; status: number }): string {
  return `${method} ${path}, ${status}`
}

const decisionWords: Record<SignedDecision, string> = {
  paymentApproval: 'Approval of a payment',
  limits: 'Limits of an account',
  holdRelease: 'Release of a hold',
  writeOff: 'Booking of an item',
  railResume: 'Resume of ACH',
  personalExport: 'Export of personal data',
  personRights: 'Rights of a person',
}

function proposalLabel({ decision, amount, proposedBy }: RecordOf<'proposal'>): string {
  const what = decisionWords[decision as SignedDecision]
  return `${what}${amount === null ? '' : `, ${dollars(amount)}`}, proposed by ${proposedBy.name ?? 'an API key'}`
}
