import type { Finding } from '../../ground/finding.ts'
import { CELL_PREFIX, READ_PREFIX } from '../config/reader.ts'
import type { Database } from '../database/database.ts'
import { leftAmong } from './move/left-arrivals.ts'
import { unreadSlots } from './move/replication.sql.ts'
import { interruptedMoves, type MoveRow, openMoves } from './move/state.sql.ts'
import { retiredIn } from './retirement.ts'
import { type CellPlace, HOME } from './settings.ts'
import { standbyState } from './standby/state.ts'

/** The moves and the retired cells that one database knows. */
export interface CellLook {
  departures: Finding[]
  /** The moves that are not over. */
  moves: MoveRow[]
  /** The cells that are retired, as the home cell knows. */
  retired: string[]
}

/** A database and what it knows; that is absent if it does not answer. */
interface Looked {
  place: CellPlace
  cell?: CellLook
}

/** The name of a check, which says in a further cell which one it is. */
export function checkIn({ name }: CellPlace, check: string): string {
  return name === HOME ? check : `${check} of the cell ${name}`
}

/** Findings whose detail says in which further cell they are. */
export function inCell({ name }: Pick<CellPlace, 'name'>, findings: Finding[]): Finding[] {
  if (name === HOME) return findings
  return findings.map((finding) => ({ ...finding, detail: `${finding.detail}, in the cell ${name}` }))
}

export async function lookAtCell(database: Database, { name, databaseUrl }: CellPlace): Promise<CellLook> {
  const departures = databaseUrl === undefined ? [] : await departuresFrom(database, name)
  const retired = name === HOME ? await retiredIn(database) : []
  return { departures, moves: await openMoves(database), retired }
}

/** The databases of cells that are not retired. */
export function presentAmong<Look extends Looked>(looks: Look[]): Look[] {
  const retired = looks[0]?.cell?.retired ?? []
  return looks.filter(({ place }) => !retired.includes(place.name))
}

export function retiredFinding({ name, setting }: CellPlace): Finding {
  const detail = `the cell ${name} is retired: ${setting} has no effect`
  const next = 'Remove it, and the variable of its standby; a new cell needs another name'
  return { check: 'settings', status: 'warning', detail, next }
}

/** Whether the service would read from the standby of a database. Nothing fails without it: the primary answers. */
export async function standbyFindings(place: CellPlace): Promise<Finding[]> {
  const standby = await standbyState(place)
  if (!standby) return []
  const check = checkIn(place, 'standby')
  if (standby.used) return [{ check, status: 'ok', detail: 'ready: it answers reads of callers that allow it' }]
  const detail = `not used, and the primary answers all reads: ${standby.reason}`
  const next = `Check ${readSetting(place)}, and whether the server follows that of ${place.setting}`
  return [{ check, status: 'warning', detail, next }]
}

/** A standby is compared with its primary, and is not used without it. */
export function standbyWithout(place: CellPlace): Finding[] {
  if (!place.readUrl) return []
  const detail = 'not used: its primary does not answer'
  return [{ check: checkIn(place, 'standby'), status: 'warning', detail, next: `Check ${place.setting} first` }]
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
export function arrivalFindings(looks: Looked[]): Finding[] {
  const left = leftAmong(looks.flatMap(({ place, cell }) => (cell ? [{ place, moves: cell.moves }] : [])))
  return left.map(({ name, to }) => ({
    check: 'moves',
    status: 'warning',
    detail: `the cell ${to.name} has rows of ${name} from a move that was broken off, and deletes no old rows before they are gone`,
    next: `Run purser organisations move ${name} --abort, which deletes them`,
  }))
}
