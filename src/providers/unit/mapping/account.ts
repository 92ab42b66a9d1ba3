import type { DepositAccount } from '../../../banking/accounts/account.ts'
import { cents, customerIdOf, idOf, instant, optionalText, type Resource, tagsOf, text } from '../resource.ts'

export function depositAccount(resource: Resource): DepositAccount {
  return {
    id: idOf(resource),
    type: resource.type,
    customerId: customerIdOf(resource),
    createdAt: instant(resource, 'createdAt'),
    name: text(resource, 'name'),
    // Accounts of other kinds, such as credit accounts, lack these members.
    depositProduct: optionalText(resource, 'depositProduct') ?? '',
    routingNumber: optionalText(resource, 'routingNumber') ?? '',
    accountNumber: optionalText(resource, 'accountNumber') ?? '',
    currency: text(resource, 'currency'),
    available: cents(resource, 'available'),
    balance: cents(resource, 'balance'),
    hold: cents(resource, 'hold'),
    status: text(resource, 'status'),
    tags: tagsOf(resource),
  }
}
