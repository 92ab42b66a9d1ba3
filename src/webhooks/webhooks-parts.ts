import type { Database } from '../database/database.ts'
import type { RecordIds } from '../database/record-ids.ts'
import type { ReadFirstStates } from '../events/stored/complete-events.ts'
import type { RunOnce } from '../idempotency/run-once.ts'
import type { Seals } from '../secrets/seals.ts'
import type { AddressGuard } from './delivery/address-guard.ts'

/** The parts that the operations on endpoints and deliveries work with. */
export interface WebhooksParts {
  database: Database
  ids: RecordIds
  runOnce: RunOnce
  seals: Seals
  guard: AddressGuard
  readFirstStates: ReadFirstStates
  /** Called when there may be something to send. */
  changed(): void
}
