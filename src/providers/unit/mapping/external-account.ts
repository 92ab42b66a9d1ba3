import type { ExternalAccount } from '../../../banking/external-accounts/external-account.ts'
import { idOf, instant, optionalText, ownerId, type Resource, text } from '../resource.ts'

export function externalAccount(resource: Resource): ExternalAccount {
  return {
    id: idOf(resource),
    createdAt: instant(resource, 'createdAt'),
    name: text(resource, 'name'),
    routingNumber: text(resource, 'routingNumber'),
    bank: optionalText(resource, 'bank') ?? 'Unknown Bank',
    accountNumber: text(resource, 'accountNumber'),
    accountType: text(resource, 'accountType'),
    type: optionalText(resource, 'type') ?? 'Unknown',
    permissions: optionalText(resource, 'permissions') ?? 'CreditOnly',
    customerId: ownerId(resource, 'customer'),
  }
}
