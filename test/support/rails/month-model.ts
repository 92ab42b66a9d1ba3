import {
  bankingDaysAfter,
  daysAfter,
  departureOf,
  easternInstant,
  easternOf,
  returnDeadline,
} from '../../../src/rails/ach/calendar.ts'
import { returnCodes } from '../../../src/rails/ach/codes.ts'

interface ModelPayment {
  id: string
  account: number
  amount: number
  number: string
  direction: 'Credit' | 'Debit'
  status: 'Pending' | 'Canceled' | 'Clearing' | 'Sent' | 'Returned'
  returnCode?: string
  cutoff: string
  settles: string
  /** The time of the other bank's answer; undefined if there is none, or it has come. */
  answers: string | undefined
}

interface ModelReceived {
  id: string
  account: number
  direction: 'Credit' | 'Debit'
  amount: number
  settlesOn: string
  due: string
  isBooked: boolean
  status: 'Pending' | 'Completed' | 'MarkedForReturn' | 'Returned'
  returnCode?: string
  /** The time at which its return settles. */
  returns: string | undefined
}

/** A month of the bank as it should be: balances, payments, received payments and exceptions. */
export interface Month {
  now: string
  balances: number[]
  payments: ModelPayment[]
  received: ModelReceived[]
  exceptions: string[]
}

export function newMonth(now: string, accounts: number): Month {
  return { now, balances: Array(accounts).fill(0), payments: [], received: [], exceptions: [] }
}

/** Adds to the balance of an account. */
function add(month: Month, account: number, amount: number): void {
  month.balances[account] = (month.balances[account] ?? 0) + amount
}

const balanceIn = (month: Month, account: number) => month.balances[account] ?? 0

/** A payment that is accepted. The money of one that is sent leaves the account at once. */
export function modelPayment(
  month: Month,
  {
    sameDay,
    ...payment
  }: Pick<ModelPayment, 'id' | 'account' | 'amount' | 'number' | 'direction'> & { sameDay: boolean },
): void {
  const { cutoff, settles } = departureOf(month.now, sameDay)
  const settled = easternOf(settles).day
  const [, kind] = /^999([012])0000\d\d$/.exec(payment.number) ?? []
  const day = kind === '1' ? bankingDaysAfter(daysAfter(settled, 45), 0) : bankingDaysAfter(settled, 2)
  const answers = kind === undefined ? undefined : easternInstant(day, '08:30')
  if (payment.direction === 'Credit') add(month, payment.account, -payment.amount)
  month.payments.push({ ...payment, status: 'Pending', cutoff, settles, answers })
}

/** The answer to a cancellation, or the code of its refusal. */
export function modelCancel(month: Month, payment: ModelPayment): string {
  if (payment.status !== 'Pending') return 'payment_not_cancelable'
  payment.status = 'Canceled'
  if (payment.direction === 'Credit') add(month, payment.account, payment.amount)
  return 'Canceled'
}

/** The same for a return that the sandbox is asked for. */
export function modelReturn(month: Month, payment: ModelPayment, code: string): string {
  if (payment.status !== 'Clearing' && payment.status !== 'Sent') return 'payment_not_returnable'
  giveBack(month, payment, code)
  return 'Returned'
}

/** The money of a debit is taken back if the account was credited with it. */
function giveBack(month: Month, payment: ModelPayment, code: string): void {
  if (payment.direction === 'Credit') add(month, payment.account, payment.amount)
  else if (payment.status === 'Sent') add(month, payment.account, -payment.amount)
  Object.assign(payment, { status: 'Returned', returnCode: code })
}

/** An entry of another bank for an account. */
export function modelReceived(
  month: Month,
  entry: Pick<ModelReceived, 'id' | 'account' | 'direction' | 'amount' | 'settlesOn'>,
): void {
  const due = easternInstant(entry.settlesOn, entry.direction === 'Credit' ? '09:00' : '08:30')
  const received: ModelReceived = { ...entry, due, isBooked: false, status: 'Pending', returns: undefined }
  month.received.push(received)
  if (due <= month.now) book(month, received)
}

