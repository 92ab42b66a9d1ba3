import { Type } from 'typebox'
import { processorRead } from './processor.ts'
import { ProcessorCard, Reference } from './processor-card.ts'

/** Extension. Finds the card that has a reference of the processor. */
export const listProcessorCards = processorRead({
  id: 'listProcessorCards',
  resource: 'processorCards',
  verb: 'list',
  area: 'processor',
  method: 'GET',
  path: '/v0/processor/cards',
  summary: 'Find card by reference',
  description:
    "Returns the card that has the processor's `reference`, in any state, as a list of one. A reference that no card has finds nothing.",
  status: 200,
  scope: 'processor:write',
  query: Type.Object({ reference: Reference }),
  data: Type.Array(ProcessorCard),
  problems: [],
  run: ({ processor, caller }, { query }) => processor.listProcessorCards(caller, query),
})
