import { type Static, Type } from 'typebox'
import { described, Timestamp, Word } from '../../base/text.ts'

export const rateKinds = ['unauthorized', 'administrative', 'all'] as const
export type RateKind = (typeof rateKinds)[number]

/** Return codes of a rate. All codes count for the last one. */
export const rateCodes: Record<Exclude<RateKind, 'all'>, string[]> = {
  unauthorized: ['R05', 'R07', 'R10', 'R11', 'R29', 'R51'],
  administrative: ['R02', 'R03', 'R04'],
}

/** The limits of the ACH rules, in hundredths of a percent. */
const limits: Record<RateKind, number> = { unauthorized: 50, administrative: 3_00, all: 15_00 }

/** Rates from which on new debits are refused, in hundredths of a percent. Absent if none are. */
export type StopRates = Partial<Record<RateKind, number | undefined>>

/** The debits of a period that left, and the returns that came in it. */
export interface DebitCounts {
  debits: number
  unauthorized: number
  administrative: number
  all: number
}

export const RATE_DAYS = 60
/** Debits from which on a rate says something. */
const RATED_DEBITS = 50
/** The part of a limit from which on a rate is a warning. */
const WARNING = 0.8

const whole = (description: string) => Type.Integer({ minimum: 0, description })

const ReturnRate = Type.Object(
  {
    kind: Word(rateKinds, {
      description: '`unauthorized` (R05, R07, R10, R11, R29, R51), `administrative` (R02, R03, R04) or `all` returns',
    }),
    returns: whole('Debits that were returned with such a code'),
    rate: whole('Their part of the debits, in hundredths of a percent'),
    limit: whole('Limit of the ACH rules, in hundredths of a percent'),
    stopAt: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Rate from which on new debits are refused, in hundredths of a percent; null for none',
    }),
    status: Word(['Normal', 'Warning', 'Over', 'Stopped'], {
      description: `\`Warning\` from 80 % of the limit on, \`Over\` above it, \`Stopped\` from \`stopAt\` on; \`Normal\` below ${RATED_DEBITS} debits`,
    }),
  },
  { $id: 'ReturnRate', description: 'The rate of some returns of debits' },
)
export type ReturnRate = Static<typeof ReturnRate>

const counted = { debits: whole('Debits that have left'), rates: Type.Array(ReturnRate, { description: 'The rates' }) }

const CompanyRates = Type.Object(
  {
    companyId: Type.String({ description: 'Company identification of the batches', examples: ['1812345678'] }),
    companyName: Type.String({ description: 'Company name of the batches', examples: ['EXAMPLE APP'] }),
    ...counted,
  },
  { $id: 'CompanyReturnRates', description: 'The return rates of a company' },
)

export const ReturnRates = Type.Object(
  {
    since: described(Timestamp, 'Beginning of the 60 days, in bank time'),
    until: described(Timestamp, 'Their end: now, in bank time'),
    ...counted,
    companies: Type.Array(CompanyRates, { description: 'The same by company, of debits that are in ACH files' }),
  },
  { $id: 'ReturnRates', description: 'How many debits of 60 days were returned' },
)
export type ReturnRates = Static<typeof ReturnRates>

export function ratesOf(counts: DebitCounts, stops: StopRates): ReturnRate[] {
  return rateKinds.map((kind) => {
    const returns = counts[kind]
    const rate = counts.debits === 0 ? 0 : Math.round((returns * 10_000) / counts.debits)
    const [limit, stopAt] = [limits[kind], stops[kind] ?? null]
    return { kind, returns, rate, limit, stopAt, status: statusOf(counts, { returns, limit, stopAt }) }
  })
}

/** Compared without rounding. */
function statusOf(
  { debits }: DebitCounts,
  { returns, limit, stopAt }: Pick<ReturnRate, 'returns' | 'limit' | 'stopAt'>,
): ReturnRate['status'] {
  const reaches = (rate: number) => returns * 10_000 >= rate * debits
  if (debits < RATED_DEBITS) return 'Normal'
  if (stopAt !== null && returns > 0 && reaches(stopAt)) return 'Stopped'
  if (returns * 10_000 > limit * debits) return 'Over'
  return reaches(limit * WARNING) ? 'Warning' : 'Normal'
}

/** The first rate that stops new debits; undefined if none does. */
export function stoppedBy(counts: DebitCounts, stops: StopRates): ReturnRate | undefined {
  return ratesOf(counts, stops).find(({ status }) => status === 'Stopped')
}

/** The part of the limit of a kind that returns reach; 0 for too few debits. */
export function partOfLimit(counts: DebitCounts, kind: RateKind): number {
  return counts.debits < RATED_DEBITS ? 0 : (counts[kind] * 10_000) / counts.debits / limits[kind]
}
