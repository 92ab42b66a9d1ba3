import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { cursorQuery, cursorRule } from '../../base/page.ts'
import { recordsRead } from '../records/records.ts'
import { Activation } from './activation.ts'

const ListActivationsQuery = Type.Object(
  {
    partnerUserId: Type.Optional(Id('partnerUser', 'Only those of this partner user')),
    offerId: Type.Optional(Id('campaignOffer', 'Only those of this offer')),
    ...cursorQuery,
  },
  { 'x-rules': [cursorRule] },
)
export type ListActivationsQuery = Static<typeof ListActivationsQuery>

/** Extension. Lists activations, newest first. */
export const listActivations = recordsRead({
  id: 'listActivations',
  resource: 'offerActivations',
  verb: 'list',
  area: 'rewards',
  method: 'GET',
  path: '/v0/rewards/activations',
  summary: 'List activations',
  description: 'Lists activations of offers, newest first, also those that are over or canceled.',
  status: 200,
  scope: 'rewards:read',
  fromStandby: true,
  query: ListActivationsQuery,
  data: Type.Array(Activation),
  problems: [],
  run: ({ records, caller }, { query }) => records.listActivations(caller, query),
})
