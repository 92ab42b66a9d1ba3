import { arrayOf, bigint, bytea, rowSet } from '../../database/arrays.ts'
import type { Queryable } from '../../database/database.ts'
import type { SamePerson } from '../../review/review-application.ts'

/** Records that are shown at an application for each thing that it has in common with them. */
const MOST = 20

const sameAddress = `lower(o.address ->> 'street') collate "C" = q.street and o.address ->> 'postalCode' = q.postal_code`
const same = {
  application: {
    ssn: 'o.ssn_digest = q.ssn_digest',
    email: 'lower(o.email) collate "C" = q.email',
    phone: 'o.phone = q.phone',
    address: sameAddress,
  },
  customer: { email: 'lower(o.email) collate "C" = q.email', phone: 'o.phone = q.phone', address: sameAddress },
}

/** An approved application is shown as its customer. */
const found = Object.entries(same).flatMap(([table, conditions]) =>
  Object.entries(conditions).map(([what, condition]) => {
    const other = table === 'application' ? 'o.id <> q.id and o.id' : 'o.id'
    const customer = table === 'application' ? 'o.customer_id' : 'o.id'
    return `select q.id as asked, '${what}' as what, m.* from asked q cross join lateral (
      select ${customer} as customer_id, o.id as record_id from ${table} o
      where o.organisation_id = $1::bigint and ${other} > 0 and ${condition} order by o.id desc limit ${MOST}) m`
  }),
)

/** The other customers and applications of an organisation that have something in common with applications. */
export function listSamePeople(
  database: Queryable,
  organisationId: number,
  applicationIds: number[],
): Promise<(SamePerson & { asked: number })[]> {
  return database.query(
    `with asked as materialized (
       select id, ssn_digest, lower(email) collate "C" as email, phone, lower(address ->> 'street') collate "C" as street,
         address ->> 'postalCode' as postal_code
       from application where organisation_id = $1::bigint and id = any($2::bigint[])),
     found as materialized (${found.join(' union all ')}),
     person as (
       select asked, customer_id, case when customer_id is null then record_id end as application_id,
         array_agg(distinct what) as "on"
       from found group by 1, 2, 3)
     select p.asked, case when p.customer_id is null then 'application' else 'customer' end as type,
       coalesce(p.customer_id, p.application_id)::text as id, coalesce(c.name, a.name) as name,
       coalesce(c.status, a.status) as status, p."on"
     from person p left join customer c on c.id = p.customer_id left join application a on a.id = p.application_id
     order by p.asked, coalesce(p.customer_id, p.application_id) desc`,
    [organisationId, arrayOf('bigint', applicationIds)],
  )
}

interface Undigested {
  id: number
  organisationId: number
  sealedSsn: Buffer
}

/** Applications of a version without digests. One of an organisation that is being moved gets its digest where it arrives. */
export function listUndigested(database: Queryable, most: number): Promise<Undigested[]> {
  return database.query(
    `select a.id, a.organisation_id as "organisationId", a.sealed_ssn as "sealedSsn" from application a
     join organisation o on o.id = a.organisation_id and o.ended_at is null and not is_moving(o.id)
     where a.ssn_digest is null and a.sealed_ssn <> '' order by a.id limit $1`,
    [most],
  )
}

const digests = rowSet<{ id: number; digest: Buffer }>({
  id: bigint(({ id }) => id),
  digest: bytea(({ digest }) => digest),
})

/** Stores digests. An application that was erased meanwhile stays without. */
export async function storeDigests(database: Queryable, rows: { id: number; digest: Buffer }[]): Promise<void> {
  await database.query(
    `update application a set ssn_digest = n.digest from (${digests.select}) n
     where a.id = n.id and a.ssn_digest is null and a.sealed_ssn <> ''`,
    digests.values(rows),
  )
}
