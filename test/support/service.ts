import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { inject } from 'vitest'
import { root } from './harness.ts'

export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface ServiceReply {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as the JSON they are
  json: any
}

export interface ServiceCall {
  body?: unknown
  key?: string | null
  idempotencyKey?: string
}

/** A process that starts the service, successfully or not. */
export interface Launched {
  pid: number
  dataDir: string
  /** The output so far. */
  output(): string
  errors(): string
  /** The first match in its output, once it is there; rejects if the process ends without it. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  exited: Promise<Exit>
  /** Asks the process alone to end, as a supervisor does. */
  stop(signal?: NodeJS.Signals): Promise<Exit>
  /** Signals the whole process group: a terminal does so on Ctrl-C, some supervisors with SIGTERM. */
  signalGroup(signal: NodeJS.Signals): Promise<Exit>
  /** Ends it without notice. Its database server, if any, lives on. */
  kill(): Promise<Exit>
}

export interface Service extends Launched {
  url: string
  key: string
  call(method: string, path: string, options?: ServiceCall): Promise<ServiceReply>
}

export interface LaunchOptions {
  /** The program and its arguments; the bundle of this run unless a test starts the service as its users do. */
  command?: [string, ...string[]]
  checkout?: string
  as?: { uid: number; gid: number }
}

/**
 * When a wait is in vain: before the limit of a test, so that the test says what it waited for, and so early that a service
 * that becomes much slower is noticed. The longest wait of the first tier took 18 seconds beside ten busy processes a core.
 */
const PATIENCE_MS = process.env.SOAK ? 220_000 : 90_000
/** When a service that does not answer is given up. */
const CALL_MS = 60_000

const launched = new Set<Launched>()
const folders: string[] = []

/** A folder that every user may enter and that `endServices` removes. */
export function scratchFolder(place = tmpdir()): string {
  const folder = mkdtempSync(join(place, 'purser-service-'))
  chmodSync(folder, 0o755)
  folders.push(folder)
  return folder
}

/** A copy of a data folder that one start has prepared: much faster than a first start for every test. */
export async function preparedDataDir(): Promise<string> {
  const original = await madeOnce(inject('prepared'), async (dataDir) => {
    const service = await startService({ PURSER_DATA_DIR: dataDir })
    await service.stop()
  })
  const dataDir = join(scratchFolder(), 'data')
  execFileSync('cp', ['-a', original, dataDir])
  return dataDir
}

/** A data folder that tests copy. The first test of the run that asks for it makes it; the others wait. */
export async function madeOnce(folder: string, make: (dataDir: string) => Promise<void>): Promise<string> {
  const dataDir = join(folder, 'data')
  const done = join(folder, 'done')
  try {
    mkdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    await until('another test to make a data folder', () => existsSync(done))
    return dataDir
  }
  chmodSync(folder, 0o755)
  await make(dataDir)
  writeFileSync(done, '')
  return dataDir
}

/** The way in which `npm start` starts the service. */
export const asUsersDo: [string, ...string[]] = [process.execPath, 'bin/purser.js', 'start']

/** With a new home folder, npm looks for a newer version of itself and prints a notice. */
const quietNpm = { npm_config_update_notifier: 'false' }

/** Starts the service as a process of its own. Of this process's environment it sees the PATH alone. */
export function launchService(
  environment: Record<string, string> & { PURSER_DATA_DIR: string },
  { command, checkout = root, as }: LaunchOptions = {},
): Launched {
  const bundle: typeof asUsersDo = [process.execPath, inject('service')]
  const [program, ...rest] = command ?? (checkout === root ? bundle : asUsersDo)
  const child = spawn(program, rest, {
    cwd: checkout,
    env: { PATH: process.env.PATH, HOME: tmpdir(), ...quietNpm, PORT: '0', PURSER_DEMO: 'off', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that a test can send it what a terminal sends, and nothing else gets it.
    detached: true,
    ...as,
  })
  const one = watch(child, resolve(checkout, environment.PURSER_DATA_DIR))
  launched.add(one)
  return one
}

/** Starts the service and waits until it listens. */
export async function startService(
  environment: Record<string, string> & { PURSER_DATA_DIR: string },
  options: LaunchOptions = {},
): Promise<Service> {
  const one = launchService(environment, options)
  const [, url = ''] = await one.printed(/listening on (http:\/\/\S+)\n/)
  const key = environment.PURSER_API_KEY ?? (await one.printed(/API key +(\S+)/))[1] ?? ''
  return { ...one, url, key, call: (method, path, call) => callService(url, key, method, path, call) }
}

function watch(child: ChildProcess, dataDir: string): Launched {
  let stdout = ''
  let stderr = ''
  let exit: Exit | undefined
  const waiting = new Set<() => void>()
  const look = () => {
    for (const wake of waiting) wake()
  }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    look()
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const exited = new Promise<Exit>((settle) => {
    child.on('error', (error) => {
      stderr += error.message
    })
    child.on('close', (code, signal) => {
      exit = { code, signal, stdout, stderr }
      settle(exit)
      look()
    })
  })

  function printed(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((found, reject) => {
      const settle = () => {
        const match = pattern.exec(stdout)
        if (!match && !exit) return
        waiting.delete(settle)
        clearTimeout(timer)
        if (match) found(match)
        else reject(new Error(`the service ended with ${exit?.code ?? exit?.signal}\n${stdout}${stderr}`))
      }
      const timer = setTimeout(() => {
        waiting.delete(settle)
        reject(new Error(`the service did not print ${pattern} in ${PATIENCE_MS / 1_000} s\n${stdout}${stderr}`))
      }, PATIENCE_MS)
      waiting.add(settle)
      settle()
    })
  }

  const pid = child.pid ?? 0
  function signal(target: number, name: NodeJS.Signals): Promise<Exit> {
    if (pid > 0 && child.exitCode === null && child.signalCode === null) process.kill(target, name)
    return exited
  }
  return {
    pid,
    dataDir,
    output: () => stdout,
    errors: () => stderr,
    printed,
    exited,
    stop: (name = 'SIGTERM') => signal(pid, name),
    signalGroup: (name) => signal(-pid, name),
    kill: () => signal(-pid, 'SIGKILL'),
  }
}

async function callService(
  url: string,
  ownKey: string,
  method: string,
  path: string,
  { body, key = ownKey, idempotencyKey }: ServiceCall = {},
): Promise<ServiceReply> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      'Content-Type': 'application/json',
      ...(key !== null && { 'X-Service-API-Key': key }),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(CALL_MS),
  })
  const text = await response.text()
  const isJson = (response.headers.get('content-type') ?? '').includes('json') && text !== ''
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
}

