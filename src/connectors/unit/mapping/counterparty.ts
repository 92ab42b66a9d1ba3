import type { Counterparty } from '../../../banking/payments/payment.ts'
import { childOf, type Resource, relatedId } from '../resource.ts'

type Place = (resource: Resource) => unknown

const member = (name: string) => (resource: Resource) => resource.attributes[name]
const memberOf = (parent: string, name: string) => (resource: Resource) => childOf(resource.attributes, parent)[name]

/**
 * If the upstream's payments and transactions name the other party, the best place first.
 *
 * | Place | Records that have it |
 * |---|---|
 * | `counterparty` | ACH and wire payments; originated ACH, book, wire, release, some chargeback transactions |
 * | `receiverCounterparty` | rewards and closures of accounts with a low balance |
 * | `counterpartyName`, `counterpartyRoutingNumber` | received, returned and dishonored ACH |
 * | `companyName` | these, returned received ACH, and received payments |
 * | `counterpartyAccountNumber` | received payments |
 * | `merchant` | purchases, other uses of a card, cash deposits |
 * | `atmName`, `senderName` | cash machines; releases |
 *
 * All others name nobody: book payments, checks, fees, interest, adjustments, disputes, advances, repayments, pushes to
 * cards, returned wires. `senderAccountNumber` of a release is not the number of an account but any identifier.
 */
const places: Record<keyof Counterparty, Place[]> = {
  name: [
    memberOf('counterparty', 'name'),
    receiver('name'),
    member('counterpartyName'),
    member('companyName'),
    memberOf('merchant', 'name'),
    member('atmName'),
    member('senderName'),
  ],
  routingNumber: [
    memberOf('counterparty', 'routingNumber'),
    receiver('routingNumber'),
    member('counterpartyRoutingNumber'),
  ],
  accountNumber: [
    memberOf('counterparty', 'accountNumber'),
    receiver('accountNumber'),
    member('counterpartyAccountNumber'),
  ],
  accountType: [memberOf('counterparty', 'accountType'), receiver('accountType')],
}

/** The counterparty of a payment or transaction, always with its four members. Those that are unknown are empty. */
export function counterpartyOf(resource: Resource): Counterparty {
  return {
    name: firstText(places.name, resource),
    routingNumber: firstText(places.routingNumber, resource),
    accountNumber: firstText(places.accountNumber, resource),
    accountType: firstText(places.accountType, resource),
  }
}

/** A member of the receiver, if that is the other party. */
function receiver(name: string): Place {
  return (resource) => {
    const isOwnAccount = relatedId(resource, 'receiverAccount') === relatedId(resource, 'account')
    return isOwnAccount ? undefined : childOf(resource.attributes, 'receiverCounterparty')[name]
  }
}

function firstText(from: Place[], resource: Resource): string {
  for (const place of from) {
    const value = place(resource)
    if (typeof value === 'string' && value !== '') return value
  }
  return ''
}
