import type { EventType } from '../../../../events/event.ts'
import { sealedDraft } from '../../../../events/stored/sealed-data.ts'
import type { Books } from '../../../../ledger/books.ts'
import type { LedgerReceived } from '../../../../ledger/records.ts'
import { findErased, holdCustomerSeals } from '../../../../secrets/customer-keys.ts'
import type { Seal } from '../../../../secrets/seal.ts'
import type { BankParts } from '../../bank-parts.ts'
import { receivedPaymentOf } from './received-view.ts'

/** The seals of customers by their ids. One that was erased has none. */
export type CustomerSeals = ReadonlyMap<number, Seal>

/** The seals with which events of received payments are stored. They are loaded before a command enters the lane. */
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

/**
 * Emits an event of a received payment. One that names no account is shown to nobody, and has no events. The data is sealed
 * with the key of the customer; that of an erased customer has no personal members.
 */
export function emitReceived(books: Books, type: EventType, received: LedgerReceived, seals: CustomerSeals): void {
  const { id, version, accountId, customerId } = received
  if (accountId === null || customerId === null) return
  const seal = seals.get(customerId)
  const draft = { type, id: String(id), version, data: receivedPaymentOf(received) }
  books.events.push(seal ? sealedDraft(seal, { ...draft, sealedFor: customerId }) : draft)
}

/** The members of a received payment that say something about the customer, where the customer was erased. */
export const erasedMembers = { receiverName: 'Erased', addenda: null } as const
