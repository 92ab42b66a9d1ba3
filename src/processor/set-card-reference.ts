import { Type } from 'typebox'
import { Id } from '../base/ids.ts'
import { processorWrite } from './processor.ts'
import { ProcessorCard, Reference } from './processor-card.ts'

const SetCardReferenceBody = Type.Object(
  { reference: Type.Union([Reference, Type.Null()], { description: 'Reference of the card; null removes it' }) },
  { description: 'The reference' },
)

/** Extension. Gives a card the reference by which its processor knows it. */
export const setCardReference = processorWrite({
  id: 'setCardReference',
  resource: 'processorCards',
  verb: 'setReference',
  method: 'PUT',
  path: '/v0/processor/cards/:cardId/reference',
  summary: 'Set card reference',
  description:
    'Sets or replaces the reference by which the processor knows a card, in any state. A replacement card has none at first. The same reference again changes nothing.\n\nA reference of another card is refused with `card_reference_taken`; remove it there first, with null. A change emits `card.referenceChanged`.',
  params: Type.Object({ cardId: Id('card') }),
  body: SetCardReferenceBody,
  data: ProcessorCard,
  problems: ['card_not_found', 'card_reference_taken'],
  run: ({ processor, write }, { params, body }) =>
    processor.setCardReference(write, { cardId: params.cardId, reference: body.reference }),
})
