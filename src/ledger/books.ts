import type { PaymentLimits } from '../banking/accounts/account-limits.ts'
import type { Spent } from '../banking/cards/card-limits.ts'
import type { ReviewReason } from '../banking/payments/review-reason.ts'
import type { Answer, Write } from '../base/operation.ts'
import type { EventSink } from '../events/event.ts'
import type { NewEvent } from '../events/record.ts'
import type { Lock } from './attempts.ts'
import type { OrganisationLimits, Share, ShareVerdict } from './limits/shares.ts'
import type { Usage } from './limits/usage.sql.ts'
import type {
  AchException,
  AchResolution,
  IncomingAchFile,
  LedgerReceived,
  ReceivedEntry,
} from './received/received-records.ts'
import type {
  InternalKind,
  LedgerAccount,
  LedgerAuthorization,
  LedgerCard,
  LedgerHold,
  LedgerLink,
  LedgerPayee,
  LedgerPayment,
  LedgerPurchase,
  LedgerReview,
  ReviewDecision,
  StoppedPayment,
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
  /** Batches of ACH files that are to settle, under lock. */
  unsettledBatches: Set<number>
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
  /**
   * The payments of an account that have not left. Undefined where one of them is new, and is written with this batch. The command must
   * list the account in `pendingOf`.
   */
  pendingOf(accountId: number): LedgerPayment[] | undefined
  /** Notes that a payment was stopped, and stores the columns that this sets. */
  insertStop(stopped: StoppedPayment): void
  /** Lets payments of an account that wait for their external accounts wait for a reviewer of their own. */
  keepWaiting(waiting: KeptWaiting): void
  /** Whether an ACH file is being built. The command must list it in `achFileIds`. */
  isBuilding(achFileId: number): boolean
  /**
   * Notes that a batch of an ACH file settles, and returns whether it does: another process may have settled or rejected it
   * meanwhile. The command must list it in `achBatchIds`.
   */
  settleBatch(id: number): boolean
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

/** The payments of an account that are to wait for a reason of their own. */
interface KeptWaiting {
  organisationId: number
  accountId: number
  reason: ReviewReason
}

/** The commands of one request that are decided in their order on each account, such as the payments of a batch. */
export type Group = symbol

/** A change to money: the rows to lock and read, and the pure decision over them. */
export interface Command<Data = unknown, Lack = unknown> {
  write: Write<Data>
  group?: Group | undefined
  /** Characters of its texts that may be long, such as tags. A batch takes fewer commands that have many. */
  characters?: number
  accountIds: number[]
  /** The kinds of internal accounts that it posts to. */
  internal?: InternalKind[]
  payeeIds?: number[]
  paymentIds?: number[]
  /** Accounts whose payments that have not left are read. */
  pendingOf?: number[]
  cardIds?: number[]
  authorizationIds?: number[]
  holdIds?: number[]
  achFileIds?: number[]
  achBatchIds?: number[]
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
  /** Nothing was done: another transaction holds these locks. */
  | { held: Lock[] }
  /** Nothing was done: an earlier command of the group on the same accounts is not decided yet. */
  | { behind: true }

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
  /** Decisions about payments, and payments that were stopped, in their order. */
  reviewSteps: (ReviewDecision | StoppedPayment)[]
  keptWaiting: KeptWaiting[]
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
    paymentStatus: 'Pending' | 'PendingReview' | 'Sent' | 'Rejected' | 'Canceled' | 'Returned' | null
    /** Its version, where it may have had that status before. */
    paymentVersion: number | null
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
    unsettledBatches: new Set(),
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
    reviewSteps: [],
    keptWaiting: [],
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
