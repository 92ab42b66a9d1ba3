import { findErased, holdCustomerSeals } from '../../secrets/customer-keys.ts'
import type { Seal } from '../../secrets/seal.ts'
import type { BankParts } from './bank-parts.ts'

/** The seals of customers by their ids. One that was erased has none. */
export type CustomerSeals = ReadonlyMap<number, Seal>

/** The seals with which events of customers are stored by the lane. They are loaded before a command enters the lane. */
export async function customerSeals(
  { database, seals }: Pick<BankParts, 'database' | 'seals'>,
  organisationId: number,
  customerIds: (number | null)[],
): Promise<CustomerSeals> {
  const ids = [...new Set(customerIds.flatMap((id) => id ?? []))]
  const erased = await findErased(database, ids)
  const present = ids.filter((id) => !erased.has(id))
  if (present.length === 0) return new Map()
  const seal = await seals.of(organisationId)
  return database.transaction((transaction) => holdCustomerSeals(transaction, { organisationId, seal }, present))
}
