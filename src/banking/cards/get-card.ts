import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingRead } from '../provider.ts'
import { Card } from './card.ts'

/** Extension. Reads one card. */
export const getCard = bankingRead({
  id: 'getCard',
  resource: 'cards',
  verb: 'get',
  path: '/v0/banking/cards/:cardId',
  summary: 'Get card',
  description:
    'Returns a card in any state. The full card number is never shown. An unknown id is refused with `card_not_found`.',
  params: Type.Object({ cardId: Id('card') }),
  data: Card,
  problems: ['card_not_found'],
  run: ({ bank, caller }, { params }) => bank.getCard(caller, params.cardId),
})
