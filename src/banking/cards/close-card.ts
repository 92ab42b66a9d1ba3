import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingWrite } from '../provider.ts'
import { Card } from './card.ts'

/** Extension. Closes a card for good. */
export const closeCard = bankingWrite({
  id: 'closeCard',
  resource: 'cards',
  verb: 'close',
  path: '/v0/banking/cards/:cardId/close',
  summary: 'Close card',
  description:
    'Closes a card for good: its status becomes `ClosedByCustomer`. New purchases are declined, and open authorizations still settle.\n\nA card that has ended already is refused with `card_wrong_state`. Emits `card.statusChanged`.',
  params: Type.Object({ cardId: Id('card') }),
  data: Card,
  problems: ['card_not_found', 'card_wrong_state', 'customer_erased'],
  run: ({ bank, write }, { params }) => bank.closeCard(write, params.cardId),
})
