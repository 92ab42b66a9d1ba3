import type { DepositAccount } from '../../../banking/accounts/account.ts'
import { cents, idOf, instant, ownerId, type Resource, tagsOf, text } from '../resource.ts'

export function depositAccount(resource: Resource): DepositAccount {
  return {
    id: idOf(resource),
    type: resource.type,
    customerId: ownerId(resource, 'customer'),
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
}
