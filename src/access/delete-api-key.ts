import { Type } from 'typebox'
import { Id } from '../base/ids.ts'
import { keysWrite } from './api-key.ts'

/** Extension. Revokes a key for good. Within five seconds it stops working in every process. */
export const deleteApiKey = keysWrite({
  id: 'deleteApiKey',
  resource: 'apiKeys',
  verb: 'delete',
  method: 'DELETE',
  path: '/v0/api-keys/:apiKeyId',
  summary: 'Delete API key',
  description:
    'Deletes an API key with all its secrets. It stops working at once (within five seconds in other processes) and cannot be restored.\n\nThe last unexpired key without restrictions cannot be deleted (`last_api_key`), so that the organisation stays reachable.\n\nEmits `apiKey.revoked`.',
  status: 204,
  params: Type.Object({ apiKeyId: Id('apiKey') }),
  data: Type.Null(),
  problems: ['api_key_not_found', 'last_api_key'],
  run: ({ apiKeys, holder, write }, { params }) => apiKeys.deleteApiKey(write, holder, params.apiKeyId),
})
