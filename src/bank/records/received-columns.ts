import { bigint, bytea, integer, rowSet, smallint, text, timestamptz } from '../../database/arrays.ts'
import type { AchException, AchResolution, IncomingAchFile, LedgerReceived, ReceivedEntry } from './received-records.ts'

const columns = {
  id: bigint<LedgerReceived>(({ id }) => id),
  organisation_id: bigint<LedgerReceived>(({ organisationId }) => organisationId),
  account_id: bigint<LedgerReceived>(({ accountId }) => accountId),
  customer_id: bigint<LedgerReceived>(({ customerId }) => customerId),
  file_id: bigint<LedgerReceived>(({ fileId }) => fileId),
  line: integer<LedgerReceived>(({ line }) => line),
  direction: text<LedgerReceived>(({ direction }) => direction),
  amount: bigint<LedgerReceived>(({ amount }) => amount),
  sec_code: text<LedgerReceived>(({ secCode }) => secCode),
  company_name: text<LedgerReceived>(({ companyName }) => companyName),
  description: text<LedgerReceived>(({ description }) => description),
  sending_bank: text<LedgerReceived>(({ sendingBank }) => sendingBank),
  trace_number: text<LedgerReceived>(({ traceNumber }) => traceNumber),
  receiver_name: text<LedgerReceived>(({ receiverName }) => receiverName),
  addenda: text<LedgerReceived>(({ addenda }) => addenda),
  settles_on: text<LedgerReceived>(({ settlesOn }) => settlesOn),
  due_at: timestamptz<LedgerReceived>(({ dueAt }) => dueAt),
  created_at: timestamptz<LedgerReceived>(({ createdAt }) => createdAt),
}
const changing = {
  status: text<LedgerReceived>(({ status }) => status),
  booked_at: timestamptz<LedgerReceived>(({ bookedAt }) => bookedAt),
  return_code: text<LedgerReceived>(({ returnCode }) => returnCode),
  return_cutoff_at: timestamptz<LedgerReceived>(({ returnCutoffAt }) => returnCutoffAt),
  return_settles_at: timestamptz<LedgerReceived>(({ returnSettlesAt }) => returnSettlesAt),
  version: integer<LedgerReceived>(({ version }) => version),
}
/** New received payments as rows of an insert. */
export const newReceived = rowSet<LedgerReceived>({ ...columns, ...changing })
/** The rows of a set with its days, which are texts, as dates. */
export const dated = (names: string) => names.replace('settles_on', 'settles_on::date')

const memberOf = (column: string) => column.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())

/** The list of columns that reads a `LedgerReceived`. */
export const receivedColumns = Object.keys({ ...columns, ...changing })
  .map((column) => `${column === 'settles_on' ? 'settles_on::text' : column} as "${memberOf(column)}"`)
  .join(', ')

/** Entries of incoming files as rows of an insert. */
export const entryRows = rowSet<ReceivedEntry>({
  file_id: bigint(({ fileId }) => fileId),
  line: integer(({ line }) => line),
  organisation_id: bigint(({ organisationId }) => organisationId),
  kind: text(({ kind }) => kind),
  outcome: text(({ outcome }) => outcome),
  code: smallint(({ code }) => code),
  amount: bigint(({ amount }) => amount),
  trace_number: text(({ traceNumber }) => traceNumber),
  settles_on: text(({ settlesOn }) => settlesOn),
  payment_id: bigint(({ paymentId }) => paymentId),
  received_payment_id: bigint(({ receivedPaymentId }) => receivedPaymentId),
  exception_id: bigint(({ exceptionId }) => exceptionId),
})

/** Incoming files as rows of an insert, with the time at which they were taken. */
export const fileRows = rowSet<{ file: IncomingAchFile; takenAt: string }>({
  id: bigint(({ file }) => file.id),
  organisation_id: bigint(({ file }) => file.organisationId),
  key_organisation_id: bigint(({ file }) => file.keyOrganisationId),
  window_at: timestamptz(({ takenAt }) => takenAt),
  modifier: text(({ file }) => file.modifier),
  created_on: text(({ file }) => file.createdOn),
  name: text(({ file }) => file.name),
  state: text(({ file }) => file.state),
  header: text(({ file }) => file.header),
  sealed_content: bytea(({ file }) => file.sealedContent),
  sha256: bytea(({ file }) => file.sha256),
  entry_count: integer(({ file }) => file.entryCount),
  debits: bigint(({ file }) => file.debits),
  credits: bigint(({ file }) => file.credits),
})

/** Exceptions as rows of an insert. */
export const exceptionRows = rowSet<AchException>({
  id: bigint(({ id }) => id),
  organisation_id: bigint(({ organisationId }) => organisationId),
  file_id: bigint(({ fileId }) => fileId),
  line: integer(({ line }) => line),
  kind: text(({ kind }) => kind),
  detail: text(({ detail }) => detail),
  direction: text(({ direction }) => direction),
  amount: bigint(({ amount }) => amount),
  payment_id: bigint(({ paymentId }) => paymentId),
  created_at: timestamptz(({ createdAt }) => createdAt),
})

/** Resolutions of exceptions as rows of an update. */
export const resolutionRows = rowSet<AchResolution>({
  id: bigint(({ exceptionId }) => exceptionId),
  resolution: text(({ resolution }) => resolution),
  reason: text(({ reason }) => reason),
  account_id: bigint(({ accountId }) => accountId),
  resolved_at: timestamptz(({ resolvedAt }) => resolvedAt),
})
