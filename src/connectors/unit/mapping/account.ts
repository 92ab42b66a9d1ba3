import { DepositAccount } from '../../../banking/accounts/account.ts'
import { Problem } from '../../../base/problem.ts'
import { cents, customerIdOf, IncompleteRecord, idOf, instant, type Resource, tagsOf, text } from '../resource.ts'
import { fitting } from './fitting.ts'

const asDepositAccount = fitting(DepositAccount)

/** A deposit account. The interface has no other kind, such as a credit account: it is unknown. */
export function depositAccount(resource: Resource): DepositAccount {
  if (resource.type !== 'depositAccount') throw new Problem('account_not_found')
  const account = {
    id: idOf(resource),
    type: resource.type,
    customerId: customerIdOf(resource),
    createdAt: instant(resource, 'createdAt'),
    name: text(resource, 'name'),
    depositProduct: text(resource, 'depositProduct'),
    routingNumber: text(resource, 'routingNumber'),
    accountNumber: text(resource, 'accountNumber'),
    currency: text(resource, 'currency'),
    available: cents(resource, 'available'),
    balance: cents(resource, 'balance'),
    hold: cents(resource, 'hold'),
    status: text(resource, 'status'),
    tags: tagsOf(resource),
  }
  return asDepositAccount(account, resource)
}

/** An account after a change. One of another kind has been changed, so that its answer must not say that nothing was found. */
export function changedAccount(resource: Resource): DepositAccount {
  if (resource.type !== 'depositAccount') throw new IncompleteRecord(`the changed account is a ${resource.type}`)
  return depositAccount(resource)
}
