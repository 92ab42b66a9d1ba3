import { type Static, Type } from 'typebox'
import { HistoryStep } from './history-step.ts'
import { lookedUpParams, requireType } from './look-up-record.ts'
import { toolsRead } from './tools.ts'

const ListHistoryQuery = Type.Object({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: 'Only what came after the event with this sequence number; the Link header has it for the next page',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Most events of the record on a page' }),
  ),
})
export type ListHistoryQuery = Static<typeof ListHistoryQuery>

/** Extension. Lists the steps of a record's past in the order of bank time. */
export const listHistory = toolsRead({
  id: 'listHistory',
  resource: 'history',
  verb: 'list',
  area: 'tools',
  method: 'GET',
  path: '/v0/history/:type/:id',
  summary: 'List history',
  description: `Lists what happened to a record, oldest first. A step is one request, or what the bank did by itself at one moment
of bank time: its cause, the changes of state with their reasons, transfers with both sides, events, deliveries with their
attempts, ACH files and reviews.

The key needs \`events:read\` and the scope that reads the type (403). A deleted record still has its history. Events past their
retention are left out, with what they caused. A page may be empty and still have a \`Link\` header: follow it until there
is none. Events, requests and deliveries do not change and have no steps. ACH batches and files have no events: their steps are
the times of their states.`,
  status: 200,
  scope: 'any',
  params: lookedUpParams,
  query: ListHistoryQuery,
  data: Type.Array(HistoryStep),
  problems: ['record_not_found', 'not_supported_by_provider'],
  run: async ({ tools, ...asker }, { params, query }) => {
    requireType(params.type)
    return tools.listHistory(asker, params, query)
  },
})
