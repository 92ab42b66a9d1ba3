import { Type } from 'typebox'
import { invalidRequest } from '../base/problem.ts'
import { LookedUp } from './looked-up.ts'
import { type RecordType, RecordTypeName, recordTypeNames } from './record-types.ts'
import { toolsRead } from './tools.ts'

/** A record of any type in a path. */
export const lookedUpParams = Type.Object({
  type: RecordTypeName,
  id: Type.String({ description: 'Id of the record', examples: ['1000042'], 'x-resource': 'record' }),
})

/** Refuses a type that does not exist. */
export function requireType(type: RecordType): void {
  if (recordTypeNames.includes(type)) return
  const message = `type must be one of ${recordTypeNames.join(', ')}`
  throw invalidRequest([{ parameter: 'type', code: 'not_allowed', message }])
}

/** Extension. Reads one record of any type, with its neighbours and the operations on it. */
export const lookUpRecord = toolsRead({
  id: 'lookUpRecord',
  resource: 'lookup',
  verb: 'get',
  area: 'tools',
  method: 'GET',
  path: '/v0/lookup/:type/:id',
  summary: 'Look up record',
  description: `Shows a record of any type with a short label, the records that are linked to it, and the operations that change
it. \`record\` is the record as its own operation shows it; \`type\` says which schema it has.

Each operation of \`actions\` comes with whether the present state allows it and with the code of the problem that would refuse
it. The operations use the same rules; amounts are not judged.

The key needs the scope that reads this type (403). \`related\` names only types that the key may read. With a connector, types
that the provider cannot read by their id alone answer 501.`,
  status: 200,
  scope: 'any',
  params: lookedUpParams,
  data: LookedUp,
  problems: ['record_not_found', 'not_supported_by_provider'],
  run: async ({ tools, ...asker }, { params }) => {
    requireType(params.type)
    return tools.lookUpRecord(asker, params)
  },
})
