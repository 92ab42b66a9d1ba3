import type { AccountStatus } from '../banking/accounts/account.ts'
import { type AuthorizationStatus, type DeclineReason, heldBy } from '../banking/authorizations/authorization.ts'
import type { CardStatus } from '../banking/cards/card.ts'
import { MAX_CENTS } from '../base/cents.ts'
import type { Answer, Write } from '../base/operation.ts'
import { Problem } from '../base/problem.ts'

/** An account as the ledger sees it under lock. */
export interface LedgerAccount {
  id: number
  organisationId: number
  /** Null for the bank's own accounts. */
  customerId: number | null
  name: string
  accountNumber: string
  status: AccountStatus
  balance: number
  hold: number
  seq: number
  postedAt: string | null
}

export interface LedgerPayment {
  id: number
  organisationId: number
  accountId: number
  customerId: number
  type: 'achPayment'
  direction: 'Credit'
  status: 'Sent' | 'Returned'
  amount: number
  description: string
  addenda: string | null
  originalType: string
  createdAt: string
  externalAccountId: number | null
  counterparty: { name: string; routingNumber: string; accountNumber: string; accountType: string }
  destinationAccountId: number | null
  tags: Record<string, string>
  returnCode: string | null
}

/** A card as it is while its account is locked: its status changes under that lock alone. */
export interface LedgerCard {
  id: number
  accountId: number
  last4: string
  expires: string
  status: CardStatus
}

export interface LedgerAuthorization {
  id: number
  organisationId: number
  accountId: number
  customerId: number
  cardId: number
  cardLast4: string
  status: AuthorizationStatus
  amount: number
  settled: number
  refunded: number
  merchantName: string
  merchantCategory: string
  merchantLocation: string
  declineReason: DeclineReason | null
  createdAt: string
  expiresAt: string
}

/** What caused a transfer. */
export type SourceKind = 'payment' | 'payment_return' | 'received_ach' | 'card_settlement' | 'card_refund'

export interface TransferOrder {
  /** The even one of two neighbouring ids. */
  id: number
  debitAccountId: number
  creditAccountId: number
  amount: number
  sourceKind: SourceKind
  sourceId: number | null
  party: string | null
  description: string | null
}

export interface Transfer extends TransferOrder {
  organisationId: number
  debitSeq: number
  debitBalance: number
  creditSeq: number
  creditBalance: number
  createdAt: string
}

/** What was read under lock before anything is decided. */
export interface BooksState {
  accounts: LedgerAccount[]
  payments: LedgerPayment[]
  cards: LedgerCard[]
  authorizations: LedgerAuthorization[]
  /** Bank time of each organisation, taken after the locks. */
  times: Map<number, string>
}

/** What a decision may see and do. It throws a Problem to refuse; nothing it did then remains. */
export interface Books {
  now(organisationId: number): string
  account(id: number): LedgerAccount | undefined
  payment(id: number): LedgerPayment | undefined
  card(id: number): LedgerCard | undefined
  authorization(id: number): LedgerAuthorization | undefined
  transfer(order: TransferOrder): Transfer
  insertPayment(payment: LedgerPayment): void
  updatePayment(payment: LedgerPayment): void
  /** A new authorization; what it holds is held on the account. */
  insertAuthorization(authorization: LedgerAuthorization): void
  /** A changed authorization; the account's hold follows. */
  updateAuthorization(authorization: LedgerAuthorization): void
}

/** A change to money: what to lock, and the pure decision over what was read. */
export interface Command<Data = unknown> {
  write: Write<Data>
  accountIds: number[]
  paymentIds?: number[]
  cardIds?: number[]
  authorizationIds?: number[]
  decide(books: Books): Data
}

export type Outcome = { answer: Answer } | { refused: unknown }

/** All that a batch writes, in sets. */
export interface Rows {
  transfers: Transfer[]
  payments: LedgerPayment[]
  paymentUpdates: LedgerPayment[]
  authorizations: LedgerAuthorization[]
  authorizationUpdates: LedgerAuthorization[]
  /** Accounts as they end up, with the sequence number they were read with. */
  accounts: { account: LedgerAccount; expectedSeq: number }[]
  answers: { write: Write<never>; answer: Answer }[]
}

/** Decides commands one by one in their order, each on what those before it left. Pure: no clock, no database. */
export function decideAll(state: BooksState, commands: Command<never>[]): { outcomes: Outcome[]; rows: Rows } {
  const read = byId(state.accounts)
  const accounts = new Map(read)
  const shelf: Shelf = {
    accounts,
    payments: byId(state.payments),
    cards: byId(state.cards),
    authorizations: byId(state.authorizations),
    times: postingTimes(state),
  }
  const rows: Rows = {
    transfers: [],
    payments: [],
    paymentUpdates: [],
    authorizations: [],
    authorizationUpdates: [],
    accounts: [],
    answers: [],
  }

  const outcomes = commands.map(({ write, decide }): Outcome => {
    const draft = openDraft(shelf)
    try {
      const answer = write.render(decide(draft.books) as never)
      draft.keep(rows)
      rows.answers.push({ write, answer })
      return { answer }
    } catch (refused) {
      return { refused }
    }
  })
  for (const [id, account] of accounts) {
    const before = read.get(id)
    if (before && before !== account) rows.accounts.push({ account, expectedSeq: before.seq })
  }
  return { outcomes, rows }
}

