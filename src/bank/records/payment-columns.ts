import { bigint, boolean, jsonb, rowSet, text, timestamptz } from '../../database/arrays.ts'
import type { LedgerPayment } from './records.ts'

/** The columns of a new payment. This is the one list of them: inserts and reads are made from it. */
const insertedColumns = {
  id: bigint<LedgerPayment>(({ id }) => id),
  organisation_id: bigint<LedgerPayment>(({ organisationId }) => organisationId),
  account_id: bigint<LedgerPayment>(({ accountId }) => accountId),
  customer_id: bigint<LedgerPayment>(({ customerId }) => customerId),
  type: text<LedgerPayment>(({ type }) => type),
  direction: text<LedgerPayment>(({ direction }) => direction),
  status: text<LedgerPayment>(({ status }) => status),
  amount: bigint<LedgerPayment>(({ amount }) => amount),
  description: text<LedgerPayment>(({ description }) => description),
  addenda: text<LedgerPayment>(({ addenda }) => addenda),
  original_type: text<LedgerPayment>(({ originalType }) => originalType),
  created_at: timestamptz<LedgerPayment>(({ createdAt }) => createdAt),
  external_account_id: bigint<LedgerPayment>(({ externalAccountId }) => externalAccountId),
  counterparty_name: text<LedgerPayment>(({ counterparty }) => counterparty.name),
  counterparty_routing_number: text<LedgerPayment>(({ counterparty }) => counterparty.routingNumber),
  counterparty_account_number: text<LedgerPayment>(({ counterparty }) => counterparty.accountNumber),
  counterparty_account_type: text<LedgerPayment>(({ counterparty }) => counterparty.accountType),
  destination_account_id: bigint<LedgerPayment>(({ destinationAccountId }) => destinationAccountId),
  tags: jsonb<LedgerPayment>(({ tags }) => (isEmpty(tags) ? null : JSON.stringify(tags))),
  recurring_payment_id: bigint<LedgerPayment>(({ recurringPaymentId }) => recurringPaymentId),
  // Nearly all payments begin as sent.
  first_status: text<LedgerPayment>(({ status }) => (status === FIRST_STATUS ? null : status)),
  same_day: boolean<LedgerPayment>(({ sameDay }) => sameDay),
  sec_code: text<LedgerPayment>(({ secCode }) => secCode),
  cutoff_at: timestamptz<LedgerPayment>(({ cutoffAt }) => cutoffAt),
  settles_at: timestamptz<LedgerPayment>(({ settlesAt }) => settlesAt),
}

const FIRST_STATUS = 'Sent'

/** New payments as rows of an insert, in the parameters from `first` on. */
export const paymentRows = (first: number) => rowSet<LedgerPayment>(insertedColumns, first)

/** A payment as it is stored: flat, and without tags if it has none. */
export interface PaymentRow extends Omit<LedgerPayment, 'counterparty' | 'tags'> {
  counterpartyName: string
  counterpartyRoutingNumber: string
  counterpartyAccountNumber: string
  counterpartyAccountType: string
  tags: Record<string, string> | null
  /** The status with which it was created; null if that is Sent. */
  firstStatus: LedgerPayment['status'] | null
}

const laterColumns = ['link', 'return_code', 'ach_file_id', 'trace_number', 'review_note', 'departures', 'version']
const readColumns = [...Object.keys(insertedColumns), ...laterColumns]
const memberOf = (column: string) => column.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())

/** The list of columns that reads a `PaymentRow`. */
export const paymentColumns = readColumns.map((column) => `${column} as "${memberOf(column)}"`).join(', ')

/** The column that says what a payment in review waits for; null for all others. */
export const waitsFor = (payment: string) => `case when status = 'PendingReview' then (
    select reason from payment_review r where r.id = ${payment}.id and decision is null) end as "waitsFor"`

/**
 * The payment of a row, in its own status or in a former one; Pending, also in the version in which it was that. Members are named one by
 * one: a rest pattern takes 50 times as long.
 */
