import type { PaymentLimits } from '../banking/accounts/account-limits.ts'
import type { Spent } from '../banking/cards/card-limits.ts'
import type { Answer, Write } from '../base/operation.ts'
import type { EventSink, EventType } from '../events/event.ts'
import { type NewEvent, originOf } from '../events/record.ts'
import { type OrganisationLimits, type Share, type ShareVerdict, ShortShare } from './limits/shares.ts'
import type { Usage } from './limits/usage.sql.ts'
import { type OpenBooks, openBooks } from './open-books.ts'
import type {
  AchException,
  AchResolution,
  IncomingAchFile,
  InternalKind,
  LedgerAccount,
  LedgerAuthorization,
  LedgerCard,
  LedgerHold,
  LedgerLink,
  LedgerPayee,
  LedgerPayment,
  LedgerPurchase,
  LedgerReceived,
  LedgerReview,
  ReceivedEntry,
  ReviewDecision,
  Transfer,
  TransferOrder,
} from './records.ts'
import type { CardDay } from './spending.ts'

/** The rows that a batch has locked and read. */
export interface BooksState {
  accounts: LedgerAccount[]
  /** The internal accounts among them. */
  internals: Internals
  payees: LedgerPayee[]
  payments: LedgerPayment[]
  cards: LedgerCard[]
  authorizations: LedgerAuthorization[]
  holds: LedgerHold[]
  /** The approved purchases of cards that have limits of days or months. */
  spending: CardDay[]
  received: LedgerReceived[]
  links: LedgerLink[]
  purchases: LedgerPurchase[]
  /** `partner user:offer` of every reward that is pending, confirmed or paid. */
  earned: Set<string>
  /** Amounts of payments that count for the limits of their accounts, since the beginning of the month. */
  usage: Usage
  /** The limits of organisations, and the shares of the connection in them. */
  organisations: { limits: Map<number, OrganisationLimits>; shares: Map<string, Share> }
  /** ACH files that are being built. */
  buildingFiles: Set<number>
  /** Bank time of each organisation, read after the locks were taken. */
  times: Map<number, string>
}

/** The ids of the internal accounts that a batch posts to, by organisation and kind. */
export type Internals = Map<number, Partial<Record<InternalKind, number>>>

/** The rows that a decision can read and change. A decision refuses by throwing a Problem; its changes are then undone. */
export interface Books {
  now(organisationId: number): string
  account(id: number): LedgerAccount | undefined
  /** The internal account of this kind of the caller's organisation. The command must list the kind in `internal`. */
  internal(kind: InternalKind): LedgerAccount
  payee(id: number): LedgerPayee | undefined
  payment(id: number): LedgerPayment | undefined
  card(id: number): LedgerCard | undefined
  authorization(id: number): LedgerAuthorization | undefined
  transfer(order: TransferOrder): Transfer
  insertPayment(payment: LedgerPayment): void
  /** Replaces a payment by its next version, and returns it. */
  updatePayment(payment: LedgerPayment): LedgerPayment
  /** The amounts that count for the limits of an account, on a day and in its month. */
  usage(accountId: number, day: string): { day: number; month: number }
  /** Changes what the payments of an account with limits used on a day. */
  addUsage(accountId: number, day: string, amount: number): void
  /** The limits of the caller's organisation, where it has some. */
  organisationLimits(): OrganisationLimits | undefined
  /** Uses an amount of a limit of the caller's organisation in a period. */
  useShare(period: string, limit: PaymentLimits['day'], amount: number): ShareVerdict
  /** Counts an amount in a period of the caller's organisation, whatever its limits. */
  countInPeriod(period: string, amount: number): void
  /** Notes that a new payment waits for a review. */
  insertReview(review: LedgerReview): void
  /** Notes that a payment to an external account was approved. */
  knowPayee(id: number): void
  /** Notes the decision about a payment, and stores the columns that it sets. */
  decideReview(decided: ReviewDecision): void
  /** Whether an ACH file is being built. The command must list it in `achFileIds`. */
  isBuilding(achFileId: number): boolean
  /** Notes that a batch of an ACH file has settled. */
  settleBatch(id: number): void
  /** Adds an incoming ACH file whose entries are applied by the same command. */
  insertIncomingFile(file: IncomingAchFile): void
  received(id: number): LedgerReceived | undefined
  insertReceived(received: LedgerReceived): void
  /** Replaces a received payment by its next version, and returns it. */
  updateReceived(received: LedgerReceived): LedgerReceived
  /** Notes the outcome of an entry of an incoming ACH file. */
  insertReceivedEntry(entry: ReceivedEntry): void
  insertAchException(exception: AchException): void
  /** The approved purchases of a card on a day (`2026-06-15`) or in a month (`2026-06`), where it has limits of those. */
  spentIn(cardId: number, period: string): Spent
  /** Notes how an exception was resolved. Fails the batch where it was resolved before. */
  resolveAchException(resolution: AchResolution): void
  /** Adds an authorization and its amount to the account's hold. */
  insertAuthorization(authorization: LedgerAuthorization): void
  /** Replaces an authorization by its next version and adjusts the account's hold. */
  updateAuthorization(authorization: LedgerAuthorization): void
  hold(id: number): LedgerHold | undefined
  /** Adds a hold and its amount to the account's hold. */
  insertHold(hold: LedgerHold): void
  /** Replaces a hold by its last version, which has ended, and takes its amount from the account's hold. */
  endHold(hold: LedgerHold): LedgerHold
  link(id: number): LedgerLink | undefined
  /** The purchases of an authorization, oldest first. */
  purchasesOf(authorizationId: number): LedgerPurchase[]
  /** Whether a partner user has a pending, confirmed or paid reward from an offer. */
  hasEarned(partnerUserId: number, offerId: string): boolean
  insertPurchase(purchase: LedgerPurchase): void
  updatePurchase(purchase: LedgerPurchase): void
  /** The events of the command. */
  events: EventSink
}

