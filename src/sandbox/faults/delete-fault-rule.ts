import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { sandboxWrite } from '../sandbox.ts'
import { FAULTS_PATH } from './fault-rule.ts'

/** Sandbox. Deletes a fault rule. */
export const deleteFaultRule = sandboxWrite({
  id: 'deleteFaultRule',
  resource: 'sandbox.faults',
  verb: 'delete',
  method: 'DELETE',
  path: `${FAULTS_PATH}/:faultRuleId`,
  summary: 'Delete fault rule',
  description:
    'Deletes a fault rule of the organisation. It applies to no further request, at once in this process and within a second in others. A request that it is already delaying goes on waiting. No fault rule applies to this operation, and it emits no event.',
  status: 204,
  params: Type.Object({ faultRuleId: Id('faultRule') }),
  data: Type.Null(),
  problems: ['fault_rule_not_found'],
  run: ({ sandbox, write }, { params }) => sandbox.deleteFaultRule(write, params.faultRuleId),
})
