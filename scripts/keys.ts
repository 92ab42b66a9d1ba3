import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  createOperatorKey,
  listOperatorKeys,
  type OperatorKey,
  revokeOperatorKey,
} from '../src/access/operator-keys.ts'
import { idNumber } from '../src/base/ids.ts'
import { scopes as allScopes, type Scope } from '../src/base/operation.ts'
import { StartupError } from '../src/base/startup-error.ts'
import { isCleanText } from '../src/base/text.ts'
import { parseConfig } from '../src/config.ts'
import type { Database } from '../src/database/database.ts'
import { migrate } from '../src/database/migrate.ts'
import { visitDatabase } from '../src/database/visit.ts'
import { fail } from '../src/startup-errors.ts'

const USAGE = `npm run keys -- create [--organisation NAME] [--name NAME] [--scopes ${allScopes.slice(0, 2).join(',')}…]
npm run keys -- list
npm run keys -- revoke ID`

/** Creates, lists and revokes keys for the operator, whether the service runs or not. */
async function keys(): Promise<void> {
  const work = wanted(process.argv.slice(2))
  const config = parseConfig(process.env)
  await visitDatabase(config, async (database) => {
    // A first key may be made before the first start.
    await migrate(database, join(import.meta.dirname, '..', 'migrations'))
    await work(database, config.mode)
  })
}

type Work = (database: Database, mode: 'sandbox' | 'live') => Promise<void>

function wanted(args: string[]): Work {
  const [command, ...rest] = args
  if (command === 'create') return create(rest)
  if (command === 'list' && rest.length === 0) return list
  if (command === 'revoke' && rest.length === 1) return revoke(rest[0] ?? '')
  throw new StartupError(`say what to do:\n${USAGE}`)
}

function create(args: string[]): Work {
  const asked = readKey(args)
  return async (database, mode) => {
    const { id, key } = await createOperatorKey(database, mode, asked)
    say(`${key}\n\nThis is key ${id} of the organisation ${asked.organisation}. It is not shown again.`)
  }
}

function readKey(args: string[]): OperatorKey {
  const option = { type: 'string' } as const
  let values: { organisation?: string; name?: string; scopes?: string }
  try {
    ;({ values } = parseArgs({ args, options: { organisation: option, name: option, scopes: option } }))
  } catch (error) {
    throw new StartupError(`${(error as Error).message}\n${USAGE}`)
  }
  const { organisation = 'default', name = 'operator', scopes } = values
  for (const [what, text] of Object.entries({ organisation, name })) {
    const length = [...text].length
    if (length < 1 || length > 255 || !isCleanText(text)) throw new StartupError(`--${what} takes 1 to 255 characters`)
  }
  return { organisation, name, scopes: scopes === undefined ? null : readScopes(scopes) }
}

function readScopes(text: string): Scope[] {
  const words = [...new Set(text.split(','))]
  const unknown = words.filter((word) => !allScopes.some((scope) => scope === word))
  if (unknown.length > 0) throw new StartupError(`--scopes takes ${allScopes.join(',')}; not ${unknown.join(',')}`)
  return words as Scope[]
}

const list: Work = async (database) => {
  const rows = (await listOperatorKeys(database)).map((key) => [
    String(key.id),
    key.organisation,
    key.name,
    key.scopes?.join(',') ?? 'everything',
    key.revoked ? 'revoked' : key.expired ? 'expired' : 'works',
    key.createdAt,
    key.expiresAt ?? '-',
    key.lastUsedAt ?? '-',
  ])
  const table = [['ID', 'ORGANISATION', 'NAME', 'SCOPES', 'STATE', 'CREATED', 'EXPIRES', 'LAST USED'], ...rows]
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  for (const row of table)
    say(
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}

function revoke(id: string): Work {
  return async (database) => {
    if (!(await revokeOperatorKey(database, idNumber(id)))) {
      throw new StartupError(`there is no key ${id} that could be revoked: npm run keys -- list`)
    }
    say(`revoked: within five seconds key ${id} works nowhere`)
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

keys().catch(fail)
