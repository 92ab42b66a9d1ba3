import { type Static, Type } from 'typebox'
import { Amount, CentsValue } from '../../base/cents.ts'
import { RecordId } from '../../base/ids.ts'
import { CreatedAt, described, Tags, Timestamp, Word } from '../../base/text.ts'
import { directions } from '../payments/payment.ts'
import type { StateRules } from '../state-rules.ts'

export const recurringStatuses = ['Active', 'Paused', 'Completed', 'Canceled', 'Stopped'] as const
export type RecurringStatus = (typeof recurringStatuses)[number]

export const intervals = ['Once', 'Weekly', 'EveryTwoWeeks', 'TwiceAMonth', 'Monthly', 'Yearly'] as const
export const closedDayRules = ['Before', 'After', 'AsItComes'] as const
export const missingMoneyRules = ['Skip', 'Retry', 'Stop'] as const
export const returnRules = ['Stop', 'GoOn'] as const
export const runStatuses = ['Succeeded', 'Waiting', 'Skipped', 'Failed'] as const
export type RunStatus = (typeof runStatuses)[number]

/** The due dates of a recurring payment, as texts `YYYY-MM-DD`, and the rule of days on which banks are closed. */
export interface Schedule {
  interval: (typeof intervals)[number]
  startDate: string
  /** The last day on which a payment may be due. */
  endDate?: string | undefined
  /** The number of due dates. */
  count?: number | undefined
  /** Days of the month: one for Monthly, two for TwiceAMonth. A day that a month lacks is its last day. */
  days?: number[] | undefined
  onClosedDay: (typeof closedDayRules)[number]
}

/** The operations that need a recurring payment in a certain state. */
export const recurringPaymentRules = {
  pauseRecurringPayment: { from: ['Active'], to: 'Paused', otherwise: 'recurring_payment_not_active' },
  resumeRecurringPayment: { from: ['Paused'], to: 'Active', otherwise: 'recurring_payment_not_paused' },
  skipRecurringPayment: { from: ['Active', 'Paused'], otherwise: 'recurring_payment_ended' },
  changeRecurringPayment: { from: ['Active', 'Paused'], otherwise: 'recurring_payment_ended' },
  cancelRecurringPayment: { from: ['Active', 'Paused'], to: 'Canceled', otherwise: 'recurring_payment_ended' },
} as const satisfies StateRules<string, RecurringStatus>

/** A day in Eastern time, in which the banks have their days. */
export function Day(description: string, example = '2027-02-01') {
  return Type.String({
    format: 'date',
    pattern: '^\\d{4}-\\d\\d-\\d\\d$',
    description,
    examples: [example],
  })
}

export const Days = Type.Array(Type.Integer({ minimum: 1, maximum: 31, description: 'A day of the month' }), {
  minItems: 1,
  maxItems: 2,
  description:
    'Days of the month: one for `Monthly`, by default that of `startDate`; two for `TwiceAMonth`, by default 1 and 15. A day that a month lacks is its last day, so 31 is always the last one',
  examples: [[31]],
})

export const RetryDays = Type.Integer({
  minimum: 1,
  maximum: 10,
  description: 'With `Retry`, the number of days after the first try on which it is tried again; 3 by default',
})

const recordId = (description: string) => Type.Optional(RecordId(description))

const runMembers = {
  id: RecordId('Id of the run'),
  dueDate: Day('Due date by the schedule'),
  status: Word(runStatuses, {
    description:
      '`Succeeded` made the payment; `Waiting` lacks money and is tried again; `Skipped` and `Failed` made none',
  }),
  reason: Type.Union([Type.String(), Type.Null()], {
    description:
      'Why there is no payment: the code of the refusal, such as `insufficient_funds`, or `requested`, `paused`, `overdue` or `sentBeforeRestore`; null if there is one',
    examples: [null],
  }),
  amount: described(CentsValue, 'Amount in cents'),
  paymentId: recordId('The payment; absent if there is none'),
  at: described(Timestamp, 'Bank time of the last try'),
}
const LastRun = Type.Object(runMembers, { $id: 'LastRun', description: 'The last run' })
export type LastRun = Static<typeof LastRun>

