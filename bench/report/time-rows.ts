import { limitKinds } from '../authorizations/authorizations.ts'
import { campaignKinds } from '../campaigns/campaigns.ts'
import { listedPayments } from '../console/console.ts'
import type { Figures } from '../figures.ts'
import { suiteTests } from '../kit.ts'
import { searchKinds } from '../lookups.ts'
import { historyRows, movedPayments } from '../moves/moves.ts'
import { offerCounts } from '../offers.ts'
import { probes, troubles } from '../probes.ts'
import { ledgerReadNames } from '../reads.ts'
import { screenReads } from '../screens/screens.ts'
import { verifyCounts } from '../verify/verify.ts'
import { amount, type Row, seconds, shown } from './format.ts'

// Rows with the time that one request or one task takes.

export function ledgerRows(figures: Figures): Row[] {
  return [...ledgerReadNames, 'sums of 90 days, made once', 'check of the laws'].map((name) => [
    name,
    `${figures.median(name)?.toFixed(1)} ms`,
  ])
}

export function feedRows(figures: Figures): Row[] {
  const events = figures.median('feed events')?.toLocaleString('en') ?? ''
  return [
    [`among ${events} events, median`, amount(figures.median('feed median'), 'ms')],
    ['  slowest', amount(figures.median('feed slowest'), 'ms')],
  ]
}

export function searchRows(figures: Figures): Row[] {
  const kinds = searchKinds.map((kind): Row => [`for ${kind}`, amount(figures.median(`search ${kind}`), 'ms')])
  return [...kinds, ['  slowest of all', amount(figures.median('search slowest'), 'ms')]]
}

export function screenRows(figures: Figures): Row[] {
  return [
    ...screenReads.map((name): Row => [name, amount(figures.median(`screen ${name}`), 'ms')]),
    ['export of all payments', seconds(figures.median('export seconds'))],
    ['  memory beside that before, at most (PSS)', amount(figures.median('export megabytes'), 'MB')],
  ]
}

export function offerRows(figures: Figures): Row[] {
  return offerCounts.map((count) => [
    `20 of ${count.toLocaleString('en')}`,
    `${figures.median(`offers ${count}`)?.toFixed(2)} ms`,
    shown(figures.ratio(`offers ${count}`, `offers ${offerCounts[0]}`), 'the small catalogue'),
  ])
}

export function probeRows(figures: Figures): Row[] {
  return probes.flatMap(({ path }) =>
    troubles.map((trouble): Row => [`${path}, ${trouble}`, amount(figures.median(`${path} ${trouble}`), 'ms')]),
  )
}

export function verifyRows(figures: Figures): Row[] {
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

export function authorizationRows(figures: Figures): Row[] {
  return limitKinds.flatMap((kind): Row[] =>
    ['p50', 'p99'].map((share) => [
      `${kind}, ${share}`,
      amount(figures.median(`authorization ${kind} ${share}`), 'ms'),
    ]),
  )
}

export function moveRows(figures: Figures, sizes: readonly number[]): Row[] {
  const named = (most: number) => Math.min(most, ...sizes).toLocaleString('en')
  return [
    [`history from files, ${named(historyRows)} rows`, amount(figures.median('history rows'), 'rows/s')],
    [`export of ${named(movedPayments)} payments`, seconds(figures.median('export seconds of an organisation'))],
    ['  import into a new bank, with all proofs', seconds(figures.median('import seconds of an organisation'))],
    ['  the archive', amount(figures.median('archive bytes'), 'MB', 1_000_000)],
  ]
}

export function campaignRows(figures: Figures): Row[] {
  const [, base = ''] = campaignKinds
  const memory = (part: string) => amount(figures.median(`attributions memory ${part}`), 'MB', 2 ** 20)
  return [
    ...campaignKinds.map((kind): Row => {
      const ratio =
        kind === base ? '' : shown(figures.ratio(`campaign ${kind}`, `campaign ${base}`), 'without a budget')
      return [`purchases ${kind}`, amount(figures.median(`campaign ${kind}`), '/s'), ratio]
    }),
    ['attributions, 100 a batch', amount(figures.median('attributions'), '/s')],
    ['  memory (PSS) after a tenth of a million', memory('first')],
    ['  memory (PSS) after a million', memory('last')],
  ]
}

export function kitRows(figures: Figures): Row[] {
  return [
    ['an organisation, median', amount(figures.median('kit organisation'), 'ms')],
    ['  slowest', amount(figures.median('kit organisation slowest'), 'ms')],
    [`${suiteTests} tests with one each, start included`, amount(figures.median('kit suite'), 'ms')],
    ...['purser --help', 'purser payments list'].map((name): Row => [name, amount(figures.median(name), 'ms')]),
  ]
}

export function consoleRows(figures: Figures): Row[] {
  return [
    ['a payment by the API is on screen after', amount(figures.median('console payment'), 'ms')],
    ['  slowest', amount(figures.median('console payment slowest'), 'ms')],
    [
      `longest task, scrolling ${listedPayments.toLocaleString('en')} payments`,
      amount(figures.median('console task'), 'ms'),
    ],
  ]
}