/** The records of a batch as the commands so far have left them. */
interface Shelf {
  accounts: Map<number, LedgerAccount>
  payments: Map<number, LedgerPayment>
  cards: Map<number, LedgerCard>
  authorizations: Map<number, LedgerAuthorization>
  times: Map<number, string>
}

/** One command's changes, set aside until it has succeeded. */
function openDraft(shelf: Shelf): { books: Books; keep(rows: Rows): void } {
  const changed = new Map<number, LedgerAccount>()
  const transfers: Transfer[] = []
  const payments: LedgerPayment[] = []
  const paymentUpdates: LedgerPayment[] = []
  const authorizations: LedgerAuthorization[] = []
  const authorizationUpdates: LedgerAuthorization[] = []

  const accountNow = (id: number) => changed.get(id) ?? shelf.accounts.get(id)
  const now = (organisationId: number) => {
    const time = shelf.times.get(organisationId)
    if (time === undefined) throw new Error(`no time was read for organisation ${organisationId}`)
    return time
  }

  function change(id: number, difference: (account: LedgerAccount) => Partial<LedgerAccount>): LedgerAccount {
    const account = accountNow(id)
    if (!account) throw new Error(`account ${id} was not read under lock`)
    const moved = { ...account, ...difference(account) }
    const sizes = [moved.balance, moved.hold, moved.balance - moved.hold].map(Math.abs)
    if (Math.max(...sizes) > MAX_CENTS) throw new Problem('balance_limit')
    changed.set(id, moved)
    return moved
  }

  function move(id: number, amount: number, postedAt: string): LedgerAccount {
    return change(id, ({ balance, seq }) => ({ balance: balance + amount, seq: seq + 1, postedAt }))
  }

  return {
    books: {
      now,
      account: accountNow,
      payment: (id) => shelf.payments.get(id),
      card: (id) => shelf.cards.get(id),
      authorization: (id) => shelf.authorizations.get(id),
      transfer(order) {
        const organisationId = accountNow(order.debitAccountId)?.organisationId ?? 0
        if (accountNow(order.creditAccountId)?.organisationId !== organisationId) {
          throw new Error('a transfer stays within one organisation')
        }
        const createdAt = now(organisationId)
        const debit = move(order.debitAccountId, -order.amount, createdAt)
        const credit = move(order.creditAccountId, order.amount, createdAt)
        const transfer = {
          ...order,
          organisationId,
          debitSeq: debit.seq,
          debitBalance: debit.balance,
          creditSeq: credit.seq,
          creditBalance: credit.balance,
          createdAt,
        }
        transfers.push(transfer)
        return transfer
      },
      insertPayment: (payment) => void payments.push(payment),
      updatePayment: (payment) => void paymentUpdates.push(payment),
      insertAuthorization(authorization) {
        change(authorization.accountId, ({ hold }) => ({ hold: hold + heldBy(authorization) }))
        authorizations.push(authorization)
      },
      updateAuthorization(authorization) {
        const before = shelf.authorizations.get(authorization.id)
        if (!before) throw new Error(`authorization ${authorization.id} was not read under lock`)
        change(authorization.accountId, ({ hold }) => ({ hold: hold + heldBy(authorization) - heldBy(before) }))
        authorizationUpdates.push(authorization)
      },
    },
    keep(rows) {
      for (const [id, account] of changed) shelf.accounts.set(id, account)
      for (const payment of [...payments, ...paymentUpdates]) shelf.payments.set(payment.id, payment)
      for (const authorization of authorizationUpdates) shelf.authorizations.set(authorization.id, authorization)
      rows.transfers.push(...transfers)
      rows.payments.push(...payments)
      rows.paymentUpdates.push(...paymentUpdates)
      rows.authorizations.push(...authorizations)
      rows.authorizationUpdates.push(...authorizationUpdates)
    },
  }
}

/** Bank time, but never before the last posting of an account at hand: along a sequence time does not fall. */
function postingTimes({ accounts, times }: BooksState): Map<number, string> {
  const latest = new Map(times)
  for (const { organisationId, postedAt } of accounts) {
    const time = latest.get(organisationId)
    if (postedAt !== null && time !== undefined && postedAt > time) latest.set(organisationId, postedAt)
  }
  return latest
}

function byId<Row extends { id: number }>(rows: Row[]): Map<number, Row> {
  return new Map(rows.map((row) => [row.id, row]))
}
