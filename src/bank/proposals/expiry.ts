import { LAST_INSTANT } from '../../base/clock.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { bankWrite } from '../parts/bank-write.ts'
import type { Forecast, Timer } from '../time/due.ts'
import { decideProposal, expiringProposals, lockProposal } from './proposals.sql.ts'
import { emitProposal } from './proposals.ts'

const PORTION = 100
const EXPIRED = 'proposal.expired'

/** The timer that ends proposals which nobody decides in time. */
export function proposalTimerOf({ database, runOnce }: BankParts): Timer {
  return async (organisationId) => {
    const [first] = await expiringProposals(database, organisationId, LAST_INSTANT, 1)
    if (!first) return undefined
    const { expiresAt: at } = first
    return {
      at,
      run: async (run) => {
        for (const { id, expiresAt } of await expiringProposals(database, organisationId, at, PORTION)) {
          await runOnce.transaction(bankWrite(organisationId), async (transaction, events) => {
            const row = await lockProposal(transaction, organisationId, id)
            if (row?.state !== 'Waiting') return
            const expired = await decideProposal(transaction, id, { state: 'Expired', signer: null, reason: null })
            emitProposal(events, EXPIRED, expired)
          })
          run.happened({ at: expiresAt, type: EXPIRED, id: String(id) })
        }
      },
    }
  }
}

/** The proposals that expire next. */
export function proposalForecastOf({ database }: Pick<BankParts, 'database'>): Forecast {
  return async (organisationId, limit) =>
    (await expiringProposals(database, organisationId, LAST_INSTANT, limit)).map(({ id, expiresAt }) => ({
      at: expiresAt,
      type: EXPIRED,
      id: String(id),
    }))
}
