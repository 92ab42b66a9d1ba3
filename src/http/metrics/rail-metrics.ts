import { Gauge, type Registry } from 'prom-client'
import type { WaitingWork } from '../../bank/ach/watch/rail-state.ts'
import type { BackendMetrics, Label } from './backend-metrics.ts'

/** The metrics of the rail: what waits, and for how long the oldest has. */
export function openRailMetrics(
  registers: Registry[],
): (label: Label) => Pick<BackendMetrics, 'rail' | 'railDifference' | 'returnRates' | 'closing'> {
  const gauge = gaugeMaker(registers)
  const gauges: Record<keyof WaitingWork, [by: string, count: Gauge, seconds: Gauge]> = {
    files: [
      'state',
      gauge('purser_ach_files', 'ACH files that are not at the end of their way, by state', 'state'),
      gauge('purser_ach_file_age_seconds', 'Age of the oldest such file since its cut-off or its intake', 'state'),
    ],
    late: [
      'work',
      gauge('purser_ach_late_organisations', 'Organisations with work of the rail that is late, by work', 'work'),
      gauge('purser_ach_late_seconds', 'How late the work of the rail is: cut-offs that passed, settlements', 'work'),
    ],
    exceptions: [
      'kind',
      gauge('purser_ach_exceptions', 'ACH files and entries that need the operator, by kind', 'kind'),
      gauge('purser_ach_exception_age_seconds', 'Age of the oldest of them', 'kind'),
    ],
    reviews: [
      'kind',
      gauge('purser_reviews', 'Applications, external accounts and payments that wait for a reviewer', 'kind'),
      gauge('purser_review_age_seconds', 'Age of the oldest of them', 'kind'),
    ],
    endpoints: [
      'state',
      gauge('purser_webhook_endpoints', 'Webhook endpoints whose latest attempt was not accepted', 'state'),
      gauge('purser_webhook_endpoint_age_seconds', 'Time for which the first of them has failed', 'state'),
    ],
  }
  const folders = {
    ready: gauge('purser_ach_folder_ready', '1 while a folder of ACH files can be read, else 0', 'folder'),
    count: gauge('purser_ach_folder_files', 'Files that lie in a folder of ACH files', 'folder'),
    seconds: gauge('purser_ach_folder_age_seconds', 'Time for which the oldest of them has lain there', 'folder'),
  }
  const more = dayMetrics(registers)
  /** Kinds without anything are 0, and not absent, as they are before the first look. */
  const kinds: Record<keyof WaitingWork, Set<string>> = {
    files: new Set(['building', 'built', 'delivering', 'unknown', 'taken']),
    late: new Set(['cutoffs', 'returns', 'settlements', 'refunds', 'received']),
    exceptions: new Set(['file_refused']),
    reviews: new Set(['application', 'externalAccount', 'payment']),
    endpoints: new Set(['failing']),
  }
  return (label) => ({
    rail(state, ofFolders) {
      for (const name of Object.keys(gauges) as (keyof WaitingWork)[]) {
        const [by, count, seconds] = gauges[name]
        for (const { kind } of state[name]) kinds[name].add(kind)
        for (const kind of kinds[name]) {
          const found = state[name].find((each) => each.kind === kind)
          count.set({ [by]: kind, ...label }, found?.count ?? 0)
          seconds.set({ [by]: kind, ...label }, found?.seconds ?? 0)
        }
      }
      for (const { folder, ready, count, seconds } of ofFolders) {
        folders.ready.set({ folder, ...label }, ready ? 1 : 0)
        folders.count.set({ folder, ...label }, count)
        folders.seconds.set({ folder, ...label }, seconds)
      }
    },
    ...more(label),
  })
}

function gaugeMaker(registers: Registry[]) {
  return <Name extends string>(name: string, help: string, ...labels: Name[]) =>
    new Gauge({ name, help, labelNames: [...labels, 'cell'] as const, registers })
}

/** The metrics that are read seldom: the comparison of files and ledger, return rates, and days that are open. */
function dayMetrics(registers: Registry[]) {
  const gauge = gaugeMaker(registers)
  const difference = gauge(
    'purser_ach_reconciliation_difference_cents',
    'Difference between ACH files and ledger, today or on the banking day before',
  )
  const returnRates = gauge(
    'purser_debit_return_limit_ratio',
    'Highest part of a limit of the ACH rules that returned debits of an organisation or a company reach',
    'by',
    'kind',
  )
  const openDays = gauge('purser_days_open', 'Banking days that are over and not closed')
  const openItems = gauge(
    'purser_settlement_items',
    'Lines of the bank statement and movements of the ledger that do not match',
  )
  return (label: Label): Pick<BackendMetrics, 'railDifference' | 'returnRates' | 'closing'> => ({
    railDifference: (cents) => difference.set(label, cents),
    returnRates(rates) {
      for (const { by, kind, part } of rates) returnRates.set({ by, kind, ...label }, part)
    },
    closing({ days, items }) {
      openDays.set(label, days)
      openItems.set(label, items)
    },
  })
}
