import { achPayments, achStretches } from '../ach/ach.ts'
import { intakeAccounts } from '../ach/intake.ts'
import { limitKinds } from '../authorizations/authorizations.ts'
import { bulkSizes } from '../bulk/bulk.ts'
import { campaignKinds } from '../campaigns/campaigns.ts'
import { awayStates, mostSlower, slowerWhile } from '../cells/cells.ts'
import { connectorConnections, upstreamDelaysMs } from '../connector.ts'
import { cpuParts } from '../cpu/cpu.ts'
import { eventConnections } from '../events.ts'
import type { Figures } from '../figures.ts'
import { growthReads } from '../growth/growth.ts'
import { suiteTests } from '../kit.ts'
import { offerCounts } from '../offers.ts'
import { hotBar, hotShare } from '../peers/peers.ts'
import { probes, troubles } from '../probes.ts'
import { processConnections, processesBar } from '../processes/processes.ts'
import { getConnections, ledgerReadNames } from '../reads.ts'
import { screenReads } from '../screens/screens.ts'
import { verifyCounts } from '../verify/verify.ts'

/** One line for each bar whose figure was measured: whether the figure meets it. */
export function bars(figures: Figures, sizes: number[]): string[] {
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
    ...intakeBars(figures),
    ...purchaseBars(figures),
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

/** A figure, and the least or most that it may be. */
interface Bar {
  name: string
  value: number | undefined
  least?: number
  most?: number
  unit: string
}

/** The second process must cost little if two cores are all there are. */
function processesBarOf(figures: Figures): Bar {
  return {
    name: 'GET account of two processes on two cores',
    value: figures.ratio(`accounts of 2 ${processConnections}`, `accounts of 1 ${processConnections}`)?.median,
    least: processesBar,
    unit: '× one process',
  }
}

/** How long a check of a million payments may take, in times of that of a hundred thousand. */
const MOST_GROWTH = 13

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
    ...screenReads.map((name) => ({
      name: `${name}, with a million payments`,
      value: figures.median(`screen ${name}`),
      most: 50,
      unit: 'ms',
    })),
    {
      name: 'memory for an export of a million payments',
      value: figures.median('export megabytes'),
      most: 100,
      unit: 'MB',
    },
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
    { name: 'payments, Zipf 2.0', value: hotShare(figures), least: hotBar, unit: '× uniform' },
    { name: 'disk a payment', value: figures.median('disk'), most: 1_100, unit: 'B' },
    { name: 'write-ahead log a payment', value: figures.median('wal'), most: 1_800, unit: 'B' },
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

function intakeBars(figures: Figures): Bar[] {
  return intakeAccounts.flatMap((accounts) => [
    {
      name: `an incoming ACH file, accounts: ${accounts}`,
      value: figures.median(`intake ${accounts} rate`),
      least: 2_000,
      unit: 'entries/s',
    },
    {
      name: `a file of another organisation beside it, accounts: ${accounts}`,
      value: figures.median(`intake ${accounts} slowestMs`),
      most: 2_000,
      unit: 'ms',
    },
  ])
}

function campaignBars(figures: Figures): Bar[] {
  const [, without = '', budgeted = ''] = campaignKinds
  const grown = figures.ratio('attributions memory last', 'attributions memory first')?.median
  return [
    {
      name: 'purchases at once with a budget',
      value: figures.ratio(`campaign ${budgeted}`, `campaign ${without}`)?.median,
      least: 0.7,
      unit: '× without a budget',
    },
    { name: 'memory after a million attributions', value: grown, most: 1.2, unit: '× after a tenth of them' },
  ]
}

function purchaseBars(figures: Figures): Bar[] {
  return [...authorizationBars(figures), ...campaignBars(figures)]
}

function authorizationBars(figures: Figures): Bar[] {
  return limitKinds.map((kind) => ({
    name: `card purchases ${kind}, p99`,
    value: figures.median(`authorization ${kind} p99`),
    most: 50,
    unit: 'ms',
  }))
}
