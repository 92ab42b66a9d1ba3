import type { Disclosures } from '../../access/disclosures.ts'
import { type ConcurrencyLimit, concurrencyLimit } from '../../base/concurrency-limit.ts'
import type { Seals } from '../../secrets/seals.ts'
import type { FaultInjector } from '../fault-injector.ts'
import type { Load } from '../load.ts'
import type { BodyBudget } from './body-budget.ts'
import type { ServedStandby } from './stale-read.ts'

/** The parts of a backend that handlers use: its database has the caller's organisation, and its limits are its own. */
export interface ServedBackend extends BackendLimits {
  /** Their digests are the fingerprints of requests with an idempotency key. */
  seals: Pick<Seals, 'known' | 'of'>
  /** Notes what persons see. */
  disclosures: Disclosures
  /** Absent if there is no sandbox. */
  faults: FaultInjector | undefined
  /** Absent if all reads go to the primary. */
  standby: ServedStandby | undefined
}

export interface BackendLimits {
  /** The requests that the backend works on. */
  load: Load
  /** The large bodies of these requests. */
  bodies: BodyBudget
  /** Few reads of far pages run at a time: they must not take all connections to the database. */
  deepReads: ConcurrencyLimit
  /** The same for searches and counts. */
  wideReads: ConcurrencyLimit
  /** Exports, which read page after page for as long as their caller takes them. */
  exports: ConcurrencyLimit
  /** Batches by their number of payments: the queue of the ledger must have room for single requests. */
  batches: ConcurrencyLimit
}

export function openBackendLimits(shared: Pick<BackendLimits, 'load' | 'bodies'>): BackendLimits {
  return {
    ...shared,
    deepReads: concurrencyLimit({ total: 2, perOrganisation: 1, waitMs: 10_000 }),
    wideReads: concurrencyLimit({ total: 4, perOrganisation: 1, waitMs: 10_000 }),
    exports: concurrencyLimit({ total: 4, perOrganisation: 2, waitMs: 10_000 }),
    batches: concurrencyLimit({ total: 4_000, perOrganisation: 2_000, waitMs: 10_000 }),
  }
}
