import { type Static, Type } from 'typebox'
import { Amount } from '../../base/cents.ts'
import { parseInstant } from '../../base/clock.ts'
import type { Fault } from '../../base/fault.ts'
import { Id } from '../../base/ids.ts'
import { invalidRequest } from '../../base/problem.ts'
import type { Rule } from '../../base/rules.ts'
import { described, Tags, Text } from '../../base/text.ts'
import { directions, paymentSecCodes } from '../payments/payment.ts'
import { bankingWrite } from '../provider.ts'
import {
  closedDayRules,
  Day,
  Days,
  intervals,
  missingMoneyRules,
  RecurringPayment,
  RetryDays,
  returnRules,
} from './recurring-payment.ts'

const common = {
  accountId: Id('account', 'The account that pays, or that a debit collects money for'),
  amount: described(Amount, 'Amount of each payment, in cents'),
  interval: Type.Enum([...intervals], { description: 'How often it pays; `Once` is a payment on a future date' }),
  startDate: Day('Day from which on it pays, in Eastern time: today or a later day', '2099-02-01'),
  endDate: Type.Optional(Day('Last day on which a payment may be due', '2099-12-31')),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: 'Number of due dates' })),
  days: Type.Optional(Days),
  onClosedDay: Type.Optional(
    Type.Enum([...closedDayRules], {
      description:
        'On a weekend or a bank holiday: pay on the banking day `Before` or, by default, `After`, or `AsItComes`',
    }),
  ),
  onMissingMoney: Type.Optional(
    Type.Enum([...missingMoneyRules], {
      description: 'If money is missing: `Skip` the due date, by default, `Retry` on the next days, or `Stop` for good',
    }),
  ),
  retryDays: Type.Optional(RetryDays),
  onReturn: Type.Optional(
    Type.Enum([...returnRules], {
      description: 'When a payment is returned: `Stop` for good, by default, or `GoOn`',
    }),
  ),
}
const rules = {
  'x-rules': [
    { rule: 'atMostOne', members: ['endDate', 'count'] },
    { rule: 'schedule', members: ['interval', 'startDate', 'endDate', 'days', 'onMissingMoney', 'retryDays'] },
  ] satisfies Rule[],
}

const RecurringAchPayment = Type.Object(
  {
    type: Type.Literal('achPayment', { description: 'Payments to or from an external account' }),
    ...common,
    counterpartyAccountId: Id(
      'externalAccount',
      'The external account to pay or to collect from, of the same customer',
    ),
    direction: Type.Optional(
      Type.Enum([...directions], { description: '`Credit`, by default, sends money; `Debit` collects it' }),
    ),
    description: Text(1, 10, { description: 'Purpose that the statement of the payee shows', examples: ['Rent'] }),
    addenda: Type.Optional(Text(1, 80, { description: 'Further text for the payee', examples: ['Invoice 1'] })),
    tags: Type.Optional(Tags),
    sameDay: Type.Optional(Type.Boolean({ description: 'Asks for settlement on the day of the next cut-off' })),
    secCode: Type.Optional(Type.Enum([...paymentSecCodes], { description: 'SEC code of the ACH entries' })),
  },
  { $id: 'RecurringAchPayment', description: 'A recurring payment by ACH', ...rules },
)
const RecurringBookPayment = Type.Object(
  {
    type: Type.Literal('bookPayment', { description: 'Book transfers within the bank' }),
    ...common,
    toAccountId: Id('account', 'The account that receives the money, of any customer of the organisation'),
    description: Text(1, 50, { description: 'Purpose that both accounts show', examples: ['Savings'] }),
  },
  { $id: 'RecurringBookPayment', description: 'A recurring book transfer', ...rules },
)
const CreateRecurringPaymentBody = Type.Union([RecurringAchPayment, RecurringBookPayment], {
  description: 'The recurring payment, by ACH or within the bank',
  discriminator: { propertyName: 'type' },
})

/** Either kind of recurring payment: with an external account, or with an account that receives the money. */
export type CreateRecurringPaymentInput = Omit<Static<typeof RecurringAchPayment>, 'type' | 'counterpartyAccountId'> & {
  type: 'achPayment' | 'bookPayment'
  counterpartyAccountId?: string
  toAccountId?: string
}

/** Extension. Creates a payment that is made by itself on the due dates of a schedule. */
export const createRecurringPayment = bankingWrite({
  id: 'createRecurringPayment',
  resource: 'recurringPayments',
  verb: 'create',
  path: '/v0/banking/recurring-payments',
  summary: 'Create recurring payment',
  description:
    'Pays by itself on the due dates of a schedule: by ACH to an external account, collected from there (`direction` `Debit`, with a mandate), or as a book transfer (`type` `bookPayment`). Each run makes a payment with `recurringPaymentId` at 09:00 Eastern time, refused and reviewed as `createPayment` would; nothing is held before.\n\nIt is refused as its first payment would be today, except that money may be missing; a `startDate` before today is `invalid_request`. An account has at most 1,000 that have not ended (`too_many_recurring_payments`).\n\n`recurringPayment.created` follows, then for each due date `recurringPayment.runSucceeded` with `payment.created`, `runSkipped` or `runFailed`, and before a retry `runWaiting`; at the end `recurringPayment.completed` or `stopped`.',
  status: 201,
  body: CreateRecurringPaymentBody,
  data: RecurringPayment,
  problems: [
    'account_not_found',
    'account_not_open',
    'account_closed',
    'external_account_not_found',
    'same_account',
    'external_account_not_debitable',
    'debit_not_permitted',
    'mandate_missing',
    'sec_code_not_allowed',
    'invalid_routing_number',
    'amount_over_rail_limit',
    'reserved_description',
    'too_many_recurring_payments',
  ],
  run: async ({ bank, write }, { body }) => {
    const faults = faultsIn(body)
    if (faults.length > 0) throw invalidRequest(faults)
    return bank.createRecurringPayment(write, body)
  },
})

/** Rules between members that schemas do not say. */
function faultsIn(input: CreateRecurringPaymentInput): Fault[] {
  const { interval, startDate, endDate, days, retryDays, onMissingMoney } = input
  const faults: Fault[] = []
  const fault = (member: string, code: string, message: string) => faults.push({ pointer: `/${member}`, code, message })
  for (const [member, date] of Object.entries({ startDate, endDate })) {
    if (date !== undefined && parseInstant(date) === undefined)
      fault(member, 'bad_format', `${member} is no day of the calendar`)
  }
  if (endDate !== undefined && endDate < startDate) fault('endDate', 'out_of_range', 'endDate is before startDate')
  const wanted = { Monthly: 1, TwiceAMonth: 2 }[interval as string] ?? 0
  if (days !== undefined && days.length !== wanted) fault('days', 'out_of_range', daysText[wanted] ?? '')
  const [first = 1, second = 31] = days ?? []
  if (wanted === 2 && (first >= second || first > 27)) {
    fault('days', 'out_of_range', 'days must be two days in their order, the first at most 27')
  }
  if (retryDays !== undefined && onMissingMoney !== 'Retry') {
    fault('retryDays', 'unknown', 'retryDays needs onMissingMoney Retry')
  }
  return faults
}

const daysText = ['days need the interval Monthly or TwiceAMonth', 'Monthly has one day', 'TwiceAMonth has two days']
