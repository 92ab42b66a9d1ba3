import { Type } from 'typebox'
import { processorRead } from './processor.ts'
import { ProcessorCard, Reference } from './processor-card.ts'

/** Extension. Finds the card that has a reference of the processor. */
export const listProcessorCards = processorRead({
  id: 'listProcessorCards',
  resource: 'processorCards',
  verb: 'list',
  path: '/v0/processor/cards',
  summary: 'Find card by reference',
  description:
    'Returns the card with this `reference` of the processor, in any state, as a list of one. An unknown reference matches nothing.',
  query: Type.Object({ reference: Reference }),
  data: Type.Array(ProcessorCard),
  problems: [],
  run: ({ processor, caller }, { query }) => processor.listProcessorCards(caller, query),
})
