import { type DebitCounts, RATE_DAYS, rateCodes } from '../../../banking/ach/return-rates.ts'
import { arrayOf } from '../../../database/arrays.ts'
import type { Queryable } from '../../../database/database.ts'

export interface CompanyCounts extends DebitCounts {
  /** Id of the organisation. */
  id: number
  /** Null for debits in no file. */
  companyId: string | null
  companyName: string | null
}

/** The debits of the last days and the returns of these days, which may be of earlier debits. `codes` are parameters. */
const countsSince = (since: string, codes: { unauthorized: string; administrative: string }) => `
  (count(*) filter (where d.created_at >= ${since}))::int as debits,
  (count(*) filter (where d.returned_at >= ${since} and p.return_code = any(${codes.unauthorized}::text[])))::int as unauthorized,
  (count(*) filter (where d.returned_at >= ${since} and p.return_code = any(${codes.administrative}::text[])))::int as administrative,
  (count(*) filter (where d.returned_at >= ${since}))::int as all`

/** Counts the debits of organisations that left in the last days, and the returns of these days, by company. */
export function countReturns(database: Queryable, organisationIds: number[]): Promise<CompanyCounts[]> {
  return database.query(
    `select o.id, b.company_id as "companyId", max(b.company_name) as "companyName",
       ${countsSince('o.since', { unauthorized: '$2', administrative: '$3' })}
     from (select id, bank_time(id) - make_interval(days => ${RATE_DAYS}) as since
           from organisation where id = any($1::bigint[])) o
     join debit d on d.organisation_id = o.id and (d.created_at >= o.since or d.returned_at >= o.since)
     cross join lateral (select status, return_code from payment where id = d.id offset 0) p
     left join ach_entry e on e.payment_id = d.id
     left join ach_batch b on b.id = e.batch_id
     where d.mandate is not null and p.status in ('Clearing', 'Sent', 'Returned')
     group by o.id, b.company_id order by o.id, b.company_id`,
    [arrayOf('bigint', organisationIds), rateCodes.unauthorized, rateCodes.administrative],
    'once',
  )
}

/** The counts of the company that an organisation sends debits as, over all organisations. */
export interface SharedCounts extends DebitCounts {
  /** Id of the organisation. */
  id: number
  companyId: string
}

/** Counts the debits and returns of the companies of organisations. Those without a company have the one of the settings. */
export function countCompanyReturns(
  database: Queryable,
  companyId: string,
  times: Map<number, string>,
): Promise<SharedCounts[]> {
  return database.query(
    `select n.id, n."companyId", c.*
     from (select o.id, coalesce(o.ach_company_id, $5::text) as "companyId",
             t.now - make_interval(days => ${RATE_DAYS}) as since
           from organisation o join unnest($1::bigint[], $2::timestamptz[]) t (id, now) on t.id = o.id) n
     cross join lateral (
       select ${countsSince('n.since', { unauthorized: '$3', administrative: '$4' })}
       from debit d cross join lateral (select status, return_code from payment where id = d.id offset 0) p
       join ach_entry e on e.payment_id = d.id
       join ach_batch b on b.id = e.batch_id
       where (d.created_at >= n.since or d.returned_at >= n.since) and d.mandate is not null
         and p.status in ('Clearing', 'Sent', 'Returned') and rtrim(b.company_id) = rtrim(n."companyId")) c`,
    [[...times.keys()], [...times.values()], rateCodes.unauthorized, rateCodes.administrative, companyId],
    'once',
  )
}

/** The organisations of which a debit was returned in the last days. */
export async function organisationsWithReturns(database: Queryable): Promise<number[]> {
  const rows = await database.query<{ id: number }>(
    `select o.id from organisation o cross join lateral (select bank_time(o.id) as now offset 0) t
     where o.ended_at is null and exists (
       select from debit where organisation_id = o.id and returned_at >= t.now - make_interval(days => ${RATE_DAYS}))`,
    [],
    'once',
  )
  return rows.map(({ id }) => id)
}
