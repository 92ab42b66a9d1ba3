import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingRead } from '../provider.ts'
import { Application } from './application.ts'

/** Extension. Reads one application with its documents. */
export const getApplication = bankingRead({
  id: 'getApplication',
  resource: 'applications',
  verb: 'get',
  path: '/v0/banking/applications/:applicationId',
  summary: 'Get application',
  description:
    'Returns an application with its status and the documents that it needs. An unknown id is refused with `application_not_found`.',
  params: Type.Object({ applicationId: Id('application') }),
  data: Application,
  problems: ['application_not_found'],
  run: ({ bank, caller }, { params }) => bank.getApplication(caller, params.applicationId),
})
