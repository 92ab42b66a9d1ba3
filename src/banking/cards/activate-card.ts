import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingWrite } from '../provider.ts'
import { Card } from './card.ts'

/** Extension. Activates an inactive card and ends the card that it replaces. */
export const activateCard = bankingWrite({
  id: 'activateCard',
  resource: 'cards',
  verb: 'activate',
  path: '/v0/banking/cards/:cardId/activate',
  summary: 'Activate card',
  description:
    'Activates an `Inactive` card and closes the cards that it replaces.\n\nA card in another state is refused with `card_wrong_state`, and an account that is not `Open` with `account_not_open`. Emits `card.activated`, and `card.statusChanged` for each card that was closed.',
  params: Type.Object({ cardId: Id('card') }),
  data: Card,
  problems: ['card_not_found', 'card_wrong_state', 'account_not_open', 'customer_erased'],
  run: ({ bank, write }, { params }) => bank.activateCard(write, params.cardId),
})
