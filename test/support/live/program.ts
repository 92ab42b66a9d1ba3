import { existsSync, mkdirSync, readdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { expect } from 'vitest'
import { ask, asUsersDo, databaseUrl, type Launched, launchService, runPurser, scratchFolder } from '../service.ts'

/** An answer of the service. */
export interface LiveReply {
  status: number
  bytes: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as the JSON they are
  json: any
}

/** A live service as a process of its own, and the commands of its operator. */
export interface LiveProgram {
  process: Launched
  /** Sends a request with a key. */
  call(key: string, method: string, path: string, body?: unknown): Promise<LiveReply>
  /** Runs a command of the operator, which must end with a code. Returns the records that it prints. */
  purser(words: string[], code?: number): Promise<Record<string, unknown>[]>
  /** Sets the clock of all organisations. */
  passTo(instant: string): Promise<void>
  /** Puts a file of another bank into the folder of incoming files. */
  putFile(name: string, bytes: Buffer): void
  /** The files of a folder of the rail. */
  filesIn(folder: 'in/done' | 'in/refused' | 'out'): string[]
  folder: string
}

/** The number of the live bank: a sandbox has one that no bank can have. */
export const ROUTING_NUMBER = '123456780'

/** The environment of a live service whose payments leave with ACH files. */
export function liveEnvironment(server: pg.ClientConfig, folder: string) {
  return {
    PURSER_MODE: 'live',
    PURSER_DATA_DIR: join(folder, 'data'),
    DATABASE_URL: databaseUrl(server),
    PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
    PURSER_ACH: 'windows',
    PURSER_ROUTING_NUMBER: ROUTING_NUMBER,
    PURSER_ACH_DESTINATION: '061000146',
    PURSER_ACH_DESTINATION_NAME: 'SPONSOR BANK',
    PURSER_ACH_ORIGIN_NAME: 'SAMPLE PROGRAM',
    PURSER_ACH_COMPANY_NAME: 'SAMPLE PROGRAM',
    PURSER_ACH_COMPANY_ID: '1234567890',
    PURSER_ACH_OUTGOING: join(folder, 'out'),
    PURSER_ACH_INCOMING: join(folder, 'in'),
  }
}

/** Runs a command of the operator before or while the service runs. */
async function runCommand(
  environment: Record<string, string>,
  words: string[],
  code: number,
): Promise<Record<string, unknown>[]> {
  const { stdout, stderr, ...exit } = await runPurser([...words, '--json'], { environment })
  expect(exit.code, `purser ${words.join(' ')}\n${stdout}${stderr}`).toBe(code)
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{') || line.startsWith('['))
    .flatMap((line) => JSON.parse(line))
}

/** Makes keys on an empty database, sets the clock, and starts the service as its users do. */
export async function startLive<Name extends string>(
  server: pg.ClientConfig,
  startsAt: string,
  keys: Record<Name, string[]>,
): Promise<{ live: LiveProgram; keys: Record<Name, string> }> {
  const folder = scratchFolder()
  const environment = liveEnvironment(server, folder)
  // A live bank does not make its folders: a missing one is a missing mount.
  for (const name of ['in', 'out']) mkdirSync(join(folder, name))
  const purser: LiveProgram['purser'] = (words, code = 0) => runCommand(environment, words, code)
  const made = {} as Record<Name, string>
  for (const [name, options] of Object.entries(keys) as [Name, string[]][]) {
    const [created] = await purser(['keys', 'create', '--name', name, ...options])
    made[name] = String(created?.key)
  }
  const passTo = async (instant: string) => {
    const offset = `$1::timestamptz - date_trunc('milliseconds', clock_timestamp())`
    await ask(server, `update organisation set clock_offset = ${offset}`, [instant])
  }
  await passTo(startsAt)
  const process = launchService(environment, { command: asUsersDo })
  const [, url = ''] = await process.printed(/listening on (http:\/\/\S+)\n/)
  const live: LiveProgram = {
    process,
    call: (key, method, path, body) => callLive(url, key, method, path, body),
    purser,
    passTo,
    putFile: (name, bytes) => putFile(join(folder, 'in'), name, bytes),
    filesIn: (name) => filesIn(join(folder, name)),
    folder,
  }
  return { live, keys: made }
}

async function callLive(url: string, key: string, method: string, path: string, body?: unknown): Promise<LiveReply> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', 'X-Service-API-Key': key },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const isJson = (response.headers.get('content-type') ?? '').includes('json') && bytes.length > 0
  return { status: response.status, bytes, json: isJson ? JSON.parse(bytes.toString()) : undefined }
}

/** The service makes a folder when it has something to put there. */
const filesIn = (path: string) => (existsSync(path) ? readdirSync(path).filter((name) => name.endsWith('.ach')) : [])

/** Under a name with a dot first, and as old as a file that is complete. */
function putFile(folder: string, name: string, bytes: Buffer): void {
  mkdirSync(folder, { recursive: true })
  const hidden = join(folder, `.${name}`)
  writeFileSync(hidden, bytes)
  const earlier = new Date(Date.now() - 10_000)
  utimesSync(hidden, earlier, earlier)
  renameSync(hidden, join(folder, name))
}