export const RecurringPayment = Type.Object(
  {
    id: RecordId(),
    status: Word(recurringStatuses, {
      description:
        '`Active` pays; `Paused` skips its due dates; `Completed` is behind its last one; `Canceled` by a request; `Stopped` by a rule or because it cannot go on',
    }),
    reason: Type.Optional(
      Type.String({
        description: 'Why it is `Stopped`: the code of a refusal, or `Returned` and the code of the return. Only then',
        examples: ['insufficient_funds'],
      }),
    ),
    type: Word(['achPayment', 'bookPayment'], { description: 'The type of its payments' }),
    direction: Word(directions, { description: '`Credit` sends money, `Debit` collects it' }),
    accountId: RecordId('The account that pays, or that a debit collects money for'),
    customerId: RecordId('The owner of the account'),
    counterpartyAccountId: recordId('The external account, for an `achPayment`'),
    toAccountId: recordId('The account that receives the money, for a `bookPayment`'),
    amount: described(CentsValue, 'Amount of the next payment, in cents'),
    description: Type.String({ description: 'Purpose, which its payments have', examples: ['Rent'] }),
    addenda: Type.Optional(Type.String({ description: 'Further text for the payee', examples: ['Invoice 1'] })),
    tags: Type.Optional(Tags),
    sameDay: Type.Optional(Type.Boolean({ description: 'True if its payments ask for settlement on the same day' })),
    interval: Word(intervals, { description: 'How often it pays' }),
    startDate: Day('Day from which on it pays'),
    endDate: Type.Optional(Day('Last day on which a payment may be due')),
    count: Type.Optional(Type.Integer({ minimum: 1, description: 'Number of due dates, those without a payment too' })),
    days: Type.Optional(Days),
    onClosedDay: Word(closedDayRules, { description: 'The rule of a weekend or a bank holiday' }),
    onMissingMoney: Word(missingMoneyRules, { description: 'The rule if money is missing' }),
    retryDays: Type.Optional(RetryDays),
    onReturn: Word(returnRules, { description: 'The rule when one of its payments is returned' }),
    nextDueDate: Type.Optional(Day('The next due date; absent once it has ended')),
    nextRunAt: Type.Optional(described(Timestamp, 'Bank time of the next run, or of the next try of one')),
    runs: Type.Integer({ minimum: 0, description: 'Number of due dates that are over' }),
    lastRun: Type.Optional(LastRun),
    amountChanges: Type.Array(
      Type.Object({ from: Day('Due date from which on'), amount: described(Amount, 'Amount in cents') }),
      { description: 'Amounts of later due dates' },
    ),
    skippedDates: Type.Array(Day('A due date'), { description: 'Due dates ahead on which it does not pay' }),
    createdAt: CreatedAt,
    endedAt: Type.Union([Timestamp, Type.Null()], { description: 'Bank time of its end; null while it goes on' }),
  },
  { $id: 'RecurringPayment', description: 'A payment that is made by itself on the due dates of a schedule' },
)
export type RecurringPayment = Static<typeof RecurringPayment>

export const RecurringPaymentRun = Type.Object(
  {
    recurringPaymentId: RecordId('The recurring payment'),
    ...runMembers,
    tries: Type.Integer({ minimum: 0, description: 'Number of tries; 0 if it was skipped' }),
    createdAt: CreatedAt,
  },
  { $id: 'RecurringPaymentRun', description: 'The outcome of a due date of a recurring payment' },
)
export type RecurringPaymentRun = Static<typeof RecurringPaymentRun>

export const PlannedPayment = Type.Object(
  {
    date: Day('Day on which it is made'),
    at: described(Timestamp, 'Bank time at which it is made'),
    dueDate: Day('Due date by the schedule'),
    recurringPaymentId: RecordId('The recurring payment'),
    type: Word(['achPayment', 'bookPayment'], { description: 'The type of the payment' }),
    direction: Word(directions, { description: '`Credit` sends money, `Debit` collects it' }),
    amount: described(CentsValue, 'Amount in cents'),
    description: Type.String({ description: 'Purpose', examples: ['Rent'] }),
    isSkipped: Type.Boolean({ description: 'Whether it was skipped by a request: no payment is made' }),
  },
  { $id: 'PlannedPayment', description: 'A payment that is to be made' },
)
export type PlannedPayment = Static<typeof PlannedPayment>
