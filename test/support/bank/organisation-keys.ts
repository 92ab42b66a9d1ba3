import { insertKey } from '../../../src/access/api-keys.sql.ts'
import { ensureOrganisation } from '../../../src/access/organisations.ts'
import type { Core } from '../../../src/backend/core.ts'
import type { Scope } from '../../../src/base/operation.ts'
import { sha256 } from '../../../src/base/sha256.ts'

let made = 0

/** The keys of the two organisations of a bank, each in its cell, and how to make others. */
export async function makeKeys(first: Core, second: Core) {
  async function makeKey(organisation: string, scopes: Scope[] | null): Promise<string> {
    const { database, ids } = organisation === 'second' ? second : first
    const key = `key-of-${organisation}-${made++}`
    const organisationId = await ensureOrganisation(database, ids, organisation)
    const id = await ids.next()
    await insertKey(database, { id, organisationId, name: key, hash: sha256(key), scopes, expiresAt: null })
    return key
  }
  const key = await makeKey('first', null)
  const otherKey = await makeKey('second', null)
  const namedKeys = new Map<string, Promise<string>>()

  /** Processors and reviewers have their scopes only by name: the keys of the bank do their work by keys beside them. */
  async function keyFor(path: string, sent: string): Promise<string> {
    const [, room] = /^\/v0\/(processor|review|proposals|permits)\b/.exec(path) ?? []
    if (room === undefined || (sent !== key && sent !== otherKey)) return sent
    const name = `${room} ${sent}`
    const scopes =
      room === 'permits'
        ? ['review:write', 'risk:write', 'people:write']
        : room === 'proposals'
          ? ['review:write', 'risk:write']
          : [`${room}:write`]
    const beside = namedKeys.get(name) ?? makeKey(sent === key ? 'first' : 'second', scopes as Scope[])
    namedKeys.set(name, beside)
    return beside
  }
  return { key, otherKey, makeKey, keyFor }
}
