import type { RecordOf, RecordType } from './record-types.ts'

/** The label of a record of each type. */
const labels: { [T in RecordType]: (record: RecordOf<T>) => string } = {
  account: ({ name, accountNumber }) => accountLabel(name, accountNumber),
  apiKey: ({ name }) => name,
  application: ({ name }) => `Application of ${name}`,
  authorization: ({ merchant, amount }) => `${merchant.name}, ${dollars(amount)}`,
  card: ({ type, last4Digits }) => cardLabel(type, last4Digits),
  customer: ({ name }) => name,
  document: ({ documentType }) => documentType,
  event: ({ type, entity }) => `${type} of ${entity.id}`,
  externalAccount: ({ name, accountNumber }) => externalAccountLabel(name, accountNumber),
  partnerUser: ({ userId }) => partnerUserLabel(userId),
  partnerUserCard: ({ bankCardId }) => `Link of card ${bankCardId}`,
  payment: paymentLabel,
  request: ({ method, path, status }) => `${method} ${path}, ${status}`,
  reward: ({ merchantName, userAmount }) => `Reward of ${dollars(userAmount)} at ${merchantName}`,
  rewardableTransaction: ({ bankTransactionId }) => `Purchase ${bankTransactionId}`,
  rewardPayment: ({ rewardId }) => `Payout of reward ${rewardId}`,
  statement: ({ period }) => `Statement of ${period}`,
  transaction: ({ attributes: { summary, amount, direction } }) =>
    `${summary.replace('  |  ', ', ')}, ${direction === 'Debit' ? '-' : ''}${dollars(amount)}`,
  webhookEndpoint: ({ url }) => url,
}

export function labelOf<T extends RecordType>(type: T, record: RecordOf<T>): string {
  return labels[type](record)
}

function accountLabel(name: string, accountNumber: string): string {
  return `${name}, account ending in ${accountNumber.slice(-4)}`
}

function externalAccountLabel(name: string, accountNumber: string): string {
  return `${name}, external account ending in ${accountNumber.slice(-4)}`
}

function cardLabel(type: string, last4: string): string {
  return `${type === 'individualVirtualDebitCard' ? 'Virtual debit card' : 'Debit card'} ending in ${last4}`
}

function partnerUserLabel(userId: number): string {
  return `Partner user ${userId}`
}

interface Paid {
  description: string
  amount: number
  direction: string
  counterparty: { name: string }
}

function paymentLabel({ description, amount, direction, counterparty }: Paid): string {
  return `${description}, ${dollars(amount)} ${direction === 'Debit' ? 'from' : 'to'} ${counterparty.name}`
}

/** Cents as dollars, such as $1,234.50. */
function dollars(cents: number): string {
  const whole = Math.trunc(Math.abs(cents) / 100)
  const rest = String(Math.abs(cents) % 100).padStart(2, '0')
  return `${cents < 0 ? '-' : ''}$${String(whole).replace(/\B(?=(\d{3})+$)/g, ',')}.${rest}`
}
