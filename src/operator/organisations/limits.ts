import type { Limit, PaymentLimits } from '../../banking/accounts/account-limits.ts'
import { MAX_CENTS } from '../../base/cents.ts'
import { visitDatabase } from '../../database/visit.ts'
import { getOrganisationLimits, setOrganisationLimits } from '../../providers/builtin/limits/organisation-limits.ts'
import { type OperatorCommand, readArguments, UsageError } from '../command.ts'
import { tableOf } from '../table.ts'
import { requireOwner } from './cells.ts'
import { USAGE } from './usage.ts'

const periods = ['payment', 'day', 'month'] as const
const text = { type: 'string' } as const
const options = {
  ...Object.fromEntries(periods.flatMap((period) => [`${period}-soft`, `${period}-hard`]).map((name) => [name, text])),
  none: { type: 'boolean' } as const,
}

/** Shows the limits of an organisation, or replaces them, whether the service runs or not. */
export const limits: OperatorCommand = (args) => {
  const { values, positionals } = readArguments(args, USAGE, { options, words: 1 })
  const [name = ''] = positionals
  const given = limitsIn(values)
  if (values.none === true && given) throw new UsageError(`--none takes no limits\n${USAGE}`)
  return async ({ config, out, closers }) => {
    const { place } = await requireOwner(config(), name, closers)
    const found = await visitDatabase(
      place,
      async (database) => {
        if (values.none === true || given) await setOrganisationLimits(database, name, given ?? null)
        return getOrganisationLimits(database, name)
      },
      closers,
    )
    out.result({ organisation: name, limits: found }, found ? textOf(found) : `${name} has no limits`)
  }
}

/** The limits that the options name; undefined where they name none. */
function limitsIn(values: Record<string, string | boolean | undefined>): PaymentLimits | undefined {
  const limitOf = (period: string): Limit => {
    const [soft, hard] = ['soft', 'hard'].map((kind) => centsIn(`${period}-${kind}`, values)) as [
      Limit['soft'],
      Limit['hard'],
    ]
    if (soft !== null && hard !== null && soft > hard)
      throw new UsageError(`--${period}-soft is above --${period}-hard`)
    return { soft, hard }
  }
  const limits = { payment: limitOf('payment'), day: limitOf('day'), month: limitOf('month') }
  const isEmpty = Object.values(limits).every(({ soft, hard }) => soft === null && hard === null)
  return isEmpty ? undefined : limits
}

function centsIn(name: string, values: Record<string, string | boolean | undefined>): number | null {
  const value = values[name]
  if (typeof value !== 'string') return null
  const cents = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN
  if (!(cents <= MAX_CENTS)) throw new UsageError(`--${name} takes a number of cents`)
  return cents
}

/** The limits as a table in dollars. */
function textOf({ used, ...limits }: PaymentLimits & { used: { day: number; month: number } }): string {
  const rows = periods.map((period) => ({
    period,
    soft: limits[period].soft ?? 'none',
    hard: limits[period].hard ?? 'none',
    used: period === 'payment' ? '' : used[period],
  }))
  const headings = { period: 'PERIOD', soft: 'SOFT', hard: 'HARD', used: 'USED' }
  const members = { money: ['soft', 'hard', 'used'], right: ['soft', 'hard'] }
  return tableOf(rows, headings, Number.POSITIVE_INFINITY, members).lines.join('\n')
}
