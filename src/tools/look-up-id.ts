import { Type } from 'typebox'
import { LookedUp } from './looked-up.ts'
import { toolsRead } from './tools.ts'

/** Extension. Finds the records of every type that have an id. */
export const lookUpId = toolsRead({
  id: 'lookUpId',
  resource: 'lookup',
  verb: 'find',
  area: 'tools',
  method: 'GET',
  path: '/v0/lookup',
  summary: 'Look up id',
  description: `Finds the records with this id, of every type that the key may read. There can be several, because the
records of rewards are numbered for each type. Each is shown as \`GET /v0/lookup/:type/:id\` shows it.

An unknown id matches nothing. With a connector, types that the provider cannot read by their id alone are left out.`,
  status: 200,
  scope: 'any',
  query: Type.Object({
    id: Type.String({ description: 'Id of a record of any type', examples: ['1000042'], 'x-resource': 'record' }),
  }),
  data: Type.Array(LookedUp, { description: 'The records with this id, one of each type at most' }),
  problems: [],
  run: ({ tools, ...asker }, { query }) => tools.lookUpId(asker, query.id),
})
