import { type Static, Type } from 'typebox'
import { RecordId } from '../base/ids.ts'
import {
  type Answer,
  type Caller,
  isNamedScope,
  keyScopes,
  type Operation,
  operationsOver,
  type Scope,
  scopes,
  scopesOf,
  type Write,
} from '../base/operation.ts'
import type { Page, PageQuery } from '../base/page.ts'
import { Problem } from '../base/problem.ts'
import { described, Text, Timestamp } from '../base/text.ts'
import type { KeyHolder } from './authenticate-key.ts'
import type { CreateApiKeyInput } from './create-api-key.ts'
import type { Me } from './get-me.ts'
import type { RotateApiKeyInput } from './rotate-api-key.ts'

/** The scopes of a key in an answer. */
export const GrantedScopes = Type.Union([Type.Array(Type.Enum(scopes)), Type.Null()], {
  description:
    'Scopes of the key; null for all but `processor:write`, `review:write` and `risk:write`. A write scope includes reading',
})
/** The scopes in a request, each at most once. Null is refused, because a key without scopes may do nearly everything. */
export const Scopes = Type.Array(Type.Enum(keyScopes), {
  minItems: 1,
  maxItems: keyScopes.length,
  description:
    'Scopes of the key; absent for all but `processor:write`, `review:write` and `risk:write`. A write scope includes reading',
  uniqueItems: true,
  'x-null': 'refused',
})
export const KeyName = Text(1, 255, { description: 'Purpose of the key', examples: ['Nightly export'] })

const record = {
  id: RecordId('Id of the key; it stays when the secret is rotated'),
  name: KeyName,
  scopes: GrantedScopes,
  createdAt: described(Timestamp, 'Time of creation, in real time'),
  expiresAt: Type.Union([Timestamp, Type.Null()], {
    description: 'When the key stops working, in real time; null for never',
  }),
  lastUsedAt: Type.Union([Timestamp, Type.Null()], { description: 'Last use, to the minute; null before the first' }),
}

export const ApiKey = Type.Object(record, {
  $id: 'ApiKey',
  description: 'An API key without its secret',
})
export type ApiKey = Static<typeof ApiKey>

/** A key with its secret. */
export const IssuedApiKey = Type.Object(
  {
    ...record,
    key: Type.String({
      description: 'The secret, for the header `X-Service-API-Key`; shown only in this answer',
      pattern: '^prs_(sk|rk)_(live|test)_[0-9A-Za-z]{42}$',
      'x-secret': true,
    }),
  },
  { $id: 'IssuedApiKey', description: 'An API key with its secret' },
)
export type IssuedApiKey = Static<typeof IssuedApiKey>

/** The API keys of an organisation, one method for each operation. Purser keeps them itself with every banking provider. */
export interface KeyManagement {
  createApiKey(write: Write<IssuedApiKey>, holder: KeyHolder, input: CreateApiKeyInput): Promise<Answer>
  listApiKeys(caller: Caller, query: PageQuery): Promise<Page<ApiKey>>
  rotateApiKey(write: Write<IssuedApiKey>, holder: KeyHolder, input: RotateApiKeyInput): Promise<Answer>
  deleteApiKey(write: Write<null>, holder: KeyHolder, apiKeyId: string): Promise<Answer>
  getMe(holder: KeyHolder): Promise<Pick<Me, 'organisation' | 'key'>>
}

export const { read: keysRead, write: keysWrite } = operationsOver<{ apiKeys: KeyManagement; holder: KeyHolder }>(
  'access',
  'keys:write',
)

/** The rights of a key. */
type Grants = Pick<KeyHolder, 'scopes' | 'decidesRisk' | 'personId'>

/** Whether a key has a scope: a write scope includes reading, and null every scope that needs no name. */
export function allows({ scopes: granted, decidesRisk }: Grants, needed: Scope): boolean {
  if (needed === 'risk:write') return decidesRisk
  return granted === null ? !isNamedScope(needed) : includesScope(granted, needed)
}

/** Whether a key decides about risk. In a sandbox a key without a list of scopes does, so that one key can try everything. */
export function decidesRisk(granted: Scope[] | null, mode: 'sandbox' | 'live'): boolean {
  return granted === null ? mode === 'sandbox' : granted.includes('risk:write')
}

