import type { Address } from '../../../banking/address.ts'
import type { Queryable } from '../../../database/database.ts'
import { customerMatches } from '../lookup/matches.sql.ts'

export interface CustomerRow {
  id: number
  createdAt: string
  name: string
  email: string | null
  phone: string | null
  address: Address | null
  status: 'Active'
  tags: Record<string, string>
  version: number
}

const columns = `id, created_at as "createdAt", name, email, phone, address, status, tags, version`

export async function insertCustomer(
  transaction: Queryable,
  customer: {
    id: number
    organisationId: number
    /** The present where it is absent or null. */
    createdAt?: string | null
    name: string
    email: string | undefined
    phone: string | undefined
    address: Address | undefined
  },
): Promise<CustomerRow> {
  const { id, organisationId, createdAt, name, email, phone, address } = customer
  const [row] = await transaction.query<CustomerRow>(
    `insert into customer (id, organisation_id, created_at, name, email, phone, address, status)
     values ($1::bigint, $2::bigint, coalesce($7::timestamptz, bank_time($2)), $3::text, $4::text, $5::text, $6::json, 'Active')
     returning ${columns}`,
    [id, organisationId, name, email, phone, address && JSON.stringify(address), createdAt],
  )
  if (!row) throw new Error('an insert returned no row')
  return row
}

export async function findCustomer(
  database: Queryable,
  organisationId: number,
  id: number,
): Promise<CustomerRow | undefined> {
  const [row] = await database.query<CustomerRow>(
    `select ${columns} from customer where organisation_id = $1::bigint and id = $2::bigint`,
    [organisationId, id],
  )
  return row
}

export async function listCustomerRows(
  database: Queryable,
  { organisationId, search }: { organisationId: number; search: string | undefined },
  page: { take: number; offset: number; ascending: boolean },
): Promise<CustomerRow[]> {
  const order = page.ascending ? 'created_at, id' : 'created_at desc, id desc'
  return database.query(
    `select ${columns} from customer
     where organisation_id = $1::bigint ${search === undefined ? '' : `and ${customerMatches('$4::text')}`}
     order by ${order} limit $2 offset $3`,
    [organisationId, page.take, page.offset, ...(search === undefined ? [] : [search])],
  )
}
