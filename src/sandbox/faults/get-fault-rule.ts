import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { sandboxRead } from '../sandbox.ts'
import { FAULTS_PATH, FaultRule } from './fault-rule.ts'

/** Sandbox. Shows a fault rule. */
export const getFaultRule = sandboxRead({
  id: 'getFaultRule',
  resource: 'sandbox.faults',
  verb: 'get',
  path: `${FAULTS_PATH}/:faultRuleId`,
  summary: 'Get fault rule',
  description:
    'Shows a fault rule of the organisation, with how often it can still take effect. No fault rule applies to this operation.',
  params: Type.Object({ faultRuleId: Id('faultRule') }),
  data: FaultRule,
  problems: ['fault_rule_not_found'],
  run: ({ sandbox, caller }, { params }) => sandbox.getFaultRule(caller, params.faultRuleId),
})
