import { integerIdNumber } from '../../base/ids.ts'
import { Problem } from '../../base/problem.ts'
import { plainTimeouts } from '../../database/database.ts'
import { type ClaimsOptions, openClaims } from '../../idempotency/upstream-claim.ts'
import type { AttributionReceiver, RewardsProvider } from '../../rewards/provider.ts'
import { partiesOf } from './attributions.sql.ts'

export interface ActivationParts extends Omit<ClaimsOptions, 'waitMs'> {
  receiver: AttributionReceiver
  /** Time limit of the calls for one activation. */
  totalMs: number
}

/** Activations of offers that a provider has. They are its records: none is stored here. */
export function providerActivationsOf({
  receiver,
  totalMs,
  ...parts
}: ActivationParts): Required<Pick<RewardsProvider, 'activateOffer'>> {
  const claims = openClaims({ ...parts, waitMs: plainTimeouts.lockMs })
  return {
    async activateOffer(write, { offerId, partnerUserId }) {
      const wanted = { offerId, partnerUserId: integerIdNumber(partnerUserId) }
      const [party] = await partiesOf(parts.database, write.caller.organisationId, [wanted])
      const userId = party?.userId
      if (userId == null) throw new Problem('partner_user_not_found')
      return claims.once(write, {
        // An offer that is activated again stays as it is.
        repeatable: true,
        budgetMs: totalMs,
        send: async () => {
          const { id, at } = await receiver.activate(userId, offerId)
          const activation = { id, ...wanted, status: 'Active', expiresAt: null, uses: null, used: 0 } as const
          return { ...activation, createdAt: at, updatedAt: null }
        },
      })
    },
  }
}
