import type { Payment } from '../../../banking/payments/payment.ts'
import { LAST_INSTANT } from '../../../base/clock.ts'
import { emptyAnswer, type Write } from '../../../base/operation.ts'
import { Problem } from '../../../base/problem.ts'
import { sha256 } from '../../../base/sha256.ts'
import { type Books, type Command, Needs } from '../../../ledger/books.ts'
import type { BankParts } from '../../parts/bank-parts.ts'
import { bankWrite } from '../../parts/bank-write.ts'
import type { LedgerRecurringPayment } from '../../records/records.ts'
import { recurringPayments } from '../../records/recurring/recurring-payments.ts'
import type { DueRun, Forecast, Timer } from '../../time/due.ts'
import { bookTransferCommand } from '../book-transfers.ts'
import { type PaymentBank, paymentBankOf, sealOf } from '../payment-bank.ts'
import type { PaymentLack } from '../payment-decision.ts'
import { newOrder, paymentCommand } from '../payment-orders.ts'
import { dueRecurring } from './recurring-payments.sql.ts'
import { decideFailure, endRun, isGoing, skipReason } from './run-decisions.ts'

/** Runs under way at a time. Payments of callers that arrive meanwhile wait for one portion at most. */
const PORTION = 100

type Due = LedgerRecurringPayment & { nextAt: string; nextDueDate: string }

/** Whether payments that leave the bank wait for the operator, as after a restore. */
export interface RailHold {
  isHeld(): Promise<boolean>
}

/** The timer that makes the runs of recurring payments. While the rail is held, those that leave by it wait with it. */
export function recurringTimerOf(parts: BankParts, rail: RailHold): Timer {
  const bank = paymentBankOf(parts)
  return async (organisationId) => {
    const [next] = await dueRecurring(bank.database, organisationId, { until: LAST_INSTANT, isHeld: false, most: 1 })
    if (!next) return undefined
    const isHeld = await rail.isHeld()
    const [first] = isHeld
      ? await dueRecurring(bank.database, organisationId, { until: LAST_INSTANT, isHeld, most: 1 })
      : [next]
    const until = first?.nextAt
    if (until === undefined) return undefined
    return { at: until, run: (run) => runUntil(bank, organisationId, { until, isHeld }, run) }
  }
}

/** The next runs of recurring payments. */
export function recurringForecastOf({ database }: Pick<BankParts, 'database'>): Forecast {
  return async (organisationId, most) =>
    (await dueRecurring(database, organisationId, { until: LAST_INSTANT, isHeld: false, most })).map(
      ({ id, nextAt }) => ({ at: nextAt, type: 'recurringPayment.run', id: String(id) }),
    )
}

async function runUntil(
  bank: PaymentBank,
  organisationId: number,
  { until, isHeld }: { until: string; isHeld: boolean },
  run: DueRun,
): Promise<void> {
  for (;;) {
    const due = await dueRecurring(bank.database, organisationId, { until, isHeld, most: PORTION })
    const outcomes = await Promise.allSettled(due.map((each) => runOne(bank, each)))
    for (const [at, { id, nextAt }] of due.entries()) {
      const outcome = outcomes[at]
      if (outcome?.status !== 'fulfilled' || !outcome.value) continue
      run.happened({ at: nextAt, type: `recurringPayment.run${outcome.value}`, id: String(id) })
    }
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failed) throw failed.reason
    // One that changed meanwhile is read again.
    const hasChanged = outcomes.some((outcome) => outcome.status === 'fulfilled' && outcome.value === undefined)
    if ((due.length < PORTION && !hasChanged) || run.isOver()) return
  }
}

type Outcome = 'Succeeded' | 'Waiting' | 'Skipped' | 'Failed'

/** Makes the next run; returns undefined if the recurring payment has changed since it was read. */
async function runOne(bank: PaymentBank, due: Due): Promise<Outcome | undefined> {
  const runId = await bank.ids.next()
  let outcome: Outcome | undefined
  const note = (made: Outcome | undefined) => {
    outcome = made
  }
  try {
    const write = runWrite(due)
    const command = await runCommand(bank, write, { due, runId, note })
    await bank.runOnce.attempt(write, () => bank.lane.run(command))
    return outcome
  } catch (error) {
    if (error instanceof Changed) return undefined
    // Others pass by themselves, such as a database that is away.
    if (!(error instanceof Problem) || error.status >= 500) throw error
    return failRun(bank, due, runId, error)
  }
}

