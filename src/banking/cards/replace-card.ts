import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { MailingAddress } from '../address.ts'
import { bankingWrite } from '../provider.ts'
import { Card } from './card.ts'

const ReplaceCardBody = Type.Object(
  { shippingAddress: MailingAddress },
  { description: 'The address that the new card is sent to' },
)
export type ReplaceCardInput = Static<typeof ReplaceCardBody> & { cardId: string }

/** B6. Ships a new card in place of a physical one. The old card works until the new one is activated. */
export const replaceCard = bankingWrite({
  id: 'replaceCard',
  resource: 'cards',
  verb: 'replace',
  number: 'B6',
  path: '/v0/banking/cards/:cardId/replace',
  summary: 'Replace card',
  description:
    'Orders a new physical card to replace one that is worn, lost or stolen. It has the same account and design, other digits, and is `Inactive`. The old card keeps its state until the new one is activated, which closes it.\n\nOnly a physical card that is `Inactive`, `Active`, `Lost` or `Stolen` can be replaced; others are refused with `card_wrong_state`, as is a chain of 100 replacements that were never activated. A `Closed` account is refused with `account_not_open`.\n\nEmits `card.created` for the new card and `card.replaced` for the old one.',
  status: 201,
  params: Type.Object({ cardId: Id('card') }),
  body: ReplaceCardBody,
  data: Card,
  problems: ['card_not_found', 'card_wrong_state', 'account_not_open', 'customer_erased'],
  run: ({ bank, write }, { params, body }) => bank.replaceCard(write, { cardId: params.cardId, ...body }),
})
