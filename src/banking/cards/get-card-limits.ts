import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingRead } from '../provider.ts'
import { CardLimits } from './card-limits.ts'

/** Extension. Returns the spending limits of a card, and what is used of them. */
export const getCardLimits = bankingRead({
  id: 'getCardLimits',
  resource: 'cardLimits',
  verb: 'get',
  area: 'banking',
  method: 'GET',
  path: '/v0/banking/cards/:cardId/limits',
  summary: 'Get card limits',
  description:
    'Returns the spending limits of a card, and the approved purchases of the present day and month. Members are null if there is no limit. An unknown id is `card_not_found`.',
  status: 200,
  scope: 'banking:read',
  params: Type.Object({ cardId: Id('card') }),
  data: CardLimits,
  problems: ['card_not_found'],
  run: ({ bank, caller }, { params }) => bank.getCardLimits(caller, params.cardId),
})
