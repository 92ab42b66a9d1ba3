import type { Activation } from '../../rewards/campaigns/activation.ts'
import type { LedgerActivation } from '../records/campaigns/activations.ts'

export function activationOf({ organisationId: _, version: __, ...row }: LedgerActivation): Activation {
  return { ...row, id: String(row.id), offerId: String(row.offerId) }
}
