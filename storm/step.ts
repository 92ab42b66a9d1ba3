// Steps as apps and tests see them: the types of the package must not name fast-check, which is inside it.

/** A step of a life as it is printed, stored and replayed: its name, and what the seed drew for it. */
export interface PlainStep {
  do: string
  [member: string]: unknown
}

/** The customer of a life, who was there before it began. */
export interface StormCustomer {
  customerId: string
  accountId: string
  cardId: string
  /** The partner user whose purchases with the card earn rewards. */
  partnerUserId: number
  /**
   * Accounts at other banks. The first one takes what it gets, the second one gets new numbers, the third one returns on the last
   * legal day, and the fourth one after 45 days.
   */
  externalAccountIds: string[]
}
