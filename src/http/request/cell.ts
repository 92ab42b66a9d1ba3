import { type ConcurrencyLimit, concurrencyLimit } from '../../base/concurrency-limit.ts'
import type { Seals } from '../../secrets/seals.ts'
import type { FaultInjector } from '../fault-injector.ts'
import type { Load } from '../load.ts'
import type { ServedStandby } from './stale-read.ts'

/** The parts of a cell that handlers use. Each cell has limits of its own: one that hangs takes no place of another's. */
export interface ServedCell extends CellLimits {
  /** Their digests are the fingerprints of requests with an idempotency key. */
  seals: Pick<Seals, 'known' | 'of'>
  /** Absent if there is no sandbox. */
  faults: FaultInjector | undefined
  /** Absent if all reads go to the primary. */
  standby: ServedStandby | undefined
}

export interface CellLimits {
  /** The requests that the cell works on. */
  load: Load
  /** Few reads of far pages run at a time: they must not take all connections to the database. */
  deepReads: ConcurrencyLimit
  /** The same for searches and counts. */
  wideReads: ConcurrencyLimit
  /** Batches by their number of payments: the queue of the ledger must have room for single requests. */
  batches: ConcurrencyLimit
}

export function openCellLimits(load: Load): CellLimits {
  return {
    load,
    deepReads: concurrencyLimit({ total: 2, perOrganisation: 1, waitMs: 10_000 }),
    wideReads: concurrencyLimit({ total: 4, perOrganisation: 1, waitMs: 10_000 }),
    batches: concurrencyLimit({ total: 4_000, perOrganisation: 2_000, waitMs: 10_000 }),
  }
}

/** The cell at a place. A holder of a key names one that was there when the key was looked up, and cells stay. */
export function cellAt<Cell>(cells: readonly (Cell | undefined)[], place: number): Cell {
  const cell = cells[place]
  if (!cell) throw new Error(`there is no cell at place ${place}`)
  return cell
}
