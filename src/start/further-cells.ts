import { ensureMovedKey } from '../access/first-key.ts'
import type { OpenBackends } from '../backend/backend.ts'
import { type Core, openCore } from '../backend/core.ts'
import { openClosers } from '../base/closers.ts'
import { StartupError } from '../base/startup-error.ts'
import { openCells } from '../cells/backends.ts'
import { claimFurther, requireIntended, requireMode } from '../cells/claim.ts'
import { standbyReads } from '../cells/standby/reads.ts'
import { serversOf } from '../database/database.ts'
import { requireWritable } from '../database/readiness.ts'
import { requireSessions } from '../database/sessions.ts'
import type { Metrics } from '../http/metrics/metrics.ts'
import { SHARES, shareOf } from '../rails/ach/shares.ts'
import { requireKey } from '../secrets/marker.ts'
import type { Hooks, OwnParts } from './parts.ts'
import { fillCatalogue, firstKey, migrated, type Preparation, warnOfRisk } from './prepare.ts'

interface FurtherParts extends OwnParts {
  hooks: Hooks
  metrics: Metrics | undefined
  home: Core
  root: string
  steps: Pick<Preparation['steps'], 'say'>
}

/** Opens the cells beside the home cell, if there are some. The database of each is prepared like that of the home cell, when it can be reached. */
export function furtherCells(parts: FurtherParts): OpenBackends | undefined {
  const { config, encryptionKeys, hooks, metrics, home, root, steps, log } = parts
  const further = config.cells.map(({ name, setting, databaseUrl, readUrl }) => {
    const servers = serversOf(databaseUrl)
    const lane = metrics && { lane: { observe: metrics.cell(name).laneBatch } }
    const own = { servers, encryptionKeys, closers: openClosers() }
    const core = openCore({ settings: config, ...own, ...hooks, ...lane })
    const { database } = core
    const cell = { name, setting, database }
    const prepare = async () => {
      await requireWritable(database)
      await named(name, requireSessions(servers))
      await requireIntended(home.database, cell)
      await named(name, migrated({ core, root, steps }))
      await named(name, requireKey(database, encryptionKeys))
      const { number } = await claimFurther(home.database, cell)
      await named(name, requireMode(database, config.mode))
      if (config.mode === 'live' && config.ach !== 'instant') requireShare(name, number)
      const first = await firstKey(config, home.database)
      const warning = first && (await ensureMovedKey(home.database, core, first))
      if (warning) log.warn({ cell: name }, warning)
      await warnOfRisk({ config, core, steps })
      await fillCatalogue({ config, core, root, steps })
    }
    return { name, core, openStandby: standbyReads(readUrl), prepare }
  })
  return openCells(further, metrics)
}

/** Names the cell in the refusal of a check that all cells have to pass. */
async function named<T>(cell: string, check: Promise<T>): Promise<T> {
  try {
    return await check
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    throw new StartupError(`the cell ${cell}: ${error.message}`)
  }
}

/** Refuses a cell that could make no ACH files. */
function requireShare(name: string, number: number): void {
  if (shareOf(number)) return
  throw new StartupError(
    `the cell ${name} has the range ${number}, and ACH files are made by cells with a range up to ${SHARES - 1}: see docs/ach.md#several-cells`,
  )
}
