import type { Statement } from '../../../banking/statements/statement.ts'
import { customerIdOf, idOf, ownerId, type Resource, text } from '../resource.ts'

export function statement(resource: Resource): Statement {
  return {
    type: resource.type,
    id: idOf(resource),
    period: text(resource, 'period'),
    accountId: ownerId(resource, 'account'),
    customerId: customerIdOf(resource),
  }
}
