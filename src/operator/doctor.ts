import { accessSync, constants, existsSync } from 'node:fs'
import { join } from 'node:path'
import { type KeyWithoutRisk, keysWithoutRisk, lostRisk } from '../access/operator-keys.ts'
import { holdReasonOf, RailHeld } from '../bank/ach/witness/witness.ts'
import { messageOf } from '../base/message-of.ts'
import { HOME } from '../cells/claim.ts'
import { leftAmong } from '../cells/move/left-arrivals.ts'
import { interruptedMoves, type MoveRow, openMoves } from '../cells/move/state.sql.ts'
import { retiredIn } from '../cells/retirement.ts'
import { type CellPlace, cellsOf } from '../cells/settings.ts'
import { standbyState } from '../cells/standby-state.ts'
import { CELL_PREFIX, type Environment, READ_PREFIX } from '../config/reader.ts'
import { type Config, ConfigError, parseConfig, unknownSettings, unpaidWarning } from '../config.ts'
import { type Database, DatabaseUnavailable } from '../database/database.ts'
import { findEmbedded } from '../database/embedded/embedded.ts'
import { requireWritable } from '../database/readiness.ts'
import { visitDatabase } from '../database/visit.ts'
import { folderFindings, railFindings } from './rail-findings.ts'
import { type ServerSettings, serverSettings, unreadSlots } from './server-settings.sql.ts'
import { taskFindings } from './task-findings.ts'

/** The outcome of one check, with the next step if there is one. */
export interface Finding {
  check: string
  status: 'ok' | 'warning' | 'failed'
  detail: string
  next?: string
}

/** Checks the parts that the API does not show: environment, data folder and database server. Changes nothing. */
export async function machineFindings(environment: Environment): Promise<Finding[]> {
  const findings = misspeltSettings(environment)
  const report = (...found: Finding[]) => findings.push(...found)
  const settings = settingsOf(() => parseConfig(environment), report)
  if (!settings) return findings
  report(folderOf(settings), ...(await folderFindings(settings)), ...(await taskFindings(settings)))
  const places = cellsOf(settings)
  // All at once: a server that is away answers nothing for seconds.
  const looks = await Promise.all(places.map((place) => lookAt(place, settings)))
  const [retired = []] = looks.map((look) => look.retired)
  const present = looks.filter(({ place }) => !retired.includes(place.name))
  for (const look of looks) report(...(present.includes(look) ? look.findings : [retiredCell(look.place)]))
  report(...present.flatMap(({ departures, keys = [] }) => [...departures, ...keys]), ...arrivalsAmong(present))
  return findings
}

