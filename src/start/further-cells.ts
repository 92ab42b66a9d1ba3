import { openClosers } from '../base/closers.ts'
import { type Core, openCore } from '../cell/core.ts'
import { claimFurther } from '../database/cells/claim.ts'
import { serversOf } from '../database/database.ts'
import { requireWritable } from '../database/readiness.ts'
import { requireSessions } from '../database/sessions.ts'
import type { Metrics } from '../http/metrics.ts'
import { requireKey } from '../secrets/marker.ts'
import type { FurtherCore } from '../service.ts'
import type { Hooks, OwnParts } from './parts.ts'
import { fillCatalogue, migrated, type Preparation } from './prepare.ts'

interface FurtherParts extends OwnParts {
  hooks: Hooks
  metrics: Metrics | undefined
  home: Core
  root: string
  steps: Pick<Preparation['steps'], 'say'>
}

/** The cells beside the home cell. The database of each is prepared like that of the home cell, when it can be reached. */
export function furtherCells(parts: FurtherParts): FurtherCore[] {
  const { config, encryptionKeys, hooks, metrics, home, root, steps } = parts
  return config.cells.map(({ name, setting, databaseUrl }) => {
    const servers = serversOf(databaseUrl)
    const lane = metrics && { lane: { observe: metrics.cell(name).laneBatch } }
    const core = openCore({ settings: config, servers, encryptionKeys, closers: openClosers(), ...hooks, ...lane })
    const { database } = core
    const prepare = async () => {
      await requireWritable(database)
      await requireSessions(servers)
      await migrated({ core, root, steps })
      await requireKey(database, encryptionKeys)
      await claimFurther(home.database, { name, setting, database })
      await fillCatalogue({ config, core, root, steps })
    }
    return { name, core, prepare }
  })
}
