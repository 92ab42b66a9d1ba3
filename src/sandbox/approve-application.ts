import { Type } from 'typebox'
import { Application } from '../banking/applications/application.ts'
import { Id } from '../base/ids.ts'
import { sandboxWrite } from './sandbox.ts'

/** Sandbox. Approves an application that is not decided yet, whatever its documents, and creates the customer. */
export const approveApplication = sandboxWrite({
  id: 'approveApplication',
  resource: 'sandbox.applications',
  verb: 'approve',
  area: 'sandbox',
  method: 'POST',
  path: '/v0/sandbox/applications/:applicationId/approve',
  summary: 'Approve application',
  status: 200,
  scope: 'sandbox:write',
  params: Type.Object({ applicationId: Id('application') }),
  data: Application,
  problems: ['application_not_found', 'application_wrong_state'],
  run: ({ sandbox, write }, { params }) => sandbox.approveApplication(write, params.applicationId),
})
