import { railFrom } from '../bank/ach/rail.ts'
import { type BuiltinBank, openBuiltinBank } from '../bank/bank.ts'
import { firstStatesReader } from '../bank/first-states/first-states.ts'
import type { DecisionHook } from '../bank/parts/decision-hook.ts'
import { bankKinds } from '../bank/records/kinds.ts'
import type { Closers } from '../base/closers.ts'
import type { Config } from '../config.ts'
import { type Database, type DatabaseOptions, openDatabase, plainTimeouts } from '../database/database.ts'
import { openRecordIds, type RecordIds } from '../database/record-ids.ts'
import { openWriteWatch, type WriteWatch } from '../database/write-watch.ts'
import { openAnnouncer } from '../events/announce.ts'
import type { RecordEvents } from '../events/record.ts'
import type { ReadFirstStates } from '../events/stored/complete-events.ts'
import type { Load } from '../http/metrics/backend-metrics.ts'
import { openRunOnce, type RunOnce, type RunOnceOptions } from '../idempotency/run-once.ts'
import { BATCHES, type LaneOptions, openLane } from '../ledger/lane.ts'
import { openReseal } from '../secrets/reseal.ts'
import { openSeals, type Seals } from '../secrets/seals.ts'
import type { Hook } from '../webhooks/hook.ts'

type CoreSettings = Pick<
  Config,
  | 'mode'
  | 'routingNumber'
  | 'overdraftCents'
  | 'reviewFirstPayment'
  | 'debits'
  | 'verificationDays'
  | 'ach'
  | 'review'
  | 'recurringOverdue'
  | 'rewardPayoutDelayMs'
> &
  Partial<Pick<Config, 'signatures'>>

export interface CoreParts {
  settings: CoreSettings
  servers: DatabaseOptions['servers']
  /** The operator's key and, while it is being changed, the next one. */
  encryptionKeys: Buffer[]
  closers: Closers
  /** The app's part in the decision of card authorizations. */
  decision?: DecisionHook | undefined
  /** The service that screens new customers and external accounts. */
  screening?: Pick<Hook, 'ask' | 'askInTurn'> | undefined
  /** Called for each settlement that a reviewer has to look at. */
  overSettled?: (() => void) | undefined
  lane?: Partial<LaneOptions>
  runOnce?: Partial<RunOnceOptions>
  timeouts?: DatabaseOptions['timeouts']
  /** How long a COMMIT may take before writes are refused. */
  heldUpMs?: number
  recordEvents?: RecordEvents
  uploadWaitMs?: number
  /** Wraps the database. A test simulates a connection that breaks. */
  around?: (database: Database) => Database
}

/** The database and the built-in bank on it, without HTTP. */
export interface Core {
  servers: DatabaseOptions['servers']
  seals: Seals
  closers: Closers
  database: Database
  ids: RecordIds
  runOnce: RunOnce
  builtin: BuiltinBank
  /** The bank's own routing number. */
  routingNumber: string
  /** The bank over another database with the same records, for reads. */
  builtinOver(database: Database): BuiltinBank
  /** Knows whether writes are committed. */
  writes: WriteWatch
  /** The connections and the lane, as the metrics show them. */
  load(): Load
  readFirstStates: ReadFirstStates
  /** Seals values anew that were sealed before organisations had keys. */
  reseal(): Promise<void>
  /** Notifies every process of the service that events were committed. */
  committed(): void
}

/** Connections beside those of the lane, of the listener and of the watch over writes. */
const CONNECTIONS = 10
/** The most connections of a process: the lane has one for held commands, too, and one looks after a silent server. */
export const CONNECTIONS_OF_PROCESS = CONNECTIONS + BATCHES + 4
/** With the limit of COMMIT, less than the ten seconds within which every request is answered. */
const SETTLE_MS = 4_000

/** Opens the built-in bank. Nothing is read from the database yet, so that it may still be migrated. */
export function openCore(parts: CoreParts): Core {
  const {
    settings,
    servers,
    encryptionKeys,
    closers,
    timeouts = plainTimeouts,
    around = (database) => database,
  } = parts
  const database = around(openDatabase({ servers, connections: CONNECTIONS, timeouts }))
  closers.add(() => database.close())
  const seals = openSeals(database, encryptionKeys)
  const reseal = openReseal({ database, seals, keys: encryptionKeys })
  const ids = openRecordIds(database)
  const committed = openAnnouncer(database)
  const record = parts.recordEvents && { recordEvents: parts.recordEvents }
  const lane = openLane({ servers, ids, kinds: bankKinds, committed, batches: BATCHES, ...record, ...parts.lane })
  closers.add(() => lane.close())
  const oldestMs = () => Math.max(lane.load().batchMs, database.oldestMs())
  const writes = openWriteWatch({ servers, oldestMs, heldUpMs: parts.heldUpMs })
  closers.add(() => writes.close())
  const readFirstStates = firstStatesReader(seals)
  const runOnce = openRunOnce({
    database,
    seals,
    readFirstStates,
    waitMs: plainTimeouts.lockMs,
    settleMs: SETTLE_MS,
    requireWrites: writes.requireWrites,
    committed,
    ...record,
    ...parts.runOnce,
  })
  const {
    mode,
    routingNumber,
    overdraftCents,
    reviewFirstPayment,
    debits,
    verificationDays,
    ach,
    review,
    recurringOverdue,
    rewardPayoutDelayMs: payoutDelayMs,
    signatures,
  } = settings
  const { decision, screening, overSettled } = parts
  const own = {
    mode,
    routingNumber,
    overdraftCents,
    ...{ reviewFirstPayment, debits, verificationDays },
    ach,
    rails: { ACH: railFrom(ach) },
    review,
    recurringOverdue,
    ...{ payoutDelayMs, signedApprovalFrom: signatures?.from.paymentApproval },
    decision,
    screening,
    overSettled,
  }
  const bank = { database, ids, runOnce, lane, seals, uploadWaitMs: parts.uploadWaitMs, ...own }
  const load = () => ({ requests: database.connections(), lane: lane.load() })
  return {
    servers,
    seals,
    closers,
    database,
    ids,
    runOnce,
    builtin: openBuiltinBank(bank),
    routingNumber,
    builtinOver: (copy) => openBuiltinBank({ ...bank, database: copy }),
    writes,
    load,
    committed,
    reseal,
    readFirstStates,
  }
}
