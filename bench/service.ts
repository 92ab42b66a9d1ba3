import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findEmbedded } from '../src/database/embedded/embedded.ts'
import { encryptionKeysOf } from '../src/secrets/secret-file.ts'

export const root = join(import.meta.dirname, '..')
/** The service, and the same without events. */
export const withEvents = 'src/main.ts'
export const withoutEvents = 'bench/without-events.ts'
export const apiKey = 'bench-key-of-no-secret'

/** The real service as a process of its own, with its embedded database. */
export interface Service {
  pid: number
  url: string
  dataDir: string
  /** From the start of the process to the first 200 of /readyz. */
  readyMs: number
  /** Its database server. */
  connection: { host: string; port: number; user: string; database: string }
  encryptionKeys: Buffer[]
  stop(): Promise<void>
}

const PATIENCE_MS = 60_000
const TMPFS = 0x01021994

const folders: string[] = []
const children = new Set<ChildProcess>()

/** A folder on a disk: on a file system in memory no commit would be durable. */
export function scratchFolder(): string {
  const place = [tmpdir(), '/var/tmp', root].find((folder) => statfsSync(folder).type !== TMPFS) ?? tmpdir()
  const folder = mkdtempSync(join(place, 'purser-bench-'))
  chmodSync(folder, 0o755)
  folders.push(folder)
  return folder
}

export interface ServiceOptions {
  /** The program, if it is not the service itself. */
  entry?: string
  nodeFlags?: string[]
  environment?: Record<string, string>
  /** The folder of another version of the service. */
  checkout?: string
}

/** Starts the service as an operator does; its log goes to a file, as to a log collector. */
export async function startService(
  dataDir: string,
  { entry = withEvents, nodeFlags = [], environment: own = {}, checkout = root }: ServiceOptions = {},
): Promise<Service> {
  const startedMs = performance.now()
  const log = join(dataDir, 'service.log')
  const environment = { PURSER_DATA_DIR: dataDir, PURSER_API_KEY: apiKey, PORT: '0', ...own }
  const child = run([...nodeFlags, 'bin/run.js', entry], log, environment, checkout)
  const [, url = ''] = await printed(child, log, /listening on (http:\/\/\S+)\n/)
  while ((await fetch(`${url}/readyz`)).status !== 200) await sleep(5)
  const readyMs = performance.now() - startedMs
  const connection = await findEmbedded(dataDir)
  if (!connection) throw new Error(`the database of ${dataDir} does not answer`)
  const { PURSER_ENCRYPTION_KEY: key } = own
  const encryptionKey = key === undefined ? undefined : Buffer.from(key, 'base64')
  const encryptionKeys = await encryptionKeysOf({ encryptionKey, newEncryptionKey: undefined, dataDir })
  return { pid: child.pid ?? 0, url, dataDir, readyMs, connection, encryptionKeys, stop: () => end(child) }
}

/** One request, with the key of the benchmark or another; throws unless it succeeds. */
// biome-ignore lint/suspicious/noExplicitAny: the caller knows the shape of the answer
export async function call(url: string, method: string, path: string, body?: unknown, key = apiKey): Promise<any> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { 'X-Service-API-Key': key, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
  return JSON.parse(text).data
}

/** Starts a program of this folder that prints one line of JSON when it has something to say. */
export async function startProgram<Said>(
  program: string,
  argument: unknown,
): Promise<{ said: Said; stop(): Promise<void> }> {
  const log = join(scratchFolder(), 'stdout')
  const child = run(['bin/run.js', `bench/${program}.ts`, JSON.stringify(argument)], log, {})
  const [, line = ''] = await printed(child, log, /^(\{.*\})\n/m)
  return { said: JSON.parse(line) as Said, stop: () => end(child) }
}

/** Ends what is still running and removes every folder. */
export async function cleanUp(): Promise<void> {
  await Promise.all([...children].map(end))
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

function run(command: string[], log: string, environment: Record<string, string>, cwd = root): ChildProcess {
  const output = openSync(log, 'w')
  const child = spawn(process.execPath, command, {
    cwd,
    env: { PATH: process.env.PATH, HOME: tmpdir(), ...environment },
    stdio: ['ignore', output, 'inherit'],
  })
  closeSync(output)
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

async function printed(child: ChildProcess, log: string, pattern: RegExp): Promise<RegExpExecArray> {
  for (const untilMs = performance.now() + PATIENCE_MS; performance.now() < untilMs; await sleep(5)) {
    const ended = !children.has(child)
    const match = pattern.exec(readFileSync(log, 'utf8'))
    if (match) return match
    if (ended) break
  }
  throw new Error(`${child.spawnargs.slice(1).join(' ')} did not print ${pattern}: ${readFileSync(log, 'utf8')}`)
}

async function end(child: ChildProcess): Promise<void> {
  if (!children.has(child)) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}
