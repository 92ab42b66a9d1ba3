import { type Static, Type } from 'typebox'
import { addMs, parseInstant } from '../base/clock.ts'
import { invalidRequest } from '../base/problem.ts'
import type { Rule } from '../base/rules.ts'
import { Instant } from '../base/text.ts'
import { IssuedApiKey, KeyName, keysWrite, Scopes } from './api-key.ts'

const CreateApiKeyBody = Type.Object(
  {
    name: KeyName,
    scopes: Type.Optional(Scopes),
    expiresAt: Type.Optional(
      Instant({ description: 'When the key stops working', examples: ['2099-12-31T00:00:00Z', '2099-12-31'] }),
    ),
  },
  { 'x-rules': [{ rule: 'future', members: ['expiresAt'] }] satisfies Rule[] },
)
export type CreateApiKeyInput = Static<typeof CreateApiKeyBody>

/** Extension. Creates a key; without scopes it may do everything. The secret is shown only in this answer. */
export const createApiKey = keysWrite({
  id: 'createApiKey',
  resource: 'apiKeys',
  verb: 'create',
  area: 'access',
  method: 'POST',
  path: '/v0/api-keys',
  summary: 'Create API key',
  status: 201,
  scope: 'keys:write',
  secret: true,
  body: CreateApiKeyBody,
  data: IssuedApiKey,
  problems: [],
  run: async ({ apiKeys, holder, write }, { body: { expiresAt, ...body } }) =>
    apiKeys.createApiKey(write, holder, { ...body, ...(expiresAt !== undefined && { expiresAt: instant(expiresAt) }) }),
})

/** The time in the interface's form, cut to milliseconds. */
function instant(text: string): string {
  const parsed = parseInstant(text)
  if (parsed !== undefined) return addMs(parsed, 0)
  const message = 'expiresAt must be an RFC 3339 date-time or YYYY-MM-DD'
  throw invalidRequest([{ pointer: '/expiresAt', code: 'bad_format', message }])
}
