import type { Queryable } from '../../database/database.ts'

export interface LedgerAccountRow {
  id: number
  kind: string | null
  name: string
  customerId: number | null
  customerName: string | null
  status: string
  accountNumber: string
  slot: number | null
  balance: number
  hold: number
  seq: number
  postedAt: string | null
  createdAt: string
}

/**
 * Lists accounts by id, internal ones first. An organisation has a few internal accounts for each of its writers, and all
 * of them are read; of the customers' accounts a page.
 */
export function listAccounts(
  database: Queryable,
  filter: { organisationId: number; after: string | null; deposits: boolean; internalKinds: string[] },
  take: number,
): Promise<LedgerAccountRow[]> {
  return database.query(listText, [
    filter.organisationId,
    filter.after ?? '-9223372036854775808',
    filter.internalKinds,
    filter.deposits,
    take,
  ])
}

const listText = `
  select x.id, x.kind, x.name, x.customer_id as "customerId", c.name as "customerName", x.status,
    x.account_number as "accountNumber", x.slot, x.balance, x.hold, x.seq, x.posted_at as "postedAt",
    x.created_at as "createdAt"
  from (
    (select * from account
     where organisation_id = $1::bigint and id < 0 and id > $2::bigint and kind = any($3::text[]))
    union all
    (select * from account
     where organisation_id = $1 and id > 0 and id > $2 and $4::boolean order by id limit $5)
    order by id limit $5::bigint) x
  left join lateral (select name from customer where id = x.customer_id offset 0) c on true
  order by x.id`
