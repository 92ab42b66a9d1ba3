/** A card purchase that has settled at a bank which is not our own. Ids are that bank's. */
export interface ToldPurchase {
  transactionId: string
  cardId: string
  accountId: string
  amount: number
  merchantName: string
  /** `City, ST`, or whatever the bank knows. */
  merchantLocation: string
  purchasedAt: string
}

/** How cash back reaches an account at such a bank. */
export interface Payouts {
  /** Pays a reward once, however often it is asked to, and answers the id of the payment. */
  pay(payout: Payout): Promise<string>
}

interface Payout {
  organisationId: number
  rewardId: number
  accountId: string
  amount: number
}

/** The city and the state of a place that a bank wrote down, for offers that hold there alone. */
export function cityAndState(location: string): { city: string | null; state: string | null } {
  const place = /^(.*),\s*([A-Za-z]{2})$/.exec(location.trim())
  return { city: place?.[1]?.trim() ?? null, state: place?.[2] ?? null }
}