/** The first scope that a key or a person lacks for an operation; undefined if they may call it. */
export function missingScope(grants: Grants, operation: Operation): Scope | undefined {
  const { orScope, personal } = operation
  const isServed = orScope !== undefined && allows(grants, orScope)
  const missing = scopesOf(operation).find(
    (scope) => !allows(grants, scope) && !(isServed && scope === operation.scope),
  )
  const isDocument = personal === true || personal === 'noted'
  return missing ?? (isDocument && !seesPersonalData(grants) ? 'personal:read' : undefined)
}

/** Whether a caller sees numbers in full, and documents. Keys do. */
export function seesPersonalData(grants: Grants): boolean {
  return grants.personId === undefined || allows(grants, 'personal:read')
}

function includesScope(granted: Scope[], needed: Scope): boolean {
  return granted.includes(needed) || granted.includes(needed.replace(':read', ':write') as Scope)
}

/**
 * Refuses to replay an answer that contains a secret if the caller uses the old secret of a rotated key, in its grace period.
 * Somebody else may have that old secret: then rotating the key must help. And the idempotency key that asks for a replay is no secret,
 * because events name it.
 */
export function refuseReplayInGrace({ inGrace }: KeyHolder, answer: Answer): Answer {
  if (!inGrace || !answer.replayed) return answer
  throw new Problem('forbidden', { detail: 'The API key was rotated: only its new secret sees this answer again.' })
}

export function unauthorized(): Problem {
  return new Problem('unauthorized', { headers: { 'WWW-Authenticate': 'ApiKey realm="purser"' } })
}

/** Throws the refusal of a key that cannot be rotated. */
export function requireRotatable({ expired }: { expired: boolean }): void {
  if (expired) throw new Problem('api_key_expired')
}

/** Throws the refusal of a key that cannot be deleted, because its organisation has no other full key that works. */
export function requireDeletable({ isLastFullKey }: { isLastFullKey: boolean }): void {
  if (isLastFullKey) throw new Problem('last_api_key')
}

/** The scopes of a key and its end: null stands for every scope that needs no name, and for no end. */
export interface Powers {
  scopes: Scope[] | null
  expiresAt: string | null
}

/** Whether a key reads numbers in full. */
export function showsNumbers({ scopes: granted }: Pick<Powers, 'scopes'>): boolean {
  return granted === null || granted.some((scope) => !withoutNumbers.includes(scope))
}

const withoutNumbers: readonly Scope[] = ['rewards:read', 'rewards:write', 'keys:write', 'sandbox:write']

/** Refuses a person who would see with a key, or by an endpoint, what is masked for them. */
export function refuseNumbers({ person }: KeyHolder): void {
  if (!person || person.passesNumbers) return
  const detail =
    'Keys and endpoints get numbers of accounts in full. You lack the scope personal:read to make such a one.'
  throw new Problem('forbidden', { detail })
}

/**
 * Why a key may not issue another with these powers: nobody passes on a scope that they lack, or a longer life. A key without
 * restriction may name every scope for another key, also those that it lacks itself; in live mode not `risk:write`, because an
 * app would lift its own limits with it.
 */
export function excessOf(issuer: Powers, powers: Powers, mode: 'sandbox' | 'live'): string | undefined {
  if (issuer.scopes !== null && powers.scopes === null) return 'Only a key without restriction issues such a key.'
  const missing = (powers.scopes ?? []).filter((scope) => !mayIssue(issuer.scopes, scope, mode))
  if (missing.length > 0) return `The API key lacks ${missing.join(', ')} itself.`
  const outlives = issuer.expiresAt !== null && (powers.expiresAt === null || powers.expiresAt > issuer.expiresAt)
  return outlives ? `The API key works until ${issuer.expiresAt} and issues no key that works longer.` : undefined
}

function mayIssue(issuer: Scope[] | null, scope: Scope, mode: 'sandbox' | 'live'): boolean {
  return issuer === null ? mode === 'sandbox' || !isNamedScope(scope) : includesScope(issuer, scope)
}
