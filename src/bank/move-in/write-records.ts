import type { AccountStatus } from '../../banking/accounts/account.ts'
import { bankName } from '../../banking/external-accounts/bank-names.ts'
import type { ExternalAccount } from '../../banking/external-accounts/external-account.ts'
import type { Queryable } from '../../database/database.ts'
import type { RecordIds } from '../../database/record-ids.ts'
import { type EventDraft, emit, emitSealed } from '../../events/event.ts'
import { bankOrigin, recordEvents } from '../../events/record.ts'
import { sealForCustomers } from '../../events/stored/sealed-data.ts'
import { lastDigits, numberDigest, sealedNumber } from '../../secrets/numbers.ts'
import type { Seals } from '../../secrets/seals.ts'
import { insertAccount } from '../accounts/accounts.sql.ts'
import { depositAccount } from '../accounts/accounts.ts'
import { cardOf } from '../cards/cards.ts'
import { insertCustomer } from '../customers/customers.sql.ts'
import { customerOf } from '../customers/customers.ts'
import { insertExternalAccount } from '../payments/external-accounts.sql.ts'
import { externalAccount } from '../payments/external-accounts.ts'
import { updateReference } from '../processor/card-references.sql.ts'
import { processorCard } from '../processor/card-references.ts'
import { addressIn, type Cells, centsIn, instantIn } from './cells.ts'
import { fileIn } from './check-folder.ts'
import type { FileName } from './columns.ts'
import { type FormerId, insertFormerIds, insertMovedCard, type MovedCard, setMovedStatus } from './move-in.sql.ts'
import { isFault, readRows } from './read-rows.ts'

/** An account that was opened for the history. */
export interface MovedAccount {
  id: number
  customerId: number
  openedAt: string
  opening: number
}

/** The state of an import: its surroundings, and the records that it has made so far. */
export interface MoveIn {
  transaction: Queryable
  organisationId: number
  routingNumber: string
  folder: string
  ids: RecordIds
  seals: Seals
  customers: Map<string, number>
  accounts: Map<string, MovedAccount>
  /** Hears the bytes that are read: the files are the same as when they were checked. */
  read: (bytes: Buffer) => void
  /** Hears which file is about to be read. */
  begin: (file: string) => void
  progress: (file: string, rows: number) => void
}

/** Rows whose events and ids are written together. */
const PORTION = 500

/** The rows of a file in portions. They were checked before. */
export async function* portionsOf(move: MoveIn, name: FileName, size = PORTION): AsyncGenerator<Cells[]> {
  const file = fileIn(move.folder, name)
  if (!file) return
  move.begin(file.name)
  let portion: Cells[] = []
  let rows = 0
  for await (const row of readRows({ ...file, read: move.read })) {
    if (isFault(row)) throw new Error(`line ${row.line} of ${file.name} has changed since it was checked`)
    portion.push(row.cells)
    rows++
    if (portion.length < size) continue
    yield portion
    move.progress(file.name, rows)
    portion = []
  }
  if (portion.length > 0) yield portion
}

/** Records events, each sealed with the key of its customer if it has one. */
export async function record(move: MoveIn, events: EventDraft[]): Promise<void> {
  const { transaction, seals, organisationId } = move
  const sealed = await sealForCustomers(transaction, seals, organisationId, events)
  const origin = bankOrigin(organisationId)
  await recordEvents(
    transaction,
    sealed.map((event) => ({ event, origin })),
  )
}

const own = (cells: Cells, column: string) => cells.get(column) ?? ''

/** Writes the rows of a file one by one: `write` makes the record of a row and its event, and returns its id. */
async function writeFile(
  move: MoveIn,
  name: FileName,
  kind: FormerId['kind'],
  write: (cells: Cells, events: EventDraft[]) => Promise<number>,
): Promise<void> {
  for await (const portion of portionsOf(move, name)) {
    const events: EventDraft[] = []
    const formers: FormerId[] = []
    for (const cells of portion) {
      const id = await write(cells, events)
      for (const former of formerNames(kind, cells)) formers.push({ kind, former, id })
    }
    await insertFormerIds(move.transaction, move.organisationId, formers)
    await record(move, events)
  }
}

/** The id of a record in the former system, and the number of an account. */
function formerNames(kind: FormerId['kind'], cells: Cells): Set<string> {
  const number = kind === 'account' ? cells.get('accountNumber') : undefined
  return new Set([own(cells, 'id'), ...(number === undefined ? [] : [number])])
}

