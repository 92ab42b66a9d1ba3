import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingWrite } from '../provider.ts'
import { Card } from './card.ts'

/** Extension. Ends a card that was lost. It can still be replaced. */
export const reportLostCard = bankingWrite({
  id: 'reportLostCard',
  resource: 'cards',
  verb: 'reportLost',
  path: '/v0/banking/cards/:cardId/report-lost',
  summary: 'Report card lost',
  description:
    'Ends a card that its holder has lost: its status becomes `Lost` for good, and new purchases are declined. `POST /v0/banking/cards/:cardId/replace` orders a new one.\n\nA card that has ended already is refused with `card_wrong_state`. Emits `card.statusChanged`.',
  params: Type.Object({ cardId: Id('card') }),
  data: Card,
  problems: ['card_not_found', 'card_wrong_state', 'customer_erased'],
  run: ({ bank, write }, { params }) => bank.reportLostCard(write, params.cardId),
})
