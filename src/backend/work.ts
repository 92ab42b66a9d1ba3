import { checkLeastChecked } from '../bank/accounting/verification.ts'
import { readRailDifference, readWaitingWork } from '../bank/ach/watch/rail-state.ts'
import { readClosingState } from '../bank/closing/lists.ts'
import { reconcile } from '../bank/closing/reconcile.ts'
import { takeFolder } from '../bank/closing/take-statement.ts'
import { readFirstRows } from '../bank/first-states/first-states.ts'
import { moveCopies } from '../bank/first-states/move-copies.ts'
import { retireOrganisations, sweepOrganisations } from '../bank/organisations/sweep.ts'
import { highestReturnRates } from '../bank/payments/return-rates.ts'
import { makeSsnDigests } from '../bank/screening/same-people.ts'
import { ENDED, repeat } from '../base/tasks/repeat.ts'
import type { TaskLog } from '../base/tasks/task-log.ts'
import type { BackendMetrics } from '../http/metrics/backend-metrics.ts'
import { openRetention } from '../retention/retention.ts'
import type { Proposals } from '../review/proposals/proposal.ts'
import type { Backend, BackendParts } from './backend.ts'

interface Work extends Pick<Backend, 'denials' | 'keys' | 'worker'> {
  /** Whether requests make organisations, which end when they are not used. */
  retires: boolean
  tasks: TaskLog
  /** Absent with a connector. */
  proposals: Proposals | undefined
}

/** Starts what runs beside requests, in every process and for every database. The names of the tasks are those of the log. */
export function startWork(parts: BackendParts, { proposals, denials, keys, worker, retires, tasks }: Work): void {
  const { core, settings, log, metrics, connectors, place = 0 } = parts
  const { database, builtin, closers } = core
  metrics?.watchTasks(tasks.states)
  const every = (ms: number, name: string, task: () => Promise<unknown>) => closers.add(repeated(tasks, name, task, ms))
  every(1_000, 'due-work', () => builtin.catchUp(log, tasks))
  every(1_000, 'outgoing-files', () => builtin.moveFiles(log))
  metrics?.watchRail(builtin.rail.isHeld)
  // The files of a live bank are taken by its first database, those of a sandbox by the one of their organisation.
  const takesFiles = place === 0 || settings.mode === 'sandbox'
  if (takesFiles) every(1_000, 'incoming-files', () => builtin.takeFiles(log, parts.otherDatabases?.()))
  every(1_000, 'returns', () => builtin.sendReturns())
  if (place === 0) watchStatements(parts, every)
  if (!connectors?.bank) every(60_000, 'ledger-checks', () => checkLeastChecked(database, readFirstRows))
  if (proposals) every(10_000, 'proposals', proposals.resume)
  if (connectors?.catchUp) every(1_000, 'provider', connectors.catchUp)
  every(1_000, 'denied-requests', denials.save)
  every(1_000, 'encryption', core.reseal)
  every(1_000, 'event-copies', async () => (await moveCopies(database, core.seals)) && ENDED)
  every(1_000, 'ssn-digests', async () => (await makeSsnDigests(database, core.seals)) && ENDED)
  every(1_000, 'ended-organisations', () => sweepOrganisations(core))
  if (retires) every(60_000, 'unused-organisations', () => retireOrganisations(database))
  every(60_000, 'key-uses', keys.saveUses)
  const { prune } = openRetention({
    database,
    keep: settings.keep,
    failed: (error, kind) => tasks.failed('retention', error, { kind }),
    succeeded: (kind) => tasks.succeeded('retention', { kind }),
    observe: metrics?.retention,
  })
  every(1_000, 'retention', prune)
  if (metrics) watchRail(parts, metrics, every)
  if (connectors?.stop) closers.add(connectors.stop)
  tasks.begun('webhooks')
  worker.start()
}

const STATEMENTS_MS = 5_000
const CLOSING_MS = 10 * 60_000

/** Takes statements of the settlement account from their folder, and matches them. With further cells, the commands of the operator match. */
function watchStatements(
  { core, settings, log, metrics, databases = 1 }: BackendParts,
  every: (ms: number, name: string, task: () => Promise<unknown>) => void,
): void {
  const { statements: form } = settings
  const { database } = core
  if (!form) return
  const match = async () => {
    if (databases === 1) await reconcile(database, async (read) => [await read(database, [])], form.windowDays)
    metrics?.closing(await readClosingState(database))
  }
  every(STATEMENTS_MS, 'statements', async () => {
    if ((await takeFolder(database, form, log)) > 0) await match()
  })
  every(CLOSING_MS, 'settlement-items', match)
}

const RAIL_MS = 15_000
const DIFFERENCE_MS = 10 * 60_000

/** Reads what waits on the rail for metrics: its state often, and what reads a day or more seldom. */
function watchRail(
  { core, settings, place = 0 }: BackendParts,
  metrics: BackendMetrics,
  every: (ms: number, name: string, task: () => Promise<unknown>) => void,
): void {
  const { database, builtin } = core
  every(RAIL_MS, 'rail-watch', async () => {
    // The folders of a live bank are the first database's business; a sandbox has one for each organisation.
    const folders = place === 0 && settings.mode === 'live' ? await builtin.folders() : []
    metrics.rail(await readWaitingWork(database), folders)
  })
  every(DIFFERENCE_MS, 'return-rates', async () => metrics.returnRates(await highestReturnRates(database)))
  if (settings.mode === 'live') {
    every(DIFFERENCE_MS, 'reconciliation', async () =>
      metrics.railDifference((await readRailDifference(database)).cents),
    )
  }
}

function repeated(tasks: TaskLog, name: string, task: () => Promise<unknown>, ms: number): () => Promise<void> {
  tasks.begun(name)
  const run = async () => {
    const result = await task()
    tasks.succeeded(name)
    if (result === ENDED) tasks.ended(name)
    return result
  }
  return repeat(run, ms, (error) => tasks.failed(name, error))
}
