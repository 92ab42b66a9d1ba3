import type { OpenStandby } from '../../../src/backend/backend.ts'
import { type Core, type CoreParts, openCore } from '../../../src/backend/core.ts'
import type { Closers } from '../../../src/base/closers.ts'
import { openCells } from '../../../src/cells/backends.ts'
import { claimFurther } from '../../../src/cells/claim.ts'
import { openStandbyReads } from '../../../src/cells/standby/reads.ts'
import type { Database } from '../../../src/database/database.ts'
import type { ServiceParts } from '../../../src/service.ts'
import type { TestBankOptions } from '../bank/options.ts'
import type { TestDatabase } from '../harness.ts'

export const ENCRYPTION_KEY = Buffer.alloc(32, 7)

/** The home cell of a test bank whose first organisation lives in a further cell. */
export interface HomeCell {
  core: Core
  /** Makes a database a further cell of the bank. */
  admit(database: Database): Promise<unknown>
  drop(): Promise<void>
}

/**
 * Whether a test bank has two cells: with the variable TEST_CELLS every bank of the built-in kind. Its first organisation, with
 * the records of the test, lives in the further cell, and the second one in the home cell.
 */
export function isBesideHome({ banking, records, offers, inbound, on }: TestBankOptions): boolean {
  return Boolean(process.env.TEST_CELLS) && !banking && !records && !offers && !inbound && !on
}

export function openHomeCell(
  { server, drop }: TestDatabase,
  settings: CoreParts['settings'],
  closers: Closers,
): HomeCell {
  const core = openCore({ settings, servers: [server], encryptionKeys: [ENCRYPTION_KEY], closers })
  const admit = (database: Database) =>
    claimFurther(core.database, { name: 'east', setting: 'PURSER_CELL_EAST', database })
  return { core, admit, drop }
}

/** The databases of a service: that of a core alone, with its standby, or that of a home cell with the core as a further cell. */
export function databasesOf(
  core: Core,
  home: HomeCell | undefined,
  { readServers, metrics }: TestBankOptions,
): Pick<ServiceParts, 'core' | 'openBackends' | 'openStandby'> {
  const openStandby: OpenStandby | undefined = readServers && ((parts) => openStandbyReads(readServers, parts))
  if (!home) return { core, openStandby }
  const east = { name: 'east', core, openStandby, prepare: async () => undefined }
  return { core: home.core, openBackends: openCells([east], metrics) }
}
