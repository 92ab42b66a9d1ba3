import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { eventsRead } from '../events.ts'
import { LoggedRequestDetail } from './logged-request.ts'

/** Extension. Returns one request with its answer. */
export const getRequest = eventsRead({
  id: 'getRequest',
  resource: 'requests',
  verb: 'get',
  path: '/v0/requests/:id',
  summary: 'Get request',
  description:
    'Returns a request with headers and body, its answer, and the ids of the events that it caused. Bodies are kept up to 10 KB. Keys, tokens, secrets, social security numbers and documents are `[redacted]`.\n\nAnswers 404 once newer requests have replaced it. Live mode keeps no requests and answers 501.',
  params: Type.Object({ id: Id('request', 'Id of the entry, `req_…`') }),
  data: LoggedRequestDetail,
  problems: ['request_not_found', 'not_supported_by_provider'],
  run: ({ events, caller }, { params }) => events.getRequest(caller, params.id),
})
