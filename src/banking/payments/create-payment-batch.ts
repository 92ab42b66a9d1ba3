import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import type { BatchOrder } from '../../base/operation.ts'
import { bankingBatch } from '../provider.ts'
import { CreatePaymentBody, type CreatePaymentInput, createPayment } from './create-payment.ts'
import { Payment } from './payment.ts'

const BatchedPayment = Type.Object(
  {
    accountId: Id('account', 'The account that pays'),
    idempotencyKey: Type.Optional(
      Type.String({
        pattern: '^[!-~]{1,255}$',
        minLength: 1,
        maxLength: 255,
        description:
          'The idempotency key of this payment; by default the key of the request, `/` and the place in the list',
        examples: ['rent-2026-11-ada'],
      }),
    ),
    ...CreatePaymentBody.properties,
  },
  {
    $id: 'BatchedPayment',
    description: 'A payment of a batch: the body of createPayment, its account, and its own key',
  },
)

const ItemFault = Type.Object(
  {
    pointer: Type.Optional(Type.String({ description: 'The member of the item', examples: ['/amount'] })),
    code: Type.String({ description: 'Kind of fault; stable', examples: ['minimum'] }),
    message: Type.String({ description: 'The fault in a sentence; may change between versions' }),
  },
  { $id: 'ItemFault', description: 'One fault of a payment of a batch' },
)

const ItemLimit = Type.Object(
  {
    scope: Type.Enum(['account', 'organisation'], { description: 'Whose limit it is' }),
    period: Type.Enum(['payment', 'day', 'month'], {
      description: 'Whether it limits one payment, or the payments of a UTC day or month in bank time',
    }),
    limit: Type.Integer({ description: 'The limit in cents', examples: [100_000] }),
    left: Type.Integer({ description: 'The rest of it in cents', examples: [2_500] }),
  },
  { $id: 'ItemLimit', description: 'The limit that a payment of a batch would exceed (`limit_exceeded`)' },
)

const BatchOutcome = Type.Object(
  {
    idempotencyKey: Type.Union([Type.String(), Type.Null()], {
      description: 'The idempotency key of the payment; null if neither it nor the request has one',
      examples: ['november/0'],
    }),
    status: Type.Integer({ description: 'The status that createPayment would answer with', examples: [201] }),
    payment: Type.Optional(Payment),
    problem: Type.Optional(
      Type.Object(
        {
          type: Type.String({ description: 'Address of the description of the code' }),
          title: Type.String({ description: 'Short text for people' }),
          status: Type.Integer({ description: 'The same as the status beside the problem' }),
          detail: Type.String({ description: 'The reason in a sentence; may change between versions' }),
          code: Type.String({ description: 'Stable code', examples: ['insufficient_funds'] }),
          requestId: Type.String({ description: 'Id of the request, for support' }),
          errors: Type.Optional(
            Type.Array(ItemFault, { description: 'The faults of the item; pointers begin at the item' }),
          ),
          limit: Type.Optional(ItemLimit),
        },
        { description: 'Why there is no payment, in the form of a refusal of createPayment' },
      ),
    ),
  },
  { $id: 'BatchOutcome', description: 'The outcome of a payment of a batch: the payment, or the problem' },
)

const MAX_BATCH = 1_000

/** Extension. Makes up to 1,000 payments, each as createPayment would. */
export const createPaymentBatch = bankingBatch({
  id: 'createPaymentBatch',
  resource: 'payments',
  verb: 'createBatch',
  path: '/v0/banking/payments/batch',
  summary: 'Create payment batch',
  description:
    'Makes 1 to 1,000 payments from any accounts of the organisation in one request. Each payment stands alone, as if sent by createPayment: some may succeed while others fail. The answer is 200 with an outcome for each payment, in the order of the request: its `status` with the `payment` or the `problem`. An invalid payment has its own problem; only a wrong envelope (no list, no or too many payments, other members, a body above 10 MiB) refuses the whole request. The payments of one account are made in the order of the list. If the operator’s screening, a service that checks names, is asked about one of them, later ones of that account wait for its answer, and those of other accounts do not.\n\nEach payment has its own idempotency key: `idempotencyKey` in the item or, without one, the key of the request followed by `/` and the place in the list, counted from 0. The key of the request then has at most 250 characters. Keys are shared with createPayment: the same key and content return the first payment, and the same key with other content is refused with `idempotency_key_reused`. Nothing is stored for the batch itself. If its answer is lost, send it again to learn the outcomes.\n\nA batch counts as one write for the rate limit. Batches of up to 2,000 payments of one organisation, and 4,000 of all together, run at a time; others wait. A payment that finds no room in the queue, or is not started within ten seconds, has the problem `unavailable` and can be sent again with its key. The events are those of createPayment.',
  showsNumber: true,
  bodyLimit: 10 * 1024 * 1024,
  maxValues: 100_000,
  body: Type.Object(
    {
      payments: Type.Array(BatchedPayment, {
        minItems: 1,
        maxItems: MAX_BATCH,
        'x-each': true,
        description: 'The payments; those of one account are made in this order',
      }),
    },
    { description: 'The payments to make' },
  ),
  data: Type.Array(BatchOutcome, { description: 'The outcomes, in the order of the request' }),
  problems: [],
  batch: { each: createPayment, list: 'payments', shown: 'payment' },
  run: ({ bank }, orders: BatchOrder<CreatePaymentInput, Payment>[]) => bank.createPaymentBatch(orders),
})
