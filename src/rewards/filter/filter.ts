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
    whereClause: ClauseText(
      'Condition with placeholders: `$C1` stands for the first name in `columnNames`, `$V1` for the first value in `values`. Leave it out for all records',
      '$C1 IN ( $V1 )',
    ),
    columnNames: ClauseText('Names of the columns `$C1`, `$C2`, … separated by commas, at most 20', 'id'),
    values: ClauseText(
      'Values of `$V1`, `$V2`, … in brackets. If only `$V1` is used, it stands for the whole list',
      '[1, 2, 3]',
    ),
    orderByClause: ClauseText(
      'Up to five columns to order by, each with `ASC` or `DESC`; ties are ordered by `id`',
      '$C1 DESC',
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_RECORDS,
        default: MAX_RECORDS,
        description: 'Most records on a page. The Link header leads to the next page',
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

/** The part of a description that explains the filter language, with the columns of these records. */
export function filterText(record: TObject): string {
  const rows = [...columnsOf(record)].map(([name, type]) => `| \`${name}\` | ${type} |`)
  return ['', languageText, ['| Column | Type |', '|---|---|', ...rows].join('\n')].join('\n\n')
}

const languageText = `**Filter language.** \`whereClause\` holds placeholders only: \`$C1\` is the first name of
\`columnNames\`, \`$V1\` the first value of \`values\`. The records 1, 2 and 3, the newest first:
\`whereClause=$C1 IN ( $V1 )\`, \`columnNames=id,createdAt\`, \`values=[1, 2, 3]\`, \`orderByClause=$C2 DESC\`, each encoded for
the URL.

- Comparisons: \`=\`, \`!=\`, \`<>\`, \`<\`, \`<=\`, \`>\`, \`>=\`, \`IN ( … )\`, \`BETWEEN … AND …\`, \`LIKE\`, \`ILIKE\` (in any letter
  case), \`IS NULL\`; \`NOT\` before \`IN\`, \`BETWEEN\`, \`LIKE\` and \`NULL\` reverses them. Patterns have \`%\` for any text, \`_\`
  for one character and \`\\\` before either for itself.
- \`NOT\`, \`AND\` and \`OR\` combine comparisons and bind in this order; parentheses change it. Keywords are in any letter case.
- Values: \`[1, 'a text', true, 2026-01-31]\` gives one to each placeholder, \`[1, 2], [true]\` a list to each. Text is quoted
  if it has other characters than letters, digits and \`_.:+-\`. Nothing equals null: ask with \`IS NULL\`.
- Integers, timestamps and strings have an order; a boolean is only equal or not. A timestamp is compared with an RFC 3339
  date-time or a date. \`LIKE\` takes strings only.
- Nulls come last with \`ASC\` and first with \`DESC\`; \`NULLS FIRST\` or \`NULLS LAST\` behind it changes that.

At most 50 comparisons, 20 columns and 1,000 values are taken. A fault is 400 \`invalid_request\`: \`errors\` names the
parameter, a code and the position.`

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
