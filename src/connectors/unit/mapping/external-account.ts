import { ExternalAccount } from '../../../banking/external-accounts/external-account.ts'
import { idOf, instant, optionalText, ownerId, type Resource, text } from '../resource.ts'
import { fitting } from './fitting.ts'

const asExternalAccount = fitting(ExternalAccount)

export function externalAccount(resource: Resource): ExternalAccount {
  const account = {
    id: idOf(resource),
    createdAt: instant(resource, 'createdAt'),
    name: text(resource, 'name'),
    routingNumber: text(resource, 'routingNumber'),
    bank: optionalText(resource, 'bank') ?? 'Unknown Bank',
    accountNumber: text(resource, 'accountNumber'),
    accountType: text(resource, 'accountType'),
    type: optionalText(resource, 'type') ?? 'Unknown',
    permissions: text(resource, 'permissions'),
    customerId: ownerId(resource, 'customer'),
  }
  return asExternalAccount(account, resource)
}
