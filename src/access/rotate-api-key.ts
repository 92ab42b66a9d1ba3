import { type Static, Type } from 'typebox'
import { Id } from '../base/ids.ts'
import { IssuedApiKey, keysWrite } from './api-key.ts'

const DAY_SECONDS = 86_400

const RotateApiKeyBody = Type.Object(
  {
    graceSeconds: Type.Integer({
      minimum: 0,
      maximum: 7 * DAY_SECONDS,
      description: 'Seconds for which the earlier secrets go on working, at most 7 days',
      examples: [DAY_SECONDS],
    }),
  },
  { description: 'The end of the earlier secrets' },
)
export type RotateApiKeyInput = Static<typeof RotateApiKeyBody> & { apiKeyId: string }

/** Extension. Replaces the secret of a key, and shows the new one only in this answer. Name, scopes and expiry stay. */
export const rotateApiKey = keysWrite({
  id: 'rotateApiKey',
  resource: 'apiKeys',
  verb: 'rotate',
  path: '/v0/api-keys/:apiKeyId/rotate',
  summary: 'Rotate API key',
  description:
    'Replaces the secret of an API key and shows the new one, only once. Id, name, scopes and expiry stay. Earlier secrets keep working for `graceSeconds`; with 0 they stop at once (within five seconds in other processes).\n\nThe caller needs every scope of the key and must not expire before it (`forbidden`). An expired key is refused with `api_key_expired`. A repeated request with a secret in its grace period does not show the answer again.\n\nEmits `apiKey.rotated`.',
  secret: true,
  params: Type.Object({ apiKeyId: Id('apiKey') }),
  body: RotateApiKeyBody,
  data: IssuedApiKey,
  problems: ['api_key_not_found', 'api_key_expired'],
  run: ({ apiKeys, holder, write }, { params, body }) => apiKeys.rotateApiKey(write, holder, { ...params, ...body }),
})