/** A change to money: the rows to lock and read, and the pure decision over them. */
export interface Command<Data = unknown, Lack = unknown> {
  write: Write<Data>
  accountIds: number[]
  /** The kinds of internal accounts that it posts to. */
  internal?: InternalKind[]
  payeeIds?: number[]
  paymentIds?: number[]
  cardIds?: number[]
  authorizationIds?: number[]
  holdIds?: number[]
  achFileIds?: number[]
  receivedIds?: number[]
  /** The records by which a purchase earns rewards. */
  rewards?: { linkIds: number[]; partnerUserIds: number[]; offerIds: string[] }
  decide(books: Books): Data | Needs<Lack>
  /** Makes the next attempt of a command whose decision answered `needs`. */
  supply?(lack: Lack): Promise<Command<Data, Lack>>
}

/** The answer of a decision that lacks locks or ids: the lane runs the command again with them. */
export class Needs<Lack> {
  readonly lack: Lack
  constructor(lack: Lack) {
    this.lack = lack
  }
}

export function needs<Lack>(lack: Lack): Needs<Lack> {
  return new Needs(lack)
}

export type Outcome =
  | { answer: Answer }
  | { refused: unknown }
  | { lack: unknown }
  /** The share in the limits of the organisation is too small: the batch locks all shares. */
  | { short: true }
  /** An internal account of this kind has no room for the command's transfers: the batch opens another. */
  | { full: InternalKind }

/** The rows that a batch writes. */
export interface Rows {
  transfers: Transfer[]
  payments: LedgerPayment[]
  paymentUpdates: LedgerPayment[]
  /** Changes of what payments use of the limits of their accounts, by the day of the payment. */
  usages: { accountId: number; organisationId: number; day: string; amount: number }[]
  /** The shares in limits of organisations that were used. */
  shares: Share[]
  /** Amounts that are counted in periods of organisations, whatever their limits. */
  counted: { organisationId: number; period: string; amount: number }[]
  reviews: LedgerReview[]
  reviewDecisions: ReviewDecision[]
  /** External accounts to which a payment was approved. */
  knownPayees: number[]
  settledBatches: { id: number; at: string }[]
  incomingFiles: { file: IncomingAchFile; takenAt: string }[]
  received: LedgerReceived[]
  receivedUpdates: LedgerReceived[]
  receivedEntries: ReceivedEntry[]
  achExceptions: AchException[]
  achResolutions: AchResolution[]
  authorizations: LedgerAuthorization[]
  authorizationUpdates: LedgerAuthorization[]
  holds: LedgerHold[]
  endedHolds: LedgerHold[]
  purchases: LedgerPurchase[]
  purchaseUpdates: LedgerPurchase[]
  /** Accounts in their last state, with the sequence number that they were read with. */
  accounts: { account: LedgerAccount; expectedSeq: number }[]
  answers: {
    write: Write<never>
    answer: Answer
    /** The payment that the answer shows; it is stored in place of the body. */
    paymentId: number | null
    /** The status that it shows where that is not the first one. */
    paymentStatus: 'Pending' | 'Sent' | 'Rejected' | 'Canceled' | 'Returned' | null
  }[]
  events: NewEvent[]
}

