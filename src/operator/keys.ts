import { join } from 'node:path'
import {
  createOperatorKey,
  grantScopes,
  listOperatorKeys,
  type OperatorKey,
  revokeOperatorKey,
} from '../access/operator-keys.ts'
import type { Closers } from '../base/closers.ts'
import { idNumber } from '../base/ids.ts'
import { scopes as allScopes, type Scope } from '../base/operation.ts'
import { StartupError } from '../base/startup-error.ts'
import { isCleanText } from '../base/text.ts'
import { type CellPlace, cellsOf } from '../config/cells.ts'
import type { Config } from '../config.ts'
import { requireClaimed } from '../database/cells/claim.ts'
import type { Database } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { visitDatabase } from '../database/visit.ts'
import { rotateEncryption } from '../secrets/rotate.ts'
import { replaceEncryptionKey, storedEncryptionKey } from '../secrets/secret-file.ts'
import { type OperatorCommand, readArguments, UsageError } from './command.ts'
import { cellColumn, cellNamed, findOwner, labelled, ofOwners, visitCells } from './organisations/cells.ts'
import type { Output } from './output.ts'
import { openProgress } from './progress.ts'

const USAGE = `usage:
purser keys create [--organisation NAME] [--cell CELL] [--name NAME] [--scopes ${allScopes.slice(0, 2).join(',')},…]
purser keys list
purser keys grant ID --scopes risk:write
purser keys revoke ID
purser keys rotate-encryption`

/** Creates, lists, grants scopes to and revokes keys for the operator, whether the service runs or not. */
export const keys: OperatorCommand = (args) => {
  const { work, organisation, cell, finish = () => undefined } = wanted(args)
  return async ({ config, root, out, closers }) => {
    const settings = config()
    const visit = async (database: Database, place: CellPlace) => {
      // A first key may be made before the first start.
      await migrate(database, join(root, 'migrations'))
      await work(database, out, settings, place)
    }
    if (organisation === undefined) await visitCells(settings, visit, closers)
    else {
      const place = await placeOf(settings, { organisation, cell }, closers)
      await visitDatabase(
        place,
        async (database) => {
          await requireClaimed(database, place)
          await visit(database, place)
        },
        closers,
      )
    }
    finish(out, settings)
  }
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

type Work = (database: Database, out: Output, settings: Config, place: CellPlace) => Promise<void>

interface Wanted {
  work: Work
  /** The organisation in whose cell the work is done. Absent for work in all cells. */
  organisation?: string
  /** The cell of a new organisation. */
  cell?: string | undefined
  /** Runs after the work in all cells. */
  finish?: (out: Output, settings: Config) => void
}

function wanted([command, ...rest]: string[]): Wanted {
  if (command === 'create') return create(rest)
  if (command === 'list') return list(rest)
  if (command === 'grant') return grant(rest)
  if (command === 'revoke') return revoke(rest)
  if (command === 'rotate-encryption') return { work: rotate(rest) }
  throw new UsageError(USAGE)
}

function create(args: string[]): Wanted {
  const { cell, ...asked } = readKey(args)
  const work: Work = async (database, out, { mode }) => {
    const { id, key } = await createOperatorKey(database, mode, asked)
    out.result(
      { id: String(id), key, ...asked },
      `${key}\n\nThis is key ${id} of the organisation ${asked.organisation}. It is not shown again.`,
    )
  }
  return { work, organisation: asked.organisation, cell }
}

function readKey(args: string[]): OperatorKey & { cell: string | undefined } {
  const option = { type: 'string' } as const
  const options = { organisation: option, cell: option, name: option, scopes: option }
  const {
    organisation = 'default',
    name = 'operator',
    scopes,
    cell,
  } = readArguments(args, USAGE, { options }).values as Record<string, string | undefined>
  for (const [what, text] of Object.entries({ organisation, name })) {
    const length = [...text].length
    if (length < 1 || length > 255 || !isCleanText(text)) throw new UsageError(`--${what} takes 1 to 255 characters`)
  }
  return { organisation, name, scopes: scopes === undefined ? null : readScopes(scopes), cell }
}

function readScopes(text: string): Scope[] {
  const words = [...new Set(text.split(','))]
  const unknown = words.filter((word) => !allScopes.some((scope) => scope === word))
  if (unknown.length > 0) throw new UsageError(`--scopes takes ${allScopes.join(',')}; not ${unknown.join(',')}`)
  return words as Scope[]
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

function list(args: string[]): Wanted {
  readArguments(args, USAGE)
  const found: (Awaited<ReturnType<typeof listOperatorKeys>>[number] & { cell?: string })[] = []
  const work: Work = async (database, _, settings, place) => {
    found.push(...(await labelled(settings, listOperatorKeys)(database, place)))
  }
  const finish = (out: Output, settings: Config) => {
    const rows = ofOwners(found).map(({ cell, ...key }) => ({
      id: String(key.id),
      organisation: key.organisation,
      name: key.name,
      scopes: out.json ? key.scopes : (key.scopes?.join(',') ?? 'everything'),
      state: key.revoked ? 'revoked' : key.expired ? 'expired' : 'works',
      createdAt: key.createdAt,
      expiresAt: key.expiresAt,
      lastUsedAt: key.lastUsedAt,
      ...(cell && { cell }),
    }))
    out.table(rows, headings(settings))
  }
  return { work, finish }
}

function grant(args: string[]): Wanted {
  const read = readArguments(args, USAGE, { words: 1, options: { scopes: { type: 'string' } } })
  const [id = ''] = read.positionals
  if (typeof read.values.scopes !== 'string') throw new UsageError(USAGE)
  const asked = readScopes(read.values.scopes)
  let granted = false
  const work: Work = async (database, out) => {
    const scopes = granted ? undefined : await grantScopes(database, idNumber(id), asked)
    if (!scopes) return
    granted = true
    out.result({ id, scopes }, `granted: within five seconds key ${id} has ${scopes.join(', ')}`)
  }
  const finish = () => {
    if (!granted) throw new StartupError(`there is no key ${id} that works: \`purser keys list\` lists all`)
  }
  return { work, finish }
}

function revoke(args: string[]): Wanted {
  const [id = ''] = readArguments(args, USAGE, { words: 1 }).positionals
  let revoked = false
  const work: Work = async (database, out) => {
    if (revoked || !(await revokeOperatorKey(database, idNumber(id)))) return
    revoked = true
    out.result({ id, revoked }, `revoked: within five seconds key ${id} works nowhere`)
  }
  const finish = () => {
    if (!revoked) throw new StartupError(`there is no key ${id} to revoke: \`purser keys list\` lists all`)
  }
  return { work, finish }
}

/** Changes the encryption key. Both keys come from the environment or a file: arguments are visible to other processes. */
function rotate(args: string[]): Work {
  readArguments(args, USAGE)
  return async (database, out, { encryptionKey, newEncryptionKey: newKey, dataDir }) => {
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
}
