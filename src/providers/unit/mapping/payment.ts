import type { ListPaymentsQuery } from '../../../banking/payments/list-payments.ts'
import type { Counterparty, ListedPayment, Payment } from '../../../banking/payments/payment.ts'
import { UpstreamProblem } from '../../../base/problem.ts'
import { cents, childOf, idOf, instant, optionalText, type Resource, relatedId, tagsOf, text } from '../resource.ts'

export function listedPayment(resource: Resource): ListedPayment {
  return {
    id: idOf(resource),
    type: resource.type,
    amount: cents(resource, 'amount'),
    createdAt: instant(resource, 'createdAt'),
    description: optionalText(resource, 'description') ?? '',
    direction: optionalText(resource, 'direction') ?? 'Credit',
    status: text(resource, 'status'),
    counterparty: counterpartyOf(resource),
  }
}

export function payment(resource: Resource): Payment {
  const { counterparty, ...listed } = listedPayment(resource)
  return { ...listed, originalType: originalTypeOf(resource), counterparty }
}

/**
 * A payment that was created. The upstream also creates a payment that it rejects at once: here that is a refusal, which
 * names the payment's id.
 */
export function acceptedPayment(resource: Resource): Payment {
  const made = payment(resource)
  if (made.status !== 'Rejected') return made
  const reason = optionalText(resource, 'reason') ?? 'Rejected'
  const code = /insufficient/i.test(reason) ? 'insufficient_funds' : 'payment_rejected'
  throw new UpstreamProblem(code, {
    errors: [{ code: reason, message: `the provider rejected the payment; it is readable under the id ${made.id}` }],
  })
}

/** The counterparty, always with its four members. */
export function counterpartyOf({ attributes }: Resource): Counterparty {
  const given = childOf(attributes, 'counterparty')
  const merchant = childOf(attributes, 'merchant')
  const word = (value: unknown) => (typeof value === 'string' ? value : '')
  return {
    name: word(given.name) || word(merchant.name),
    routingNumber: word(given.routingNumber),
    accountNumber: word(given.accountNumber),
    accountType: word(given.accountType) || 'Checking',
  }
}

/** `originalType` of a payment: its tag, or for payments created elsewhere their type. */
function originalTypeOf(resource: Resource): string {
  const kind = /^(\w+?)(Received)?Payment$/.exec(resource.type)?.[1] ?? resource.type
  return tagsOf(resource).originalType ?? kind.toUpperCase()
}

/** Whether a payment matches the filters of a list, for a list that the upstream cannot filter. */
export function isAskedFor(resource: Resource, query: ListPaymentsQuery): boolean {
  const { type, amount, createdAt, direction, status } = listedPayment(resource)
  const tags = tagsOf(resource)
  const types: string[] = query.type ?? ['achPayment']
  return (
    types.includes(type) &&
    among(query.status, status) &&
    among(query.direction, direction) &&
    equals(query.accountId, relatedId(resource, 'account')) &&
    equals(query.customerId, relatedId(resource, 'customer')) &&
    equals(query.counterpartyAccountId, relatedId(resource, 'counterparty')) &&
    equals(query.recurringPaymentId, relatedId(resource, 'recurringPayment')) &&
    (query.since === undefined || moment(createdAt) > moment(query.since)) &&
    (query.until === undefined || moment(createdAt) < moment(query.until)) &&
    amount >= (query.fromAmount ?? amount) &&
    amount <= (query.toAmount ?? amount) &&
    hasFeature(resource, query.paymentFeature) &&
    Object.entries(query.tags ?? {}).every(([name, value]) => tags[name] === value)
  )
}

/** A time without its Z, so that times with and without milliseconds compare as text. */
function moment(instant: string): string {
  return instant.slice(0, -1)
}

function hasFeature(resource: Resource, feature: ListPaymentsQuery['paymentFeature']): boolean {
  if (feature === 'SameDay') return resource.attributes.sameDay === true
  return feature === undefined || relatedId(resource, 'recurringPayment') !== undefined
}

function among(wanted: string[] | undefined, value: string): boolean {
  return wanted === undefined || wanted.includes(value)
}

function equals(wanted: string | undefined, value: string | undefined): boolean {
  return wanted === undefined || wanted === value
}
