import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { MAX_CENTS } from '../../base/cents.ts'
import { sha256 } from '../../base/sha256.ts'
import { faultIn, instantOf, Maybe, MaybeText } from './offer.ts'

/** A reward that a user has earned, or has lost again. Null stands for values that the notification does not contain. */
export interface EarnedReward {
  userId: string
  /** Kard's ids of the purchase; one of them is the bank's. */
  transactionIds: [string, ...string[]]
  offerId: string | null
  merchantName: string
  amount: number | null
  userAmount: number | null
  state: 'PENDING' | 'CONFIRMED' | 'REJECTED' | 'CLAWED_BACK'
  purchasedAt: string | null
}

export interface Notification {
  /** Made of the id and the type: Kard's examples have one id for the approval and the settlement of a reward. */
  upstreamId: string
  type: string
  /** The id by which version 0.1.0 stored the same notification. */
  formerId?: string
  /** Absent if the notification is about something else, and if it cannot be read. */
  reward?: EarnedReward
  /** The reason why a notification about a reward cannot be read. */
  fault?: string
}

/** Reads a notification of either form. */
export function notificationOf(content: unknown): Notification {
  if (envelope.Check(content)) return currentNotification(content.data)
  if (legacyName.Check(content)) return legacyNotification(content)
  const digest = sha256(JSON.stringify(content) ?? '').toString('hex')
  return { upstreamId: digest, type: 'unknown', fault: 'the body is not in the form of a notification from Kard' }
}

const Id = Type.String({ pattern: '^[\\x21-\\x7e]{1,200}$' })
const Cents = Type.Integer({ minimum: -MAX_CENTS, maximum: MAX_CENTS })

const Envelope = Type.Object({ id: Id, type: Id })
const envelope = Compile(Type.Object({ data: Envelope }))

const User = Type.Object({ data: Type.Object({ id: Type.String() }) })
const Related = Type.Object({ data: Type.Object({ id: Id }) })

const attributes = {
  name: MaybeText,
  transactionAmountInCents: Maybe(Cents),
  transactionId: Maybe(Id),
  transactionTimestamp: MaybeText,
}
const Earned = Type.Object({
  attributes: Type.Object(attributes),
  relationships: Type.Object({ user: User, offer: Maybe(Related), transaction: Maybe(Related) }),
})
const Settled = Type.Object({
  ...Earned.properties,
  attributes: Type.Object({
    ...attributes,
    commissionEarned: Type.Object({ type: Type.Enum(['cents', 'CENTS']), value: Cents }),
  }),
})
const earned = Compile(Earned)
const settled = Compile(Settled)

/** The notifications of the current form that are about a reward, and the state of the reward after each. */
const states: Record<string, EarnedReward['state'] | undefined> = {
  earnedRewardApproved: 'PENDING',
  earnedRewardSettled: 'CONFIRMED',
  earnedRewardRejected: 'REJECTED',
  clawback: 'CLAWED_BACK',
}

function currentNotification(data: Static<typeof Envelope>): Notification {
  const { id, type } = data
  const notification = { upstreamId: boundedId(`${id} ${type}`), type, formerId: id }
  const state = Object.hasOwn(states, type) ? states[type] : undefined
  if (!state) return notification
  // Only a settlement contains the amount that the user gets.
  const shape = state === 'CONFIRMED' ? settled : earned
  if (!shape.Check(data)) return { ...notification, fault: faultIn(shape, data) ?? '' }
  const { user, offer, transaction } = data.relationships
  const { name, transactionId, transactionAmountInCents, transactionTimestamp } = data.attributes
  const [first, ...others] = [transaction?.data.id, transactionId].filter((one) => typeof one === 'string')
  if (first === undefined) return { ...notification, fault: 'the record names no transaction' }
  const reward: EarnedReward = {
    userId: user.data.id,
    transactionIds: [first, ...others],
    offerId: offer?.data.id ?? null,
    merchantName: cleaned(name ?? ''),
    amount: transactionAmountInCents ?? null,
    userAmount: settled.Check(data) ? data.attributes.commissionEarned.value : null,
    state,
    purchasedAt: instantOf(transactionTimestamp) ?? null,
  }
  return { ...notification, reward }
}

/** The part of a notification of the legacy form by which it is known: it has no id. */
const LegacyName = Type.Object({
  transaction: Type.Object({ issuerTransactionId: Id, status: Type.String({ pattern: '^[A-Z]{1,50}$' }) }),
})
const legacyName = Compile(LegacyName)
const legacy = Compile(
  Type.Object({
    user: Type.Object({ referringPartnerUserId: Type.String() }),
    reward: Type.Object({
      name: MaybeText,
      commissionSplit: Type.Object({ usersCommissionInCents: Cents }),
    }),
    transaction: Type.Object({ transactionAmountInCents: Maybe(Cents), transactionTimeStamp: MaybeText }),
  }),
)
const legacyStates = new Map<string, EarnedReward['state']>([
  ['APPROVED', 'PENDING'],
  ['SETTLED', 'CONFIRMED'],
])

function legacyNotification(content: Static<typeof LegacyName>): Notification {
  const { issuerTransactionId, status } = content.transaction
  // A transaction is approved once and settled once, which makes the pair a unique id.
  const notification = { upstreamId: `${issuerTransactionId} ${status}`, type: status }
  const state = legacyStates.get(status)
  if (!state) return notification
  if (!legacy.Check(content)) return { ...notification, fault: faultIn(legacy, content) ?? '' }
  const { user, reward, transaction } = content
  const earnedReward: EarnedReward = {
    userId: user.referringPartnerUserId,
    transactionIds: [issuerTransactionId],
    offerId: null,
    merchantName: cleaned(reward.name ?? ''),
    amount: transaction.transactionAmountInCents ?? null,
    userAmount: reward.commissionSplit.usersCommissionInCents,
    state,
    purchasedAt: instantOf(transaction.transactionTimeStamp) ?? null,
  }
  return { ...notification, reward: earnedReward }
}

const LONGEST_ID = 255

/** An id that fits its column: one that is too long is replaced by its digest. */
function boundedId(id: string): string {
  return id.length <= LONGEST_ID ? id : sha256(id).toString('hex')
}

/** A text without control characters and of bounded length: events keep it for good. */
function cleaned(text: string): string {
  return text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, LONGEST_ID)
}
