import { join } from 'node:path'
import { UsageError } from '../../ground/failure.ts'
import {
  createOperatorKey,
  grantScopes,
  listOperatorKeys,
  type OperatorKey,
  revokeOperatorKey,
} from '../access/operator-keys.ts'
import type { Closers } from '../base/closers.ts'
import { idNumber } from '../base/ids.ts'
import { type KeyScope, keyScopes } from '../base/operation.ts'
import { openProgress } from '../base/progress.ts'
import { StartupError } from '../base/startup-error.ts'
import { isCleanText } from '../base/text.ts'
import { requireClaimed } from '../cells/claim.ts'
import { type CellPlace, cellsOf } from '../cells/settings.ts'
import { cellColumn, cellNamed, findOwner, labelled, ofOwners, visitCells } from '../cells/visit.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { visitDatabase } from '../database/visit.ts'
import { rotateEncryption } from '../secrets/rotate.ts'
import { replaceEncryptionKey, storedEncryptionKey } from '../secrets/secret-file.ts'
import type { OperatorCall, OperatorCommand } from './command.ts'

/** Creates a key in the cell of its organisation, whether the service runs or not. */
export const createKey: OperatorCommand = async (call) => {
  const { config, out, closers } = call
  const { cell, ...asked } = keyIn(call)
  const settings = config()
  const place = await placeOf(settings, { organisation: asked.organisation, cell }, closers)
  const create = async (database: Database) => {
    await requireClaimed(database, place)
    await migrateFirst(call, database)
    return createOperatorKey(database, settings.mode, asked)
  }
  const { id, key } = await visitDatabase(place, create, closers)
  out.result(
    { id: String(id), key, ...asked },
    `${key}\n\nThis is key ${id} of the organisation ${asked.organisation}. It is not shown again.`,
  )
}

/** A first key may be made before the first start. */
async function migrateFirst({ root }: OperatorCall, database: Database): Promise<void> {
  await migrate(database, join(root, 'migrations'))
}

/** Runs `work` on the database of each cell. */
function visitKeys<T>(call: OperatorCall, work: (database: Database, place: CellPlace) => Promise<T>): Promise<T[]> {
  const visit = async (database: Database, place: CellPlace) => {
    await migrateFirst(call, database)
    return work(database, place)
  }
  return visitCells(call.config(), visit, call.closers)
}

/** The first outcome of `work` in the cells: between the halves of a move two have the same key. */
async function firstOf<T>(call: OperatorCall, work: (database: Database) => Promise<T>): Promise<T | undefined> {
  let found: T | undefined
  await visitKeys(call, async (database) => {
    found ||= await work(database)
  })
  return found
}

/** The cell of an organisation; for a new one the cell that is named, else the home cell. */
async function placeOf(
  settings: Config,
  { organisation, cell }: { organisation: string; cell: string | undefined },
  closers: Closers,
): Promise<CellPlace> {
  const named = cell === undefined ? undefined : cellNamed(settings, cell)
  const [home, ...further] = cellsOf(settings)
  if (further.length === 0) return home
  const owner = (await findOwner(settings, organisation, closers))?.place
  if (owner && named && owner.name !== named.name) {
    throw new StartupError(`the organisation ${organisation} is in the cell ${owner.name}`)
  }
  return owner ?? named ?? home
}

function keyIn({ options }: OperatorCall): OperatorKey & { cell: string | undefined } {
  const { organisation = 'default', name = 'operator', scopes, cell } = options as Record<string, string | undefined>
  for (const [what, text] of Object.entries({ organisation, name })) {
    const length = [...text].length
    if (length < 1 || length > 255 || !isCleanText(text)) throw new UsageError(`--${what} takes 1 to 255 characters`)
  }
  return { organisation, name, scopes: scopes === undefined ? null : readScopes(scopes), cell }
}

