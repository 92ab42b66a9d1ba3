import type { Address } from '../../banking/address.ts'
import type { Queryable } from '../../database/database.ts'
import {
  afterClause,
  afterValues,
  countLimit,
  countStatement,
  type ListWindow,
  orderOf,
  totalBy,
} from '../../database/lists.ts'
import { customerMatches, customersNamed } from './matches.sql.ts'

export interface CustomerRow {
  id: number
  createdAt: string
  name: string
  email: string | null
  phone: string | null
  address: Address | null
  status: 'Active' | 'Erased'
  tags: Record<string, string>
  version: number
}

const columns = `id, created_at as "createdAt", name, email, phone, address, status, tags, version`

export async function insertCustomer(
  transaction: Queryable,
  customer: {
    id: number
    organisationId: number
    /** The present if it is absent or null. */
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

export interface CustomerFilter {
  organisationId: number
  search: string | undefined
}

export async function listCustomerRows(
  database: Queryable,
  { organisationId, search }: CustomerFilter,
  page: ListWindow,
): Promise<CustomerRow[]> {
  const values = [organisationId, page.take, page.offset, ...(search === undefined ? [] : [search])]
  return database.query(
    `select ${columns} from customer
     where organisation_id = $1::bigint ${search === undefined ? '' : `and ${customerMatches('$4::text')}`}
       ${afterClause(page, values.length + 1)}
     order by ${orderOf(page)} limit $2 offset $3`,
    [...values, ...afterValues(page)],
  )
}

export function countCustomers(transaction: Queryable, { organisationId, search }: CustomerFilter): Promise<string> {
  if (search === undefined) return totalBy(transaction, countOfOrganisation, [organisationId])
  return totalBy(transaction, countNamed, [organisationId, search])
}

const countOfOrganisation = countStatement(
  'customer where organisation_id = $1::bigint order by created_at desc, id desc',
)
/** A customer may be found by more than one of its members. */
const countNamed = `select count(*)::int as looked, count(distinct n.id)::int as matching
  from (${customersNamed('$2::text', countLimit)}) n`