function settingsOf(config: () => Config, report: (found: Finding) => void): Config | undefined {
  try {
    const settings = config()
    report({ check: 'settings', status: 'ok', detail: `the environment is valid, mode ${settings.mode}` })
    const detail = unpaidWarning(settings)
    if (detail) report({ check: 'settings', status: 'warning', detail, next: 'Set the variables of docs/ach.md' })
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

/** All that is found in the database of a cell and in its standby. */
interface Look {
  place: CellPlace
  findings: Finding[]
  departures: Finding[]
  /** The keys that lost a scope with an upgrade. */
  keys?: Finding[]
  /** The moves that are not over; absent if the database does not answer. */
  moves?: MoveRow[]
  /** The cells that are retired, as the home cell knows. */
  retired?: string[]
}

async function lookAt(place: CellPlace, settings: Config): Promise<Look> {
  const { name, databaseUrl, dataDir, setting } = place
  const check = name === HOME ? 'database' : `database of the cell ${name}`
  // A stopped embedded server is not started for it.
  if (!databaseUrl && !(await findEmbedded(dataDir))) {
    const stopped = existsSync(join(dataDir, 'pg18'))
    const detail = stopped ? 'the embedded server is stopped' : `there is no bank in ${dataDir} yet`
    return { place, findings: [{ check, status: 'ok', detail, next: 'purser start' }], departures: [] }
  }
  try {
    const look = await visitDatabase(place, (database) => lookInto(database, place, { check, settings }))
    return { ...look, findings: [...look.findings, ...(await standbyOf(place))] }
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    const next = databaseUrl ? `Check ${setting} and whether the server runs` : 'Stop the service and start it again'
    const away: Finding = { check, status: 'failed', detail: messageOf(error), next }
    return { place, findings: [away, ...standbyWithout(place)], departures: [] }
  }
}

async function lookInto(
  database: Database,
  place: CellPlace,
  { check, settings }: { check: string; settings: Config },
): Promise<Look> {
  const { name, setting, databaseUrl } = place
  const findings = await writableServer(database).then(
    (server) => serverFindings(check, server),
    (error: unknown): Finding[] => {
      if (!(error instanceof DatabaseUnavailable) || database.isDown()) throw error
      const next = `Check ${setting} and whether the server runs`
      return [{ check, status: 'failed', detail: messageOf(error), next }]
    },
  )
  findings.push(...(await railOf(database, name, settings)))
  const departures = databaseUrl === undefined ? [] : await departuresFrom(database, name)
  const retired = name === HOME ? { retired: await retiredIn(database) } : {}
  findings.push(...(await railFindings(database, settings.mode, name === HOME ? '' : name)))
  const keys = settings.mode === 'live' ? riskFindings(await keysWithoutRisk(database)) : []
  return { place, findings, departures, keys, moves: await openMoves(database), ...retired }
}

/** The keys that set limits before that needed `risk:write`, each by itself, and those that only could, together. */
function riskFindings(keys: KeyWithoutRisk[]): Finding[] {
  const check = 'risk keys'
  const next =
    'Run purser keys grant ID --scopes risk:write, or make a key for it: purser keys create --scopes banking:read,risk:write'
  const used = keys
    .filter((key) => key.used)
    .map((key): Finding => ({ check, status: 'warning', detail: lostRisk(key), next }))
  const others = keys.filter((key) => !key.used).map(({ id, name }) => `${id} (${name})`)
  if (others.length === 0) return used
  const more = others.length > 10 ? ` and ${others.length - 10} others` : ''
  const detail = `without risk:write, and cannot set limits or make legal holds: ${others.slice(0, 10).join(', ')}${more}`
  return [...used, { check, status: 'ok', detail }]
}

/** Whether the ACH files of a live bank leave. */
async function railOf(database: Database, cell: string, { mode, ach }: Config): Promise<Finding[]> {
  if (mode === 'sandbox' || ach === 'instant') return []
  const check = cell === HOME ? 'ACH files' : `ACH files of the cell ${cell}`
  const reason = await holdReasonOf({ database, ach })
  if (!reason) return [{ check, status: 'ok', detail: `files leave through ${ach.outgoing}` }]
  const next = reason === 'folderMissing' ? 'Mount the folder, or correct PURSER_ACH_OUTGOING' : 'Run purser ach resume'
  return [{ check, status: 'failed', detail: new RailHeld(reason).message, next }]
}

function retiredCell({ name, setting }: CellPlace): Finding {
  const detail = `the cell ${name} is retired: ${setting} has no effect`
  const next = 'Remove it, and the variable of its standby; a new cell needs another name'
  return { check: 'settings', status: 'warning', detail, next }
}

/** Whether the service would read from the standby of a cell. Nothing fails without it: the primary answers. */
async function standbyOf(place: CellPlace): Promise<Finding[]> {
  const standby = await standbyState(place)
  if (!standby) return []
  const check = standbyCheck(place)
  if (standby.used) return [{ check, status: 'ok', detail: 'ready: it answers reads of callers that allow it' }]
  const detail = `not used, and the primary answers all reads: ${standby.reason}`
  const next = `Check ${readSetting(place)}, and whether the server follows that of ${place.setting}`
  return [{ check, status: 'warning', detail, next }]
}

/** A standby is compared with its primary, and is not used without it. */
function standbyWithout(place: CellPlace): Finding[] {
  if (!place.readUrl) return []
  const detail = 'not used: its primary does not answer'
  return [{ check: standbyCheck(place), status: 'warning', detail, next: `Check ${place.setting} first` }]
}

function standbyCheck({ name }: CellPlace): string {
  return name === HOME ? 'standby' : `standby of the cell ${name}`
}

function readSetting({ name, setting }: CellPlace): string {
  return name === HOME ? 'PURSER_READ_URL' : setting.replace(CELL_PREFIX, READ_PREFIX)
}

/** Moves out of a cell that were interrupted, and their replication slots: the log of the server grows until they are gone. */
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
function arrivalsAmong(looks: Look[]): Finding[] {
  const left = leftAmong(looks.flatMap(({ place, moves }) => (moves ? [{ place, moves }] : [])))
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
