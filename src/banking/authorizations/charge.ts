import { type Static, Type } from 'typebox'
import { Amount } from '../../base/cents.ts'
import { described, Text } from '../../base/text.ts'
import { merchantFacts } from '../../rewards/purchases.ts'

const ChargingMerchant = Type.Object(
  {
    name: Text(1, 100, {
      description: 'Name of the merchant; offers match by it if its id is not known',
      examples: ['Sample Coffee'],
    }),
    category: Type.Optional(Text(1, 100, { description: 'Trade of the merchant', examples: ['Restaurants'] })),
    location: Type.Optional(Text(1, 100, { description: 'Place of the purchase', examples: ['Springfield, IL'] })),
    ...merchantFacts,
  },
  { $id: 'ChargingMerchant', description: 'The merchant that charges the card' },
)

/** The members of a body that charges a card. The simulations of the sandbox and the card processor send the same. */
export const chargeMembers = {
  amount: described(Amount, 'Amount to hold, in cents'),
  merchant: ChargingMerchant,
}

/** The members of a body that settles an authorization. */
export const settlementMembers = {
  amount: Type.Optional(described(Amount, 'Amount to take, in cents; absent for the amount that is held')),
  final: Type.Optional(
    Type.Boolean({ description: 'False keeps the authorization open for further settlements; true by default' }),
  ),
}

/** The members of a body that refunds an authorization. */
export const refundMembers = {
  amount: Type.Optional(described(Amount, 'Amount to give back, in cents; absent for all that is left')),
}

const bodies = {
  charge: Type.Object(chargeMembers),
  settlement: Type.Object(settlementMembers),
  refund: Type.Object(refundMembers),
}
export type ChargeInput = Static<typeof bodies.charge> & { cardId: string }
export type SettlementInput = Static<typeof bodies.settlement> & { authorizationId: string }
export type RefundInput = Static<typeof bodies.refund> & { authorizationId: string }
