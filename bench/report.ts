import { achPayments, achStretches } from './ach/ach.ts'
import { authorizationRate } from './authorizations/authorizations.ts'
import { bulkSizes } from './bulk/bulk.ts'
import { awayStates, cellRows, mostSlower, slowerWhile } from './cells/cells.ts'
import { connectorConnections, upstreamDelaysMs } from './connector.ts'
import { listedPayments } from './console/console.ts'
import { cpuKinds, cpuParts } from './cpu/cpu.ts'
import type { Options } from './desk.ts'
import { DRAIN_SECONDS, eventConnections } from './events.ts'
import type { Figures, Ratio } from './figures.ts'
import { growthConnections, growthReads } from './growth/growth.ts'
import { suiteTests } from './kit.ts'
import { searchKinds } from './lookups.ts'
import { offerCounts } from './offers.ts'
import { barePostConnections, outstanding, paymentConnections } from './payments.ts'
import { probes, troubles } from './probes.ts'
import { processConnections, processCounts, processCpuRows, processesBar } from './processes/processes.ts'
import { entries, getConnections, ledgerReadNames, listOffsets } from './reads.ts'
import { tpcbName } from './tpcb.ts'
import { turnConnections } from './turn.ts'
import { verifyCounts } from './verify/verify.ts'

const limitKinds = ['without limits', 'with limits']

