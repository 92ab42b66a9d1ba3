import type { Queryable } from '../database/database.ts'

/** A column whose values may be sealed with the operator's key itself. Its rows are named as its values are bound to them. */
export interface Source {
  table: string
  column: string
  from: string
  organisation: string
  row: string
  /** The rows after `$1`, which is the name of a row. */
  after: string
  /** The row that `$1` names. */
  named: string
  order: string
  /** Position before the first row. */
  first: string
  /** Rows to look at in one step. */
  step: number
}

const byId = {
  organisation: 't.organisation_id',
  row: 't.id::text',
  after: 't.id > $1::bigint',
  named: 't.id = $1::bigint',
  order: 't.id',
  first: '0',
  step: 200,
}

export const sources: Source[] = [
  { ...byId, table: 'application', column: 'sealed_ssn', from: 'application t' },
  { ...byId, table: 'webhook_endpoint', column: 'sealed_secret', from: 'webhook_endpoint t' },
  { ...byId, table: 'webhook_endpoint', column: 'sealed_previous_secret', from: 'webhook_endpoint t' },
  {
    table: 'document_file',
    column: 'sealed_content',
    from: 'document_file t join document d on d.id = t.document_id',
    organisation: 'd.organisation_id',
    row: `t.document_id || '/' || t.side`,
    after: `(t.document_id, t.side) > (split_part($1, '/', 1)::bigint, split_part($1, '/', 2))`,
    named: `(t.document_id, t.side) = (split_part($1, '/', 1)::bigint, split_part($1, '/', 2))`,
    order: 't.document_id, t.side',
    first: '0/',
    // A file has up to 20 MB.
    step: 2,
  },
  {
    table: 'answer',
    column: 'sealed',
    from: 'answer t',
    organisation: 't.organisation_id',
    row: `t.organisation_id || '/' || encode(t.key_hash, 'hex')`,
    after: `(t.organisation_id, t.key_hash) > (split_part($1, '/', 1)::bigint, decode(split_part($1, '/', 2), 'hex'))`,
    named: `(t.organisation_id, t.key_hash) = (split_part($1, '/', 1)::bigint, decode(split_part($1, '/', 2), 'hex'))`,
    order: 't.organisation_id, t.key_hash',
    first: '0/',
    step: 1_000,
  },
]

export interface SealedRow {
  organisationId: number
  row: string
  /** Null if the row has no value, or one that needs no change. */
  sealed: Buffer | null
}

/** Reads rows in the order of their key, with their values if these begin with one of the versions. */
export async function readRows(
  database: Queryable,
  { column, from, organisation, row, after, order }: Source,
  position: string,
  { versions, limit }: { versions: Buffer[]; limit: number },
): Promise<SealedRow[]> {
  return database.query<SealedRow>(
    `select ${organisation} as "organisationId", ${row} as row,
       case when substring(t.${column} from 1 for 4) = any($2::bytea[]) then t.${column} end as sealed
     from ${from} where ${after} order by ${order} limit $3`,
    [position, versions, limit],
  )
}

/** Replaces a value, unless it has been replaced since it was read. */
export async function replaceValue(
  database: Queryable,
  { table, column, named }: Source,
  row: string,
  { before, after }: { before: Buffer; after: Buffer },
): Promise<void> {
  await database.query(`update ${table} t set ${column} = $3::bytea where ${named} and t.${column} = $2::bytea`, [
    row,
    before,
    after,
  ])
}

/** The column whose turn it is, and the last row of it that is done; undefined if all columns are done. */
export async function findPosition(database: Queryable): Promise<{ source: string; position: string } | undefined> {
  const [row] = await database.query<{ source: string; position: string }>(
    `select source, position from reseal where not done order by source limit 1`,
  )
  return row
}

/** Saves a position, unless another process has moved it meanwhile. */
export async function savePosition(
  database: Queryable,
  { source, from, to, done }: { source: string; from: string; to: string; done: boolean },
): Promise<void> {
  await database.query(
    `update reseal set position = $3::text, done = $4::boolean where source = $1::text and position = $2::text`,
    [source, from, to, done],
  )
}

export async function finishPositions(transaction: Queryable): Promise<void> {
  await transaction.query(`update reseal set done = true where not done`)
}
