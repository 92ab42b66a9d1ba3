import { type Static, Type } from 'typebox'
import { Timestamp, Word } from '../base/text.ts'
import { RecordReference } from '../events/audit/audit-entry.ts'
import { toolsRead } from './tools.ts'

const attentionKinds = [
  'failingEndpoints',
  'waitingProposals',
  'returnedPayments',
  'reviewedPayments',
  'reviewedApplications',
  'reviewedExternalAccounts',
  'overSettlements',
  'railExceptions',
  'openDays',
  'openItems',
  'railHeld',
  'returnRates',
  'nearLimits',
  'ledgerCheck',
] as const
export type AttentionKind = (typeof attentionKinds)[number]

const AttentionOperation = Type.Object(
  {
    id: Type.String({ description: 'Id of the operation', examples: ['listPayments'] }),
    path: Type.String({
      description: 'Path of the request, with the filters',
      examples: ['/v0/banking/payments?status=PendingReview'],
    }),
    input: Type.Record(
      Type.String(),
      Type.Union([Type.String(), Type.Integer(), Type.Boolean(), Type.Array(Type.String())]),
      {
        description: 'The filters, by the names of the parameters',
        examples: [{ status: ['PendingReview'] }],
      },
    ),
  },
  { $id: 'AttentionOperation', description: 'The call that lists what needs attention' },
)

export const AttentionItem = Type.Object(
  {
    kind: Word(attentionKinds, {
      description:
        'Kind of the item. The latest attempt of `failingEndpoints` was not accepted; at least 80 % of `nearLimits` are used',
    }),
    level: Type.Enum(['urgent', 'soon', 'inOrder'], {
      description: '`urgent` is wrong now, `soon` waits for a person, `inOrder` is fine',
    }),
    words: Type.String({
      description: 'The item as a sentence',
      examples: ['2 payments wait for a review, $125.00 in all'],
    }),
    cause: Type.Union([Type.String(), Type.Null()], { description: 'Why, in words', examples: ['first payment'] }),
    count: Type.Integer({ minimum: 0, description: 'Number of records; at most 1,000 are counted', examples: [2] }),
    more: Type.Boolean({ description: 'Whether there are more than `count`' }),
    amount: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Sum of the amounts in cents; null for records without amounts',
      examples: [12500],
    }),
    since: Type.Union([Timestamp, Type.Null()], {
      description: 'Since when the oldest waits, in bank time (endpoints: in real time); null if not known',
    }),
    ageSeconds: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Seconds since then; null if not known',
      examples: [3600],
    }),
    records: Type.Array(RecordReference, { description: 'The first 10 records, the oldest first' }),
    operation: Type.Union([AttentionOperation, Type.Null()], {
      description: 'The operation that lists the records; null if only a command of the operator does',
    }),
    command: Type.Union([Type.String(), Type.Null()], {
      description: 'The command of the operator that shows what to do; null if an operation does',
      examples: ['purser ach exceptions'],
    }),
  },
  { $id: 'AttentionItem', description: 'Something that a person should look at' },
)
export type AttentionItem = Static<typeof AttentionItem>

/** Extension. Lists what needs a person. */
export const listAttention = toolsRead({
  id: 'listAttention',
  resource: 'attention',
  verb: 'list',
  area: 'tools',
  method: 'GET',
  path: '/v0/attention',
  summary: 'List what needs attention',
  description: `Lists what a person should look at, the most urgent first: webhook endpoints that fail, payments returned today (in UTC,
by bank time), decisions that wait for a second signature, reviews and how long they wait, exceptions of the ACH rail, a rail that is held, banking days that are not closed,
items of the settlement account without a match and an owner, return rates of debits from 80 % of their limits on, limits nearly
used, and the last check of the ledger with its age, which is always there.

Of account limits, only those of the first 1,000 accounts with limits that
paid today are checked.

Each item has a text, a count, an age, and the operation with filters that lists it. A key sees the items whose operation it may
call; exceptions and a held rail need \`banking:read\`. If a connector serves banking, only webhook endpoints are listed.`,
  status: 200,
  scope: 'any',
  data: Type.Array(AttentionItem),
  problems: [],
  run: ({ tools, ...asker }) => tools.listAttention(asker),
})
