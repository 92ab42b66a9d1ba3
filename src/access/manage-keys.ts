import { idNumber } from '../base/ids.ts'
import type { Answer } from '../base/operation.ts'
import { pageWindow, toPage } from '../base/page.ts'
import { invalidRequest, Problem } from '../base/problem.ts'
import { sha256 } from '../base/sha256.ts'
import type { Database, Queryable } from '../database/database.ts'
import type { RecordIds } from '../database/record-ids.ts'
import type { RunOnce } from '../idempotency/run-once.ts'
import { type ApiKey, type ApiKeyRecords, excessOf, type IssuedApiKey, type Powers, unauthorized } from './api-key.ts'
import {
  type ApiKeyRow,
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
import type { KeyAuthenticator, KeyHolder } from './authenticate-key.ts'
import { makeKey } from './key-text.ts'

export interface ApiKeyRecordsOptions {
  database: Database
  ids: RecordIds
  runOnce: RunOnce
  keys: KeyAuthenticator
  mode: 'sandbox' | 'live'
}

export function openApiKeyRecords({ database, ids, runOnce, keys, mode }: ApiKeyRecordsOptions): ApiKeyRecords {
  /**
   * Shows a replayed answer, which carries a secret, only to a caller that could issue such a key now. Idempotency keys
   * are no secret: events name them. A secret in its grace is refused like this, also the key that replaced it: a leaked
   * secret must not outlive the rotation that was to end it.
   */
  async function shownTo(holder: KeyHolder, answer: Answer): Promise<Answer> {
    if (!answer.replayed) return answer
    const issued: IssuedApiKey = JSON.parse(answer.body).data
    refuseExcess(await stillUsable(database, holder), issued)
    return answer
  }

  return {
    async createApiKey(write, holder, { name, scopes = null, expiresAt }) {
      const id = await ids.next()
      const { organisationId } = write.caller
      const answer = await runOnce.transaction(write, async (transaction, events) => {
        const giver = await stillUsable(transaction, holder)
        // What an expiring key makes expires with it, unless it is to end earlier.
        const wish = { scopes, expiresAt: expiresAt ?? giver.expiresAt }
        refuseExcess(giver, wish)
        const key = makeKey(mode, scopes ? 'rk' : 'sk')
        const row = await insertKey(transaction, { id, organisationId, name, hash: sha256(key), ...wish })
        if (row.expired) {
          const message = 'expiresAt must be in the future'
          throw invalidRequest([{ pointer: '/expiresAt', code: 'out_of_range', message }])
        }
        const data = apiKey(row)
        events.push({ type: 'apiKey.created', id: data.id, version: row.version, data })
        return { ...data, key }
      })
      return shownTo(holder, answer)
    },

    async listApiKeys({ organisationId }, query) {
      const page = pageWindow(query)
      return toPage(await listKeyRows(database, organisationId, page), page.limit, apiKey)
    },

    async rotateApiKey(write, holder, { apiKeyId, graceSeconds }) {
      const id = idNumber(apiKeyId)
      const answer = await runOnce.transaction(write, async (transaction, events) => {
        const row = await lockKey(transaction, write.caller.organisationId, id)
        if (!row) throw new Problem('api_key_not_found')
        // Whoever rotates a key holds it from then on.
        refuseExcess(await stillUsable(transaction, holder), row)
        if (row.expired) throw new Problem('api_key_expired')
        const key = makeKey(mode, row.scopes ? 'rk' : 'sk')
        await retireSecrets(transaction, id, graceSeconds)
        const rotated = await replaceSecret(transaction, id, sha256(key))
        const data = apiKey(rotated)
        events.push({ type: 'apiKey.rotated', id: data.id, version: rotated.version, data })
        return { ...data, key }
      })
      keys.forget(id)
      return shownTo(holder, answer)
    },

    async deleteApiKey(write, holder, apiKeyId) {
      const id = idNumber(apiKeyId)
      const { organisationId } = write.caller
      const answer = await runOnce.transaction(write, async (transaction, events) => {
        await stillUsable(transaction, holder)
        const full = await lockFullKeys(transaction, organisationId)
        if (full.length === 1 && full[0] === id) throw new Problem('last_api_key')
        const row = await revokeKey(transaction, organisationId, id)
        if (!row) throw new Problem('api_key_not_found')
        const data = apiKey(row)
        events.push({ type: 'apiKey.revoked', id: data.id, version: row.version, data })
        return null
      })
      keys.forget(id)
      return answer
    },
  }
}

/** The caller's key as it is now, not a few seconds ago: one that was just revoked must leave no other behind. */
async function stillUsable(transaction: Queryable, holder: KeyHolder): Promise<UsableKey> {
  const found = await findUsableKey(transaction, holder.hash)
  if (!found) throw unauthorized()
  return found
}

function refuseExcess(giver: Powers, wish: Powers): void {
  const detail = excessOf(giver, wish)
  if (detail !== undefined) throw new Problem('forbidden', { detail })
}

/** A key as it is shown, again and again. */
export function apiKey({ id, name, scopes, createdAt, expiresAt, lastUsedAt }: ApiKeyRow): ApiKey {
  return { id: String(id), name, scopes, createdAt, expiresAt, lastUsedAt }
}
