import { achStretches } from '../ach/ach.ts'
import { intakeAccounts } from '../ach/intake.ts'
import type { Figures } from '../figures.ts'
import { growthConnections, growthReads } from '../growth/growth.ts'
import { amount, type Row, seconds, shown } from './format.ts'

// Rows about payments while the bank does other work, or holds many payments already.

/** Figures of each number of stored payments, each against the smallest. */
export function growthRows(figures: Figures, sizes: number[]): Row[] {
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
    ...rowsOf('pruned rows', 'old rows deleted', plain('/s')),
    ...rowsOf('slowest before', 'slowest payment without that', ms),
    ...rowsOf('slowest during', 'slowest payment meanwhile', ms),
  ]
}

/** The payments of one cut-off in each stretch of their way, and the slowest of those that are made meanwhile. */
export function achRows(figures: Figures): Row[] {
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

/** The runs of one moment, and the single payments beside them. */
export function recurringRows(figures: Figures): Row[] {
  const p99 = (name: string) => amount(figures.median(`recurring ${name} p99`), 'ms')
  return [
    ['runs', amount(figures.median('recurring rate'), '/s')],
    ['  CPU time a run, service and database', amount(figures.median('recurring cpu'), 'µs')],
    ['p99 of single payments before', p99('before')],
    ['p99 of single payments meanwhile', p99('runs')],
  ]
}

/** Large files of one organisation, by the number of accounts that their entries are for. */
export function intakeRows(figures: Figures): Row[] {
  return intakeAccounts.flatMap((accounts): Row[] => {
    const of = (what: string) => figures.median(`intake ${accounts} ${what}`)
    return [
      [
        `entries of ${accounts === 1 ? 'one account' : `${accounts.toLocaleString('en')} accounts`}`,
        amount(of('rate'), '/s'),
      ],
      ['  CPU time an entry, service and database', amount(of('cpuMs'), 'ms')],
      ['  slowest file of another organisation, with one entry', amount(of('slowestMs'), 'ms')],
      ['  slowest answer of /livez', amount(of('pulseMs'), 'ms')],
    ]
  })
}
