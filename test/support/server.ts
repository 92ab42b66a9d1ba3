import { chmod, mkdtemp, rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openDatabase, plainTimeouts } from '../../src/database/database.ts'
import { startEmbedded } from '../../src/database/embedded/embedded.ts'
import { migrate } from '../../src/database/migrate.ts'
import { memoryFolder } from './run/memory-folder.ts'
import { bundleService, removeBundle } from './run/service-bundle.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    server: pg.ClientConfig
    template: string
    /** The bundle of the service. */
    service: string
    /** The place of the data folder that tests copy. */
    prepared: string
  }
}

const root = join(import.meta.dirname, '../..')
const { bundleConsole } = await import(join(root, 'bin/bundle-console.js'))

/** One PostgreSQL server for the whole run, one migrated database that every test copies, and one bundle of the service. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env.TEST_DATABASE_URL
  const memory = memoryFolder()
  // For every process of the run: each asks for the folder of temporary files by this name.
  if (memory) process.env.TMPDIR = memory
  const folder = await mkdtemp(join(tmpdir(), 'purser-test-'))
  // The user of a database server must be able to pass through.
  await chmod(folder, 0o711)
  const service = join(root, 'dist', `test-main-${process.pid}.cjs`)
  const bundles = Promise.allSettled([bundlePrograms(service)])
  const embedded = url
    ? undefined
    : await startEmbedded({
        dataDir: folder,
        say: () => undefined,
        lost: (error) => {
          throw error
        },
        // Nothing here outlives the run; the tests of crashes start servers of their own.
        settings: { fsync: 'off', full_page_writes: 'off', max_connections: '400' },
      })
  const server: pg.ClientConfig = embedded ? embedded.connection : { connectionString: url }
  const template = `purser_template_${process.pid}`
  const stop = async () => {
    removeBundle(service)
    await embedded?.stop()
    await rm(memory ?? folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    await makeTemplate(server, template)
    const [bundled] = await bundles
    if (bundled.status === 'rejected') throw bundled.reason
  } catch (error) {
    await stop()
    throw error
  }
  project.provide('server', server)
  project.provide('template', template)
  project.provide('service', service)
  project.provide('prepared', join(folder, 'prepared'))
  return async () => {
    await administer(server, `drop database ${template} with (force)`)
    await stop()
  }
}

/** The service, then the console: once, before the services of the run start. */
async function bundlePrograms(service: string): Promise<void> {
  await bundleService(service)
  // A console that cannot be built fails its own tests.
  await bundleConsole(join(root, 'dist/console')).catch(() => undefined)
}

async function makeTemplate(server: pg.ClientConfig, template: string): Promise<void> {
  await administer(server, `create database ${template}`)
  const database = openDatabase({ servers: [databaseNamed(server, template)], connections: 1, timeouts: plainTimeouts })
  await migrate(database, join(root, 'migrations'))
  await database.close()
}

export async function administer(server: pg.ClientConfig, sql: string): Promise<void> {
  const client = new pg.Client(server)
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** Runs statements of an administrator one after another, on one connection. It does not hold up the end of the process. */
export function openAdministrator(server: () => pg.ClientConfig): (sql: string) => Promise<void> {
  let connected: Promise<pg.Client> | undefined
  const connect = async () => {
    const client = new pg.Client(server())
    const forget = () => {
      connected = undefined
    }
    client.on('error', forget).once('end', forget)
    await client.connect()
    // The type of a client lacks it.
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
    stream.unref()
    return client
  }
  return async (sql) => {
    connected ??= connect()
    await (await connected).query(sql)
  }
}

/** The same server, another database. */
export function databaseNamed(server: pg.ClientConfig, database: string): pg.ClientConfig {
  return changed(server, { database }, (url) => {
    url.pathname = `/${database}`
  })
}

/** The same database, another role. */
export function asRole(server: pg.ClientConfig, user: string, password: string): pg.ClientConfig {
  return changed(server, { user, password }, (url) => {
    Object.assign(url, { username: user, password })
  })
}

/** The same server with other fields. Those of a URL would precede them, so it is changed. */
function changed(server: pg.ClientConfig, fields: pg.ClientConfig, change: (url: URL) => void): pg.ClientConfig {
  if (!server.connectionString) return { ...server, ...fields }
  const url = new URL(server.connectionString)
  change(url)
  return { connectionString: url.href }
}
