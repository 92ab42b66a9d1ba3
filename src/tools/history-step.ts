import { type Static, Type } from 'typebox'
import { LedgerTransfer } from '../accounting/ledger-transfer.ts'
import { described, Timestamp } from '../base/text.ts'
import { RecordReference } from '../events/audit/audit-entry.ts'
import { Delivery } from '../webhooks/deliveries/delivery.ts'

const nullableText = (description: string, examples?: string[]) =>
  Type.Union([Type.String(), Type.Null()], { description, ...(examples && { examples }) })

const HistoryKey = Type.Object(
  {
    id: Type.String({ description: 'Id of the API key; for a person, that of the seat', examples: ['1000002'] }),
    name: Type.String({ description: 'Name of the API key or the person', examples: ['Back office'] }),
    personId: nullableText('Id of the person; null for an API key'),
  },
  { $id: 'HistoryKey', description: 'The API key or the person of a request' },
)

const HistoryRequest = Type.Object(
  {
    id: Type.String({
      description: 'Id of the entry, which `GET /v0/requests/:id` shows',
      examples: ['req_1000001_1794835200000001_k3f9q2'],
    }),
    method: Type.String({ description: 'HTTP method', examples: ['POST'] }),
    path: Type.String({
      description: 'Path without the query string',
      examples: ['/v0/banking/accounts/1000042/payments'],
    }),
    operation: Type.String({ description: 'Id of the operation', examples: ['createPayment'] }),
    status: Type.Integer({ description: 'HTTP status of the answer', examples: [201] }),
  },
  { $id: 'HistoryRequest', description: 'A request in the log of a sandbox' },
)

const HistoryCause = Type.Object(
  {
    type: Type.Enum(['request', 'bank'], { description: '`bank` if the bank acted by itself, such as at a cut-off' }),
    requestId: nullableText('`X-Request-Id` of the request; null for the bank'),
    idempotencyKey: nullableText('Idempotency key of the request; null if the caller sent none'),
    apiKey: Type.Union([HistoryKey, Type.Null()], {
      description: 'The key or the person of the request; null for the bank',
    }),
    request: Type.Union([HistoryRequest, Type.Null()], {
      description: 'The request; null for the bank, in live mode, and once the log has it no more',
    }),
  },
  { $id: 'HistoryCause', description: 'The request behind a step, or the bank' },
)

const HistoryChange = Type.Object(
  {
    type: Type.String({ description: 'Type of the event', examples: ['payment.returned'] }),
    status: nullableText('Status after the change; null for a record without a status', ['Returned']),
    before: nullableText('Status before the change; null for a new record', ['Sent']),
    reason: nullableText('Why it changed, in words; null without a reason', ['No account, or unable to locate it']),
    code: nullableText('Code or word of the reason, such as a return code or a reason of a decline', ['R03']),
  },
  { $id: 'HistoryChange', description: 'A change of the record, with its reason' },
)

export const HistoryFile = Type.Object(
  {
    id: Type.String({ description: 'Id of the ACH file', examples: ['1000042'] }),
    name: Type.String({ description: 'Name of the file', examples: ['20260202-1415-812345678-A.ach'] }),
    direction: Type.Enum(['Outgoing', 'Incoming'], { description: '`Outgoing` to other banks, `Incoming` from them' }),
    at: described(Timestamp, 'Cut-off of an outgoing file, or bank time at which an incoming one was taken'),
    batchId: nullableText(
      'Id of the batch, which `GET /v0/banking/ach-batches/:achBatchId` shows; null for an incoming file',
    ),
    traceNumber: nullableText('Trace number of the entry'),
  },
  { $id: 'HistoryFile', description: 'An ACH file with an entry of the record' },
)
export type HistoryFile = Static<typeof HistoryFile>

export const HistoryReview = Type.Object(
  {
    reason: Type.String({
      description: 'Why the payment waits, as `reviewReason` says it',
      examples: ['firstPayment'],
    }),
    decision: nullableText('`Approved`, `Rejected` or `Canceled`; null while it waits', ['Approved']),
    decidedAt: Type.Union([Timestamp, Type.Null()], { description: 'Bank time of the decision; null while it waits' }),
  },
  { $id: 'HistoryReview', description: 'A review of a payment' },
)
export type HistoryReview = Static<typeof HistoryReview>

const HistoryEvent = Type.Object(
  {
    id: Type.String({ description: 'Id of the event', examples: ['evt_1000001_42'] }),
    type: Type.String({ description: 'Type of the event', examples: ['payment.created'] }),
    entity: RecordReference,
  },
  { $id: 'HistoryEvent', description: 'An event of a step' },
)

/** One thing that happened to a record: its cause, and all that followed at once. */
export const HistoryStep = Type.Object(
  {
    at: described(Timestamp, 'Bank time of the step'),
    day: Type.String({ format: 'date', description: 'Day of the step, in UTC', examples: ['2026-02-03'] }),
    summary: Type.String({
      description: 'The changes with their reasons, in words',
      examples: ['Payment returned: No account, or unable to locate it (R03)'],
    }),
    cause: HistoryCause,
    changes: Type.Array(HistoryChange, { description: 'Changes of the record' }),
    transfers: Type.Union([Type.Array(LedgerTransfer), Type.Null()], {
      description: 'Transfers of the ledger with both sides; null for a key without the scope `banking:read`',
    }),
    events: Type.Array(HistoryEvent, {
      description: 'Events about the record and about the transactions of its transfers',
    }),
    deliveries: Type.Union([Type.Array(Delivery), Type.Null()], {
      description:
        'The first 10 deliveries of each event with their attempts; null for a key without the scope `webhooks:write`',
    }),
    files: Type.Array(HistoryFile, { description: 'ACH files in which a payment left or came back' }),
    reviews: Type.Array(HistoryReview, { description: 'Reviews that began with the step' }),
  },
  { $id: 'HistoryStep', description: 'A request or an act of the bank, with all that it did to a record' },
)
export type HistoryStep = Static<typeof HistoryStep>
