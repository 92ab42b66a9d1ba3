import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { AmountFilter, amountOrder, pageQuery, sinceUntil } from '../../base/page.ts'
import { invalidRequest } from '../../base/problem.ts'
import { isCleanText } from '../../base/text.ts'
import { bankingRead } from '../provider.ts'
import { Direction, ListedPayment, paymentStatuses } from './payment.ts'

const ListPaymentsFilter = Type.Object(
  {
    paymentId: Type.Optional(Id('payment')),
    accountId: Type.Optional(Id('account')),
    customerId: Type.Optional(Id('customer')),
    counterpartyAccountId: Type.Optional(Id('externalAccount')),
    tags: Type.Optional(
      Type.String({
        description: 'A JSON object of tags; every one must match',
        contentMediaType: 'application/json',
        contentSchema: { type: 'object', additionalProperties: { type: 'string' } },
        examples: ['{"purpose":"rent"}'],
      }),
    ),
    status: Type.Optional(Type.Array(Type.Enum([...paymentStatuses]))),
    type: Type.Optional(Type.Array(Type.Enum(['achPayment', 'bookPayment']), { default: ['achPayment'] })),
    direction: Type.Optional(Type.Array(Direction)),
    ...sinceUntil,
    fromAmount: Type.Optional(AmountFilter('Smallest amount to return')),
    toAmount: Type.Optional(AmountFilter('Largest amount to return')),
    recurringPaymentId: Type.Optional(Id('recurringPayment')),
    paymentFeature: Type.Optional(Type.Enum(['SameDay', 'RecurringPayment'])),
    ...pageQuery,
  },
  { 'x-rules': [amountOrder] },
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
  area: 'banking',
  method: 'GET',
  path: '/v0/banking/payments',
  summary: 'List payments',
  status: 200,
  scope: 'banking:read',
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
