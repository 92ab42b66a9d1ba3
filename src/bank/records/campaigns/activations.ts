import { recordBook, recordKind } from '../../../ledger/kinds.ts'
import { readActivations, writeActivations } from './activations.sql.ts'

export interface LedgerActivation {
  id: number
  organisationId: number
  offerId: number
  partnerUserId: number
  status: 'Active' | 'Canceled'
  expiresAt: string
  /** Null for any number of purchases. */
  uses: number | null
  used: number
  createdAt: string
  updatedAt: string | null
  version: number
}

/** The activations by which a purchase of a partner user at a time may earn, and those of rewards. */
export interface ActivationId {
  partnerUserIds: number[]
  offerIds: number[]
  at: string
  activationIds: number[]
}

/** Activations of offers. They change under the lock of their partner user, which purchases take before. */
export const activations = recordKind({
  name: 'activations',
  read: (transaction, ids: ActivationId[]) => readActivations(transaction, ids),
  open(rows: LedgerActivation[], batch) {
    const book = recordBook('activation', rows, batch)
    return {
      ...book,
      /** The activation by which a purchase at a time may earn. */
      usable: (partnerUserId: number, offerId: number, at: string) =>
        [...book.all()].find(
          (each) => each.partnerUserId === partnerUserId && each.offerId === offerId && isUsable(each, at),
        ),
    }
  },
  write: (transaction, book) => writeActivations(transaction, book.updated),
})

export function isUsable({ status, createdAt, expiresAt, uses, used }: LedgerActivation, at: string): boolean {
  return status === 'Active' && createdAt <= at && at < expiresAt && (uses === null || used < uses)
}
