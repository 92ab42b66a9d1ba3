import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { AmountFilter, amountOrder, countQuery, cursorQuery, cursorRule, sinceUntil } from '../../base/page.ts'
import { invalidRequest } from '../../base/problem.ts'
import { Instant, isCleanText, SearchText } from '../../base/text.ts'
import { bankingRead } from '../provider.ts'
import { Direction, ListedPayment, paymentStatuses } from './payment.ts'

const ListPaymentsFilter = Type.Object(
  {
    paymentId: Type.Optional(Id('payment', 'Only the payment with this id')),
    accountId: Type.Optional(Id('account', 'Only payments of this account')),
    customerId: Type.Optional(Id('customer', 'Only payments of this customer')),
    counterpartyAccountId: Type.Optional(Id('externalAccount', 'Only payments to this external account')),
    tags: Type.Optional(
      Type.String({
        description: 'A JSON object of tags; every one must match',
        contentMediaType: 'application/json',
        contentSchema: { type: 'object', additionalProperties: { type: 'string' } },
        examples: ['{"purpose":"rent"}'],
      }),
    ),
    status: Type.Optional(
      Type.Array(Type.Enum([...paymentStatuses]), { description: 'Only payments in one of these states' }),
    ),
    type: Type.Optional(
      Type.Array(Type.Enum(['achPayment', 'bookPayment']), {
        default: ['achPayment'],
        description: 'Only payments of these types',
      }),
    ),
    direction: Type.Optional(
      Type.Array(Direction, {
        description: '`Credit` sends money to the counterparty, `Debit` collects it from there',
      }),
    ),
    ...sinceUntil,
    returnedSince: Type.Optional(
      Instant({ description: 'Only payments returned then or later', examples: ['2026-02-03'] }),
    ),
    fromAmount: Type.Optional(AmountFilter('Only payments of at least this amount, in cents')),
    toAmount: Type.Optional(AmountFilter('Only payments of at most this amount, in cents')),
    search: Type.Optional(
      SearchText(
        'Only payments whose description or counterparty has these words, in any letter case; the last one may be the beginning of a word. Among the newest 10,000 of the organisation, or of each account if you name an account, a customer or an external account. `since` and `until` move this window',
      ),
    ),
    recurringPaymentId: Type.Optional(Id('recurringPayment', 'Only payments of this recurring payment')),
    paymentFeature: Type.Optional(
      Type.Enum(['SameDay', 'RecurringPayment'], { description: 'Only payments with this feature' }),
    ),
    ...cursorQuery,
    ...countQuery,
  },
  { 'x-rules': [amountOrder, cursorRule] },
)
export type ListPaymentsQuery = Omit<Static<typeof ListPaymentsFilter>, 'tags'> & {
  tags: Record<string, string> | undefined
}

/** B10. Lists payments, newest first. Without `type`, only ACH payments. */
export const listPayments = bankingRead({
  id: 'listPayments',
  resource: 'payments',
  verb: 'list',
  number: 'B10',
  path: '/v0/banking/payments',
  summary: 'List payments',
  description:
    'Lists the payments of the organisation, newest first. Without `type` only ACH payments are listed, unless recurring ones are asked for. Filters combine; a filter with several words finds payments that match any of them. An id that names nothing finds nothing.\n\n`paymentFeature=SameDay` finds payments that settle on the day on which they leave. `recurringPaymentId` finds those that the runs of one recurring payment made, and `paymentFeature=RecurringPayment` those of all, book transfers included unless `type` is given. `returnedSince` looks at the newest 10,000 returns.',
  fromStandby: true,
  query: ListPaymentsFilter,
  data: Type.Array(ListedPayment),
  problems: [],
  run: async ({ bank, caller }, { query: { tags, ...query } }) => {
    return bank.listPayments(caller, { ...query, tags: tags === undefined ? undefined : parseTags(tags) })
  },
})

function parseTags(text: string): Record<string, string> {
  let tags: unknown
  try {
    tags = JSON.parse(text)
  } catch {
    tags = undefined
  }
  const isObject = typeof tags === 'object' && tags !== null && !Array.isArray(tags)
  const isClean = (text: unknown) => typeof text === 'string' && isCleanText(text)
  if (
    !isObject ||
    !Object.entries(tags as object)
      .flat()
      .every(isClean)
  ) {
    const message = 'tags must be a JSON object with strings as values'
    throw invalidRequest([{ parameter: 'tags', code: 'bad_format', message }])
  }
  return tags as Record<string, string>
}
