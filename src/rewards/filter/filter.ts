import { type Static, type TObject, Type } from 'typebox'
import { pageQuery } from '../../base/page.ts'
import type { Rule } from '../../base/rules.ts'
import { type Clause, readClause } from './clause.ts'
import { columnsOf } from './columns.ts'

function ClauseText(description: string, example: string) {
  return Type.Optional(Type.String({ description, 'x-clause': true, examples: [example] }))
}

const MAX_RECORDS = 1_000

/** The query parameters of every list with the filter language. */
export const FilterQuery = Type.Object(
  {
    whereClause: ClauseText('A condition in which $C1 is a column and $V1 a value', '$C1 IN ( $V1 )'),
    columnNames: ClauseText('The columns $C1, $C2, …', 'id'),
    values: ClauseText('The values $V1, $V2, …', '[1, 2, 3]'),
    orderByClause: ClauseText('The order, by id unless it says otherwise', '$C1 DESC'),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_RECORDS,
        default: MAX_RECORDS,
        description: 'Maximum number of records to return',
      }),
    ),
    offset: pageQuery.offset,
  },
  {
    'x-rules': [
      { rule: 'filter', members: ['whereClause', 'columnNames', 'values', 'orderByClause'] },
    ] satisfies Rule[],
  },
)
export type FilterQuery = Static<typeof FilterQuery>

/** A parsed filter query. */
export interface Filter {
  clause: Clause
  limit: number
  offset: number
}

/** Builds the parser for a list of these records. */
export function filterReader(record: TObject): (query: FilterQuery) => Filter {
  const columns = columnsOf(record)
  return ({ limit = MAX_RECORDS, offset = 0, ...texts }) => ({ clause: readClause(columns, texts), limit, offset })
}
