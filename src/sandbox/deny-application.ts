import { Type } from 'typebox'
import { Application } from '../banking/applications/application.ts'
import { Id } from '../base/ids.ts'
import { sandboxWrite } from './sandbox.ts'

/** Sandbox. Denies an application that is not decided yet. */
export const denyApplication = sandboxWrite({
  id: 'denyApplication',
  resource: 'sandbox.applications',
  verb: 'deny',
  path: '/v0/sandbox/applications/:applicationId/deny',
  summary: 'Deny application',
  description:
    'Denies an application that waits for documents or a review. It takes no more documents.\n\nAn application that has been decided is refused with `application_wrong_state`. Emits `application.denied`.',
  params: Type.Object({ applicationId: Id('application') }),
  data: Application,
  problems: ['application_not_found', 'application_wrong_state', 'customer_erased'],
  run: ({ sandbox, write }, { params }) => sandbox.denyApplication(write, params.applicationId),
})
