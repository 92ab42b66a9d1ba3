import type { EventType } from '../../../events/event.ts'
import { sealedDraft } from '../../../events/stored/sealed-data.ts'
import type { Books } from '../../../ledger/books.ts'
import type { CustomerSeals } from '../../parts/customer-seals.ts'
import type { LedgerReceived } from '../../records/received-records.ts'
import { receivedPaymentOf } from './received-view.ts'

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

/** The members of a received payment that say something about the customer, if the customer was erased. */
export const erasedMembers = { receiverName: 'Erased', addenda: null } as const