/** Books in which nothing was read. */
export function noState(): BooksState {
  return {
    accounts: [],
    internals: new Map(),
    payees: [],
    payments: [],
    cards: [],
    authorizations: [],
    holds: [],
    spending: [],
    received: [],
    links: [],
    purchases: [],
    earned: new Set(),
    usage: new Map(),
    organisations: { limits: new Map(), shares: new Map() },
    buildingFiles: new Set(),
    times: new Map(),
  }
}

/** A batch that writes nothing. */
export function noRows(): Rows {
  return {
    transfers: [],
    payments: [],
    paymentUpdates: [],
    usages: [],
    shares: [],
    counted: [],
    reviews: [],
    reviewDecisions: [],
    knownPayees: [],
    settledBatches: [],
    incomingFiles: [],
    received: [],
    receivedUpdates: [],
    receivedEntries: [],
    achExceptions: [],
    achResolutions: [],
    authorizations: [],
    authorizationUpdates: [],
    holds: [],
    endedHolds: [],
    purchases: [],
    purchaseUpdates: [],
    accounts: [],
    answers: [],
    events: [],
  }
}

/** Decides commands in their order; each sees the changes of those before it. Pure: no clock, no database. */
export function decideAll(state: BooksState, commands: Command<never>[]): { outcomes: Outcome[]; rows: Rows } {
  const open = openBooks(state, noRows())
  const outcomes = decideInOrder(open, commands)
  open.rows.accounts.push(...open.changedAccounts())
  return { outcomes, rows: open.rows }
}

/** A command that is short runs later. The commands behind it on the same accounts do so too, and do not overtake it. */
function decideInOrder(open: OpenBooks, commands: Command<never>[]): Outcome[] {
  const waiting = new Set<number>()
  return commands.map((command) => {
    const isBehind = waiting.size > 0 && command.accountIds.some((id) => waiting.has(id))
    const outcome: Outcome = isBehind ? { short: true } : decideOne(open, command)
    if ('short' in outcome) for (const id of command.accountIds) waiting.add(id)
    return outcome
  })
}

function decideOne(open: OpenBooks, { write, decide }: Command<never>): Outcome {
  try {
    open.begin(write.caller.organisationId)
    const data = decide(open.books)
    const full = open.fullInternal()
    if (full !== undefined || data instanceof Needs) {
      open.undo()
      return data instanceof Needs ? { lack: data.lack } : { full: full as InternalKind }
    }
    const json = JSON.stringify(data)
    const answer = write.render(data, json)
    open.keep()
    const shown = paymentIn(open, data)
    open.rows.answers.push({ write, answer, ...shown })
    const { alsoKey } = write
    if (alsoKey) open.rows.answers.push({ write: { ...write, key: alsoKey }, answer, ...shown })
    recordEvents(open, write, data, json)
    return { answer }
  } catch (refused) {
    open.undo()
    return refused instanceof ShortShare ? { short: true } : { refused }
  }
}

type ShownPayment = Pick<Rows['answers'][number], 'paymentId' | 'paymentStatus'>

const noPayment: ShownPayment = { paymentId: null, paymentStatus: null }

/** The status in which a payment is shown by the answer that comes with an event; null for the first one. */
const shownStatuses: Partial<Record<EventType, ShownPayment['paymentStatus']>> = {
  'payment.created': null,
  'payment.pending': 'Pending',
  'payment.sent': 'Sent',
  'payment.rejected': 'Rejected',
  'payment.canceled': 'Canceled',
  'payment.returned': 'Returned',
}

/** The payment that a command has created or changed, and answers with. */
function paymentIn({ emitted }: OpenBooks, data: unknown): ShownPayment {
  if (data === undefined) return noPayment
  for (const { type, id, fromRow, data: shown } of emitted) {
    const paymentStatus = shownStatuses[type]
    if (fromRow && shown === data && paymentStatus !== undefined) return { paymentId: Number(id), paymentStatus }
  }
  return noPayment
}

/** Most events show the record that the command answers with, so its JSON is used for both. */
function recordEvents({ emitted, rows }: OpenBooks, write: Write<never>, data: unknown, json: string): void {
  if (emitted.length === 0) return
  const origin = originOf(write)
  for (const event of emitted.splice(0)) {
    if (!event.fromRow && event.json === undefined && event.data === data) event.json = json
    rows.events.push({ event, origin })
  }
}
