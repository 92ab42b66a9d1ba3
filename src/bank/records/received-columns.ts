import { bigint, bytea, integer, recordColumns, rowSet, text, timestamptz } from '../../database/arrays.ts'
import type { AchException, AchResolution, IncomingAchFile, LedgerReceived, ReceivedEntry } from './received-records.ts'

const columns = recordColumns<LedgerReceived>({
  id: 'bigint',
  organisationId: 'bigint',
  accountId: 'bigint',
  customerId: 'bigint',
  fileId: 'bigint',
  line: 'integer',
  direction: 'text',
  amount: 'bigint',
  secCode: 'text',
  companyName: 'text',
  description: 'text',
  sendingBank: 'text',
  traceNumber: 'text',
  receiverName: 'text',
  addenda: 'text',
  settlesOn: 'text',
  dueAt: 'timestamptz',
  createdAt: 'timestamptz',
  status: 'text',
  bookedAt: 'timestamptz',
  returnCode: 'text',
  returnCutoffAt: 'timestamptz',
  returnSettlesAt: 'timestamptz',
  version: 'integer',
})
/** New received payments as rows of an insert. */
export const newReceived = columns.rows()
/** The rows of a set with its days, which are texts, as dates. */
export const dated = (names: string) => names.replace('settles_on', 'settles_on::date')

/** The list of columns that reads a `LedgerReceived`. */
export const receivedColumns = columns.selected.replace('settles_on as', 'settles_on::text as')

/** Entries of incoming files as rows of an insert. */
export const entryRows = recordColumns<ReceivedEntry>({
  fileId: 'bigint',
  line: 'integer',
  organisationId: 'bigint',
  kind: 'text',
  outcome: 'text',
  code: 'smallint',
  amount: 'bigint',
  traceNumber: 'text',
  settlesOn: 'text',
  paymentId: 'bigint',
  receivedPaymentId: 'bigint',
  exceptionId: 'bigint',
}).rows()

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
export const exceptionRows = recordColumns<AchException>({
  id: 'bigint',
  organisationId: 'bigint',
  fileId: 'bigint',
  line: 'integer',
  kind: 'text',
  detail: 'text',
  direction: 'text',
  amount: 'bigint',
  paymentId: 'bigint',
  createdAt: 'timestamptz',
}).rows()

/** Resolutions of exceptions as rows of an update. */
export const resolutionRows = rowSet<AchResolution>({
  id: bigint(({ exceptionId }) => exceptionId),
  resolution: text(({ resolution }) => resolution),
  reason: text(({ reason }) => reason),
  account_id: bigint(({ accountId }) => accountId),
  resolved_at: timestamptz(({ resolvedAt }) => resolvedAt),
})
