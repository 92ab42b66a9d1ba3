import { type Static, Type } from 'typebox'
import { RecordId } from '../base/ids.ts'
import { type Answer, type Caller, operationsOver, type Scope, scopes, type Write } from '../base/operation.ts'
import type { Page, PageQuery } from '../base/page.ts'
import { Problem } from '../base/problem.ts'
import { Text, Timestamp } from '../base/text.ts'
import type { KeyHolder } from './authenticate-key.ts'
import type { CreateApiKeyInput } from './create-api-key.ts'
import type { RotateApiKeyInput } from './rotate-api-key.ts'

const ScopeName = Type.Enum(scopes)
/** The scopes in a request: each once. Null is refused, because a key without scopes may do everything. */
export const Scopes = Type.Array(ScopeName, {
  minItems: 1,
  maxItems: scopes.length,
  uniqueItems: true,
  'x-null': 'refused',
})
export const KeyName = Text(1, 255, { description: 'What the key is for', examples: ['Nightly export'] })

const record = {
  id: RecordId(),
  name: KeyName,
  scopes: Type.Union([Type.Array(ScopeName), Type.Null()], { description: 'Null for a key that may do everything' }),
  createdAt: Timestamp,
  expiresAt: Type.Union([Timestamp, Type.Null()]),
  lastUsedAt: Type.Union([Timestamp, Type.Null()], { description: 'Noted once a minute' }),
}

export const ApiKey = Type.Object(record, { $id: 'ApiKey' })
export type ApiKey = Static<typeof ApiKey>

/** A key with its secret, as it is shown once. */
export const IssuedApiKey = Type.Object(
  {
    ...record,
    key: Type.String({ description: 'Shown this once', pattern: '^prs_(sk|rk)_(live|test)_[0-9A-Za-z]{42}$' }),
  },
  { $id: 'IssuedApiKey' },
)
export type IssuedApiKey = Static<typeof IssuedApiKey>

/** The keys of an organisation, one method an operation: always our own, whoever provides the bank. */
export interface ApiKeyRecords {
  createApiKey(write: Write<IssuedApiKey>, holder: KeyHolder, input: CreateApiKeyInput): Promise<Answer>
  listApiKeys(caller: Caller, query: PageQuery): Promise<Page<ApiKey>>
  rotateApiKey(write: Write<IssuedApiKey>, holder: KeyHolder, input: RotateApiKeyInput): Promise<Answer>
  deleteApiKey(write: Write<null>, holder: KeyHolder, apiKeyId: string): Promise<Answer>
}

export const { read: keysRead, write: keysWrite } = operationsOver<{ apiKeys: ApiKeyRecords; holder: KeyHolder }>()

/** A write scope includes reading; null is a key without restriction. */
export function allows(held: Scope[] | null, needed: Scope): boolean {
  if (held === null) return true
  return held.includes(needed) || held.includes(needed.replace(':read', ':write') as Scope)
}

/**
 * Refuses to replay an answer with a secret to an API key's old secret in its grace. The old secret may have leaked, which
 * is why keys are rotated, and idempotency keys, by which answers are replayed, are named by events.
 */
export function refuseReplayInGrace({ inGrace }: KeyHolder, answer: Answer): Answer {
  if (!inGrace || !answer.replayed) return answer
  throw new Problem('forbidden', { detail: 'The API key was rotated: only its new secret sees this answer again.' })
}

export function unauthorized(): Problem {
  return new Problem('unauthorized', { headers: { 'WWW-Authenticate': 'ApiKey realm="purser"' } })
}

/** What a key may do, and how long: null is everything, and for ever. */
export interface Powers {
  scopes: Scope[] | null
  expiresAt: string | null
}

/** What is in the way of handing out these powers: nobody gives a scope that he lacks, or a longer life than his own. */
export function excessOf(giver: Powers, wish: Powers): string | undefined {
  if (giver.scopes !== null && wish.scopes === null) return 'Only a key without restriction gives out such a key.'
  const lacking = (wish.scopes ?? []).filter((scope) => !allows(giver.scopes, scope))
  if (lacking.length > 0) return `The API key lacks ${lacking.join(', ')} itself.`
  const outlives = giver.expiresAt !== null && (wish.expiresAt === null || wish.expiresAt > giver.expiresAt)
  return outlives ? `The API key itself works until ${giver.expiresAt} only, and gives out nothing longer.` : undefined
}