/** Ends every process that this file's functions started, and the database servers of those that were killed. */
export async function endServices(): Promise<void> {
  const ended = [...launched]
  launched.clear()
  await Promise.all(ended.map((one) => one.kill()))
  for (const dataDir of new Set(ended.map((one) => one.dataDir))) {
    const postmaster = postmasterOf(dataDir)
    if (postmaster !== undefined && isPostgres(postmaster)) {
      process.kill(postmaster, 'SIGQUIT')
      await gone(postmaster)
    }
    removeMovedOut(dataDir)
  }
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** Root's database is kept elsewhere when its user may not enter the data folder; a link names the place. */
function removeMovedOut(dataDir: string): void {
  const entry = join(dataDir, 'pg18')
  if (!lstatSync(entry, { throwIfNoEntry: false })?.isSymbolicLink()) return
  const home = dirname(readlinkSync(entry))
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  try {
    rmdirSync(dirname(home))
  } catch {
    // Not empty: another service of this machine keeps its database there.
  }
}

/** The server process of a data folder, by PostgreSQL's own note. */
export function postmasterOf(dataDir: string): number | undefined {
  return Number(pidFile(dataDir)?.[0]) || undefined
}

/** How a test looks into the database of a running service. */
export function embeddedOf(dataDir: string): pg.ClientConfig {
  const [, , , port, host] = pidFile(dataDir) ?? []
  if (!host) throw new Error(`no database server runs in ${dataDir}`)
  return { host, port: Number(port), user: 'purser', database: 'postgres' }
}

function pidFile(dataDir: string): string[] | undefined {
  const path = join(dataDir, 'pg18', 'postmaster.pid')
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n') : undefined
}

/** A dead process that nobody has buried yet has no command line, and counts as gone. */
export function isPostgres(pid: number): boolean {
  try {
    if (!existsSync('/proc/self/cmdline')) return process.kill(pid, 0)
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres')
  } catch {
    return false
  }
}

export async function gone(postmaster: number): Promise<void> {
  await until(`process ${postmaster} to end`, () => !isPostgres(postmaster))
}

/** Asks again until the answer is neither undefined nor false; what the probe throws counts as no answer yet. */
export async function until<T>(
  what: string,
  probe: () => T | Promise<T>,
): Promise<Exclude<T, undefined | false | null>> {
  const deadline = performance.now() + PATIENCE_MS
  let last: unknown
  while (performance.now() < deadline) {
    try {
      const answer = await probe()
      if (answer !== undefined && answer !== false && answer !== null)
        return answer as Exclude<T, undefined | false | null>
    } catch (error) {
      last = error
    }
    await sleep(20)
  }
  throw new Error(`waited ${PATIENCE_MS / 1_000} s in vain for ${what}`, { cause: last })
}

export async function connect(server: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(server)
  // The server may be killed under it; the query then fails, and without a listener the process would too.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

export async function ask<Row extends pg.QueryResultRow>(
  server: pg.ClientConfig,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = await connect(server)
  try {
    return (await client.query<Row>(sql, values)).rows
  } finally {
    await client.end()
  }
}

interface PurserSettings {
  environment?: Record<string, string>
  input?: string
  cwd?: string
}

/** Starts `purser` as its users do. It sees the PATH, a folder without a key, and what `environment` has. */
export function launchPurser(
  words: string[],
  { environment = {}, input = '', cwd = tmpdir() }: PurserSettings = {},
): Launched {
  const child = spawn(process.execPath, [join(root, 'bin/purser.js'), ...words], {
    cwd,
    env: { PATH: process.env.PATH, HOME: tmpdir(), ...environment },
    detached: true,
  })
  // A command that does not read its input may end before it has all of it.
  child.stdin.on('error', () => undefined).end(input)
  return watch(child, cwd)
}

/** Runs `purser` to its end. */
export function runPurser(words: string[], settings?: PurserSettings): Promise<Exit> {
  return launchPurser(words, settings).exited
}

/** A server's address as an operator writes it into DATABASE_URL, a Unix socket's too. */
export function databaseUrl({ connectionString, user, database, host, port }: pg.ClientConfig): string {
  if (connectionString) return connectionString
  const socket = new URLSearchParams({ host: host ?? '', port: String(port) })
  return `postgres://${user}@/${database}?${socket}`
}
