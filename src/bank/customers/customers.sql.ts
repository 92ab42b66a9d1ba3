import type { Address } from '../../banking/address.ts'
import type { Queryable } from '../../database/database.ts'
import {
  countLimit,
  countRows,
  isOfOrganisation,
  type ListWindow,
  listRows,
  type OwnFilter,
  period,
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
    /** The present bank time if it is absent or null. */
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

export interface CustomerFilter extends OwnFilter {
  search: string | undefined
}

const matching = ['status = $status::text']

export function listCustomerRows(
  database: Queryable,
  filter: CustomerFilter,
  page: ListWindow,
): Promise<CustomerRow[]> {
  const filters = { always: [isOfOrganisation], along: [...period, customerMatches('$search::text')], matching }
  return listRows(database, `select ${columns} from customer`, filters, filter, page)
}

export function countCustomers(transaction: Queryable, filter: CustomerFilter): Promise<string> {
  const { status, search, since, until } = filter
  const isNameAlone = [status, since, until].every((each) => each == null)
  if (search !== undefined) return totalBy(transaction, isNameAlone ? countNamed : countMatching, filter)
  return countRows(transaction, 'customer', { always: [isOfOrganisation], along: period, matching }, filter)
}

/** A customer may be found by more than one of its members. */
const countNamed = `select count(*)::int as looked, count(distinct n.id)::int as matching
  from (${customersNamed('$search::text', countLimit)}) n`
const countMatching = `with named as materialized (${customersNamed('$search::text', countLimit)})
  select (select count(*) from named)::int as looked, (
    select count(*) from customer where id = any(array(select id from named))
      and ($status::text is null or status = $status)
      and created_at > coalesce($since::timestamptz, '-infinity')
      and created_at < coalesce($until::timestamptz, 'infinity'))::int as matching`
