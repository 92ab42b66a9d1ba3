import { Type } from 'typebox'
import { Bytes } from '../base/operation.ts'
import { sinceUntil } from '../base/page.ts'
import { toolsRead } from './tools.ts'

/** The most records of a file. */
export const MAX_EXPORTED = 1_000_000

/** Extension. Streams a list as a file: `src/http/exports` runs the list's own operation, page by page. */
export const exportList = toolsRead({
  id: 'exportList',
  resource: 'exports',
  verb: 'get',
  area: 'tools',
  method: 'GET',
  path: '/v0/exports/:list',
  summary: 'Export a list',
  description: `Streams the records that a list operation shows, as CSV or JSON Lines. \`list\` is the operation's id in kebab
case without \`list\`: \`payments\` for \`listPayments\`, \`ledger-transfers\` for \`listLedgerTransfers\`. The request takes the
filters and the order of that operation, and the parameters of its path as parameters of the query. It needs the scope of
that operation.

CSV has a first line with the names of the columns. A member of an inner record has a dot in its name, such as
\`counterparty.name\`; lists and tags are JSON. Amounts are in cents, times in UTC. A text that a spreadsheet would run as
a formula has \`'\` before it. JSON Lines has a record a line, as the list shows it.

A file without \`limit\` has all records. If it cannot be completed, because the service fails, the caller
takes nothing for a minute or more than ${MAX_EXPORTED.toLocaleString('en-US')} records match, the connection ends without the last
chunk: HTTP clients report an error, and the file must not be used. A record that exists during the whole export is in the file
once if the list has cursors.

With the rule \`personalExport\` of \`PURSER_TWO_SIGNATURES\`, lists with personal data need a permit
(\`POST /v0/permits/exports/:list\`); without one the refusal is \`second_person_required\`.`,
  status: 200,
  scope: 'any',
  exportsLists: true,
  contentType: ['text/csv', 'application/x-ndjson'],
  params: Type.Object({
    list: Type.String({
      pattern: '^[a-z-]{1,60}$',
      description: 'The list, as in the name of its operation',
      examples: ['payments'],
    }),
  }),
  query: Type.Object({
    format: Type.Optional(Type.Enum(['csv', 'jsonl'], { default: 'csv', description: '`jsonl` is JSON Lines' })),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_EXPORTED,
        description: 'Most records of the file, which then ends properly. Without it the file has all',
      }),
    ),
    ...sinceUntil,
  }),
  data: Bytes,
  problems: ['route_not_found', 'not_supported_by_provider', 'second_person_required'],
  run: (): Promise<never> => Promise.reject(new Error('the list runs in place of the export')),
})
