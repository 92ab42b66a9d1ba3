import type { Closers } from '../../base/closers.ts'
import { CELL_PREFIX } from '../../config/reader.ts'
import { visitDatabase } from '../../database/visit.ts'
import type { OperatorCommand } from '../../operator/command.ts'
import { type NamedRange, rangesOf, remedyOf } from '../retirement.ts'
import { type CellPlace, cellsOf, HOME } from '../settings.ts'
import { type StandbyState, standbyState } from '../standby/state.ts'
import { answerOf } from './answer.ts'
import { type CellState, cellState } from './state.sql.ts'

const headings = {
  ...{ name: 'NAME', state: 'STATE', organisations: 'ORGANISATIONS', detail: 'DETAIL', standby: 'STANDBY' },
  ...{ standbyLagMs: 'LAG MS', serverVersion: 'POSTGRESQL', range: 'RANGE' },
}

/** Lists the cells of the settings and those that the home cell knows, also while some of them are away. */
export const listCells: OperatorCommand = async ({ config, out, closers }) => {
  const places = cellsOf(config())
  const [home] = places
  const ranges = await answerOf(() => visitDatabase(home, rangesOf, closers))
  const known = 'found' in ranges ? ranges.found : []
  const rows = await Promise.all(places.map((place) => lineOf(place, known, closers)))
  const others = known.filter(({ name }) => !places.some((place) => place.name === name)).map(unsetLine)
  await out.records([...rows, ...others], headings)
}

interface Line {
  name: string
  state: 'ready' | 'read-only' | 'away' | 'not joined' | 'not set' | 'retiring' | 'retired'
  range: number | null
  firstId: string | null
  lastId: string | null
  organisations: number | null
  serverVersion: string | null
  standby: 'ready' | 'not used' | null
  standbyLagMs: number | null
  retired: boolean
  /** Why the cell is in this state, and what to do. */
  detail: string | null
}

async function lineOf(place: CellPlace, ranges: NamedRange[], closers: Closers): Promise<Line> {
  const { name, setting } = place
  const range = ranges.find((each) => each.name === name)
  const [answer, standby] = await Promise.all([
    answerOf(() => visitDatabase(place, cellState, closers)),
    standbyState(place),
  ])
  const found = 'found' in answer ? answer.found : undefined
  const own = found && (found.name ?? HOME) === name ? found : undefined
  const faults = [
    ...(range?.retired ? [remedyOf(setting)] : 'fault' in answer ? [answer.fault] : []),
    ...(found && !own && !range?.retired ? [notJoined(found, setting)] : []),
    ...(standby?.used === false ? [`standby: ${standby.reason}`] : []),
  ]
  return {
    name,
    state: range?.retired ? 'retired' : 'fault' in answer ? answer.state : stateOf(own),
    ...idsOf(name === HOME ? 0 : (own?.number ?? range?.number ?? null)),
    organisations: own?.organisations ?? null,
    serverVersion: found?.version ?? null,
    ...standbyOf(standby),
    retired: range?.retired === true,
    detail: faults.length > 0 ? faults.join('; ') : null,
  }
}

/** A cell that the home cell knows, and that no variable names. */
function unsetLine({ name, number, retired }: NamedRange): Line {
  return {
    name,
    state: retired ? 'retired' : 'not set',
    ...idsOf(number),
    ...{ organisations: null, serverVersion: null, standby: null, standbyLagMs: null, retired },
    detail: retired ? null : `set ${CELL_PREFIX}${name.toUpperCase()} to its database`,
  }
}

function stateOf(own: CellState | undefined): Line['state'] {
  if (!own) return 'not joined'
  if (own.isRetired) return 'retiring'
  return own.isReadOnly ? 'read-only' : 'ready'
}

function notJoined({ name }: CellState, setting: string): string {
  return name === null
    ? 'the database is no cell yet: start the service once, and it joins'
    : `${setting} names the database of the cell ${name}`
}

/** The range of a cell: ids of cell n begin at n × 10^14. */
function idsOf(number: number | null): Pick<Line, 'range' | 'firstId' | 'lastId'> {
  if (number === null) return { range: null, firstId: null, lastId: null }
  const size = 10n ** 14n
  const first = BigInt(number) * size
  return { range: number, firstId: String(number === 0 ? 1 : first), lastId: String(first + size - 1n) }
}

function standbyOf(standby: StandbyState | undefined): Pick<Line, 'standby' | 'standbyLagMs'> {
  if (!standby) return { standby: null, standbyLagMs: null }
  return standby.used
    ? { standby: 'ready', standbyLagMs: Math.round(standby.ageMs) }
    : { standby: 'not used', standbyLagMs: null }
}
