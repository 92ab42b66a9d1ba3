import type { Queryable } from '../../database/database.ts'

/** Identifies the bank, so that two of them are not mixed in one folder: its oldest organisation. */
export async function findBank(database: Queryable): Promise<string> {
  const [row] = await database.query<{ bank: string }>(
    `select id || ' of ' || to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as bank
     from organisation order by id limit 1`,
  )
  return row?.bank ?? 'empty'
}

/** An organisation and the numbers of its events before a time. */
export interface ArchivedOrganisation {
  id: number
  after: number
  upTo: number
}

export function findOrganisations(database: Queryable, before: string): Promise<ArchivedOrganisation[]> {
  return database.query(
    `select id, events_after as after, event_sequence_at(id, $1::timestamptz - interval '1 millisecond') as "upTo"
     from organisation where ended_at is null order by id`,
    [before],
  )
}

/** A transfer as one line of JSON, and its place in the order of transfers. */
export interface TransferLine {
  number: number
  createdAt: string
  line: string
}

/** The next transfers of an organisation before a time, in the order of their times and ids. */
export function listTransferLines(
  database: Queryable,
  range: { organisationId: number; afterAt: string; after: number; before: string; take: number },
): Promise<TransferLine[]> {
  const { organisationId, afterAt, after, before, take } = range
  return database.query(
    `select id as number, created_at as "createdAt", json_build_object('id', id::text, 'createdAt', created_at, 'amount', amount,
       'debit', json_build_object('accountId', debit_account_id::text, 'sequence', debit_seq, 'balance', debit_balance),
       'credit', json_build_object('accountId', credit_account_id::text, 'sequence', credit_seq, 'balance', credit_balance),
       'sourceKind', source_kind, 'sourceId', source_id::text, 'party', party, 'description', description)::text as line
     from transfer
     where organisation_id = $1::bigint and created_at < $4::timestamptz and (created_at, id) > ($2::timestamptz, $3::bigint)
     order by created_at, id limit $5::int`,
    [organisationId, afterAt, after, before, take],
  )
}
