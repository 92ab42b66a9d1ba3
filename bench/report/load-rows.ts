import { bulkSizes } from '../bulk/bulk.ts'
import { connectorConnections, upstreamDelaysMs } from '../connector.ts'
import { cpuKinds, cpuParts } from '../cpu/cpu.ts'
import { DRAIN_SECONDS, eventConnections } from '../events.ts'
import type { Figures } from '../figures.ts'
import { barePostConnections, paymentConnections } from '../payments.ts'
import { processConnections, processCounts } from '../processes/processes.ts'
import { getConnections } from '../reads.ts'
import { tpcbName } from '../tpcb.ts'
import { amount, latency, type Row, shown } from './format.ts'

// Rows with the rate and the latency of requests under load, or with their CPU time.

export function paymentRows(figures: Figures): Row[] {
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
  ]
}

export function eventRows(figures: Figures): Row[] {
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

export function bulkRows(figures: Figures): Row[] {
  return [
    ['single requests, 128 connections', amount(figures.median('bulk single 128'), 'payments/s')],
    ...bulkSizes.map(
      (size): Row => [
        `batches of ${size.toLocaleString('en')}`,
        amount(figures.median(`bulk ${size}`), 'payments/s'),
        shown(figures.ratio(`bulk ${size}`, 'bulk single 128'), 'single requests'),
      ],
    ),
    ['CPU time of a single payment', amount(figures.median('bulk cpu single'), 'µs')],
    ...bulkSizes.map(
      (size): Row => [
        `CPU time of a payment in batches of ${size.toLocaleString('en')}`,
        amount(figures.median(`bulk cpu ${size}`), 'µs'),
        shown(figures.ratio(`bulk cpu ${size}`, 'bulk cpu single'), 'a single payment'),
      ],
    ),
    [
      'p99 of a single payment beside batches of 1,000',
      amount(figures.median('bulk beside p99'), 'ms'),
      shown(figures.ratio('bulk beside p99', 'bulk alone p99'), 'alone'),
    ],
  ]
}

export function getRows(figures: Figures): Row[] {
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

export function connectorRows(figures: Figures): Row[] {
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

export function processRows(figures: Figures): Row[] {
  return ['accounts', 'payments'].flatMap((kind) =>
    processCounts.map((count): Row => {
      const name = `${kind} of ${count} ${processConnections}`
      const ratio = count === 1 ? '' : shown(figures.ratio(name, `${kind} of 1 ${processConnections}`), 'one')
      const title = `${kind === 'accounts' ? 'GET account' : 'payments'}, ${count} ${count === 1 ? 'process' : 'processes'}`
      return [title, amount(figures.median(name), '/s'), ratio, latency(figures, name)]
    }),
  )
}

export function cpuRows(figures: Figures): Row[] {
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