/** Writes customers, accounts, external accounts and cards, each with its event. */
export async function writeRecords(move: MoveIn): Promise<void> {
  await writeFile(move, 'customers', 'customer', (cells, events) => writeCustomer(move, cells, events))
  await writeFile(move, 'accounts', 'account', (cells, events) => writeAccount(move, cells, events))
  await writeFile(move, 'external-accounts', 'externalAccount', (cells, events) => writeExternal(move, cells, events))
  await writeFile(move, 'cards', 'card', (cells, events) => writeCard(move, cells, events))
}

async function writeCustomer(move: MoveIn, cells: Cells, events: EventDraft[]): Promise<number> {
  const { transaction, organisationId, ids, customers } = move
  const row = await insertCustomer(transaction, {
    id: await ids.next(),
    organisationId,
    createdAt: instantIn(cells, 'createdAt'),
    name: own(cells, 'name'),
    email: cells.get('email'),
    phone: cells.get('phone'),
    address: addressIn(cells),
  })
  emitSealed(events, row.id, 'customer.created', row.version, customerOf(row))
  customers.set(own(cells, 'id'), row.id)
  return row.id
}

async function writeAccount(move: MoveIn, cells: Cells, events: EventDraft[]): Promise<number> {
  const { transaction, organisationId, ids, customers, accounts, routingNumber } = move
  const customerId = customers.get(own(cells, 'customerId')) ?? 0
  const openedAt = instantIn(cells, 'openedAt')
  const row = await insertAccount(transaction, { id: await ids.next(), organisationId, customerId, tags: {}, openedAt })
  if (!row) throw new Error('an account without its customer')
  row.status = (cells.get('status') ?? 'Open') as AccountStatus
  if (row.status !== 'Open') await setMovedStatus(transaction, { ...row, balance: centsIn(cells, 'balance') })
  emitSealed(events, customerId, 'account.created', row.version, depositAccount(row, routingNumber))
  accounts.set(own(cells, 'id'), { id: row.id, customerId, openedAt, opening: centsIn(cells, 'openingBalance') })
  return row.id
}

async function writeExternal(move: MoveIn, cells: Cells, events: EventDraft[]): Promise<number> {
  const { transaction, organisationId, ids, customers, seals, routingNumber } = move
  const id = await ids.next()
  const seal = await seals.of(organisationId)
  const number = own(cells, 'accountNumber')
  const row = await insertExternalAccount(transaction, {
    id,
    organisationId,
    customerId: customers.get(own(cells, 'customerId')) ?? 0,
    name: own(cells, 'name'),
    routingNumber: own(cells, 'routingNumber'),
    accountNumber: sealedNumber(seal, id, number),
    numberDigest: numberDigest(seal, number),
    lastDigits: lastDigits(number),
    accountType: own(cells, 'accountType') as ExternalAccount['accountType'],
    type: own(cells, 'type') as ExternalAccount['type'],
    bank: bankName(own(cells, 'routingNumber'), routingNumber),
    review: null,
  })
  if (!row) throw new Error('an external account without its customer')
  emitSealed(events, row.customerId, 'externalAccount.created', row.version, externalAccount(row, seal))
  return id
}

async function writeCard(move: MoveIn, cells: Cells, events: EventDraft[]): Promise<number> {
  const { transaction, ids, accounts } = move
  const isPhysical = own(cells, 'type') === 'individualDebitCard'
  const row = await insertMovedCard(transaction, {
    id: await ids.next(),
    accountId: accounts.get(own(cells, 'accountId'))?.id ?? 0,
    createdAt: instantIn(cells, 'createdAt'),
    last4: own(cells, 'last4Digits'),
    expires: own(cells, 'expirationDate'),
    status: own(cells, 'status') as MovedCard['status'],
    type: own(cells, 'type') as MovedCard['type'],
    design: isPhysical ? (cells.get('design') ?? 'default') : null,
    shippingAddress: isPhysical ? (addressIn(cells) ?? null) : null,
  })
  emitSealed(events, row.customerId, 'card.created', row.version, cardOf(row))
  const reference = cells.get('processorReference')
  if (reference !== undefined) {
    const changed = await updateReference(transaction, row.id, reference)
    emit(events, 'card.referenceChanged', changed.version, processorCard(changed))
  }
  return row.id
}
