import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingRead } from '../provider.ts'
import { CardLimits } from './card-limits.ts'

/** Extension. Returns the spending limits of a card, and what is used of them. */
export const getCardLimits = bankingRead({
  id: 'getCardLimits',
  resource: 'cardLimits',
  verb: 'get',
  path: '/v0/banking/cards/:cardId/limits',
  summary: 'Get card limits',
  description:
    'Returns the spending limits of a card, and what the purchases of the current day and month have used. A member without a limit is null. An unknown id is refused with `card_not_found`.',
  params: Type.Object({ cardId: Id('card') }),
  data: CardLimits,
  problems: ['card_not_found'],
  run: ({ bank, caller }, { params }) => bank.getCardLimits(caller, params.cardId),
})
