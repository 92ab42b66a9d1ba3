import { randomBytes } from 'node:crypto'
import { Problem } from '../base/problem.ts'
import type { Queryable } from '../database/database.ts'
import { type CustomerKeyRow, findCustomerKeys, holdCustomerKeys, insertCustomerKey } from './customer-keys.sql.ts'
import { openSeal, type Seal } from './seal.ts'

/** A sealed text names its customer, and a customer has one key. */
const VERSION = Buffer.alloc(4)

/**
 * The seals of customers and applications, by their ids, for reading. An erased one has none. Keys are read every time and kept
 * nowhere, so that an erasure takes effect in all processes at once.
 */
export async function findCustomerSeals(database: Queryable, keys: Map<number, Seal>): Promise<Map<number, Seal>> {
  const found = new Map<number, Seal>()
  for (const { id, dataKey } of await findCustomerKeys(database, [...keys.keys()])) {
    const organisation = keys.get(id)
    if (dataKey && organisation) found.set(id, opened(organisation, { id, dataKey }))
  }
  return found
}

/** Those of some customers and applications that were erased. */
export async function findErased(database: Queryable, ids: number[]): Promise<Set<number>> {
  const rows = ids.length > 0 ? await findCustomerKeys(database, ids) : []
  return new Set(rows.flatMap(({ id, dataKey }) => (dataKey ? [] : id)))
}

/** Seals for writing. Keys are made if there are none. Throws if one was erased. */
export async function holdCustomerSeals(
  transaction: Queryable,
  organisation: { organisationId: number; seal: Seal },
  ids: number[],
): Promise<Map<number, Seal>> {
  const held = new Map<number, CustomerKeyRow>()
  const hold = async () => {
    for (const row of await holdCustomerKeys(transaction, ids)) held.set(row.id, row)
    return ids.filter((id) => !held.has(id))
  }
  const missing = await hold()
  for (const id of missing.toSorted((a, b) => a - b))
    await insertCustomerKey(transaction, organisation.organisationId, made(organisation.seal, id))
  if (missing.length > 0) await hold()
  return new Map([...held.values()].map((row) => [row.id, opened(organisation.seal, requireKey(row))]))
}

function requireKey({ id, dataKey }: CustomerKeyRow): { id: number; dataKey: Buffer } {
  if (!dataKey) throw new Problem('customer_erased')
  return { id, dataKey }
}

function made(organisation: Seal, id: number): CustomerKeyRow {
  return { id, dataKey: organisation.seal(randomBytes(32), columnOf(id)) }
}

function opened(organisation: Seal, { id, dataKey }: { id: number; dataKey: Buffer }): Seal {
  const key = organisation.unseal(dataKey, columnOf(id))
  return openSeal(key, { version: VERSION, digestKey: key })
}

function columnOf(id: number) {
  return { table: 'customer_key', row: id, column: 'data_key' }
}
