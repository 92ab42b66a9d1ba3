import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { MailingAddress } from '../address.ts'
import { bankingWrite } from '../provider.ts'
import { Card } from './card.ts'

const ReplaceCardBody = Type.Object({ shippingAddress: MailingAddress })
export type ReplaceCardInput = Static<typeof ReplaceCardBody> & { cardId: string }

/** B6. Ships a new card in place of a physical one. The old card works until the new one is activated. */
export const replaceCard = bankingWrite({
  id: 'replaceCard',
  resource: 'cards',
  verb: 'replace',
  number: 'B6',
  area: 'banking',
  method: 'POST',
  path: '/v0/banking/cards/:cardId/replace',
  summary: 'Replace card',
  status: 201,
  scope: 'banking:write',
  params: Type.Object({ cardId: Id('card') }),
  body: ReplaceCardBody,
  data: Card,
  problems: ['card_not_found', 'card_wrong_state', 'account_not_open'],
  run: ({ bank, write }, { params, body }) => bank.replaceCard(write, { cardId: params.cardId, ...body }),
})
