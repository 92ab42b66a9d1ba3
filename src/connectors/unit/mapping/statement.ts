import { Statement } from '../../../banking/statements/statement.ts'
import { customerIdOf, idOf, ownerId, type Resource, text } from '../resource.ts'
import { fitting } from './fitting.ts'

const asStatement = fitting(Statement)

export function statement(resource: Resource): Statement {
  const shown = {
    type: resource.type,
    id: idOf(resource),
    period: text(resource, 'period'),
    accountId: ownerId(resource, 'account'),
    customerId: customerIdOf(resource),
  }
  return asStatement(shown, resource)
}