/** Thrown by a decision about a recurring payment that has changed since it was read. */
class Changed extends Error {}

/** The write of a run. Its key is derived from the due date, and is longer than one of a caller. */
function runWrite({ id, organisationId, nextDueDate }: Due): Write<Payment> {
  const plain = bankWrite(organisationId)
  const hash = sha256(`run of recurring payment ${id} due on ${nextDueDate}`)
  const render = () => emptyAnswer
  return { ...plain, render, key: { ...plain.key, hash, fromCaller: true } }
}

interface Run {
  due: Due
  runId: number
  note(outcome: Outcome): void
}

/** The command of the payment, which also ends the due date. A due date that is skipped makes no payment. */
async function runCommand(bank: PaymentBank, write: Write<Payment>, run: Run): Promise<Command<Payment, PaymentLack>> {
  const { organisationId, accountId, externalAccountId, toAccountId, amount, details, direction, id } = run.due
  const accounts = { accountId: String(accountId), amount, description: details.description }
  if (toAccountId !== null) {
    const input = { ...accounts, toAccountId: String(toAccountId) }
    return withRun(bank, (await bookTransferCommand(bank, write, input, id)) as Command<Payment, PaymentLack>, run)
  }
  const ids = { paymentId: await bank.ids.next(), transferId: await bank.ids.nextPair() }
  const input = { ...accounts, ...details, direction, counterpartyAccountId: String(externalAccountId) }
  const seal = await sealOf(bank, { organisationId })
  const order = newOrder(bank, { write, input: { ...input, originalType: 'ACH' as const } }, ids, seal, id)
  return withRun(bank, paymentCommand(bank, write, order), run)
}

/** The command of a payment together with the end of its due date. */
function withRun(bank: PaymentBank, command: Command<Payment, PaymentLack>, run: Run): Command<Payment, PaymentLack> {
  const { decide, supply, reads = [] } = command
  const { due, runId, note } = run
  return {
    ...command,
    reads: [...reads, recurringPayments.ids([due.id])],
    decide(books) {
      const recurring = requireUnchanged(books, due)
      const reason = skipReason(recurring, books.now(due.organisationId), bank.recurringOverdue)
      if (reason !== undefined) {
        endRun(books, recurring, { id: runId, status: 'Skipped', reason, paymentId: null })
        note('Skipped')
        // The answer is never read: a due date that is over is not run again.
        return undefined as unknown as Payment
      }
      const made = decide(books)
      if (made instanceof Needs) return made
      endRun(books, recurring, { id: runId, status: 'Succeeded', reason: null, paymentId: Number(made.id) })
      note('Succeeded')
      return made
    },
    ...(supply && { supply: async (lack) => withRun(bank, await supply(lack), run) }),
  }
}

function requireUnchanged(books: Books, due: Due) {
  const recurring = books.of(recurringPayments).get(due.id)
  if (!recurring || recurring.version !== due.version || !isGoing(recurring)) throw new Changed()
  return recurring
}

/** Notes that a run was refused, in a command of its own: the refusal has undone all of the first one. */
async function failRun(
  { runOnce, lane }: PaymentBank,
  due: Due,
  runId: number,
  { code }: Problem,
): Promise<Outcome | undefined> {
  const write = bankWrite(due.organisationId)
  let outcome: Outcome = 'Failed'
  const command: Command<void> = {
    write,
    accountIds: [due.accountId],
    reads: [recurringPayments.ids([due.id])],
    decide(books) {
      decideFailure(books, requireUnchanged(books, due), code, runId)
      outcome = books.of(recurringPayments).get(due.id)?.tries === 0 ? 'Failed' : 'Waiting'
    },
  }
  try {
    await runOnce.attempt(write, () => lane.run(command))
    return outcome
  } catch (error) {
    if (error instanceof Changed) return undefined
    throw error
  }
}
