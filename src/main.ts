import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { ensureBootstrapKey, hasUsableKey, makeKey, openApiKeys } from './access/api-keys.ts'
import { secretFile } from './access/secret-file.ts'
import { buildApp } from './app.ts'
import { Problem } from './base/problem.ts'
import { StartupError } from './base/startup-error.ts'
import { type Config, ConfigError, parseConfig } from './config.ts'
import { type Database, DatabaseUnavailable, openDatabase, plainTimeouts, serversOf } from './database/database.ts'
import { type EmbeddedServer, startEmbedded } from './database/embedded.ts'
import { migrate } from './database/migrate.ts'
import { openRecordIds } from './database/record-ids.ts'
import { openLog } from './http/log.ts'
import { openLane } from './ledger/lane.ts'
import { openBuiltinBank } from './providers/builtin/bank.ts'
import { openPerform } from './write/perform.ts'

const root = join(import.meta.dirname, '..')

const SHUTDOWN_MS = 30_000

/** Environment → config → database → providers → app → listen. */
async function start(): Promise<void> {
  const config = parseConfig(process.env)
  const terminal = process.stdout.isTTY === true
  const log = openLog(config.logLevel, terminal)
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  say(`Purser ${version} starts in ${config.mode} mode`)

  const embedded = config.databaseUrl ? undefined : await startEmbedded({ dataDir: config.dataDir, say, lost: fail })
  const servers = embedded ? [{ ...embedded.connection, ssl: false }] : serversOf(config.databaseUrl ?? '')
  const database = openDatabase({ servers, connections: 10, timeouts: plainTimeouts })
  const ids = openRecordIds(database)
  const lane = openLane({ servers, ids })
  let stopping = false
  let app: FastifyInstance | undefined
  onSignal(async (signal) => {
    stopping = true
    say(`${signal}: finishing what was accepted`)
    await app?.close()
    await Promise.all([lane.close(), database.close()])
    await embedded?.stop()
    say('stopped')
  })

  await migrate(database, join(root, 'migrations'))
  await encryptionKey(config)
  const key = await bootstrapKey(config, database)
  if (key !== undefined) await ensureBootstrapKey(database, ids, key)

  const perform = openPerform({ database, waitMs: plainTimeouts.lockMs, settleMs: plainTimeouts.lockMs })
  const { mode, routingNumber, overdraftCents } = config
  const builtin = openBuiltinBank({ database, ids, perform, lane, mode, routingNumber, overdraftCents })
  app = buildApp({
    mode,
    version,
    keys: openApiKeys(database),
    bank: builtin.bank,
    sandbox: mode === 'sandbox' ? builtin.sandbox : undefined,
    log,
    ready: async () => {
      if (stopping) throw new Problem('unavailable', { headers: { 'Retry-After': '5' } })
      await database.query('select 1')
    },
  })
  const address = await app.listen({ port: config.port, host: config.host })
  announce(address, config, key, embedded)
}

/** Encrypts what must not lie in the database in clear text; made once where none is set. */
async function encryptionKey({ encryptionKey: key, dataDir }: Config): Promise<Buffer> {
  return (
    key ?? Buffer.from(await secretFile(dataDir, 'encryption-key', () => randomBytes(32).toString('base64')), 'base64')
  )
}

/** The key of the environment; in sandbox mode, where none is set, one that is made once and kept. */
async function bootstrapKey(config: Config, database: Database): Promise<string | undefined> {
  if (config.apiKey !== undefined) return config.apiKey
  if (config.mode === 'sandbox') return secretFile(config.dataDir, 'api-key', () => makeKey('sandbox'))
  if (await hasUsableKey(database)) return undefined
  throw new StartupError('there is no API key yet: set PURSER_API_KEY to 20 or more visible ASCII characters')
}

function announce(
  address: string,
  config: Config,
  key: string | undefined,
  embedded: EmbeddedServer | undefined,
): void {
  say(`listening on ${address}`)
  if (config.mode !== 'sandbox') return
  say(`
  Base URL   ${address}
  Docs       ${address}/docs
  Data       ${embedded ? embedded.dataDir : 'the PostgreSQL server of DATABASE_URL'}
  API key    ${key}

  curl -s ${address}/v0/sandbox/customers -H 'X-Service-API-Key: ${key}' -H 'Content-Type: application/json' -d '{"name":"Ada Example"}'
`)
}

/** One shutdown for the first signal; a second one, or a shutdown that hangs, ends the process at once. */
function onSignal(stop: (signal: string) => Promise<void>): void {
  let stopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1)
      stopping = true
      setTimeout(() => process.exit(1), SHUTDOWN_MS).unref()
      stop(signal).then(() => process.exit(0), fail)
    })
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** One clear line for what an operator can mend; a stack for what only we can. */
function fail(error: unknown): never {
  process.stderr.write(`purser: ${startupLine(error)}\n`)
  process.exit(1)
}

function startupLine(error: unknown): string {
  if (error instanceof ConfigError) return ['the configuration has faults:', ...error.faults].join('\n  ')
  if (error instanceof StartupError || error instanceof DatabaseUnavailable) return error.message
  const { code, port, address } = error as { code?: string; port?: number; address?: string }
  if (code === 'EADDRINUSE') return `${address}:${port} is in use: stop the other process or set PORT`
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `cannot listen: ${(error as Error).message}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

start().catch(fail)
