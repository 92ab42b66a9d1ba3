import { MAX_CENTS } from '../../../base/cents.ts'
import type { Books, Command } from '../../../ledger/books.ts'
import type { Transfer } from '../../../ledger/records.ts'
import { defaultWindows, departureOf, type Window } from '../../../rails/ach/calendar.ts'
import { receiverNameOf } from '../../../rails/ach/codes.ts'
import { post } from '../../accounts/posting.ts'
import type { BankParts } from '../../parts/bank-parts.ts'
import { bankWrite } from '../../parts/bank-write.ts'
import { type CustomerSeals, customerSeals } from '../../parts/customer-seals.ts'
import { receivedPayments } from '../../records/received.ts'
import type { LedgerReceived } from '../../records/received-records.ts'
import type { DueRun, Forecast, Timer } from '../../time/due.ts'
import type { IncomingEntry } from './entries.ts'
import { toSuspense } from './exceptions.ts'
import type { NamedAccount } from './incoming.sql.ts'
import { type EntryOrder, entryRow, type IntakeBank } from './intake.ts'
import { nextUnbooked, type UnbookedReceived } from './received.sql.ts'
import { emitReceived, erasedMembers } from './received-events.ts'
import { applyTogether } from './together.ts'

/** Received payments that one command books. It locks their accounts. */
const PORTION = 250

/** The settings of a booking, and the id of its transfer. */
export interface Booking {
  transferId: number
  routingNumber: string
  windows: readonly Window[]
  seals: CustomerSeals
}

/** Receives an entry that credits or debits an account. It is booked at once if its time has come. */
export async function receivedOrder(
  intake: IntakeBank,
  entry: IncomingEntry,
  account: NamedAccount | undefined,
  seals: CustomerSeals,
): Promise<EntryOrder> {
  const { ids, routingNumber, ach } = intake
  const organisationId = account?.organisationId ?? intake.organisationId
  const id = await ids.next()
  const booking = { transferId: await ids.nextPair(), routingNumber, windows: ach.windows, seals }
  return {
    organisationId,
    accountIds: account ? [account.id] : [],
    internal: ['ach_settlement', 'ach_suspense'],
    decide: (books) => {
      const createdAt = books.now(organisationId)
      const made = newReceived(intake, entry, account, { id, organisationId, createdAt })
      const received = !account || seals.has(account.customerId) ? made : { ...made, ...erasedMembers }
      emitReceived(books, 'receivedPayment.created', received, seals)
      books.of(receivedPayments).insert(received.dueAt <= createdAt ? bookReceived(books, received, booking) : received)
      const refs = { organisationId, outcome: 'applied' as const, receivedPaymentId: id }
      books.of(receivedPayments).insertEntry(entryRow(intake, entry, refs))
    },
  }
}

export function newReceived(
  { fileId }: Pick<IntakeBank, 'fileId'>,
  entry: IncomingEntry,
  account: { id: number; customerId: number | null } | undefined,
  { id, organisationId, createdAt }: Pick<LedgerReceived, 'id' | 'organisationId' | 'createdAt'>,
): LedgerReceived {
  const { batch } = entry
  return {
    id,
    organisationId,
    createdAt,
    fileId,
    line: entry.line,
    direction: entry.direction,
    amount: entry.amount,
    traceNumber: entry.traceNumber,
    settlesOn: entry.settlesOn,
    accountId: account?.id ?? null,
    customerId: account?.customerId ?? null,
    status: 'Pending',
    secCode: batch.secCode,
    companyName: batch.companyName.trim(),
    description: batch.description.trim(),
    sendingBank: batch.bank,
    receiverName: receiverNameOf(batch.secCode, entry),
    addenda: addendaText(entry),
    dueAt: entry.dueAt,
    bookedAt: null,
    returnCode: null,
    returnCutoffAt: null,
    returnSettlesAt: null,
    version: 1,
  }
}

/** The characters of addenda that are kept with a received payment: 25 addenda. All are in the file. */
const MAX_ADDENDA = 2_000

function addendaText({ addenda, further = [] }: Pick<IncomingEntry, 'addenda' | 'further'>): string | null {
  const texts = [addenda, ...further].flatMap((each) => (each && 'text' in each ? each.text.padEnd(80) : []))
  return texts.length === 0 ? null : texts.join('').trimEnd().slice(0, MAX_ADDENDA)
}

/** Books a received payment: to or from its account, or to the suspense account if it is returned. */
function bookReceived(books: Books, received: LedgerReceived, booking: Booking): LedgerReceived {
  const now = books.now(received.organisationId)
  const next = { ...received, bookedAt: now, version: received.version + 1 }
  const { id, direction, amount } = received
  const code = received.status === 'Pending' ? refusalOf(books, received) : undefined
  if (received.status === 'Pending' && code === undefined) return completeReceived(books, received, booking).completed
  toSuspense(books, { id: booking.transferId, direction, amount, sourceKind: 'received_ach', sourceId: id })
  // The event of a payment that was marked before is out.
  if (code === undefined) return next
  const marked = markedForReturn(next, code, now, booking.windows)
  emitReceived(books, 'receivedPayment.markedForReturn', marked, booking.seals)
  return marked
}

