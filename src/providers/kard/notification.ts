import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { instantOf } from './offer.ts'

/** A reward that a user has earned. */
export interface EarnedReward {
  userId: string
  /** The upstream's ids of the purchase; one of them is the bank's. */
  transactionIds: string[]
  offerId: string | null
  merchantName: string
  amount: number | null
  userAmount: number
  state: 'PENDING' | 'CONFIRMED'
  /** When the purchase was made, where the notification has it. */
  purchasedAt: string | null
}

export interface Notification {
  upstreamId: string
  type: string
  /** Absent where the notification is about something else. */
  reward?: EarnedReward
}

const Id = Type.String({ pattern: '^[\\x21-\\x7e]{1,200}$' })
const Related = Type.Optional(Type.Object({ data: Type.Object({ id: Id }) }))

const Current = Compile(
  Type.Object({
    data: Type.Object({
      id: Id,
      type: Id,
      attributes: Type.Optional(
        Type.Object({
          name: Type.Optional(Type.String()),
          commissionEarned: Type.Optional(Type.Object({ type: Type.String(), value: Type.Number() })),
          transactionAmountInCents: Type.Optional(Type.Integer()),
          transactionId: Type.Optional(Id),
          transactionTimestamp: Type.Optional(Type.String()),
        }),
      ),
      relationships: Type.Optional(Type.Object({ user: Related, offer: Related, transaction: Related })),
    }),
  }),
)

/** The older form of a notification, which has no id. */
const Legacy = Compile(
  Type.Object({
    user: Type.Object({ referringPartnerUserId: Type.String() }),
    reward: Type.Object({
      name: Type.String(),
      commissionSplit: Type.Object({ usersCommissionInCents: Type.Integer() }),
    }),
    transaction: Type.Object({
      issuerTransactionId: Id,
      status: Type.String({ pattern: '^[A-Z]{1,50}$' }),
      transactionAmountInCents: Type.Integer(),
      transactionTimeStamp: Type.Optional(Type.String()),
    }),
  }),
)

const states: Record<string, EarnedReward['state'] | undefined> = {
  earnedRewardApproved: 'PENDING',
  earnedRewardSettled: 'CONFIRMED',
  APPROVED: 'PENDING',
  SETTLED: 'CONFIRMED',
}

/** Reads a notification; undefined for a body of neither form. */
export function notificationOf(content: unknown): Notification | undefined {
  if (Current.Check(content)) {
    const { id, type, attributes = {}, relationships = {} } = content.data
    const { user, offer, transaction } = relationships
    const { commissionEarned, transactionId } = attributes
    const state = states[type]
    if (!state || !user || commissionEarned?.type.toLowerCase() !== 'cents') return { upstreamId: id, type }
    const reward = {
      userId: user.data.id,
      transactionIds: [transaction?.data.id, transactionId].filter((one) => one !== undefined),
      offerId: offer?.data.id ?? null,
      merchantName: attributes.name ?? '',
      amount: attributes.transactionAmountInCents ?? null,
      userAmount: Math.floor(commissionEarned.value),
      state,
      purchasedAt: instantOf(attributes.transactionTimestamp) ?? null,
    }
    return { upstreamId: id, type, reward }
  }
  if (Legacy.Check(content)) {
    const { user, reward, transaction } = content
    const { issuerTransactionId, status } = transaction
    const state = states[status]
    // A transaction is approved once and settled once, which makes the pair a unique id.
    const notification = { upstreamId: `${issuerTransactionId} ${status}`, type: status }
    if (!state) return notification
    const earned = {
      userId: user.referringPartnerUserId,
      transactionIds: [issuerTransactionId],
      offerId: null,
      merchantName: reward.name,
      amount: transaction.transactionAmountInCents,
      userAmount: reward.commissionSplit.usersCommissionInCents,
      state,
      purchasedAt: instantOf(transaction.transactionTimeStamp) ?? null,
    }
    return { ...notification, reward: earned }
  }
  return undefined
}
