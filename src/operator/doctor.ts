import { accessSync, constants, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from '../../ground/finding.ts'
import { type KeyWithoutRisk, keysWithoutRisk, lostRisk } from '../access/operator-keys.ts'
import { holdReasonOf, RailHeld } from '../bank/ach/witness/witness.ts'
import { messageOf } from '../base/message-of.ts'
import {
  arrivalFindings,
  type CellLook,
  checkIn,
  inCell,
  lookAtCell,
  presentAmong,
  retiredFinding,
  standbyFindings,
  standbyWithout,
} from '../cells/findings.ts'
import { type CellPlace, cellsOf } from '../cells/settings.ts'
import type { Environment } from '../config/reader.ts'
import { type Config, ConfigError, parseConfig, unknownSettings, unpaidWarning } from '../config.ts'
import { type Database, DatabaseUnavailable } from '../database/database.ts'
import { findEmbedded } from '../database/embedded/embedded.ts'
import { requireWritable } from '../database/readiness.ts'
import { visitDatabase } from '../database/visit.ts'
import { folderFindings, railFindings } from './rail-findings.ts'
import { type ServerSettings, serverSettings } from './server-settings.sql.ts'
import { taskFindings } from './task-findings.ts'

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
  const present = presentAmong(looks)
  for (const look of looks) report(...(present.includes(look) ? look.findings : [retiredFinding(look.place)]))
  report(
    ...present.flatMap(({ cell, keys = [] }) => [...(cell?.departures ?? []), ...keys]),
    ...arrivalFindings(present),
  )
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

/** All that is found in a database and its standby. */
interface Look {
  place: CellPlace
  findings: Finding[]
  /** Absent if the database does not answer. */
  cell?: CellLook
  /** The keys that lost a scope with an upgrade. */
  keys?: Finding[]
}

async function lookAt(place: CellPlace, settings: Config): Promise<Look> {
  const { databaseUrl, dataDir, setting } = place
  const check = checkIn(place, 'database')
  // A stopped embedded server is not started for it.
  if (!databaseUrl && !(await findEmbedded(dataDir))) {
    const stopped = existsSync(join(dataDir, 'pg18'))
    const detail = stopped ? 'the embedded server is stopped' : `there is no bank in ${dataDir} yet`
    return { place, findings: [{ check, status: 'ok', detail, next: 'purser start' }] }
  }
  try {
    const look = await visitDatabase(place, (database) => lookInto(database, place, { check, settings }))
    return { ...look, findings: [...look.findings, ...(await standbyFindings(place))] }
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    const next = databaseUrl ? `Check ${setting} and whether the server runs` : 'Stop the service and start it again'
    const away: Finding = { check, status: 'failed', detail: messageOf(error), next }
    return { place, findings: [away, ...standbyWithout(place)] }
  }
}

async function lookInto(
  database: Database,
  place: CellPlace,
  { check, settings }: { check: string; settings: Config },
): Promise<Look> {
  const { setting } = place
  const findings = await writableServer(database).then(
    (server) => serverFindings(check, server),
    (error: unknown): Finding[] => {
      if (!(error instanceof DatabaseUnavailable) || database.isDown()) throw error
      const next = `Check ${setting} and whether the server runs`
      return [{ check, status: 'failed', detail: messageOf(error), next }]
    },
  )
  findings.push(...(await railOf(database, place, settings)))
  const cell = await lookAtCell(database, place)
  findings.push(...inCell(place, await railFindings(database, settings.mode)))
  const keys = settings.mode === 'live' ? riskFindings(await keysWithoutRisk(database)) : []
  return { place, findings, keys, cell }
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
async function railOf(database: Database, place: CellPlace, { mode, ach }: Config): Promise<Finding[]> {
  if (mode === 'sandbox' || ach === 'instant') return []
  const check = checkIn(place, 'ACH files')
  const reason = await holdReasonOf({ database, ach })
  if (!reason) return [{ check, status: 'ok', detail: `files leave through ${ach.outgoing}` }]
  const next = reason === 'folderMissing' ? 'Mount the folder, or correct PURSER_ACH_OUTGOING' : 'Run purser ach resume'
  return [{ check, status: 'failed', detail: new RailHeld(reason).message, next }]
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
