import type { ReviewRequest } from './model-reviews.ts'

export type AccountMove = 'freeze' | 'unfreeze' | 'close' | 'reopen'

/** The expected state of the bank, in memory. */
export interface Model {
  overdraft: number
  /** Bank time when it was last asked for. */
  now: string
  /** The oldest month that has no statements yet. */
  month: string
  /** The ids of the customers. */
  customers: string[]
  applications: ModelApplication[]
  accounts: ModelAccount[]
  externals: ModelExternal[]
  payments: ModelPayment[]
  holds: ModelHold[]
  /** The limits of the organisation. */
  organisation: ModelLimits | undefined
  cards: ModelCard[]
  authorizations: ModelAuthorization[]
  /** Stored answers by their key. */
  answers: Record<string, { request: string; status: number; text: string }>
  /** Every request that had a key, to send it again. */
  keyed: Request[]
}

/** The application of a person, about which a reviewer decides. */
export interface ModelApplication {
  id: string
  status: 'AwaitingDocuments' | 'PendingReview' | 'Approved' | 'Denied'
  documents: { id: string; status: 'Required' | 'PendingReview' | 'Approved' | 'Invalid' }[]
  /** Whether a person has to decide, also if all documents are approved. */
  needsDecision: boolean
  /** The customer of an approval, once it was noted. */
  customer?: string
}

export interface ModelAccount {
  id: string
  /** The place of its customer. */
  owner: number
  createdAt: string
  status: 'Open' | 'Frozen' | 'Closed'
  /** Amounts with their signs, in the order of posting. */
  lines: number[]
  limits?: AccountLimits | undefined
}

interface Limit {
  soft?: number
  hard?: number
}

export type ModelLimits = Record<'payment' | 'day' | 'month', Limit>
export type AccountLimits = ModelLimits & { overdraft?: number }

export interface ModelPayment {
  id: string
  account: number
  amount: number
  status: 'Sent' | 'Returned' | 'PendingReview' | 'Rejected' | 'Canceled'
  isBook: boolean
  ownBank: boolean
  createdAt: string
  /** The external account; none for a book transfer. */
  external?: string
  /** Whether it waits for a decision of its own, also if its external account is approved. */
  isScreened?: boolean
}

/** A hold of an account, as a resource of its own. */
interface ModelHold {
  id: string
  account: number
  amount: number
  status: 'Active' | 'Released' | 'Expired'
  expiresAt: string | undefined
}

export interface ModelExternal {
  id: string
  owner: number
  /** The account of this bank that it names. */
  names: number | undefined
  deleted: boolean
  review?: 'PendingReview' | 'Approved' | 'Rejected'
}

export interface ModelCard {
  id: string
  account: number
  status: 'Active' | 'Frozen' | 'ClosedByCustomer'
  /** The last month in which it works. */
  expires: string
  limits?: ModelCardLimits
}

export interface ModelCardLimits {
  purchase?: { amount: number }
  day?: { amount?: number; count?: number }
  month?: { amount?: number; count?: number }
}

type Declined = 'CardNotActive' | 'AccountNotOpen' | 'InsufficientFunds'
type PastLimit = 'PurchaseLimitExceeded' | 'DailyLimitExceeded' | 'MonthlyLimitExceeded'

export interface ModelAuthorization {
  id: string
  account: number
  card: string
  status: 'Authorized' | 'Completed' | 'Canceled' | 'Declined'
  reason: Declined | PastLimit | undefined
  createdAt: string
  amount: number
  settled: number
  refunded: number
  expiresAt: string
}

export type ModelCardMove = 'freeze' | 'unfreeze' | 'close'

/** A request to the bank, and its meaning. */
export type Request = (
  | { do: 'pay'; account: number; external: string; amount: number }
  | { do: 'transfer'; account: number; to: number; amount: number }
  | { do: 'receive'; account: number; direction: 'Credit' | 'Debit'; amount: number }
  | { do: 'batch'; items: Request[] }
  | { do: 'return' | 'cancel' | 'approve' | 'reject'; payment: string }
  | { do: 'decideExternal'; external: string; move: 'approve' | 'reject' }
  | { do: 'limits'; account: number; limits: AccountLimits }
  | { do: 'cardLimits'; card: string; limits: ModelCardLimits }
  | { do: 'organisation'; limits: ModelLimits | undefined }
  | { do: 'move'; account: number; move: AccountMove; closeTo?: number }
  | { do: 'delete'; external: string }
  | { do: 'card'; account: number }
  | { do: 'moveCard'; card: string; move: ModelCardMove }
  | { do: 'authorize'; card: string; amount: number }
  | { do: 'settle'; authorization: string; amount: number | undefined; final: boolean }
  | { do: 'reverse'; authorization: string }
  | { do: 'refund'; authorization: string; amount: number | undefined }
  | { do: 'increment'; authorization: string; amount: number }
  | { do: 'advise'; authorization: string; amount: number }
  | { do: 'hold'; account: number; amount: number; isLegal: boolean; expiresAt: string | undefined }
  | { do: 'releaseHold'; account: number; hold: string }
  | { do: 'advance'; to: string }
  | ReviewRequest
) & {
  method: string
  path: string
  body?: Record<string, unknown>
  key?: string
  outer?: string
  /** Whether another organisation sends it. */
  isStranger?: true
}

