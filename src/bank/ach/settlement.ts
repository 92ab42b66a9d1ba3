import type { Books, Command } from '../../ledger/books.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { bankWrite } from '../parts/bank-write.ts'
import { emitChange } from '../payments/payment-view.ts'
import { achBatches } from '../records/ach-files.ts'
import { payments } from '../records/payments.ts'
import type { DueRun, Forecast, Timer } from '../time/due.ts'
import { entriesIn, nextUnsettled, type UnsettledBatch } from './batches.sql.ts'
import { beginClearing } from './debit-clearing.ts'
import { changePortions, PORTION, type Portion } from './portions.ts'
import { settleReturns } from './returning/settle-returns.ts'
import { settleVerifications } from './verifying/settle-verifications.ts'

/** Batches that are read at a time. */
const BATCHES = 100

type PaymentBatch = Omit<UnsettledBatch, 'returnSide' | 'isVerification'>

/** The timer that settles batches: their payments are sent, and their totals leave the clearing account. */
export function settlementTimerOf(bank: BankParts): Timer {
  return async (organisationId) => {
    const [first] = await unsettled(bank, organisationId, 1)
    return first && { at: first.settlesAt, run: (run) => settleUntil(bank, organisationId, first.settlesAt, run) }
  }
}

/** The batches that settle next. */
export function settlementForecastOf(bank: Pick<BankParts, 'database' | 'ach'>): Forecast {
  return async (organisationId, limit) =>
    (await unsettled(bank, organisationId, limit)).map(({ id, settlesAt }) => ({
      at: settlesAt,
      type: 'achBatch.settled',
      id: String(id),
    }))
}

/** The batches that settle next. A bank may wait until the receiving bank has acknowledged their file. */
function unsettled(
  { database, ach }: Pick<BankParts, 'database' | 'ach'>,
  organisationId: number,
  limit: number,
): Promise<UnsettledBatch[]> {
  const acknowledged = ach !== 'instant' && ach.acknowledge === 'required'
  return nextUnsettled(database, organisationId, { limit, acknowledged })
}

async function settleUntil(bank: BankParts, organisationId: number, until: string, run: DueRun): Promise<void> {
  for (;;) {
    const next = await unsettled(bank, organisationId, BATCHES)
    const due = next.filter(({ settlesAt }) => settlesAt <= until)
    for (const { returnSide, isVerification, ...batch } of due) {
      if (isVerification) await settleVerifications(bank, organisationId, batch, run)
      else if (returnSide) await settleReturns(bank, organisationId, { ...batch, returnSide }, run)
      else await settleBatch(bank, organisationId, batch, run)
    }
    if (due.length < BATCHES) return
  }
}

/** Payments come first: a batch whose transfer is posted is done, and a killed process would leave payments behind. */
async function settleBatch(bank: BankParts, organisationId: number, batch: PaymentBatch, run: DueRun): Promise<void> {
  if (batch.isDebit) await beginClearing(bank.database, batch)
  else await changePortions(portionsOf(bank, organisationId, batch, run))
  const write = bankWrite(organisationId)
  const transferId = await bank.ids.nextPair()
  const command: Command<void> = {
    write,
    accountIds: [],
    internal: ['ach_clearing', 'ach_settlement'],
    reads: [achBatches.ids([batch.id])],
    decide: (books) => decideSettled(books, batch, transferId),
  }
  await bank.runOnce.attempt(write, () => bank.lane.run(command))
}

async function* portionsOf(
  bank: BankParts,
  organisationId: number,
  { id: batchId, settlesAt }: PaymentBatch,
  run: DueRun,
): AsyncGenerator<Portion> {
  for (let after = 0, left = true; left; ) {
    const entries = await entriesIn(bank.database, { batchId, after, limit: PORTION })
    const payments = entries.filter(({ isClearing }) => isClearing)
    const change = async () => {
      await sendPortion(bank, organisationId, payments)
      for (const { id } of payments) run.happened({ at: settlesAt, type: 'payment.sent', id: String(id) })
    }
    if (payments.length > 0) yield { payments, change }
    after = entries.at(-1)?.id ?? after
    left = entries.length === PORTION
  }
}

async function sendPortion(
  { runOnce, lane }: BankParts,
  organisationId: number,
  portion: { id: number; accountId: number }[],
): Promise<void> {
  const write = bankWrite(organisationId)
  const command: Command<void> = {
    write,
    accountIds: [...new Set(portion.map(({ accountId }) => accountId))],
    reads: [payments.ids(portion.map(({ id }) => id))],
    decide: (books) => decideSent(books, portion),
  }
  await runOnce.attempt(write, () => lane.run(command))
}

/** A payment that was returned before it settled stays returned. */
function decideSent(books: Books, portion: { id: number }[]): void {
  for (const { id } of portion) {
    const payment = books.of(payments).get(id)
    if (payment?.status === 'Clearing') emitChange(books, books.of(payments).update({ ...payment, status: 'Sent' }))
  }
}

function decideSettled(books: Books, { id, amount, isDebit }: PaymentBatch, transferId: number): void {
  if (!books.of(achBatches).settle(id)) return
  const [clearing, settlement] = [books.internal('ach_clearing').id, books.internal('ach_settlement').id]
  books.transfer({
    id: transferId,
    debitAccountId: isDebit ? settlement : clearing,
    creditAccountId: isDebit ? clearing : settlement,
    amount,
    sourceKind: 'ach_settlement',
    sourceId: id,
    party: null,
    description: null,
  })
}
