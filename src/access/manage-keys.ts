import { idNumber } from '../base/ids.ts'
import type { Answer, Caller, Write } from '../base/operation.ts'
import { type Page, type PageQuery, pageWindow, toPage } from '../base/page.ts'
import { invalidRequest, Problem } from '../base/problem.ts'
import { sha256 } from '../base/sha256.ts'
import type { Database, Queryable } from '../database/database.ts'
import type { RecordIds } from '../database/record-ids.ts'
import type { RunOnce } from '../idempotency/run-once.ts'
import {
  type ApiKey,
  excessOf,
  type IssuedApiKey,
  type KeyManagement,
  type Powers,
  refuseNumbers,
  requireDeletable,
  requireRotatable,
  showsNumbers,
  unauthorized,
} from './api-key.ts'
import {
  type ApiKeyRow,
  addMakers,
  findIdentity,
  findUsableKey,
  insertKey,
  listKeyRows,
  lockFullKeys,
  lockKey,
  replaceSecret,
  retireSecrets,
  revokeKey,
  type UsableKey,
} from './api-keys.sql.ts'
import type { KeyChanges, KeyHolder } from './authenticate-key.ts'
import type { CreateApiKeyInput } from './create-api-key.ts'
import type { Me } from './get-me.ts'
import { makeKey } from './key-text.ts'
import type { RotateApiKeyInput } from './rotate-api-key.ts'

export interface KeyManagementParts {
  database: Database
  ids: RecordIds
  runOnce: RunOnce
  keys: Pick<KeyChanges, 'forget'>
  mode: 'sandbox' | 'live'
}

/** Binds the operations on API keys to their parts. */
export function openKeyManagement(parts: KeyManagementParts): KeyManagement {
  return {
    createApiKey: (write, holder, input) => createApiKey(parts, write, holder, input),
    listApiKeys: (caller, query) => listApiKeys(parts, caller, query),
    rotateApiKey: (write, holder, input) => rotateApiKey(parts, write, holder, input),
    deleteApiKey: (write, holder, apiKeyId) => deleteApiKey(parts, write, holder, apiKeyId),
    getMe: (holder) => getMe(parts, holder),
  }
}

async function createApiKey(
  { database, ids, runOnce, mode }: KeyManagementParts,
  write: Write<IssuedApiKey>,
  holder: KeyHolder,
  { name, scopes: requestedScopes, expiresAt }: CreateApiKeyInput,
): Promise<Answer> {
  const id = await ids.next()
  const scopes = requestedScopes ?? null
  const { organisationId } = write.caller
  const answer = await runOnce.transaction(write, async (transaction, events) => {
    const issuer = await requireUsable(transaction, holder)
    // A key that an expiring key creates expires with it, unless it is to expire earlier.
    const powers = { scopes, expiresAt: expiresAt ?? issuer.expiresAt }
    refuseExcess(issuer, powers, mode)
    if (showsNumbers(powers)) refuseNumbers(holder)
    const key = makeKey(mode, scopes ? 'rk' : 'sk')
    const row = await insertKey(transaction, { id, organisationId, name, hash: sha256(key), ...powers })
    if (row.expired) {
      const message = 'expiresAt must be in the future'
      throw invalidRequest([{ pointer: '/expiresAt', code: 'out_of_range', message }])
    }
    await addMakers(transaction, id, holder)
    const data = apiKey(row)
    events.push({ type: 'apiKey.created', id: data.id, version: row.version, data })
    return { ...data, key }
  })
  return refuseReplay({ database, mode }, holder, answer)
}

async function listApiKeys(
  { database }: KeyManagementParts,
  { organisationId }: Caller,
  query: PageQuery,
): Promise<Page<ApiKey>> {
  const page = pageWindow(query)
  return toPage(await listKeyRows(database, organisationId, page), page.limit, apiKey)
}

