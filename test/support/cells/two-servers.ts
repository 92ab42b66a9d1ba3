import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { startEmbedded } from '../../../src/database/embedded/embedded.ts'
import { newDataDir } from '../postgres/new-cluster.ts'
import { databaseNamed } from '../server.ts'
import { ask, databaseUrl } from '../service.ts'

/** Two PostgreSQL servers, each with an empty database of a role that has only the rights that docs/scaling.md names. */
export interface TwoServers {
  home: CellServer
  east: CellServer
  /** The variables of a service and of commands on both. */
  environment: Record<string, string>
  stop(): Promise<void>
}

export interface CellServer {
  /** As the role of the service. */
  url: string
  /** As the superuser. */
  server: pg.ClientConfig
  stop(): Promise<void>
}

const ROLE = 'bank_owner'
const PASSWORD = 'a-password-of-the-tests'

export async function startTwoServers(): Promise<TwoServers> {
  const [home, east] = (await Promise.all([startServer(), startServer()])) as [CellServer, CellServer]
  return {
    home,
    east,
    environment: {
      DATABASE_URL: home.url,
      PURSER_CELL_EAST: east.url,
      PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    },
    stop: async () => {
      await Promise.all([home.stop(), east.stop()])
    },
  }
}

async function startServer(): Promise<CellServer> {
  const folder = await newDataDir()
  const { connection, dataDir, stop } = await startEmbedded({
    dataDir: folder,
    say: () => undefined,
    lost: (error) => {
      throw error
    },
    settings: {
      fsync: 'off',
      max_connections: '100',
      wal_level: 'logical',
      max_wal_senders: '10',
      max_replication_slots: '10',
      max_logical_replication_workers: '4',
    },
  })
  // A server takes a subscription of such a role only if the other one asks for its password.
  const hba = join(dataDir, 'pg_hba.conf')
  await writeFile(hba, `local all ${ROLE} scram-sha-256\n${await readFile(hba, 'utf8')}`)
  await ask(connection, 'select pg_reload_conf()')
  await ask(connection, `create role ${ROLE} login replication password '${PASSWORD}' in role pg_create_subscription`)
  await ask(connection, `create database bank owner ${ROLE}`)
  const server = databaseNamed(connection, 'bank')
  return {
    url: databaseUrl({ ...server, user: `${ROLE}:${PASSWORD}` }),
    server,
    stop: async () => {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