export function paymentFromRow(row: PaymentRow, status = row.status, pendingIn?: number): LedgerPayment {
  // The decision about a review sets these, and a stop takes them away.
  const undecided = status === 'PendingReview'
  const former = pendingIn === undefined || undecided ? undefined : row.departures?.[pendingIn]
  const { cutoffAt, settlesAt, reviewNote } = former ?? row
  return {
    id: row.id,
    organisationId: row.organisationId,
    accountId: row.accountId,
    customerId: row.customerId,
    type: row.type,
    direction: row.direction,
    status,
    amount: row.amount,
    description: row.description,
    addenda: row.addenda,
    originalType: row.originalType,
    createdAt: row.createdAt,
    externalAccountId: row.externalAccountId,
    counterparty: {
      name: row.counterpartyName,
      routingNumber: row.counterpartyRoutingNumber,
      accountNumber: row.counterpartyAccountNumber,
      accountType: row.counterpartyAccountType,
    },
    destinationAccountId: undecided || former ? null : row.destinationAccountId,
    tags: row.tags ?? {},
    recurringPaymentId: row.recurringPaymentId,
    link: row.link,
    sameDay: row.sameDay,
    secCode: row.secCode,
    cutoffAt: undecided ? null : cutoffAt,
    settlesAt: undecided ? null : settlesAt,
    returnCode: row.returnCode,
    achFileId: row.achFileId,
    traceNumber: row.traceNumber,
    reviewNote: undecided ? null : reviewNote,
    departures: row.departures,
    waitsFor: row.waitsFor,
    version: row.version,
  }
}

/** The status with which a payment was created. Columns that change besides the status are set once, by a later status. */
export function firstStatusOf({ firstStatus }: PaymentRow): LedgerPayment['status'] {
  return firstStatus ?? FIRST_STATUS
}

/**
 * The columns of a payment that never change, with its status, as one text for the chain of hashes. They are taken as they are stored, so
 * that the text gives away no more than the row and needs no key to be made again.
 */
export function textOfPayment(payment: LedgerPayment): string {
  const { id, accountId, customerId, type, direction, status, amount, description, addenda, originalType } = payment
  const { createdAt, externalAccountId, counterparty, destinationAccountId, tags } = payment
  const { name, routingNumber, accountNumber, accountType } = counterparty
  const all: unknown[] = [
    id,
    accountId,
    customerId,
    type,
    direction,
    status,
    amount,
    description,
    addenda,
    originalType,
    createdAt,
    externalAccountId,
    name,
    routingNumber,
    accountNumber,
    accountType,
    destinationAccountId,
    // PostgreSQL keeps tags in an order of its own.
    isEmpty(tags) ? null : Object.entries(tags).sort(byName),
  ]
  if (payment.cutoffAt !== null) all.push(...railOf(payment))
  if (payment.reviewNote !== null) all.push({ reviewNote: payment.reviewNote })
  if (payment.recurringPaymentId !== null) all.push({ recurringPaymentId: payment.recurringPaymentId })
  // PostgreSQL keeps the members of a link in an order of its own.
  if (payment.link !== null) all.push({ link: Object.entries(payment.link).sort(byName) })
  return JSON.stringify(all)
}

/** The columns of a payment that leaves with a file, as they are in its status. */
function railOf({ status, sameDay, secCode, cutoffAt, settlesAt, achFileId, traceNumber, returnCode }: LedgerPayment) {
  const entry =
    status === 'Pending' || status === 'PendingReview' || status === 'Canceled' ? [] : [achFileId, traceNumber]
  return [sameDay, secCode, cutoffAt, settlesAt, ...entry, ...(status === 'Returned' ? [returnCode] : [])]
}

function byName([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1
}
/** The columns of a payment that is in no ACH file, follows no other one, and was neither reviewed nor stopped. */
export const noRail = {
  link: null,
  sameDay: null,
  secCode: null,
  cutoffAt: null,
  settlesAt: null,
  achFileId: null,
  traceNumber: null,
  reviewNote: null,
  departures: null,
} satisfies Partial<LedgerPayment>

/** The optional members of a payment, as one has them that was given none. */
export const noOptions = {
  addenda: null,
  tags: {},
  recurringPaymentId: null,
  returnCode: null,
  ...noRail,
} satisfies Partial<LedgerPayment>

function isEmpty(tags: Record<string, string>): boolean {
  for (const _name in tags) return false
  return true
}

/** The members of a payment that a transaction shows. */
export type PaymentPart = Pick<
  LedgerPayment,
  'id' | 'accountId' | 'externalAccountId' | 'description' | 'originalType' | 'counterparty'
>

/** The expression that reads a `PaymentPart`. */
export function paymentPartJson(table: string): string {
  const pairs = (columns: string[], prefix = '') =>
    columns.map((column) => `'${memberOf(column.slice(prefix.length))}', ${table}.${column}`).join(', ')
  const counterparty = Object.keys(insertedColumns).filter((column) => column.startsWith('counterparty_'))
  return `json_build_object(${pairs(['id', 'account_id', 'external_account_id', 'description', 'original_type'])},
    'counterparty', json_build_object(${pairs(counterparty, 'counterparty_')}))`
}
