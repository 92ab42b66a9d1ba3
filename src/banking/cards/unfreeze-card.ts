import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingWrite } from '../provider.ts'
import { Card } from './card.ts'

/** Extension. Makes a frozen card active again. */
export const unfreezeCard = bankingWrite({
  id: 'unfreezeCard',
  resource: 'cards',
  verb: 'unfreeze',
  path: '/v0/banking/cards/:cardId/unfreeze',
  summary: 'Unfreeze card',
  description:
    'Makes a `Frozen` card `Active` again. A card in another state is refused with `card_wrong_state`. Emits `card.statusChanged`.',
  params: Type.Object({ cardId: Id('card') }),
  data: Card,
  problems: ['card_not_found', 'card_wrong_state', 'customer_erased'],
  run: ({ bank, write }, { params }) => bank.unfreezeCard(write, params.cardId),
})
