import type { Scope } from '../base/operation.ts'
import { sha256 } from '../base/sha256.ts'
import type { Database } from '../database/database.ts'
import { openRecordIds } from '../database/record-ids.ts'
import { bankOrigin, recordEvents } from '../events/record.ts'
import { insertKey, listAllKeys, type OperatorRow, revokeKey } from './api-keys.sql.ts'
import { makeKey } from './key-text.ts'
import { apiKey } from './manage-keys.ts'
import { ensureOrganisation } from './organisations.ts'

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

/** Revokes a key, even the last one: the operator can create another. False where there is no such key. */
export async function revokeOperatorKey(database: Database, id: number): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const row = await revokeKey(transaction, null, id)
    if (!row) return false
    const event = { type: 'apiKey.revoked', id: String(id), version: row.version, data: apiKey(row) } as const
    await recordEvents(transaction, [{ event, origin: bankOrigin(row.organisationId) }])
    return true
  })
}
