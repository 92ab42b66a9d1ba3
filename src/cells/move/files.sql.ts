import type { Queryable } from '../../database/database.ts'

/** The files of all organisations in which the one with the id `$1` has entries, and the totals of these entries. */
const shares = `
  select s.file_id, sum(s.entries)::int as entry_count, sum(s.debits)::bigint as debits, sum(s.credits)::bigint as credits
  from (
    select file_id, entry_count as entries, debits, credits from ach_batch where organisation_id = $1::bigint
    union all
    select file_id, 1, case when code % 10 < 5 then 0 else amount end, case when code % 10 < 5 then amount else 0 end
    from ach_received_entry where organisation_id = $1::bigint
    union all
    select file_id, 0, 0, 0 from received_payment where organisation_id = $1::bigint
    union all
    select file_id, 0, 0, 0 from ach_exception where organisation_id = $1::bigint) s
  group by s.file_id`

/** A file that holds a move up. */
export interface FileUnderWay {
  id: number
  name: string
  state: 'building' | 'built' | 'delivering' | 'unknown' | 'taken'
}

/** A file with entries of the organisation that has not reached the other bank, or has not been applied in all cells. */
export async function findUnderWay(database: Queryable, id: number): Promise<FileUnderWay | undefined> {
  const [row] = await database.query<FileUnderWay>(
    `select f.id, f.name, f.state from ach_file f
     where f.organisation_id is null and f.state in ('building', 'built', 'delivering', 'unknown', 'taken') and (
       exists (select from ach_batch b where b.file_id = f.id and b.organisation_id = $1::bigint)
       or f.state = 'building'
         and exists (select from payment p where p.ach_file_id = f.id and p.organisation_id = $1::bigint)
       or f.state = 'taken' and (
         exists (select from ach_received_entry e where e.file_id = f.id and e.organisation_id = $1::bigint)
         or exists (select from received_payment r where r.file_id = f.id and r.organisation_id = $1::bigint)
         or exists (select from ach_exception x where x.file_id = f.id and x.organisation_id = $1::bigint)))
     order by f.id limit 1`,
    [id],
    'once',
  )
  return row
}

/** The organisation's shares of files, as JSON: rows of files without their bytes. */
export async function readShares(database: Queryable, id: number): Promise<string> {
  const [row] = await database.query<{ rows: string }>(
    `select coalesce(json_agg(x), '[]')::text as rows from (
       select f.id, f.key_organisation_id, f.direction, f.window_at, f.part, f.modifier, f.created_on, f.name, f.state, f.header,
         f.sha256, f.delivered_at, s.entry_count, s.debits, s.credits
       from (${shares}) s join ach_file f on f.id = s.file_id where f.organisation_id is null) x`,
    [id],
    'once',
  )
  return row?.rows ?? '[]'
}

const columns = `id, key_organisation_id, direction, window_at, part, modifier, created_on, name, state, header, sha256, delivered_at,
  entry_count, debits, credits`

/**
 * Adds the shares to the files of the cell that the organisation moves to. A file that the cell does not have gets a row without
 * bytes. Left out are shares whose entries have not arrived.
 */
export async function addShares(transaction: Queryable, id: number, rows: string): Promise<void> {
  await transaction.query(
    `insert into ach_file as f (${columns}, arrived)
     select ${columns}, true from json_populate_recordset(null::ach_file, $2::json)
     where id in (select file_id from (${shares}) s)
     on conflict (id) do update set entry_count = f.entry_count + excluded.entry_count,
       debits = f.debits + excluded.debits, credits = f.credits + excluded.credits`,
    [id, rows],
    'once',
  )
  await transaction.query(
    `select require(not exists (select from (${shares}) s left join ach_file f on f.id = s.file_id where f.id is null),
       'an ACH file of the organisation has not arrived')`,
    [id],
    'once',
  )
}

/** Takes the shares from the files of the cell that the organisation has left. */
export async function removeShares(transaction: Queryable, id: number): Promise<void> {
  await transaction.query(
    `update ach_file f set entry_count = f.entry_count - s.entry_count, debits = f.debits - s.debits,
       credits = f.credits - s.credits
     from (${shares}) s where f.id = s.file_id and f.organisation_id is null`,
    [id],
    'once',
  )
}
