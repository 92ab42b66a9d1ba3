import type { Queryable } from '../src/database/database.ts'
import { type Relation, readDefinitions, readFunctions, readRelations, readSequences } from './schema-text.sql.ts'

/**
 * The schema as SQL, written from the catalogue: a change of a migration shows here as a change of the schema. An empty
 * database takes the statements in this order; foreign keys and triggers come last, because they name other tables.
 */
export async function schemaStatements(database: Queryable): Promise<{ first: string[]; last: string[] }> {
  const first = await readSequences(database)
  const relations = await readRelations(database)
  const definitions = await readDefinitions(database)
  for (const relation of relations.filter(({ kind }) => kind === 'table')) {
    first.push(tableSql(relation), ...storageSql(relation), ...commentSql(relation))
    first.push(
      ...definitions.filter(({ name, part }) => name === relation.name && part === 'table').map(({ sql }) => sql),
    )
  }
  for (const relation of relations.filter(({ kind }) => kind === 'view')) {
    first.push(viewSql(relation), ...commentSql(relation))
  }
  const functions = await readFunctions(database)
  for (const { name, comment, definition } of functions.toSorted((a, b) => Number(a.parsed) - Number(b.parsed))) {
    first.push(definition.trim())
    if (comment !== null) first.push(`comment on function ${name} is ${literal(comment)}`)
  }
  return { first, last: definitions.filter(({ part }) => part === 'end').map(({ sql }) => sql) }
}

export async function schemaSql(database: Queryable): Promise<string> {
  const { first, last } = await schemaStatements(database)
  const head = '-- Written by `npm run schema` from the catalogue of PostgreSQL 18. Do not edit.\n'
  return `${head}\n${[...first, ...last].map((statement) => `${statement};\n`).join('\n')}`
}

function tableSql({ name, columns, options }: Relation): string {
  const lines = columns.map(
    (column) => `  ${column.name} ${column.type}${column.extra}${column.nullable ? '' : ' not null'}`,
  )
  return `create table ${name} (\n${lines.join(',\n')}\n)${options === null ? '' : ` with (${options})`}`
}

function storageSql({ name, columns }: Relation): string[] {
  return columns.flatMap(({ name: column, storage }) =>
    storage === null ? [] : [`alter table ${name} alter column ${column} set storage ${storage}`],
  )
}

function viewSql({ name, definition }: Relation): string {
  return `create view ${name} as\n${(definition ?? '').replace(/;$/, '')}`
}

function commentSql({ name, kind, comment, columns }: Relation): string[] {
  const of = comment === null ? [] : [`comment on ${kind} ${name} is ${literal(comment)}`]
  const ofColumns = columns.flatMap((column) =>
    column.comment === null ? [] : [`comment on column ${name}.${column.name} is ${literal(column.comment)}`],
  )
  return [...of, ...ofColumns]
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** The schema as a page of documentation: every table with its columns. */
export async function schemaPage(database: Queryable): Promise<string> {
  const relations = await readRelations(database)
  const functions = await readFunctions(database)
  return [
    '# Database schema',
    '',
    'Written by `npm run schema` from the comments in `migrations/`. Do not edit.',
    '',
    'Times are bank time unless a column says otherwise. Amounts are cents.',
    ...relations.flatMap(relationLines),
    '',
    '## Functions',
    '',
    '| Function | Purpose |',
    '|---|---|',
    ...functions.map(({ name, comment }) => `| \`${name}\` | ${comment ?? ''} |`),
    '',
  ].join('\n')
}

function relationLines({ name, kind, comment, columns }: Relation): string[] {
  return [
    '',
    `## ${name}`,
    '',
    ...(kind === 'view' ? ['A view.'] : []),
    ...(comment === null ? [] : [comment]),
    '',
    '| Column | Type | Null | Meaning |',
    '|---|---|---|---|',
    ...columns.map(
      ({ name: column, type, nullable, comment: meaning }) =>
        `| \`${column}\` | ${type} | ${kind === 'view' ? '' : nullable ? 'yes' : 'no'} | ${meaning ?? ''} |`,
    ),
  ]
}
