import { ListedTransaction, Transaction } from '../../../banking/transactions/transaction.ts'
import { cents, childOf, idOf, instant, optionalText, type Resource, tagsOf, text } from '../resource.ts'
import { counterpartyOf } from './counterparty.ts'
import { fitting } from './fitting.ts'
import { returnOf } from './return-reason.ts'

const asListedTransaction = fitting(ListedTransaction)
const asTransaction = fitting(Transaction)

/** Figures of the program's own revenue, in all spellings of the upstream's descriptions. Its customers do not see them. */
const revenue = ['interchange', 'grossInterchange', 'intercharge']

/** Types under which a transaction names a payment that can be read by its id. Others are recurring or received ones. */
const paymentTypes = ['payment', 'achPayment', 'bookPayment', 'wirePayment', 'cardPayment', 'pushToCardPayment']

const achReturns = ['returnedAchTransaction', 'returnedReceivedAchTransaction']

/** A transaction as lists show it: flat, without relationships. */
export function listedTransaction(resource: Resource): ListedTransaction {
  const account = relationOf(childOf(resource.relationships, 'account').data)
  const own = { type: resource.type, id: idOf(resource), ...(account && { accountId: account.id }) }
  return asListedTransaction({ ...own, ...attributesOf(resource) }, resource)
}

/** A single transaction: the upstream's members except its revenue, and every member of the interface. */
export function transaction(resource: Resource): Transaction {
  // A returned check has a member with a name of the interface, which may be null at Unit.
  const shown = Object.entries(resource.attributes).filter(
    ([name, value]) => !revenue.includes(name) && !(name === 'returnReason' && value === null),
  )
  const relationships = relationshipsOf(resource) as Transaction['relationships']
  const attributes = { ...Object.fromEntries(shown), ...attributesOf(resource) }
  return asTransaction({ type: resource.type, id: idOf(resource), attributes, relationships }, resource)
}

function attributesOf(resource: Resource) {
  return {
    createdAt: instant(resource, 'createdAt'),
    amount: cents(resource, 'amount'),
    direction: text(resource, 'direction'),
    balance: cents(resource, 'balance'),
    summary: optionalText(resource, 'summary') ?? '',
    counterparty: counterpartyOf(resource),
    ...(achReturns.includes(resource.type) && returnOf(resource, 'achReason', 'reason')),
    tags: { ...paymentTag(resource), ...tagsOf(resource) },
  }
}

/** The tag `paymentId`, which leads from a transaction to its payment. */
function paymentTag({ relationships }: Resource): Record<string, string> {
  const payment = relationOf(childOf(relationships, 'payment').data)
  return payment && paymentTypes.includes(payment.type) ? { paymentId: payment.id } : {}
}

interface Relation {
  type: string
  id: string
}

/** The relationships that name a record. The upstream has either `customer` or `customers`; the interface has both. */
function relationshipsOf({ relationships }: Resource): Record<string, { data: Relation | Relation[] }> {
  const related = Object.entries(relationships).flatMap(([name, relationship]) => {
    const { data } = childOf(relationship)
    const relation = Array.isArray(data) ? data.flatMap((one) => relationOf(one, name) ?? []) : relationOf(data)
    return relation ? [[name, { data: relation }] as const] : []
  })
  const customer = relationOf(childOf(relationships, 'customer').data)
  const { data } = childOf(relationships, 'customers')
  const [first] = Array.isArray(data) ? data.flatMap((one) => relationOf(one, 'customers') ?? []) : []
  return {
    ...Object.fromEntries(related),
    ...(!customer && first && { customer: { data: first } }),
    ...(customer && !first && { customers: { data: [customer] } }),
  }
}

/** A reference to a record. In the list of customers the type may be absent. */
function relationOf(value: unknown, name?: string): Relation | undefined {
  const { type = name === 'customers' ? 'customer' : undefined, id } = childOf(value)
  return typeof type === 'string' && typeof id === 'string' ? { type, id } : undefined
}
