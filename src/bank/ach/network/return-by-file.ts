import { type Payment, paymentRules, requireReturnable } from '../../../banking/payments/payment.ts'
import { stateAfter } from '../../../banking/state-rules.ts'
import { idNumber } from '../../../base/ids.ts'
import type { Answer, Write } from '../../../base/operation.ts'
import { Problem } from '../../../base/problem.ts'
import { type Books, type Command, type Needs, needs } from '../../../ledger/books.ts'
import { bankingDaysAfter, dayNumberOf, easternOf, returnDeadline } from '../../../rails/ach/calendar.ts'
import { type AccountType, codeFor, returnCodes } from '../../../rails/ach/codes.ts'
import type { Batch } from '../../../rails/ach/file.ts'
import { plainText } from '../../../rails/ach/plain-text.ts'
import type { ReturnPaymentInput } from '../../../sandbox/return-payment.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { shownCounterparty } from '../../accounts/transaction-view.ts'
import { bookReturn, returnReads } from '../../payments/payment-return.ts'
import { emitPayment } from '../../payments/payment-view.ts'
import { findPayments } from '../../payments/payments.sql.ts'
import { paymentFromRow } from '../../records/payment-columns.ts'
import { payments } from '../../records/payments.ts'
import { receivedPayments } from '../../records/received.ts'
import type { LedgerPayment } from '../../records/records.ts'
import { bankTime } from '../../time/clock.sql.ts'
import type { RailBank } from '../build-file.ts'
import { findCompany } from '../finish-file.sql.ts'
import { paymentsByTrace } from '../incoming/incoming.sql.ts'
import { entryRow } from '../incoming/intake.ts'
import { returnEntry } from './answers.ts'
import { type OneEntryFile, oneEntryFile, plainBatch } from './one-entry.ts'

type ReturnPayment = (write: Write<Payment>, input: ReturnPaymentInput) => Promise<Answer>

interface ReturnOrder extends OneEntryFile {
  id: number
  returnCode: string
  transferId: number
  settlementId: number
  routingNumber: string
  seal: Seal
}

/** Returns a payment with a file of one entry. One that left with no file is returned without one, too. */
export async function returnByFile(
  bank: RailBank,
  write: Write<Payment>,
  input: ReturnPaymentInput,
  plain: ReturnPayment,
): Promise<Answer> {
  const [row] = await findPayments(bank.database, [idNumber(input.paymentId)])
  if (row?.organisationId !== write.caller.organisationId) throw new Problem('payment_not_found')
  if (row.cutoffAt === null) return plain(write, input)
  return bank.runOnce.attempt(write, () => returnOnce(bank, write, paymentFromRow(row), input.returnCode))
}

async function returnOnce(
  bank: RailBank,
  write: Write<Payment>,
  payment: LedgerPayment,
  returnCode: string,
): Promise<Answer> {
  const { ach, database, ids, lane, routingNumber, seals } = bank
  const { id, organisationId, accountId, traceNumber } = payment
  const known = traceNumber === null ? [] : await paymentsByTrace(database, organisationId, [traceNumber])
  if (!known.some((each) => each.id === id)) throw new Problem('payment_not_returnable')
  if (!Object.hasOwn(returnCodes, returnCode)) throw new Problem('return_code_not_allowed')
  const seal = await seals.of(organisationId)
  const now = await bankTime(database, organisationId)
  const { name: ownName } = await findCompany(database, organisationId)
  const about = {
    companyName: ownName ?? ach.companyName,
    returnCode,
    settlesOn: settlementOf(payment, returnCode, now),
  }
  const clear = { ...payment, counterparty: shownCounterparty(payment, seal) }
  const order: ReturnOrder = {
    ...(await oneEntryFile(bank, { organisationId, now, name: 'return' }, (sequence) =>
      batchOf(bank, clear, { ...about, sequence }),
    )),
    ...{ id, returnCode, routingNumber, seal },
    transferId: await ids.nextPair(),
    settlementId: await ids.nextPair(),
  }
  const command: Command<Payment, 'pending'> = {
    write,
    accountIds: [accountId],
    internal: ['ach_clearing', 'ach_settlement'],
    reads: [payments.ids([id]), ...returnReads([payment])],
    decide: (books) => decideReturn(books, order, bank.debits),
    supply: async () => command,
  }
  return lane.run(command)
}

/** The day on which the return settles: this banking day, but not before the payment and not after the deadline of its code. */
function settlementOf({ settlesAt }: LedgerPayment, returnCode: string, now: string): string {
  const today = bankingDaysAfter(easternOf(now).day, 0)
  const settled = settlesAt === null ? today : easternOf(settlesAt).day
  const limit = returnCodes[returnCode]?.limit
  const deadline = (limit && returnDeadline(settled, limit)) ?? today
  const inTime = today < deadline ? today : deadline
  return inTime < settled ? settled : inTime
}

interface ReturnDetails {
  companyName: string
  returnCode: string
  settlesOn: string
  sequence: string
}

function batchOf(
  { routingNumber }: RailBank,
  { id, amount, description, direction, secCode, traceNumber, counterparty }: LedgerPayment,
  { companyName, returnCode, settlesOn, sequence }: ReturnDetails,
): Batch {
  const account = counterparty.accountType as AccountType
  const side = direction === 'Debit' ? 'debit' : 'credit'
  const code = codeFor(account, side, 'live')
  if (code === undefined || traceNumber === null) throw new Error('a payment that is in no file')
  const original = {
    ...{ code, amount, identification: String(id), discretionary: '', traceNumber },
    routingNumber: counterparty.routingNumber,
    accountNumber: counterparty.accountNumber,
    name: plainText(counterparty.name, 22),
  }
  return {
    ...plainBatch,
    serviceClass: side === 'debit' ? 225 : 220,
    companyName: plainText(companyName, 16),
    secCode: secCode ?? 'PPD',
    description: plainText(description, 10),
    ...{ effectiveDate: settlesOn, settlementDay: dayNumberOf(settlesOn) },
    bank: counterparty.routingNumber.slice(0, 8),
    entries: [
      returnEntry(original, { account, side }, { routingNumber, amount, sequence }, (about) => ({
        ...{ type: 'return', code: returnCode, ...about, dateOfDeath: '', information: '' },
      })),
    ],
  }
}

function decideReturn(books: Books, order: ReturnOrder, setting: RailBank['debits']): Payment | Needs<'pending'> {
  const { id, returnCode, row, entry, seal } = order
  const payment = books.of(payments).get(id)
  if (!payment) throw new Problem('payment_not_found')
  requireReturnable(payment)
  const status = stateAfter(paymentRules, 'returnPayment', payment.status)
  const data = emitPayment(books, books.of(payments).update({ ...payment, status, returnCode }), seal)
  if (!bookReturn(books, payment, order, setting)) return needs('pending')
  const { organisationId } = payment
  books.of(receivedPayments).insertFile(row)
  books
    .of(receivedPayments)
    .insertEntry(entryRow({ fileId: row.id }, entry, { organisationId, outcome: 'applied', paymentId: id }))
  return data
}