function readScopes(text: string): KeyScope[] {
  const words = [...new Set(text.split(','))]
  const unknown = words.filter((word) => !keyScopes.some((scope) => scope === word))
  if (unknown.length > 0) throw new UsageError(`--scopes takes ${keyScopes.join(',')}; not ${unknown.join(',')}`)
  return words as KeyScope[]
}

const headings = (settings: Config) => ({
  ...{
    id: 'ID',
    organisation: 'ORGANISATION',
    name: 'NAME',
    ...cellColumn(settings),
    state: 'STATE',
    scopes: 'SCOPES',
  },
  ...{ lastUsedAt: 'LAST USED', createdAt: 'CREATED', expiresAt: 'EXPIRES' },
})

/** Lists the keys of all cells. */
export const listKeys: OperatorCommand = async (call) => {
  const { config, out } = call
  const settings = config()
  const found = (await visitKeys(call, labelled(settings, listOperatorKeys))).flat()
  const rows = ofOwners(found).map(({ cell, ...key }) => ({
    id: String(key.id),
    organisation: key.organisation,
    name: key.name,
    scopes: out.forPeople ? (key.scopes?.join(',') ?? 'everything') : key.scopes,
    state: key.revoked ? 'revoked' : key.expired ? 'expired' : 'works',
    createdAt: key.createdAt,
    expiresAt: key.expiresAt,
    lastUsedAt: key.lastUsedAt,
    ...(cell && { cell }),
  }))
  await out.records(rows, headings(settings))
}

/** Grants scopes to a key, in the cell that has it. */
export const grantKey: OperatorCommand = async (call) => {
  const [id = ''] = call.args
  const asked = readScopes(String(call.options.scopes))
  const scopes = await firstOf(call, (database) => grantScopes(database, idNumber(id), asked))
  if (!scopes) throw new StartupError(`there is no key ${id} that works: \`purser keys list\` lists all`)
  call.out.result({ id, scopes }, `granted: within five seconds key ${id} has ${scopes.join(', ')}`)
}

/** Revokes a key, in the cell that has it. */
export const revokeKey: OperatorCommand = async (call) => {
  const [id = ''] = call.args
  const revoked = await firstOf(call, (database) => revokeOperatorKey(database, idNumber(id)))
  if (!revoked) throw new StartupError(`there is no key ${id} to revoke: \`purser keys list\` lists all`)
  call.out.result({ id, revoked: true }, `revoked: within five seconds key ${id} works nowhere`)
}

/** Changes the encryption key. Both keys come from the environment or a file: arguments are visible to other processes. */
export const rotateEncryptionKey: OperatorCommand = async (call) => {
  await visitKeys(call, (database) => rotateIn(database, call))
}

async function rotateIn(database: Database, { config, out }: OperatorCall): Promise<void> {
  const { encryptionKey, newEncryptionKey: newKey, dataDir } = config()
  if (!newKey) {
    throw new StartupError(
      'PURSER_ENCRYPTION_KEY_NEW is not set: make a key with `openssl rand -base64 32`, and start the service with both keys first',
    )
  }
  const key = encryptionKey ?? (await storedEncryptionKey(dataDir))
  const values = openProgress('looking at sealed values')
  const wraps = openProgress('sealing the keys of organisations')
  const changed = await rotateEncryption(
    database,
    { key, newKey },
    {
      values: values.at,
      keys: (done, of) => {
        values.clear()
        wraps.at(done, of)
      },
    },
  ).finally(wraps.clear)
  if (!encryptionKey) await replaceEncryptionKey(dataDir, newKey)
  const next = encryptionKey
    ? 'set PURSER_ENCRYPTION_KEY to the new key, remove PURSER_ENCRYPTION_KEY_NEW, and restart the service'
    : 'the new key is in the file encryption-key of the data folder: remove PURSER_ENCRYPTION_KEY_NEW and restart the service'
  out.result({ rotated: changed }, `${changed ? 'rotated' : 'the key was rotated before'}: ${next}`)
}
