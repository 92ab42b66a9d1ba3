/** A settled card purchase at an upstream bank. Ids are that bank's. */
export interface UpstreamPurchase {
  transactionId: string
  cardId: string
  accountId: string
  amount: number
  merchantName: string
  /** `City, ST`, or another form that the bank uses. */
  merchantLocation: string
  purchasedAt: string
}

/** Pays cash back to accounts at an upstream bank. */
export interface Payouts {
  /** Pays a reward once, however often it is called, and returns the id of the payment. */
  pay(payout: Payout): Promise<string>
}

interface Payout {
  organisationId: number
  rewardId: number
  /** The transaction at the bank that earned the reward. */
  purchaseId: string
  /** Whether a former version began the payout under a key that is made of the reward. */
  isBegunByReward: boolean
  accountId: string
  amount: number
}

/** The city and state in a bank's description of a place, for local offers. */
export function cityAndState(location: string): { city: string | null; state: string | null } {
  const place = /^(.*),\s*([A-Za-z]{2})$/.exec(location.trim())
  return { city: place?.[1]?.trim() ?? null, state: place?.[2] ?? null }
}
