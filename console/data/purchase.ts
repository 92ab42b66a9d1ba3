import type { Authorization, ListedTransaction, LocalOffer, NationalOffer, Purser } from '../../client/src/index.ts'

/** A merchant with an offer. */
export interface Shop {
  offerId: string
  name: string
  /** `City, ST`; empty for a merchant online. Local offers match by it. */
  location: string
  /** The offer in words. */
  offer: string
}

/** The merchants of offers, those nearby first. */
export function shopsOf(local: readonly LocalOffer[], national: readonly NationalOffer[]): Shop[] {
  const near = local.map(({ address: { city, state }, ...offer }) => shopOf(offer, `${city}, ${state}`))
  return [...near, ...national.map((offer) => shopOf(offer, ''))]
}

type Offer = Pick<LocalOffer, 'id' | 'commission' | 'terms' | 'merchant'>

function shopOf({ id, commission, terms, merchant }: Offer, location: string): Shop {
  return { offerId: id, name: merchant.name, location, offer: [`${commission}%`, terms].filter(Boolean).join(' · ') }
}

export interface PurchaseOrder {
  cardId: string
  amount: number
  merchant: { name: string; location?: string | undefined }
  /** Whether the purchase is settled at once. */
  settle: boolean
}

export interface Purchase {
  authorization: Authorization
  transaction: ListedTransaction | undefined
  /** The reason why the authorization was not settled. */
  fault: unknown
}

/** Pays by card: holds the amount, and settles it if the order says so. */
export async function buy(purser: Purser, { cardId, amount, merchant, settle }: PurchaseOrder): Promise<Purchase> {
  const authorization = await purser.sandbox.authorizations.create(cardId, { amount, merchant })
  if (!settle || authorization.status === 'Declined') return { authorization, transaction: undefined, fault: undefined }
  try {
    const transaction = await purser.sandbox.authorizations.settle(authorization.id)
    return { authorization: { ...authorization, status: 'Completed' }, transaction, fault: undefined }
  } catch (fault) {
    return { authorization, transaction: undefined, fault }
  }
}

/** Links a card to the partner user of its holder, who is enrolled first if needed, so that purchases earn. */
export async function linkCard(purser: Purser, customerId: string, bankCardId: string): Promise<void> {
  const own = { whereClause: '$C1 = $V1', columnNames: 'userId', values: `[${customerId}]`, limit: 1 }
  const { data } = await purser.partnerUsers.list(own).page()
  const user = data[0] ?? (await purser.partnerUsers.create({ userId: Number(customerId) }))
  await purser.partnerUserCards.create({ partnerUserId: user.id, bankCardId })
}
