import { type Static, Type } from 'typebox'
import { Text } from '../base/text.ts'
import { normalisedMerchantName } from './merchant-name.ts'

/** Members of a message about a purchase that identify its merchant, beside the name. */
export const merchantFacts = {
  id: Type.Optional(
    Text(1, 100, { description: 'Id of the merchant at the card network', examples: ['445012345678'] }),
  ),
  categoryCode: Type.Optional(
    Type.String({ pattern: '^[0-9]{4}$', description: 'Merchant category code (MCC)', examples: ['5814'] }),
  ),
}
export const MerchantFacts = Type.Object(merchantFacts, {
  description: 'Facts about the merchant. They count as far as the authorization does not have them',
})
export type MerchantFacts = Static<typeof MerchantFacts>

/** A settled card purchase at an upstream bank. Ids are that bank's. */
export interface UpstreamPurchase {
  transactionId: string
  cardId: string
  accountId: string
  amount: number
  merchantName: string
  /** `City, ST`, or another form that the bank uses. */
  merchantLocation: string
  merchantId: string | null
  categoryCode: string | null
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

/** The facts of a purchase that offers are looked for by. */
export interface MatchedPurchase {
  normalisedName: string
  at: string
  city: string | null
  state: string | null
  merchantId: string | null
  categoryCode: string | null
}

/** A category that is a code of four digits counts as the code if there is no other. */
export function matchedPurchase(
  merchant: {
    name: string
    location: string
    category?: string
    merchantId: string | null
    categoryCode: string | null
  },
  at: string,
): MatchedPurchase {
  const { name, location, category = '', merchantId, categoryCode } = merchant
  return {
    normalisedName: normalisedMerchantName(name),
    at,
    ...cityAndState(location),
    merchantId,
    categoryCode: categoryCode ?? (/^\d{4}$/.test(category) ? category : null),
  }
}

/** The city and state in a bank's description of a place, for local offers. */
function cityAndState(location: string): { city: string | null; state: string | null } {
  const place = /^(.*),\s*([A-Za-z]{2})$/.exec(location.trim())
  return { city: place?.[1]?.trim() ?? null, state: place?.[2] ?? null }
}
