import { Type } from 'typebox'
import { sandboxWrite } from '../sandbox.ts'
import { FAULTS_PATH } from './fault-rule.ts'

/** Sandbox. Deletes all fault rules of the caller's organisation. */
export const deleteFaultRules = sandboxWrite({
  id: 'deleteFaultRules',
  resource: 'sandbox.faults',
  verb: 'deleteAll',
  method: 'DELETE',
  path: FAULTS_PATH,
  summary: 'Delete all fault rules',
  description:
    'Deletes all fault rules of the organisation, used up or not; call it at the end of a test. It succeeds even if there is none. `POST /v0/sandbox/reset` deletes them too. No fault rule applies to this operation, and it emits no event.',
  status: 204,
  data: Type.Null(),
  problems: [],
  run: ({ sandbox, write }) => sandbox.deleteFaultRules(write),
})
