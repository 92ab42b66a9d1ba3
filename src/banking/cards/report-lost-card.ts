import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingWrite } from '../provider.ts'
import { Card } from './card.ts'

/** Extension. Ends a card that was lost. It can still be replaced. */
export const reportLostCard = bankingWrite({
  id: 'reportLostCard',
  resource: 'cards',
  verb: 'reportLost',
  area: 'banking',
  method: 'POST',
  path: '/v0/banking/cards/:cardId/report-lost',
  summary: 'Report card lost',
  status: 200,
  scope: 'banking:write',
  params: Type.Object({ cardId: Id('card') }),
  data: Card,
  problems: ['card_not_found', 'card_wrong_state'],
  run: ({ bank, write }, { params }) => bank.reportLostCard(write, params.cardId),
})
