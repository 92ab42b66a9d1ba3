import { isNamedScope, keyScopes, type Scope } from '../base/operation.ts'
import { sha256 } from '../base/sha256.ts'
import type { Database } from '../database/database.ts'
import { openRecordIds } from '../database/record-ids.ts'
import { bankOrigin, recordEvents } from '../events/record.ts'
import {
  insertKey,
  type KeyWithoutRisk,
  listAllKeys,
  listKeysWithoutRisk,
  lockAnyKey,
  type OperatorRow,
  revokeKey,
  updateScopes,
} from './api-keys.sql.ts'
import { makeKey } from './key-text.ts'
import { apiKey } from './manage-keys.ts'
import { ensureOrganisation } from './organisations.ts'

export type { KeyWithoutRisk }

export interface OperatorKey {
  organisation: string
  name: string
  scopes: Scope[] | null
}

/** Creates a key, and its organisation if that is new. Returns the secret, which is stored nowhere. */
export async function createOperatorKey(
  database: Database,
  mode: 'sandbox' | 'live',
  { organisation, name, scopes }: OperatorKey,
): Promise<{ id: number; key: string }> {
  const ids = openRecordIds(database)
  const organisationId = await ensureOrganisation(database, ids, organisation)
  const id = await ids.next()
  const key = makeKey(mode, scopes ? 'rk' : 'sk')
  await database.transaction(async (transaction) => {
    const row = await insertKey(transaction, { id, organisationId, name, hash: sha256(key), scopes, expiresAt: null })
    const event = { type: 'apiKey.created', id: String(id), version: row.version, data: apiKey(row) } as const
    await recordEvents(transaction, [{ event, origin: bankOrigin(organisationId) }])
  })
  return { id, key }
}

/** Lists the keys of all organisations. */
export function listOperatorKeys(database: Database): Promise<OperatorRow[]> {
  return listAllKeys(database)
}

/** Revokes a key, even the last one: the operator can create another. False if there is no such key. */
export async function revokeOperatorKey(database: Database, id: number): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const row = await revokeKey(transaction, null, id)
    if (!row) return false
    const event = { type: 'apiKey.revoked', id: String(id), version: row.version, data: apiKey(row) } as const
    await recordEvents(transaction, [{ event, origin: bankOrigin(row.organisationId) }])
    return true
  })
}

/**
 * Adds scopes to a key that is not revoked, and returns all that it has then; undefined if there is no such key. A key without
 * a list gets one of all scopes that it had.
 */
export async function grantScopes(database: Database, id: number, granted: Scope[]): Promise<Scope[] | undefined> {
  return database.transaction(async (transaction) => {
    const key = await lockAnyKey(transaction, id)
    if (!key) return undefined
    const had = key.scopes ?? keyScopes.filter((scope) => !isNamedScope(scope))
    const scopes = keyScopes.filter((scope) => had.includes(scope) || granted.includes(scope))
    if (key.scopes?.length === scopes.length) return scopes
    const row = await updateScopes(transaction, id, scopes)
    const event = { type: 'apiKey.scopesChanged', id: String(id), version: row.version, data: apiKey(row) } as const
    await recordEvents(transaction, [{ event, origin: bankOrigin(key.organisationId) }])
    return scopes
  })
}

/** The keys that could set limits before there was the scope `risk:write`, and cannot now. */
export function keysWithoutRisk(database: Database): Promise<KeyWithoutRisk[]> {
  return listKeysWithoutRisk(database)
}

/** The warning about a key that set limits until now. */
export function lostRisk({ id, name, organisation }: KeyWithoutRisk): string {
  return `the key ${id} (${name}) of ${organisation} has set limits or legal holds, which needs the scope risk:write now`
}
