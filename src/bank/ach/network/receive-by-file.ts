import type { ListedTransaction } from '../../../banking/transactions/transaction.ts'
import { idNumber } from '../../../base/ids.ts'
import type { Answer, Write } from '../../../base/operation.ts'
import { Problem } from '../../../base/problem.ts'
import type { Books, Command } from '../../../ledger/books.ts'
import { dayNumberOf, daysAfter, easternInstant, easternOf, isBankingDay } from '../../../rails/ach/calendar.ts'
import { codeFor } from '../../../rails/ach/codes.ts'
import type { Batch } from '../../../rails/ach/file.ts'
import { folded, plainText } from '../../../rails/ach/plain-text.ts'
import type { ReceiveAchInput } from '../../../sandbox/receive-ach.ts'
import { findAccount, type ShownAccount } from '../../accounts/accounts.sql.ts'
import { depositAccountIn } from '../../accounts/deposit-account.ts'
import { sideOf } from '../../accounts/posting.ts'
import { listedTransaction } from '../../accounts/transaction-view.ts'
import { requireReceivable } from '../../accounts/transactions.ts'
import { customerSeals } from '../../parts/customer-seals.ts'
import { receivedPayments } from '../../records/received.ts'
import { bankTime } from '../../time/clock.sql.ts'
import type { RailBank } from '../build-file.ts'
import { bookedAtOf } from '../incoming/entries.ts'
import { accountsByNumber } from '../incoming/incoming.sql.ts'
import { entryRow } from '../incoming/intake.ts'
import { type Booking, completeReceived, newReceived } from '../incoming/received.ts'
import { emitReceived, erasedMembers } from '../incoming/received-events.ts'
import { MAX_ENTRY_CENTS } from '../rail.ts'
import { type OneEntryFile, oneEntryFile, plainBatch } from './one-entry.ts'

/** The bank that sends the entries. */
const SENDER = '02100002'

interface ReceiveOrder extends OneEntryFile {
  id: number
  organisationId: number
  accountId: number
  booking: Booking
}

/** Receives an ACH transfer with a file of one entry that settled on the last banking day, so that it is booked at once. */
export function receiveByFile(
  bank: RailBank,
  write: Write<ListedTransaction>,
  input: ReceiveAchInput,
): Promise<Answer> {
  return bank.runOnce.attempt(write, () => receiveOnce(bank, write, input))
}

async function receiveOnce(bank: RailBank, write: Write<ListedTransaction>, input: ReceiveAchInput): Promise<Answer> {
  const { database, ids, routingNumber, ach } = bank
  const { organisationId } = write.caller
  const accountId = idNumber(input.accountId)
  const account = await findAccount(database, accountId)
  const [named] = account ? await accountsByNumber(database, organisationId, [account.accountNumber]) : []
  if (!account || named?.id !== accountId) throw new Problem('account_not_found')
  if (input.amount > MAX_ENTRY_CENTS) throw new Problem('amount_over_rail_limit')
  const now = await bankTime(database, organisationId)
  const seals = await customerSeals(bank, organisationId, [named.customerId])
  const about = { organisationId, now, name: 'receive-ach' }
  const order: ReceiveOrder = {
    ...(await oneEntryFile(bank, about, (sequence) => batchOf(bank, input, account, { now, sequence }))),
    ...{ id: await ids.next(), organisationId, accountId },
    booking: { transferId: await ids.nextPair(), routingNumber, windows: ach.windows, seals },
  }
  const command: Command<ListedTransaction> = {
    write,
    accountIds: [accountId],
    internal: ['ach_settlement'],
    decide: (books) => decideReceived(books, order),
  }
  return bank.lane.run(command)
}

function batchOf(
  { routingNumber }: RailBank,
  { amount, companyName, direction = 'Credit', ...input }: ReceiveAchInput,
  account: ShownAccount,
  { now, sequence }: { now: string; sequence: string },
): Batch {
  const side = direction === 'Credit' ? 'credit' : 'debit'
  const code = codeFor('Checking', side, 'live')
  if (code === undefined) throw new Error(`there is no code of a ${side}`)
  const day = settledDay(now, direction)
  return {
    ...plainBatch,
    serviceClass: side === 'credit' ? 220 : 225,
    companyName: plainName(companyName, 16),
    secCode: 'PPD',
    description: plainText(input.description ?? `ACH ${side}`, 10),
    ...{ effectiveDate: day, settlementDay: dayNumberOf(day), bank: SENDER },
    entries: [
      {
        ...{ code, routingNumber, accountNumber: account.accountNumber, amount, identification: '' },
        name: plainText(account.name, 22),
        ...{ discretionary: '', traceNumber: SENDER + sequence, addenda: null },
      },
    ],
  }
}

/** A text of a batch header, which may not consist of zeros alone. */
function plainName(text: string, length: number): string {
  const plain = plainText(text, length)
  return /[^0 ]/.test(plain) ? plain : folded(`NO ${plain}`, length)
}

/** The last banking day on which entries of a direction have been booked. */
function settledDay(now: string, direction: 'Credit' | 'Debit'): string {
  let { day } = easternOf(now)
  while (!isBankingDay(day) || easternInstant(day, bookedAtOf(direction)) > now) day = daysAfter(day, -1)
  return day
}

function decideReceived(books: Books, order: ReceiveOrder): ListedTransaction {
  const { id, organisationId, accountId, row, entry, booking } = order
  const account = depositAccountIn(books, organisationId, accountId)
  requireReceivable(account, entry)
  const createdAt = books.now(organisationId)
  const intake = { fileId: row.id }
  const customerId = account.customerId ?? 0
  books.of(receivedPayments).insertFile(row)
  const made = newReceived(intake, entry, { id: accountId, customerId }, { id, organisationId, createdAt })
  const received = booking.seals.has(customerId) ? made : { ...made, ...erasedMembers }
  emitReceived(books, 'receivedPayment.created', received, booking.seals)
  const { completed, transfer } = completeReceived(books, received, booking)
  books.of(receivedPayments).insert(completed)
  books
    .of(receivedPayments)
    .insertEntry(entryRow(intake, entry, { organisationId, outcome: 'applied', receivedPaymentId: id }))
  return listedTransaction(sideOf(books, transfer, accountId, null), { routingNumber: booking.routingNumber })
}