/** Work of the bank while the clock advances: the end of an authorization or a hold, or a payment that follows its external account. */
export type Work =
  | { do: 'expire'; authorization: string }
  | { do: 'release'; payment: string }
  | { do: 'expireHold'; hold: string }

/** The id and the time that the bank gave a new record. */
export interface Given {
  id: string
  createdAt: string
  documents?: { id: string }[]
}

export interface Outcome {
  status: number
  code?: string
  balance?: number
  state?: string
  reason?: string | undefined
  replayed?: string
  /** The amounts that count for the limits of an account: of the day and of the month. */
  used?: (number | null)[]
}

/** An id that no record has. */
export const NOBODY = '1000000000'
export const DAY_MS = 86_400_000
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

export const balanceOf = ({ lines }: ModelAccount) => sum(lines)

export function heldBy({ status, amount, settled }: ModelAuthorization): number {
  return status === 'Authorized' ? Math.max(0, amount - settled) : 0
}

export function holdOf(model: Model, account: ModelAccount): number {
  const isOf = (one: { account: number }) => model.accounts[one.account] === account
  const active = model.holds.filter((hold) => isOf(hold) && hold.status === 'Active')
  return sum([...model.authorizations.filter(isOf).map(heldBy), ...active.map(({ amount }) => amount)])
}

export const availableOf = (model: Model, account: ModelAccount) => balanceOf(account) - holdOf(model, account)

export function overdraftOf(model: Model, { limits }: ModelAccount): number {
  return limits?.overdraft ?? model.overdraft
}

/** The amount that an account may spend. */
export const spendableOf = (model: Model, account: ModelAccount) =>
  availableOf(model, account) + overdraftOf(model, account)

export function pick<T>(list: T[], index: number): T {
  const item = list[index % list.length]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}

/** The open authorizations whose time is over by then, in the order in which they end. */
export function dueBy({ authorizations }: Model, to: string): ModelAuthorization[] {
  return authorizations
    .filter(({ status, expiresAt }) => status === 'Authorized' && expiresAt <= to)
    .sort((a, b) => (a.expiresAt === b.expiresAt ? Number(a.id) - Number(b.id) : a.expiresAt < b.expiresAt ? -1 : 1))
}

/** The holds whose time is over by then. */
export function holdsDueBy({ holds }: Model, to: string): { id: string; expiresAt: string }[] {
  return holds.flatMap(({ id, status, expiresAt }) =>
    status === 'Active' && expiresAt !== undefined && expiresAt <= to ? [{ id, expiresAt }] : [],
  )
}

/** The payments that follow a decision about their external account, in the order in which they do. */
export function releasesIn({ payments, externals }: Model): ModelPayment[] {
  return payments
    .filter(({ status, isScreened, external }) => {
      const review = externals.find(({ id }) => id === external)?.review
      return status === 'PendingReview' && (review === 'Rejected' || (review === 'Approved' && !isScreened))
    })
    .sort((a, b) => (a.createdAt === b.createdAt ? Number(a.id) - Number(b.id) : a.createdAt < b.createdAt ? -1 : 1))
}

/** Whether an outcome may depend on the day of bank time. */
export function hasLimits({ accounts, cards, organisation }: Model): boolean {
  return organisation !== undefined || [...accounts, ...cards].some(({ limits }) => limits !== undefined)
}

/** The months that are over by then and have no statements yet. */
export function monthsOver({ month }: Model, to: string): string[] {
  const months: string[] = []
  for (let next = month; endOf(next) <= to; next = endOf(next).slice(0, 7)) months.push(next)
  return months
}

/** The first instant after a month. */
export function endOf(month: string): string {
  return new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 1)).toISOString()
}
