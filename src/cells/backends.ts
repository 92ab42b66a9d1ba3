import {
  type Backend,
  type BackendParts,
  type Backends,
  type OpenBackends,
  type OpenStandby,
  openBackend,
} from '../backend/backend.ts'
import type { Core } from '../backend/core.ts'
import { DatabaseUnavailable } from '../database/database.ts'
import type { Readiness } from '../http/documents/documents.ts'
import type { Metrics } from '../http/metrics/metrics.ts'
import { type FurtherCell, joinCell } from './join.ts'
import { openCellKeys } from './keys.ts'
import { cellPeers } from './peers.ts'
import { HOME } from './settings.ts'

/** A cell beside the home cell, before it has joined. */
export interface FurtherCore {
  name: string
  /** With closers of its own: it may join after the server was opened, and is closed after it. */
  core: Core
  openStandby?: OpenStandby | undefined
  /** Reaches and prepares its database: migrations, claim, catalogue. */
  prepare(): Promise<void>
}

/** The backends of all cells, the home cell first. One that has not joined yet is absent. */
type Cells = [Backend, ...(Backend | undefined)[]]

/** Opens the backends of a service with further cells; undefined if there are none. */
export function openCells(further: FurtherCore[], metrics?: Metrics): OpenBackends | undefined {
  return further.length === 0 ? undefined : (parts) => openAll(parts, further, metrics)
}

async function openAll(parts: BackendParts, further: FurtherCore[], metrics: Metrics | undefined): Promise<Backends> {
  const { core, load: lookUps, peers } = parts
  // Each has a bound of its own: requests that wait for one take no place of another's.
  const own = (name: string) => ({
    load: { running: 0, max: lookUps.max },
    databases: further.length + 1,
    peers: peers && cellPeers(peers, name),
  })
  const configured: Buffer[] = []
  const isReady = (place: number) => cells[place]?.isAway() === false
  const otherDatabases = () =>
    further.map(({ name }, index) => ({
      name,
      shares: isReady(index + 1) ? cells[index + 1]?.core.builtin.shares : undefined,
    }))
  const home = await openBackend({ ...parts, ...own(HOME), configured, otherDatabases })
  const cells: Cells = [home, ...further.map(() => undefined)]
  let running = false
  const join = ({ name, core: joining, openStandby, prepare }: FurtherCore, index: number) => {
    const place = index + 1
    const measured = metrics?.cell(name)
    core.closers.add(() => joining.closers.close())
    measured?.watch(joining.load)
    measured?.watchState(() => isReady(place))
    const log = parts.log.child({ cell: name })
    const open = async () => {
      await prepare()
      const { connectors: _, ...common } = parts
      const differing = { core: joining, place, configured, log, metrics: measured, openStandby }
      return openBackend({ ...common, ...own(name), ...differing })
    }
    const joined = (backend: Backend) => {
      cells[place] = backend
      if (running) backend.start()
    }
    return joinCell({ name, open, closers: joining.closers } satisfies FurtherCell, { log: parts.log, joined })
  }
  await Promise.all(further.map(join))
  const keys = openCellKeys(cells)
  const present = () => cells.filter((cell) => cell !== undefined)
  return {
    first: home,
    of: ({ place }) => backendAt(cells, place),
    all: present,
    loadOf: (key) => cells[keys.placeOf(key) ?? -1]?.load ?? lookUps,
    keys,
    start: () => {
      running = true
      for (const cell of present()) cell.start()
    },
    isHeld: () => [core, ...further.map((cell) => cell.core)].some(({ builtin }) => builtin.rail.isHeld()),
    ready: (first) =>
      statesOf(
        first,
        further.map(({ name }, index) => [name, isReady(index + 1)]),
      ),
  }
}

/** A holder of a key names a place that was taken when the key was looked up, and cells stay. */
function backendAt(cells: Cells, place: number): Backend {
  const backend = cells[place]
  if (!backend) throw new Error(`there is no cell at place ${place}`)
  return backend
}

/**
 * The states of the cells; rejects if all of them are away. One that is away is named: a process that were taken out of service
 * for it would be missed by the organisations of all others.
 */
async function statesOf(home: () => Promise<void>, further: [name: string, isReady: boolean][]): Promise<Readiness> {
  const states = further.map(([name, isReady]) => [name, isReady ? 'ready' : 'away'] as const)
  const homeState = await home().then(
    () => 'ready' as const,
    (error: unknown) => {
      if (!(error instanceof DatabaseUnavailable) || !further.some(([, isReady]) => isReady)) throw error
      return 'away' as const
    },
  )
  return { cells: Object.fromEntries([[HOME, homeState], ...states]) }
}
