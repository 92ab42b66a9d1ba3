import { type Static, Type } from 'typebox'
import { instantIn } from '../base/clock.ts'
import type { Rule } from '../base/rules.ts'
import { Instant } from '../base/text.ts'
import { IssuedApiKey, KeyName, keysWrite, Scopes } from './api-key.ts'

const CreateApiKeyBody = Type.Object(
  {
    name: KeyName,
    scopes: Type.Optional(Scopes),
    expiresAt: Type.Optional(
      Instant({
        description: 'When the key stops working, a time in the future; absent for never',
        examples: ['2099-12-31T00:00:00Z', '2099-12-31'],
      }),
    ),
  },
  { description: 'The new key', 'x-rules': [{ rule: 'future', members: ['expiresAt'] }] satisfies Rule[] },
)
export type CreateApiKeyInput = Static<typeof CreateApiKeyBody>

/** Extension. Creates a key; without scopes it may do everything. The secret is shown only in this answer. */
export const createApiKey = keysWrite({
  id: 'createApiKey',
  resource: 'apiKeys',
  verb: 'create',
  path: '/v0/api-keys',
  summary: 'Create API key',
  description:
    'Creates an API key for the caller’s organisation. `key` in the answer is the secret; it is shown only once and stored as a hash. With `scopes` the key may do only what they name; a write scope includes reading. Without them it may do everything except what needs `processor:write`, `review:write` or `risk:write`.\n\nA key cannot create one with more scopes or a later expiry than its own (`forbidden`). In a sandbox a key without `scopes` may grant every scope; in live mode all but `processor:write`, `review:write` and `risk:write`, which only a key that has them or the operator can grant. If the caller expires and `expiresAt` is absent, the new key expires with the caller. An `expiresAt` in the past is refused with `invalid_request`.\n\nEmits `apiKey.created`, without the secret.',
  status: 201,
  secret: true,
  body: CreateApiKeyBody,
  data: IssuedApiKey,
  problems: [],
  run: async ({ apiKeys, holder, write }, { body: { expiresAt, ...body } }) =>
    apiKeys.createApiKey(write, holder, {
      ...body,
      ...(expiresAt !== undefined && { expiresAt: instantIn('expiresAt', expiresAt) }),
    }),
})
