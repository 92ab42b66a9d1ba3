import { rm } from 'node:fs/promises'
import type pg from 'pg'
import { claimFurther, claimHome } from '../../../src/cells/claim.ts'
import { parseConfig } from '../../../src/config.ts'
import { type Database, openDatabase, plainTimeouts } from '../../../src/database/database.ts'
import { startEmbedded } from '../../../src/database/embedded/embedded.ts'
import type { TestBankOptions } from '../bank/options.ts'
import { openTestBank, type TestBank } from '../harness.ts'
import { migrated, newDataDir } from '../postgres/new-cluster.ts'
import { administer, databaseNamed } from '../server.ts'
import { databaseUrl } from '../service.ts'

/** A bank of two cells on a server of their own, whose log can be replicated. */
export interface TwoCells {
  home: Cell
  east: Cell
  /** The variables of a command that works on both. */
  environment: Record<string, string>
  stop(): Promise<void>
}

export interface Cell {
  name: string
  server: pg.ClientConfig
  database: Database
  bank: TestBank
}

/** The key of every test bank. */
const encryptionKey = Buffer.alloc(32, 7).toString('base64')

export async function startTwoCells(options: TestBankOptions = {}): Promise<TwoCells> {
  const folder = await newDataDir()
  const embedded = await startEmbedded({
    dataDir: folder,
    say: () => undefined,
    lost: (error) => {
      throw error
    },
    settings: {
      fsync: 'off',
      log_min_messages: 'error',
      wal_level: 'logical',
      max_wal_senders: '20',
      max_replication_slots: '20',
      max_logical_replication_workers: '8',
      max_worker_processes: '16',
      max_connections: '200',
    },
  })
  const databases = await Promise.all(['home', 'east'].map((name) => openCell(embedded.connection, name)))
  const [home, east] = databases as [Omit<Cell, 'bank'>, Omit<Cell, 'bank'>]
  await claimHome(home.database)
  await claimFurther(home.database, { name: 'east', setting: 'PURSER_CELL_EAST', database: east.database })
  const bankOn = ({ server, name }: Omit<Cell, 'bank'>) =>
    openTestBank({ ...options, on: { name, server, drop: async () => undefined } })
  const cells = { home: { ...home, bank: await bankOn(home) }, east: { ...east, bank: await bankOn(east) } }
  return {
    ...cells,
    environment: {
      DATABASE_URL: databaseUrl(home.server),
      PURSER_CELL_EAST: databaseUrl(east.server),
      PURSER_ENCRYPTION_KEY: encryptionKey,
    },
    stop: async () => {
      for (const { bank, database } of Object.values(cells)) {
        await bank.close()
        await database.close()
      }
      await embedded.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function openCell(server: pg.ClientConfig, name: string): Promise<Omit<Cell, 'bank'>> {
  await administer(server, `create database ${name} template ${migrated}`)
  const own = databaseNamed(server, name)
  return { name, server: own, database: openOn(own) }
}

function openOn(server: pg.ClientConfig): Database {
  return openDatabase({ servers: [server], connections: 2, timeouts: plainTimeouts })
}

/** The settings of a command that works on both cells. */
export function configOf({ environment }: TwoCells) {
  return parseConfig(environment)
}
