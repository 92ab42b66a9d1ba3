import { achPayments } from '../ach/ach.ts'
import { intakeEntries } from '../ach/intake.ts'
import { authorizationRate } from '../authorizations/authorizations.ts'
import { campaignPurchases } from '../campaigns/campaigns.ts'
import { cellRows } from '../cells/cells.ts'
import { connectorConnections } from '../connector.ts'
import type { Options } from '../desk.ts'
import { eventConnections } from '../events.ts'
import type { Figures } from '../figures.ts'
import { peerRows } from '../peers/peers.ts'
import { processConnections, processCpuRows } from '../processes/processes.ts'
import { entries } from '../reads.ts'
import { achRows, growthRows, intakeRows, recurringRows } from './background-rows.ts'
import { bars } from './bars.ts'
import { amount, lineOf, type Row } from './format.ts'
import { bulkRows, connectorRows, cpuRows, eventRows, getRows, paymentRows, processRows } from './load-rows.ts'
import {
  authorizationRows,
  campaignRows,
  consoleRows,
  feedRows,
  kitRows,
  ledgerRows,
  moveRows,
  offerRows,
  probeRows,
  screenRows,
  searchRows,
  verifyRows,
} from './time-rows.ts'

/** The table of figures and the verdicts on the bars; parts that were not measured are left out. */
export function report(figures: Figures, { only, accounts, sizes, peers }: Options): string {
  const sections: Record<string, Row[]> = {
    'payments, durable, a key each': only.includes('payments') ? paymentRows(figures) : [],
    [`payments and their events, ${eventConnections} connections`]: only.includes('events') ? eventRows(figures) : [],
    'GET account': only.includes('get') ? getRows(figures) : [],
    [`GET account over a connector, ${connectorConnections} connections`]: only.includes('connector')
      ? connectorRows(figures)
      : [],
    [`the ledger, with ${entries.toLocaleString('en')} transfers in 90 days`]: only.includes('ledger')
      ? ledgerRows(figures)
      : [],
    'events of one record': only.includes('feed') ? feedRows(figures) : [],
    [`a search among ${accounts.toLocaleString('en')} accounts, median`]: only.includes('search')
      ? searchRows(figures)
      : [],
    'the console, with a million payments': screenRows(figures),
    'local offers near a ZIP code': only.includes('offers') ? offerRows(figures) : [],
    'the slowest answer of a probe': only.includes('probes') ? probeRows(figures) : [],
    'CPU time of a request': cpuRows(figures),
    'with payments stored': only.includes('growth') ? growthRows(figures, sizes) : [],
    [`ACH, ${Math.min(achPayments, ...sizes).toLocaleString('en')} payments of one cut-off, while others are made`]:
      achRows(figures),
    [`ACH, an incoming file of ${Math.min(intakeEntries, ...sizes).toLocaleString('en')} entries`]: only.includes(
      'intake',
    )
      ? intakeRows(figures)
      : [],
    'recurring payments due at one moment, while others are made': only.includes('recurring')
      ? recurringRows(figures)
      : [],
    [`card purchases, ${authorizationRate} a second`]: authorizationRows(figures),
    [`${campaignPurchases.toLocaleString('en')} purchases at once, and attributions`]: campaignRows(figures),
    [`processes behind one port, ${processConnections} connections`]: [
      ...processRows(figures),
      ...processCpuRows(figures),
    ],
    'a check of the laws on fresh tables': verifyRows(figures),
    'payments of Purser and of others': only.includes('peers') ? peerRows(figures, peers) : [],
    'payments in batches': only.includes('bulk') ? bulkRows(figures) : [],
    'payments of a cell beside another one': only.includes('cells') ? cellRows(figures) : [],
    'an organisation moves in, and out': only.includes('moves') ? moveRows(figures, sizes) : [],
    'the test kit and the command line': kitRows(figures),
    'the console': consoleRows(figures),
    'from start to ready': ['first start', 'restart']
      .flatMap((name) => [name, `CPU time of a ${name}`])
      .map((name) => [name, amount(figures.median(name), 'ms')]),
    'after the payments': [
      ['memory (PSS), service and database', amount(figures.median('pss'), 'MB', 2 ** 20)],
      ['disk a payment, indexes included', amount(figures.median('disk'), 'B')],
      ['write-ahead log a payment', amount(figures.median('wal'), 'B')],
    ],
  }
  const lines = Object.entries(sections).flatMap(([title, rows]) => {
    const measured = rows.filter(([, value]) => value !== undefined)
    return measured.length === 0 ? [] : ['', title, ...measured.map(lineOf)]
  })
  return `${[...lines, '', ...bars(figures, sizes)].join('\n')}\n`
}
