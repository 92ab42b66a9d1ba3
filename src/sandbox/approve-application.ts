import { Type } from 'typebox'
import { Application } from '../banking/applications/application.ts'
import { Id } from '../base/ids.ts'
import { sandboxWrite } from './sandbox.ts'

/** Sandbox. Approves an application that is not decided yet, whatever its documents, and creates the customer. */
export const approveApplication = sandboxWrite({
  id: 'approveApplication',
  resource: 'sandbox.applications',
  verb: 'approve',
  path: '/v0/sandbox/applications/:applicationId/approve',
  summary: 'Approve application',
  description:
    'Approves an application that waits for documents or a review and creates the customer, whatever the state of its documents.\n\nAn application that has been decided is refused with `application_wrong_state`. Emits `customer.created` and `application.approved`.',
  params: Type.Object({ applicationId: Id('application') }),
  data: Application,
  problems: ['application_not_found', 'application_wrong_state', 'customer_erased'],
  run: ({ sandbox, write }, { params }) => sandbox.approveApplication(write, params.applicationId),
})
