import { accessSync, constants, existsSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../base/message-of.ts'
import { type CellPlace, cellsOf } from '../config/cells.ts'
import { CELL_PREFIX, type Environment, READ_PREFIX } from '../config/reader.ts'
import { type Config, ConfigError, unknownSettings } from '../config.ts'
import { rangesOf } from '../database/cells/retirement.ts'
import { type Database, DatabaseUnavailable } from '../database/database.ts'
import { findEmbedded } from '../database/embedded/embedded.ts'
import { requireWritable } from '../database/readiness.ts'
import { visitDatabase } from '../database/visit.ts'
import { answerOf } from './cells/answer.ts'
import { type OperatorCommand, readArguments } from './command.ts'
import { leftArrivals } from './organisations/move/left-arrivals.ts'
import { interruptedMoves } from './organisations/move/state.sql.ts'
import { type ServerSettings, serverSettings, unreadSlots } from './server-settings.sql.ts'
import { standbyState } from './standby-state.ts'

/** The outcome of one check, with the next step where there is one. */
interface Finding {
  check: string
  status: 'ok' | 'warning' | 'failed'
  detail: string
  next?: string
}

/** Checks the parts that the API does not show: environment, data folder and database server. Changes nothing. */
export const doctor: OperatorCommand = (args) => {
  readArguments(args, 'usage: purser doctor')
  return async ({ environment, config, out }) => {
    const report = (found: Finding) => out.result(found, `${found.status}  ${found.check}  ${found.detail}`)
    for (const found of misspeltSettings(environment)) report(found)
    const settings = settingsOf(config, report)
    if (!settings) return
    report(folderOf(settings))
    const [home, ...further] = cellsOf(settings)
    for (const found of await databaseOf(home, 'database')) report(found)
    for (const found of await standbyOf(home, 'PURSER_READ_URL', 'standby')) report(found)
    const retired = further.length > 0 ? await retiredIn(home) : []
    for (const place of further) {
      if (retired.includes(place.name)) {
        const detail = `the cell ${place.name} is retired: ${place.setting} has no effect`
        const next = 'Remove it, and the variable of its standby; a new cell needs another name'
        report({ check: 'settings', status: 'warning', detail, next })
        continue
      }
      const [cell, readSetting] = [`of the cell ${place.name}`, place.setting.replace(CELL_PREFIX, READ_PREFIX)]
      for (const found of await databaseOf(place, `database ${cell}`)) report(found)
      for (const found of await standbyOf(place, readSetting, `standby ${cell}`)) report(found)
    }
    for (const found of [...(await departuresOf(settings)), ...(await arrivalsOf(settings))]) report(found)
  }
}

function settingsOf(config: () => Config, report: (found: Finding) => void): Config | undefined {
  try {
    const settings = config()
    report({ check: 'settings', status: 'ok', detail: `the environment is valid, mode ${settings.mode}` })
    return settings
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const next = 'Correct the variable; docs/configuration.md lists all of them'
    for (const detail of error.faults) report({ check: 'settings', status: 'failed', detail, next })
    return undefined
  }
}

/** Variables that are probably misspelt. */
function misspeltSettings(environment: Environment): Finding[] {
  return unknownSettings(environment).map(({ name, meant }) => {
    const next = meant
      ? `Set ${meant} instead`
      : 'Remove it, or correct its name; docs/configuration.md lists all of them'
    return { check: 'settings', status: 'warning', detail: `${name} is not a setting and has no effect`, next }
  })
}

function folderOf({ dataDir, databaseUrl }: Config): Finding {
  const check = 'data folder'
  if (databaseUrl) return { check, status: 'ok', detail: 'not used: DATABASE_URL is set' }
  if (!existsSync(dataDir))
    return { check, status: 'ok', detail: `${dataDir} does not exist yet`, next: 'purser start' }
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    return { check, status: 'ok', detail: dataDir }
  } catch (error) {
    const detail = `${dataDir} cannot be written (${(error as NodeJS.ErrnoException).code})`
    return { check, status: 'failed', detail, next: 'Run as the owner of the folder, or set PURSER_DATA_DIR' }
  }
}

async function databaseOf(place: CellPlace, check: string): Promise<Finding[]> {
  const { databaseUrl, dataDir, setting } = place
  if (!databaseUrl && !(await findEmbedded(dataDir))) {
    const stopped = existsSync(join(dataDir, 'pg18'))
    const detail = stopped ? 'the embedded server is stopped' : `there is no bank in ${dataDir} yet`
    return [{ check, status: 'ok', detail, next: 'purser start' }]
  }
  try {
    return serverFindings(check, await visitDatabase(place, writableServer))
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    const next = databaseUrl ? `Check ${setting} and whether the server runs` : 'Stop the service and start it again'
    return [{ check, status: 'failed', detail: messageOf(error), next }]
  }
}