function book(month: Month, received: ModelReceived): void {
  received.isBooked = true
  if (received.status !== 'Pending') return
  const { account, direction, amount } = received
  if (direction === 'Debit' && balanceIn(month, account) < amount) {
    mark(received, 'R01', month.now)
    return
  }
  received.status = 'Completed'
  add(month, account, direction === 'Credit' ? amount : -amount)
}

function mark(received: ModelReceived, returnCode: string, from: string): void {
  Object.assign(received, { status: 'MarkedForReturn', returnCode, returns: departureOf(from, false).settles })
}

/** Returns a received payment by request, or answers with the code of the refusal. */
export function modelReturnReceived(month: Month, received: ModelReceived, code: string): string {
  if (received.status !== 'Pending' && received.status !== 'Completed') return 'received_payment_not_returnable'
  const from = received.isBooked || received.due <= month.now ? month.now : received.due
  const limit = returnCodes[code]?.limit
  const deadline = limit && returnDeadline(received.settlesOn, limit)
  if (deadline && easternOf(departureOf(from, false).settles).day > deadline) return 'return_too_late'
  const { account, direction, amount, isBooked } = received
  if (isBooked && direction === 'Credit' && balanceIn(month, account) < amount) return 'insufficient_funds'
  if (isBooked) add(month, account, direction === 'Credit' ? -amount : amount)
  mark(received, code, from)
  return 'MarkedForReturn'
}

interface Due {
  at: string
  /** Of the work of one time, that of the lowest rank is done first. */
  rank: number
  run(): unknown
}

/** Passes time: cut-offs, settlements, answers and bookings in the order of their times. */
export function modelAdvance(month: Month, to: string): void {
  for (;;) {
    const [next] = dueIn(month)
      .filter(({ at }) => at <= to)
      .toSorted((a, b) => (a.at === b.at ? a.rank - b.rank : a.at < b.at ? -1 : 1))
    if (!next) break
    if (next.at > month.now) month.now = next.at
    next.run()
  }
  month.now = to
}

/** The end of the three clearing days of a debit. */
function clearsAt(settles: string): string {
  const { day, time } = easternOf(settles)
  return easternInstant(bankingDaysAfter(day, 3), time)
}

function send(month: Month, payment: ModelPayment): void {
  payment.status = 'Sent'
  if (payment.direction === 'Debit') add(month, payment.account, payment.amount)
}

function dueIn(month: Month): Due[] {
  const due: Due[] = []
  for (const payment of month.payments) {
    const { status, cutoff, settles, answers } = payment
    if (status === 'Pending')
      due.push({ at: cutoff, rank: 0, run: () => Object.assign(payment, { status: 'Clearing' }) })
    if (status === 'Clearing') {
      const isDebit = payment.direction === 'Debit'
      due.push({ at: isDebit ? clearsAt(settles) : settles, rank: isDebit ? 3 : 1, run: () => send(month, payment) })
    }
    if (answers !== undefined && status !== 'Canceled') {
      due.push({ at: answers, rank: 2, run: () => answer(month, payment) })
    }
  }
  for (const received of month.received) {
    const { status, isBooked, returns } = received
    if (!isBooked) due.push({ at: received.due, rank: 4, run: () => book(month, received) })
    if (isBooked && status === 'MarkedForReturn' && returns !== undefined) {
      due.push({ at: returns, rank: 1, run: () => Object.assign(received, { status: 'Returned' }) })
    }
  }
  return due
}

function answer(month: Month, payment: ModelPayment): void {
  payment.answers = undefined
  const [, kind, digits] = /^999([012])0000(\d\d)$/.exec(payment.number) ?? []
  if (kind === '2') {
    if (digits === '09' || digits === '13') month.exceptions.push('change_not_usable')
    return
  }
  const code = `R${digits}`
  const limit = returnCodes[code]?.limit
  if (!limit) return
  const isLate = kind === '1' && typeof limit !== 'string' && 'bankingDays' in limit
  if (payment.status === 'Returned') month.exceptions.push('return_repeated')
  else if (isLate) month.exceptions.push('return_late')
  else giveBack(month, payment, code)
}
