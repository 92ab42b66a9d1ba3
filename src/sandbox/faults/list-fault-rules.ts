import { Type } from 'typebox'
import { pageQuery } from '../../base/page.ts'
import { sandboxRead } from '../sandbox.ts'
import { FAULTS_PATH, FaultRule } from './fault-rule.ts'

/** Sandbox. Lists the fault rules of the caller's organisation. */
export const listFaultRules = sandboxRead({
  id: 'listFaultRules',
  resource: 'sandbox.faults',
  verb: 'list',
  path: FAULTS_PATH,
  summary: 'List fault rules',
  description:
    'Lists the fault rules of the organisation, newest first, with how often each can still take effect. Used-up rules have a `remaining` of 0. No fault rule applies to this operation.',
  query: Type.Object(pageQuery),
  data: Type.Array(FaultRule),
  problems: [],
  run: ({ sandbox, caller }, { query }) => sandbox.listFaultRules(caller, query),
})