/** Whether the service would read from the standby of a cell. Nothing fails without it: the primary answers. */
async function standbyOf(place: CellPlace, own: string, check: string): Promise<Finding[]> {
  const standby = await standbyState(place)
  if (!standby) return []
  if (standby.used) return [{ check, status: 'ok', detail: 'ready: it answers reads of callers that allow it' }]
  const detail = `not used, and the primary answers all reads: ${standby.reason}`
  const next = `Check ${own}, and whether the server follows that of ${place.setting}`
  return [{ check, status: 'warning', detail, next }]
}

/** The names of the cells that are retired. A stopped embedded server is not started for it. */
async function retiredIn(home: CellPlace): Promise<string[]> {
  if (!(await isRunning(home))) return []
  const ranges = await answerOf(() => visitDatabase(home, rangesOf))
  return 'found' in ranges ? ranges.found.filter(({ retired }) => retired).map(({ name }) => name) : []
}

async function isRunning({ databaseUrl, dataDir }: CellPlace): Promise<boolean> {
  return databaseUrl !== undefined || (await findEmbedded(dataDir)) !== undefined
}

/** Moves out of a cell that were interrupted, and their replication slots: the log of the server grows until they are gone. */
async function departuresOf(settings: Config): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const place of cellsOf(settings).filter(({ databaseUrl }) => databaseUrl !== undefined)) {
    try {
      findings.push(...(await visitDatabase(place, (database) => departuresFrom(database, place.name))))
    } catch (error) {
      // The check of the database reports it.
      if (!(error instanceof DatabaseUnavailable)) throw error
    }
  }
  return findings
}

async function departuresFrom(database: Database, cell: string): Promise<Finding[]> {
  const [moves, slots] = [await interruptedMoves(database), await unreadSlots(database)]
  const interrupted = moves.map(({ name, cell: to, state }): Finding => {
    const writes =
      state === 'switching' || state === 'switched' ? 'its writes are refused' : 'its rows are still copied'
    return {
      check: 'moves',
      status: 'warning',
      detail: `the move of ${name} from the cell ${cell} to ${to} was interrupted: ${writes}, and neither cell deletes old rows`,
      next: `Run purser organisations move ${name} --to ${to}, or break it off with --abort`,
    }
  })
  const unread = slots.map(
    ({ slot, organisation, bytes }): Finding => ({
      check: 'moves',
      status: 'warning',
      detail: `nobody reads the replication slot ${slot} in the cell ${cell}, which keeps ${Math.ceil(bytes / 2 ** 20)} MB of the log`,
      next: `Run purser organisations move ${organisation ?? 'NAME'} again, or with --abort; a slot without a move is dropped with pg_drop_replication_slot('${slot}')`,
    }),
  )
  return [...interrupted, ...unread]
}

/** Rows that moves have left in cells which were away when they were broken off: retention of these cells waits for their end. */
async function arrivalsOf(settings: Config): Promise<Finding[]> {
  const [home, ...further] = cellsOf(settings)
  // A stopped embedded server is not started for it.
  const left = further.length > 0 ? await leftArrivals((await isRunning(home)) ? [home, ...further] : further) : []
  return left.map(({ name, to }) => ({
    check: 'moves',
    status: 'warning',
    detail: `the cell ${to.name} has rows of ${name} from a move that was broken off, and deletes no old rows before they are gone`,
    next: `Run purser organisations move ${name} --abort, which deletes them`,
  }))
}

async function writableServer(database: Database): Promise<ServerSettings> {
  await requireWritable(database)
  return serverSettings(database)
}

/** Settings with which a crash of the server would lose payments that were confirmed. */
const durable = ['fsync', 'full_page_writes', 'synchronous_commit'] as const

function serverFindings(check: string, server: ServerSettings): Finding[] {
  const off: Finding[] = durable
    .filter((name) => server[name] === 'off')
    .map((name) => ({
      check,
      status: 'failed',
      detail: `${name} is off: a crash of the server would lose confirmed payments`,
      next: `Set ${name} = on in postgresql.conf and reload the server`,
    }))
  if (off.length > 0) return off
  const { version, max_connections: most } = server
  return [{ check, status: 'ok', detail: `PostgreSQL ${version}, durable, at most ${most} connections` }]
}
