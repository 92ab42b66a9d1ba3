import { type Static, Type } from 'typebox'
import { CentsValue } from '../../base/cents.ts'
import { RecordId } from '../../base/ids.ts'
import type { StopRates } from '../ach/return-rates.ts'

/** A limit of payments in cents: above `soft` a payment waits for a review, above `hard` it is refused. */
export interface Limit {
  soft: number | null
  hard: number | null
}

/** Limits of one payment, and of the payments of a UTC day and month in bank time together. */
export interface PaymentLimits {
  payment: Limit
  day: Limit
  month: Limit
}

interface GivenLimit {
  soft?: number | null
  hard?: number | null
}

/** Limits in the order in which answers, events and commands have them, with null in the place of those that are not given. */
export function limitsOf({ payment, day, month }: Partial<Record<keyof PaymentLimits, GivenLimit>>): PaymentLimits {
  const limitOf = ({ soft = null, hard = null }: GivenLimit = {}): Limit => ({ soft, hard })
  return { payment: limitOf(payment), day: limitOf(day), month: limitOf(month) }
}

const nullable = (description: string) => Type.Union([CentsValue, Type.Null()], { description })

const limitMembers = {
  soft: nullable('Above this amount a payment waits for a review; null for none'),
  hard: nullable('Above this amount a payment is refused; null for none'),
}
const used = nullable('Amount of the payments of the period so far; null if there are no limits')

/** Two limits of a period in cents, and what is used of it. */
const periodLimit = ($id: string, description: string) => Type.Object({ ...limitMembers, used }, { $id, description })

const paymentLimits = {
  payment: Type.Object(limitMembers, { $id: 'PaymentLimit', description: 'Limits of one payment' }),
  day: periodLimit('DayLimit', 'Limits of the payments of a day, from midnight UTC in bank time'),
  month: periodLimit('MonthLimit', 'Limits of the payments of a month, from its first midnight UTC in bank time'),
}

/** Banking days from the settlement of a debit to its credit, and the amount of debits that may be credited before that. */
export interface DebitTerms {
  clearingDays: number
  earlyAvailability: number
  /** Whether the return of a debit blocks outgoing payments of the account. */
  blockOnReturn: boolean
}

/** The terms of all accounts, the return rates from which on new debits are refused, and retries without a request. */
export interface DebitSettings extends DebitTerms {
  /** Absent if none stops them. */
  stopAt?: StopRates | undefined
  /** The same for the debits of all organisations that send as one company. */
  companyStopAt?: StopRates | undefined
  /** Banking days after the first and the second return for missing money at which a debit is presented again. Absent if it is not. */
  retryAfter?: number[] | undefined
}

/** The limits of the debits of an account, and its own terms; null for those of the settings. */
export interface DebitLimits extends PaymentLimits {
  dayCount: number | null
  clearingDays: number | null
  earlyAvailability: number | null
  /** Absent if the setting applies. */
  blockOnReturn?: boolean
}

const nullableCount = (description: string) =>
  Type.Union([Type.Integer({ minimum: 0, description }), Type.Null()], { description })

const DebitLimits = Type.Object(
  {
    payment: Type.Object(limitMembers, { $id: 'DebitLimit', description: 'Limits of one debit' }),
    day: periodLimit('DebitDayLimit', 'Limits of the debits of a day, from midnight UTC in bank time'),
    month: periodLimit('DebitMonthLimit', 'Limits of the debits of a month, from its first midnight UTC in bank time'),
    dayCount: nullableCount('Debits of a day, more are refused; null for no limit'),
    clearingDays: nullableCount('Banking days from the settlement of a debit to its credit; null for the setting'),
    earlyAvailability: nullable(
      'Amount of debits that may be credited at their settlement, ahead of the clearing days; null for the setting',
    ),
    blockOnReturn: Type.Optional(
      Type.Boolean({
        description: 'Whether the return of a debit blocks outgoing payments of the account; absent for the setting',
      }),
    ),
  },
  { $id: 'DebitLimits', description: 'The limits and terms of payments that collect money' },
)

/** The limits of an account. */
export const AccountLimits = Type.Object(
  {
    id: RecordId('Id of the account'),
    ...paymentLimits,
    overdraft: nullable(
      'Amount by which payments and card purchases may overdraw the account; null for the setting of the operator',
    ),
    debits: Type.Optional(DebitLimits),
  },
  { $id: 'AccountLimits', description: 'The limits of an account' },
)
export type AccountLimits = Static<typeof AccountLimits>

/** The limits of all payments of an organisation together, which the operator sets. */
export const OrganisationLimits = Type.Object(
  { id: RecordId('Id of the organisation'), ...paymentLimits },
  { $id: 'OrganisationLimits', description: 'The limits of all payments of an organisation together' },
)
export type OrganisationLimits = Static<typeof OrganisationLimits>
