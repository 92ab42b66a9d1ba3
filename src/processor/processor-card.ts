import { type Static, Type } from 'typebox'
import { Card } from '../banking/cards/card.ts'
import { Text } from '../base/text.ts'

export const Reference = Text(1, 255, {
  description: 'The card processor’s name for the card, unique in the organisation',
  examples: ['crd_9f31c2'],
})

const { id, accountId, last4Digits, expirationDate, status, type } = Card.properties

/** A card as its processor sees it. */
export const ProcessorCard = Type.Object(
  {
    id,
    accountId,
    last4Digits,
    expirationDate,
    status,
    type,
    reference: Type.Union([Reference, Type.Null()], {
      description: 'The name by which the card processor knows the card; null if it has none',
    }),
  },
  { $id: 'ProcessorCard', description: 'A card as its processor sees it' },
)
export type ProcessorCard = Static<typeof ProcessorCard>
