import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingWrite } from '../provider.ts'
import { Card } from './card.ts'

/** Extension. Ends a card that was stolen. It can still be replaced. */
export const reportStolenCard = bankingWrite({
  id: 'reportStolenCard',
  resource: 'cards',
  verb: 'reportStolen',
  path: '/v0/banking/cards/:cardId/report-stolen',
  summary: 'Report card stolen',
  description:
    'Ends a card that was stolen from its holder: its status becomes `Stolen` for good, and new purchases are declined. `POST /v0/banking/cards/:cardId/replace` orders a new one.\n\nA card that has ended already is refused with `card_wrong_state`. Emits `card.statusChanged`.',
  params: Type.Object({ cardId: Id('card') }),
  data: Card,
  problems: ['card_not_found', 'card_wrong_state', 'customer_erased'],
  run: ({ bank, write }, { params }) => bank.reportStolenCard(write, params.cardId),
})
