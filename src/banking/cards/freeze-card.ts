import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingWrite } from '../provider.ts'
import { Card } from './card.ts'

/** Extension. Stops new authorizations on an active card. */
export const freezeCard = bankingWrite({
  id: 'freezeCard',
  resource: 'cards',
  verb: 'freeze',
  path: '/v0/banking/cards/:cardId/freeze',
  summary: 'Freeze card',
  description:
    'Freezes an `Active` card: new purchases are declined. Open authorizations still settle. `POST /v0/banking/cards/:cardId/unfreeze` undoes it.\n\nA card in another state is refused with `card_wrong_state`. Emits `card.statusChanged`.',
  params: Type.Object({ cardId: Id('card') }),
  data: Card,
  problems: ['card_not_found', 'card_wrong_state', 'customer_erased'],
  run: ({ bank, write }, { params }) => bank.freezeCard(write, params.cardId),
})
