import { createHash } from 'node:crypto'
import { inSlices, openPace } from '../../base/pace.ts'
import type { Batch } from '../../rails/ach/file.ts'
import { shownCounterparty } from '../accounts/transaction-view.ts'
import { paymentFromRow } from '../records/payment-columns.ts'
import type { LedgerPayment } from '../records/records.ts'
import type { BuildingFile } from './build-file.sql.ts'
import type { RailBank } from './build-file.ts'
import { type Company, renderingOf } from './file-bytes.ts'
import { type BuiltBatch, deleteBuilding, findCompany, insertBuilt, paymentsInFile } from './finish-file.sql.ts'

/** Payments that are read at a time. */
const READ = 500

/** Writes the bytes of a file from its rows, and stores them with its batches and entries. */
export async function finishFile(bank: RailBank, file: BuildingFile): Promise<void> {
  const { database, ids, seals, ach: settings, routingNumber } = bank
  const { id } = file
  const payments = await clearPayments(bank, id)
  if (payments.length === 0) return database.transaction((transaction) => deleteBuilding(transaction, id))
  const companies = await companiesOf(bank, payments)
  const { batches, writing } = await inSlices(renderingOf(file, payments, companies, { settings, routingNumber }))
  if (writing.bytes === null) {
    const [first] = writing.findings
    throw new Error(`ACH file ${file.name} cannot be written: ${first?.line}:${first?.column} ${first?.code}`)
  }
  const bytes = Buffer.from(writing.bytes)
  const byId = new Map(payments.map((payment) => [String(payment.id), payment]))
  const built: BuiltBatch[] = []
  for (const batch of batches) built.push(builtBatch(await ids.next(), id, batch, byId))
  const seal = await seals.of(file.keyOrganisationId)
  const row = {
    id,
    keyOrganisationId: file.keyOrganisationId,
    sealedContent: seal.seal(bytes, { table: 'ach_file', row: id, column: 'sealed_content' }),
    sha256: createHash('sha256').update(bytes).digest(),
    entryCount: payments.length,
    debits: built.reduce((total, { debits }) => total + debits, 0),
    credits: built.reduce((total, { credits }) => total + credits, 0),
  }
  await database.transaction((transaction) => insertBuilt(transaction, row, built))
}

/** Reads the payments of a file, with their account numbers decrypted. */
async function clearPayments({ database, seals }: RailBank, fileId: number): Promise<LedgerPayment[]> {
  const payments: LedgerPayment[] = []
  const pace = openPace()
  const readAfter = (after: number) => paymentsInFile(database, { fileId, after, limit: READ })
  for (let reading = readAfter(0); ; ) {
    const rows = await reading
    const last = rows.at(-1)
    // The next rows are read while these are opened.
    if (last) reading = readAfter(last.id)
    reading.catch(() => undefined)
    for (const row of rows) {
      const payment = paymentFromRow(row)
      const seal = seals.known(payment.organisationId) ?? (await seals.of(payment.organisationId))
      payment.counterparty = shownCounterparty(payment, seal)
      payments.push(payment)
      await pace()
    }
    if (!last) return payments
  }
}

/** The companies of the organisations that have payments in a file. */
async function companiesOf(
  { database, ach }: RailBank,
  payments: readonly LedgerPayment[],
): Promise<Map<number, Company>> {
  const companies = new Map<number, Company>()
  for (const organisationId of new Set(payments.map((payment) => payment.organisationId))) {
    const { name, companyId } = await findCompany(database, organisationId)
    companies.set(organisationId, { name: name ?? ach.companyName, companyId: companyId ?? ach.companyId })
  }
  return companies
}

function builtBatch(
  id: number,
  fileId: number,
  { entries, number, companyName, companyId, secCode, description, effectiveDate }: Batch,
  payments: Map<string, LedgerPayment>,
): BuiltBatch {
  // All entries of a batch are of one organisation and have the same dates, so that they settle at the same time.
  const first = payments.get(entries[0]?.identification ?? '')
  if (!first?.settlesAt || effectiveDate === null) throw new Error('a batch without a settlement')
  const amount = entries.reduce((total, each) => total + each.amount, 0)
  // A batch has entries of one side.
  const isDebit = first.direction === 'Debit'
  return {
    id,
    organisationId: first.organisationId,
    fileId,
    number,
    companyName,
    companyId,
    secCode,
    description,
    effectiveDate,
    entryCount: entries.length,
    debits: isDebit ? amount : 0,
    credits: isDebit ? 0 : amount,
    settlesAt: first.settlesAt,
    paymentIds: entries.map(({ identification }) => Number(identification)),
  }
}