async function rotateApiKey(
  { database, runOnce, keys, mode }: KeyManagementParts,
  write: Write<IssuedApiKey>,
  holder: KeyHolder,
  { apiKeyId, graceSeconds }: RotateApiKeyInput,
): Promise<Answer> {
  const id = idNumber(apiKeyId)
  const answer = await runOnce.transaction(write, async (transaction, events) => {
    const row = await lockKey(transaction, write.caller.organisationId, id)
    if (!row) throw new Problem('api_key_not_found')
    // The caller receives the new secret, so it must already have every scope of this key.
    refuseExcess(await requireUsable(transaction, holder), row, mode)
    if (showsNumbers(row)) refuseNumbers(holder)
    requireRotatable(row)
    const key = makeKey(mode, row.scopes ? 'rk' : 'sk')
    await retireSecrets(transaction, id, graceSeconds)
    const rotated = await replaceSecret(transaction, id, sha256(key))
    await addMakers(transaction, id, holder)
    const data = apiKey(rotated)
    events.push({ type: 'apiKey.rotated', id: data.id, version: rotated.version, data })
    return { ...data, key }
  })
  await keys.forget(id)
  return refuseReplay({ database, mode }, holder, answer)
}

async function deleteApiKey(
  { runOnce, keys }: KeyManagementParts,
  write: Write<null>,
  holder: KeyHolder,
  apiKeyId: string,
): Promise<Answer> {
  const id = idNumber(apiKeyId)
  const { organisationId } = write.caller
  const answer = await runOnce.transaction(write, async (transaction, events) => {
    await requireUsable(transaction, holder)
    const fullKeys = await lockFullKeys(transaction, organisationId)
    requireDeletable({ isLastFullKey: fullKeys.length === 1 && fullKeys[0] === id })
    const row = await revokeKey(transaction, organisationId, id)
    if (!row) throw new Problem('api_key_not_found')
    const data = apiKey(row)
    events.push({ type: 'apiKey.revoked', id: data.id, version: row.version, data })
    return null
  })
  await keys.forget(id)
  return answer
}

async function getMe({ database }: KeyManagementParts, { hash }: KeyHolder): Promise<Pick<Me, 'organisation' | 'key'>> {
  const found = await findIdentity(database, hash)
  if (!found) throw unauthorized()
  const { organisationId, organisation, id, name, scopes, expiresAt } = found
  return {
    organisation: { id: String(organisationId), name: organisation },
    key: { id: String(id), name, scopes, expiresAt },
  }
}

/**
 * Refuses to replay an answer, which carries a secret, to a caller that could not issue such a key now. Idempotency keys
 * are no secret: events name them. A secret in its grace is thus not shown the one that replaced it: a leaked secret must
 * not outlive the rotation that was to end it.
 */
async function refuseReplay(
  { database, mode }: Pick<KeyManagementParts, 'database' | 'mode'>,
  holder: KeyHolder,
  answer: Answer,
): Promise<Answer> {
  if (!answer.replayed) return answer
  const issued: IssuedApiKey = JSON.parse(answer.body).data
  refuseExcess(await requireUsable(database, holder), issued, mode)
  if (showsNumbers(issued)) refuseNumbers(holder)
  return answer
}

/** The caller's key as it is now and not as it was remembered: a key that was just revoked must leave no other behind. */
export async function requireUsable(transaction: Queryable, holder: KeyHolder): Promise<UsableKey> {
  const key = await findUsableKey(transaction, holder.hash)
  if (!key) throw unauthorized()
  return key
}

function refuseExcess(issuer: Powers, powers: Powers, mode: 'sandbox' | 'live'): void {
  const detail = excessOf(issuer, powers, mode)
  if (detail !== undefined) throw new Problem('forbidden', { detail })
}

/** Inserts a full key of a sandbox organisation, and returns it with its secret. */
export async function issueSandboxKey(
  transaction: Queryable,
  { id, organisationId, name }: { id: number; organisationId: number; name: string },
): Promise<IssuedApiKey> {
  const key = makeKey('sandbox', 'sk')
  const powers = { scopes: null, expiresAt: null }
  return { ...apiKey(await insertKey(transaction, { id, organisationId, name, hash: sha256(key), ...powers })), key }
}

/** A key as answers show it, without its secret. */
export function apiKey({ id, name, scopes, createdAt, expiresAt, lastUsedAt }: ApiKeyRow): ApiKey {
  return { id: String(id), name, scopes, createdAt, expiresAt, lastUsedAt }
}
