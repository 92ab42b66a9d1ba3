import type { ListPaymentsQuery } from '../../../banking/payments/list-payments.ts'
import { ListedPayment, Payment } from '../../../banking/payments/payment.ts'
import { UpstreamProblem } from '../../../base/problem.ts'
import {
  cents,
  customerIdsOf,
  idOf,
  instant,
  optionalText,
  type Resource,
  relatedId,
  tagsOf,
  text,
} from '../resource.ts'
import { counterpartyOf } from './counterparty.ts'
import { fitting } from './fitting.ts'
import { returnOf } from './return-reason.ts'

const asListedPayment = fitting(ListedPayment)
const asPayment = fitting(Payment)

export function listedPayment(resource: Resource): ListedPayment {
  const accountId = relatedId(resource, 'account')
  const counterparty = counterpartyOf(resource)
  return asListedPayment(
    { ...common(resource), ...(accountId && { accountId }), counterparty, ...why(resource) },
    resource,
  )
}

export function payment(resource: Resource): Payment {
  const originalType = originalTypeOf(resource)
  const counterparty = counterpartyOf(resource)
  return asPayment({ ...common(resource), originalType, counterparty, ...why(resource) }, resource)
}

/** Why a payment was returned. */
function why(resource: Resource) {
  return resource.attributes.status === 'Returned' ? returnOf(resource, 'reason') : {}
}

function common(resource: Resource) {
  return {
    id: idOf(resource),
    type: resource.type,
    amount: cents(resource, 'amount'),
    createdAt: instant(resource, 'createdAt'),
    description: optionalText(resource, 'description') ?? '',
    direction: text(resource, 'direction'),
    status: text(resource, 'status'),
  }
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
    isAmong(query.customerId, customerIdsOf(resource)) &&
    isAmong(query.counterpartyAccountId, counterpartyIdsOf(resource)) &&
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

/** The external account of an ACH payment, or the account that a book payment goes to. */
function counterpartyIdsOf(resource: Resource): (string | undefined)[] {
  return [relatedId(resource, 'counterparty'), relatedId(resource, 'counterpartyAccount')]
}

function hasFeature(resource: Resource, feature: ListPaymentsQuery['paymentFeature']): boolean {
  if (feature === 'SameDay') return resource.attributes.sameDay === true
  return feature === undefined || relatedId(resource, 'recurringPayment') !== undefined
}

function among(wanted: string[] | undefined, value: string): boolean {
  return wanted === undefined || wanted.includes(value)
}

function isAmong(wanted: string | undefined, values: (string | undefined)[]): boolean {
  return wanted === undefined || values.includes(wanted)
}

function equals(wanted: string | undefined, value: string | undefined): boolean {
  return wanted === undefined || wanted === value
}