/** The table and the bars; parts that were not measured are left out. */
export function report(figures: Figures, { only, accounts, sizes }: Options): string {
  const sections: Record<string, Row[]> = {
    'payments, durable, a key each': only.includes('payments') || only.includes('lane') ? paymentRows(figures) : [],
    [`payments and their events, ${eventConnections} connections`]: only.includes('events') ? eventRows(figures) : [],
    'GET account': only.includes('get') ? getRows(figures) : [],
    [`GET account over a connector, ${connectorConnections} connections`]: only.includes('connector')
      ? connectorRows(figures)
      : [],
    [`list of an account with ${entries.toLocaleString('en')} entries`]: only.includes('list') ? listRows(figures) : [],
    [`the ledger, with ${entries.toLocaleString('en')} transfers in 90 days`]: only.includes('ledger')
      ? ledgerRows(figures)
      : [],
    'events of one record': only.includes('feed') ? feedRows(figures) : [],
    [`a search among ${accounts.toLocaleString('en')} accounts, median`]: only.includes('search')
      ? searchRows(figures)
      : [],
    'local offers near a ZIP code': only.includes('offers') ? offerRows(figures) : [],
    [`a month's turn for ${accounts.toLocaleString('en')} accounts while payments run, ${turnConnections} connections`]:
      only.includes('turn') ? turnRows(figures) : [],
    'the slowest answer of a probe': only.includes('probes') ? probeRows(figures) : [],
    'CPU time of a request': cpuRows(figures),
    'with payments stored': only.includes('growth') ? growthRows(figures, sizes) : [],
    [`ACH, ${Math.min(achPayments, ...sizes).toLocaleString('en')} payments of one cut-off, while others are made`]:
      achRows(figures),
    [`card purchases, ${authorizationRate} a second`]: limitKinds.flatMap((kind): Row[] =>
      ['p50', 'p99'].map((share) => [
        `${kind}, ${share}`,
        amount(figures.median(`authorization ${kind} ${share}`), 'ms'),
      ]),
    ),
    [`processes behind one port, ${processConnections} connections`]: [
      ...processRows(figures),
      ...processCpuRows(figures),
    ],
    'a check of the laws on fresh tables': verifyRows(figures),
    'payments in batches': only.includes('bulk') ? bulkRows(figures) : [],
    'payments of a cell beside another one': only.includes('cells') ? cellRows(figures) : [],
    'the test kit and the command line': kitRows(figures),
    'the console': consoleRows(figures),
    'from start to ready': ['first start', 'restart'].map((name) => [name, amount(figures.median(name), 'ms')]),
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

/** A name, its value, its ratio, and whatever else. */
type Row = [string, string | undefined, ...string[]]

function lineOf([name, value = '', ...more]: Row): string {
  return `  ${name.padEnd(44)}${value.padStart(10)}  ${more.join('  ')}`.trimEnd()
}

function paymentRows(figures: Figures): Row[] {
  const against = (name: string) => shown(figures.ratio(name, 'tpcb'), 'TPC-B')
  return [
    [tpcbName, amount(figures.median('tpcb'), '/s')],
    ...paymentConnections.map((connections): Row => {
      const name = `payments ${connections}`
      return [
        `over HTTP, ${connections} connections`,
        amount(figures.median(name), '/s'),
        against(name),
        latency(figures, name),
      ]
    }),
    [
      `ceiling: bare POST, ${barePostConnections} connections`,
      amount(figures.median(`bare payments ${barePostConnections}`), '/s'),
      against(`bare payments ${barePostConnections}`),
      latency(figures, `bare payments ${barePostConnections}`),
    ],
    [`ceiling: lane alone, ${outstanding} under way`, amount(figures.median('lane'), '/s'), against('lane')],
    ['lane alone, one payment a transaction', amount(figures.median('unbatched'), '/s'), against('unbatched')],
  ]
}

function cpuRows(figures: Figures): Row[] {
  return cpuKinds.flatMap((kind) =>
    cpuParts.map((part): Row => {
      const [now, before] = [`${part} cpu ${kind} now`, `${part} cpu ${kind} before`] as const
      return [
        `${kind}, ${part}`,
        amount(figures.median(now), 'µs'),
        shown(figures.ratio(now, before), 'the earlier commit'),
      ]
    }),
  )
}

function processRows(figures: Figures): Row[] {
  return ['accounts', 'payments'].flatMap((kind) =>
    processCounts.map((count): Row => {
      const name = `${kind} of ${count} ${processConnections}`
      const ratio = count === 1 ? '' : shown(figures.ratio(name, `${kind} of 1 ${processConnections}`), 'one')
      const title = `${kind === 'accounts' ? 'GET account' : 'payments'}, ${count} ${count === 1 ? 'process' : 'processes'}`
      return [title, amount(figures.median(name), '/s'), ratio, latency(figures, name)]
    }),
  )
}

function eventRows(figures: Figures): Row[] {
  const [without, plain, endpoint] = ['without events', 'with events', 'with an endpoint'].map(
    (name) => `payments ${name} ${eventConnections}`,
  ) as [string, string, string]
  const row = (title: string, name: string, ratio: string): Row => [
    title,
    amount(figures.median(name), '/s'),
    ratio,
    latency(figures, name),
  ]
  const drained = figures.median('drain seconds') ?? Number.NaN
  return [
    ['without events', amount(figures.median(without), '/s'), latency(figures, without)],
    row('with events', plain, shown(figures.ratio(plain, without), 'without')),
    row('with an endpoint on payment.*', endpoint, shown(figures.ratio(endpoint, plain), 'no endpoint')),
    ['  deliveries while payments run', amount(figures.median('deliveries during'), '/s')],
    ['  deliveries afterwards', amount(figures.median('deliveries afterwards'), '/s')],
    Number.isFinite(drained)
      ? ['  until all were delivered', `${drained.toFixed(1)} s`]
      : ['  until all were delivered', `> ${DRAIN_SECONDS} s`, 'given up'],
  ]
}

function feedRows(figures: Figures): Row[] {
  const events = figures.median('feed events')?.toLocaleString('en') ?? ''
  return [
    [`among ${events} events, median`, amount(figures.median('feed median'), 'ms')],
    ['  slowest', amount(figures.median('feed slowest'), 'ms')],
  ]
}

function kitRows(figures: Figures): Row[] {
  return [
    ['an organisation, median', amount(figures.median('kit organisation'), 'ms')],
    ['  slowest', amount(figures.median('kit organisation slowest'), 'ms')],
    [`${suiteTests} tests with one each, start included`, amount(figures.median('kit suite'), 'ms')],
    ...['purser --help', 'purser payments list'].map((name): Row => [name, amount(figures.median(name), 'ms')]),
  ]
}

function consoleRows(figures: Figures): Row[] {
  return [
    ['a payment by the API is on screen after', amount(figures.median('console payment'), 'ms')],
    ['  slowest', amount(figures.median('console payment slowest'), 'ms')],
    [
      `longest task, scrolling ${listedPayments.toLocaleString('en')} payments`,
      amount(figures.median('console task'), 'ms'),
    ],
  ]
}

function searchRows(figures: Figures): Row[] {
  const kinds = searchKinds.map((kind): Row => [`for ${kind}`, amount(figures.median(`search ${kind}`), 'ms')])
  return [...kinds, ['  slowest of all', amount(figures.median('search slowest'), 'ms')]]
}

function getRows(figures: Figures): Row[] {
  return getConnections.flatMap((connections): Row[] => [
    [
      `bare node:http, ${connections} connections`,
      amount(figures.median(`bare get ${connections}`), '/s'),
      latency(figures, `bare get ${connections}`),
    ],
    [
      `service, ${connections} connections`,
      amount(figures.median(`get ${connections}`), '/s'),
      shown(figures.ratio(`get ${connections}`, `bare around get ${connections}`), 'bare'),
      latency(figures, `get ${connections}`),
    ],
  ])
}

function connectorRows(figures: Figures): Row[] {
  return upstreamDelaysMs.flatMap((delayMs): Row[] => {
    const [direct, through] = [`upstream ${delayMs} ms`, `connector ${delayMs} ms`].map(
      (name) => `${name} ${connectorConnections}`,
    ) as [string, string]
    const ratio = figures.ratio(`${through} p50`, `${direct} p50`)
    return [
      [`upstream that takes ${delayMs} ms, directly`, amount(figures.median(direct), '/s'), latency(figures, direct)],
      [
        '  through the service',
        amount(figures.median(through), '/s'),
        shown(ratio, 'its p50'),
        latency(figures, through),
      ],
    ]
  })
}

function listRows(figures: Figures): Row[] {
  return listOffsets.map((offset) => [
    `100 at offset ${offset.toLocaleString('en')}`,
    `${figures.median(`list ${offset}`)?.toFixed(2)} ms`,
    shown(figures.ratio(`list ${offset}`, `list ${listOffsets[0]}`), 'the first page'),
  ])
}

function ledgerRows(figures: Figures): Row[] {
  return [...ledgerReadNames, 'sums of 90 days, made once', 'check of the laws'].map((name) => [
    name,
    `${figures.median(name)?.toFixed(1)} ms`,
  ])
}

function offerRows(figures: Figures): Row[] {
  return offerCounts.map((count) => [
    `20 of ${count.toLocaleString('en')}`,
    `${figures.median(`offers ${count}`)?.toFixed(2)} ms`,
    shown(figures.ratio(`offers ${count}`, `offers ${offerCounts[0]}`), 'the small catalogue'),
  ])
}

function turnRows(figures: Figures): Row[] {
  const ms = (name: string) => `${figures.median(name)?.toFixed(1)} ms`
  const against = (part: string) => shown(figures.ratio(`turn ${part}`, `before the turn ${part}`), 'before')
  return [
    ['the turn', `${figures.median('turn seconds')?.toFixed(1)} s`],
    ['payments before it', amount(figures.median('before the turn'), '/s')],
    [
      'payments during it',
      amount(figures.median('turn'), '/s'),
      shown(figures.ratio('turn', 'before the turn'), 'before'),
    ],
    ...['p99', 'gap'].flatMap((part): Row[] => {
      const name = part === 'p99' ? 'p99' : 'worst gap between two answers'
      return [
        [`${name}, before`, ms(`before the turn ${part}`)],
        [`${name}, during`, ms(`turn ${part}`), against(part)],
      ]
    }),
  ]
}

function bulkRows(figures: Figures): Row[] {
  return [
    ['single requests, 128 connections', amount(figures.median('bulk single 128'), 'payments/s')],
    ...bulkSizes.map(
      (size): Row => [
        `batches of ${size.toLocaleString('en')}`,
        amount(figures.median(`bulk ${size}`), 'payments/s'),
        shown(figures.ratio(`bulk ${size}`, 'bulk single 128'), 'single requests'),
      ],
    ),
    [
      'p99 of a single payment beside batches of 1,000',
      amount(figures.median('bulk beside p99'), 'ms'),
      shown(figures.ratio('bulk beside p99', 'bulk alone p99'), 'alone'),
    ],
  ]
}

/** How long a check of a million payments may take, in times of that of a hundred thousand. */
const MOST_GROWTH = 13

function verifyRows(figures: Figures): Row[] {
  const [few, many] = verifyCounts
  return verifyCounts.flatMap((payments): Row[] => [
    [
      `${payments.toLocaleString('en')} payments`,
      amount(figures.median(`verify ${payments}`), 'ms'),
      payments === many ? shown(figures.ratio(`verify ${many}`, `verify ${few}`), few.toLocaleString('en')) : '',
    ],
    ['a day of ten', amount(figures.median(`verify a day of ${payments}`), 'ms')],
  ])
}

/** Figures of each number of stored payments, each against the smallest. */
function growthRows(figures: Figures, sizes: number[]): Row[] {
  const few = sizes[0] ?? 0
  const rowsOf = (name: string, label: string, show: (value: number) => string): Row[] =>
    sizes.map((size) => {
      const value = figures.median(`growth ${name} ${size}`)
      const ratio =
        size === few ? '' : shown(figures.ratio(`growth ${name} ${size}`, `growth ${name} ${few}`), 'the fewest')
      return [`${label}, ${size.toLocaleString('en')}`, value === undefined ? undefined : show(value), ratio]
    })
  const plain = (unit: string) => (value: number) => `${Math.round(value).toLocaleString('en')} ${unit}`
  const ms = (value: number) => `${value.toFixed(value < 100 ? 2 : 0)} ms`
  return [
    ...rowsOf('payments', `payments at ${growthConnections}`, plain('/s')),
    ...rowsOf('cpu', 'CPU time a payment', plain('µs')),
    ...growthReads.flatMap((name) => rowsOf(name, name, ms)),
    ...rowsOf('disk', 'disk a payment in all', plain('B')),
    ...rowsOf('disk after', 'disk a payment after retention', plain('B')),
    ...rowsOf('pruned seconds', 'old rows deleted in', (value) => `${value.toFixed(1)} s`),
    ...rowsOf('slowest before', 'slowest payment before that', ms),
    ...rowsOf('slowest during', 'slowest payment meanwhile', ms),
  ]
}

function growthBars(figures: Figures, sizes: number[]): Bar[] {
  const [few, many] = [sizes[0] ?? 0, sizes.at(-1) ?? 0]
  const unit = `× those of ${few.toLocaleString('en')}`
  const against = (name: string) => figures.ratio(`growth ${name} ${many}`, `growth ${name} ${few}`)?.median
  const [before, during] = ['before', 'during'].map((when) => figures.median(`growth slowest ${when} ${many}`))
  const stored = many.toLocaleString('en')
  return [
    { name: `payments/s with ${stored} stored`, value: against('payments'), least: 0.85, unit },
    ...growthReads.map((name) => ({ name: `${name}, ${stored} stored`, value: against(name), most: 1.5, unit })),
    {
      name: 'disk a payment after retention',
      value: figures.median(`growth disk after ${many}`),
      most: 700,
      unit: 'B',
    },
    {
      name: 'a payment is held up by retention',
      value: before === undefined || during === undefined ? undefined : Math.max(0, during - before),
      most: 100,
      unit: 'ms longer than the slowest without',
    },
  ]
}

/** The payments of one cut-off in each stretch of their way, and the slowest of those that are made meanwhile. */
function achRows(figures: Figures): Row[] {
  return achStretches.flatMap((name): Row[] => {
    const of = (what: string) => figures.median(`ach ${name} ${what}`)
    const rows: Row[] = [
      [`${name}, in all`, seconds(of('seconds'))],
      ['  CPU time, service and database', seconds(of('cpuSeconds'))],
    ]
    return [
      ...(name === 'before' ? [] : rows),
      [`slowest payment, ${name}`, amount(of('slowestMs'), 'ms')],
      [`slowest answer of /livez, ${name}`, amount(of('pulseMs'), 'ms')],
    ]
  })
}

function authorizationBars(figures: Figures): Bar[] {
  return limitKinds.map((kind) => ({
    name: `card purchases ${kind}, p99`,
    value: figures.median(`authorization ${kind} p99`),
    most: 50,
    unit: 'ms',
  }))
}

function achBars(figures: Figures): Bar[] {
  const before = figures.median('ach before slowestMs') ?? Number.NaN
  return [
    {
      name: `a file of ${achPayments.toLocaleString('en')} payments`,
      value: figures.median('ach build seconds'),
      most: 10,
      unit: 's',
    },
    ...achStretches.slice(1).map((name) => ({
      name: `a payment is held up by the ${name}`,
      value: Math.max(0, (figures.median(`ach ${name} slowestMs`) ?? Number.NaN) - before),
      most: 250,
      unit: 'ms longer than the slowest without',
    })),
  ]
}

function seconds(value: number | undefined): string | undefined {
  return value === undefined ? undefined : `${value.toFixed(1)} s`
}

function probeRows(figures: Figures): Row[] {
  return probes.flatMap(({ path }) =>
    troubles.map((trouble): Row => [`${path}, ${trouble}`, amount(figures.median(`${path} ${trouble}`), 'ms')]),
  )
}

interface Bar {
  name: string
  value: number | undefined
  least?: number
  most?: number
  unit: string
}

/** The bars of the costs of a payment, and of a check. */
function costBars(figures: Figures): Bar[] {
  return [
    ...awayStates.map((state) => ({
      name: `p99 of a cell while another one is ${state}`,
      value: slowerWhile(state, figures),
      most: mostSlower,
      unit: '× the p99 while it is quiet',
    })),
    ...cpuParts.map((part) => ({
      name: `CPU time a payment, ${part}`,
      value: figures.ratio(`${part} cpu a payment now`, `${part} cpu a payment before`)?.median,
      most: 1.1,
      unit: '× the earlier commit',
    })),
    {
      name: 'a check of a million payments',
      value: figures.median(`verify ${verifyCounts[1]}`),
      most: 60_000,
      unit: 'ms',
    },
    {
      name: 'a check of a million payments',
      value: figures.ratio(`verify ${verifyCounts[1]}`, `verify ${verifyCounts[0]}`)?.median,
      most: MOST_GROWTH,
      unit: '× one of a hundred thousand',
    },
    ...bulkSizes.map((size) => ({
      name: `payments in batches of ${size.toLocaleString('en')}`,
      value: figures.ratio(`bulk ${size}`, 'bulk single 128')?.median,
      least: 1.5,
      unit: '× single requests',
    })),
    { name: 'disk a payment', value: figures.median('disk'), most: 1_100, unit: 'B' },
    { name: 'write-ahead log a payment', value: figures.median('wal'), most: 1_800, unit: 'B' },
  ]
}

/** The second process must cost little where two cores are all there are. */
function processesBarOf(figures: Figures): Bar {
  return {
    name: 'GET account of two processes on two cores',
    value: figures.ratio(`accounts of 2 ${processConnections}`, `accounts of 1 ${processConnections}`)?.median,
    least: processesBar,
    unit: '× one process',
  }
}

function bars(figures: Figures, sizes: number[]): string[] {
  const pss = figures.median('pss')
  const all: Bar[] = [
    {
      name: 'payments at 128 connections',
      value: figures.ratio('payments 128', 'tpcb')?.median,
      least: 1.2,
      unit: '× TPC-B',
    },
    {
      name: 'payments at 256 connections',
      value: figures.ratio('payments 256', 'tpcb')?.median,
      least: 1.5,
      unit: '× TPC-B',
    },
    {
      name: `payments with events at ${eventConnections} connections`,
      value: figures.ratio(`payments with events ${eventConnections}`, `payments without events ${eventConnections}`)
        ?.median,
      least: 0.75,
      unit: '× without',
    },
    processesBarOf(figures),
    ...getConnections.map((connections) => ({
      name: `GET account at ${connections} connections`,
      value: figures.ratio(`get ${connections}`, `bare around get ${connections}`)?.median,
      least: 0.45,
      unit: '× bare HTTP',
    })),
    {
      name: `GET account over an upstream of ${upstreamDelaysMs[0]} ms, p50`,
      value: figures.ratio(
        `connector ${upstreamDelaysMs[0]} ms ${connectorConnections} p50`,
        `upstream ${upstreamDelaysMs[0]} ms ${connectorConnections} p50`,
      )?.median,
      most: 1.4,
      unit: '× calling it directly',
    },
    {
      name: 'local offers, the large catalogue',
      value: figures.ratio(`offers ${offerCounts[1]}`, `offers ${offerCounts[0]}`)?.median,
      most: 2,
      unit: '× the small one',
    },
    { name: 'an organisation of the test kit', value: figures.median('kit organisation'), most: 10, unit: 'ms' },
    { name: `${suiteTests} tests of the test kit`, value: figures.median('kit suite'), most: 10_000, unit: 'ms' },
    { name: 'purser --help', value: figures.median('purser --help'), most: 150, unit: 'ms' },
    { name: 'purser payments list', value: figures.median('purser payments list'), most: 300, unit: 'ms' },
    { name: 'a payment on screen', value: figures.median('console payment'), most: 500, unit: 'ms' },
    { name: 'longest task of a scrolled list', value: figures.median('console task'), most: 100, unit: 'ms' },
    ...probes.flatMap(({ path, maxMs }) =>
      troubles.map((trouble) => ({
        name: `${path} with ${trouble}`,
        value: figures.median(`${path} ${trouble}`),
        most: maxMs,
        unit: 'ms',
      })),
    ),
    {
      name: 'daily balances of the account, 90 days',
      value: figures.median(ledgerReadNames[0] ?? ''),
      most: 50,
      unit: 'ms',
    },
    ...costBars(figures),
    ...growthBars(figures, sizes),
    ...achBars(figures),
    ...authorizationBars(figures),
    { name: 'memory', value: pss && pss / 2 ** 20, most: 500, unit: 'MB' },
    { name: 'first start', value: figures.median('first start'), most: 15_000, unit: 'ms' },
    { name: 'restart', value: figures.median('restart'), most: 2_000, unit: 'ms' },
  ]
  return all.flatMap(({ name, value, least, most, unit }) => {
    if (value === undefined || Number.isNaN(value)) return []
    const holds = (least === undefined || value >= least) && (most === undefined || value < most)
    const asked = least === undefined ? `below ${most}` : `at least ${least}`
    return [`${holds ? '✓' : '✗'} ${name}: ${value.toFixed(value < 10 ? 2 : 0)} ${unit} (${asked})`]
  })
}

function amount(value: number | undefined, unit: string, per = 1): string | undefined {
  return value === undefined ? undefined : `${Math.round(value / per).toLocaleString('en')} ${unit}`
}

function latency(figures: Figures, name: string): string {
  return ['p50', 'p99'].map((part) => `${part} ${figures.median(`${name} ${part}`)?.toFixed(1)} ms`).join(', ')
}

function shown(ratio: Ratio | undefined, over: string): string {
  if (!ratio || Number.isNaN(ratio.median)) return ''
  const { median, least, most } = ratio
  return `${median.toFixed(2)} × ${over} (${least.toFixed(2)}–${most.toFixed(2)})`
}