/** Books a received payment to or from its account. */
export function completeReceived(
  books: Books,
  received: LedgerReceived,
  booking: Booking,
): { completed: LedgerReceived; transfer: Transfer } {
  const transfer = postReceived(books, received, booking)
  const bookedAt = books.now(received.organisationId)
  const completed: LedgerReceived = { ...received, status: 'Completed', bookedAt, version: received.version + 1 }
  emitReceived(books, 'receivedPayment.completed', completed, booking.seals)
  return { completed, transfer }
}

/** A received payment that leaves as a return with the first cut-off after a time. */
export function markedForReturn(
  received: LedgerReceived,
  returnCode: string,
  from: string,
  windows: readonly Window[],
): LedgerReceived {
  const { cutoff, settles } = departureOf(from, false, windows)
  return { ...received, status: 'MarkedForReturn', returnCode, returnCutoffAt: cutoff, returnSettlesAt: settles }
}

/** The return code of a received payment that its account cannot take; undefined if it can. */
function refusalOf(books: Books, { accountId, direction, amount }: LedgerReceived): string | undefined {
  const account = accountId === null ? undefined : books.account(accountId)
  if (!account) return 'R03'
  if (account.status === 'Closed') return 'R02'
  if (direction === 'Credit') return account.balance + amount > MAX_CENTS ? 'R23' : undefined
  if (account.status === 'Frozen') return 'R16'
  return account.balance - account.hold < amount ? 'R01' : undefined
}

function postReceived(books: Books, received: LedgerReceived, { transferId, routingNumber }: Booking): Transfer {
  const { id, accountId, direction, amount, companyName, description } = received
  if (accountId === null) throw new Error('a received payment without an account')
  const settlement = books.internal('ach_settlement').id
  const [debitAccountId, creditAccountId] = direction === 'Credit' ? [settlement, accountId] : [accountId, settlement]
  const order = {
    ...{ id: transferId, debitAccountId, creditAccountId, amount, sourceKind: 'received_ach' as const, sourceId: id },
    ...{ party: companyName, description },
  }
  return post(books, order, null, routingNumber)
}

/** The timer that books received payments on their settlement day. */
export function receivedTimerOf(bank: BankParts): Timer {
  return async (organisationId) => {
    const [first] = await nextUnbooked(bank.database, organisationId, 1)
    return first && { at: first.dueAt, run: (run) => bookUntil(bank, organisationId, first.dueAt, run) }
  }
}

/** The received payments that are booked next. */
export function receivedForecastOf({ database }: Pick<BankParts, 'database'>): Forecast {
  return async (organisationId, limit) =>
    (await nextUnbooked(database, organisationId, limit)).map(({ id, dueAt }) => ({
      at: dueAt,
      type: 'receivedPayment.completed',
      id: String(id),
    }))
}

async function bookUntil(bank: BankParts, organisationId: number, until: string, run: DueRun): Promise<void> {
  for (;;) {
    const next = await nextUnbooked(bank.database, organisationId, PORTION)
    const due = next.filter(({ dueAt }) => dueAt <= until)
    const seals = await customerSeals(
      bank,
      organisationId,
      due.map(({ customerId }) => customerId),
    )
    if (due.length > 0) {
      await applyTogether(
        due,
        ({ accountId }) => accountId,
        (some) => bookPortion(bank, organisationId, some, seals),
      )
    }
    for (const { id } of due) run.happened({ at: until, type: 'receivedPayment.completed', id: String(id) })
    if (due.length < PORTION) return
  }
}

/** Books received payments in their order, so that it does not depend on chance which debit is returned. */
async function bookPortion(
  bank: BankParts,
  organisationId: number,
  due: UnbookedReceived[],
  seals: CustomerSeals,
): Promise<void> {
  const { ids, lane, runOnce, routingNumber, ach } = bank
  const windows = ach === 'instant' ? defaultWindows : ach.windows
  const orders: { id: number; booking: Booking }[] = []
  for (const { id } of due) {
    orders.push({ id, booking: { transferId: await ids.nextPair(), routingNumber, windows, seals } })
  }
  const write = bankWrite(organisationId)
  const command: Command<void> = {
    write,
    accountIds: [...new Set(due.flatMap(({ accountId }) => accountId ?? []))],
    internal: ['ach_settlement', 'ach_suspense'],
    reads: [receivedPayments.ids(orders.map(({ id }) => id))],
    decide: (books) => {
      for (const { id, booking } of orders) {
        const received = books.of(receivedPayments).get(id)
        if (received && received.bookedAt === null)
          books.of(receivedPayments).update(bookReceived(books, received, booking))
      }
    },
  }
  await runOnce.attempt(write, () => lane.run(command))
}
