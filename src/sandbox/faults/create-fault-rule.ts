import type { About } from '../../access/get-me.ts'
import { operationsOver } from '../../base/operation.ts'
import type { Sandbox } from '../sandbox.ts'
import { CreateFaultRuleBody, FAULTS_PATH, FaultRule, requireFitting } from './fault-rule.ts'

const { write } = operationsOver<{ sandbox: Sandbox; about: About }>('sandbox', 'sandbox:write')

/** Sandbox. Lets requests or webhook deliveries of the caller's organisation fail. */
export const createFaultRule = write({
  id: 'createFaultRule',
  resource: 'sandbox.faults',
  verb: 'create',
  path: FAULTS_PATH,
  summary: 'Create fault rule',
  description: `Makes requests of an operation fail, to test how your app copes: with a problem (429, 500, 503) before anything is done, after a
delay, or by a closed connection after the change was committed. A retry with the same idempotency key then gets the stored
answer, and a request that was answered with a problem has not used up its key. Webhook deliveries can be sent twice or after a
later event.

If several rules match, they are tried in the order of their creation, and only the first that takes effect counts.
An answer with a fault has the header \`X-Purser-Fault\` with the id of the rule, also in \`GET /v0/requests\`. With \`seed\`, the
same of the matching requests are hit every time. With \`times\`, a rule that is used up stays in the list until it is deleted or
gives way to a new one.

A rule applies to the caller’s organisation only, at once in this process and within a second in others. It is refused with
\`fault_rule_mismatch\` if match and effect do not fit, and with \`too_many_fault_rules\` past 100 rules. Emits no event.`,
  status: 201,
  body: CreateFaultRuleBody,
  data: FaultRule,
  problems: ['account_not_found', 'fault_rule_mismatch', 'too_many_fault_rules'],
  run: async ({ sandbox, about, write: change }, { body }) => {
    requireFitting(body, about.operations)
    return sandbox.createFaultRule(change, body)
  },
})
