import { Authorization } from '../../../banking/authorizations/authorization.ts'
import { cents, childOf, idOf, instant, optionalText, type Resource, text } from '../resource.ts'
import { fitting } from './fitting.ts'

const asAuthorization = fitting(Authorization)

export function authorization(resource: Resource): Authorization {
  const { name, category, location } = childOf(resource.attributes, 'merchant')
  const word = (value: unknown) => (typeof value === 'string' ? value : '')
  const reason = optionalText(resource, 'declineReason')
  const shown = {
    id: idOf(resource),
    status: text(resource, 'status'),
    amount: cents(resource, 'amount'),
    description: optionalText(resource, 'summary') ?? word(name),
    createdAt: instant(resource, 'createdAt'),
    cardLast4Digits: text(resource, 'cardLast4Digits'),
    merchant: { name: word(name), category: word(category), location: word(location) },
    ...(reason !== undefined && { reason }),
  }
  return asAuthorization(shown, resource)
}
