import type { OptionValues } from '../../../ground/command-call.ts'
import { UsageError } from '../../../ground/failure.ts'
import { tableText } from '../../../ground/table.ts'
import { getOrganisationLimits, setOrganisationLimits } from '../../bank/limits/organisation-limits.ts'
import type { Limit, PaymentLimits } from '../../banking/accounts/account-limits.ts'
import { MAX_CENTS } from '../../base/cents.ts'
import { requireOwner } from '../../cells/visit.ts'
import { visitDatabase } from '../../database/visit.ts'
import type { OperatorCommand } from '../command.ts'

const periods = ['payment', 'day', 'month'] as const

/** Shows the limits of an organisation, or replaces them, whether the service runs or not. */
export const limits: OperatorCommand = async ({ args: [name = ''], options, config, out, closers }) => {
  const given = limitsIn(options)
  if (options.none === true && given) throw new UsageError('--none takes no limits')
  const { place } = await requireOwner(config(), name, closers)
  const found = await visitDatabase(
    place,
    async (database) => {
      if (options.none === true || given) await setOrganisationLimits(database, name, given ?? null)
      return getOrganisationLimits(database, name)
    },
    closers,
  )
  out.result({ organisation: name, limits: found }, found ? textOf(found) : `${name} has no limits`)
}

/** The limits that the options name; undefined if they name none. */
function limitsIn(options: OptionValues): PaymentLimits | undefined {
  const limitOf = (period: string): Limit => {
    const [soft, hard] = (['Soft', 'Hard'] as const).map((kind) => centsIn(period, kind, options)) as [
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

function centsIn(period: string, kind: 'Soft' | 'Hard', options: OptionValues): number | null {
  const value = options[`${period}${kind}`]
  if (typeof value !== 'string') return null
  const cents = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN
  if (!(cents <= MAX_CENTS)) throw new UsageError(`--${period}-${kind.toLowerCase()} takes a number of cents`)
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
  return tableText(rows, headings, members)
}
