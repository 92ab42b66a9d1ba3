import type { Books } from '../../../ledger/books.ts'
import type { LedgerPurchase } from '../../../ledger/records.ts'
import type { RewardRecords } from '../../../rewards/records/records.ts'
import type { AuthorizationRow } from '../bank/authorizations.sql.ts'
import type { BankParts } from '../bank-parts.ts'
import { type ClawBack, clawBack, coversPurchases, prepareClawBack } from './claw-back.ts'
import { type Earning, earn, prepareEarning, type Settled } from './earning.ts'
import { createRewardableTransaction } from './handed-in.ts'
import { getDailyReconciliation } from './reconciliation.ts'

/** A purchase was settled after the plan was made: another one is needed. */
export class PlanOutdated extends Error {}

/** The rewards engine over the built-in bank. */
export interface RewardEngine extends Pick<RewardRecords, 'createRewardableTransaction' | 'getDailyReconciliation'> {
  /** Returns undefined for a card that no partner user earns with. */
  prepareEarning(organisationId: number, authorization: AuthorizationRow): Promise<Earning | undefined>
  earn(books: Books, earning: Earning, settled: Settled): LedgerPurchase | undefined
  prepareClawBack(authorizationId: number): Promise<ClawBack>
  /** Throws PlanOutdated where the plan does not foresee every purchase there is. */
  clawBack(books: Books, plan: ClawBack, authorizationId: number, refund: number): void
}

export function rewardEngineOf(parts: BankParts): RewardEngine {
  return {
    prepareEarning: (organisationId, authorization) => prepareEarning(parts, organisationId, authorization),
    earn: (books, earning, settled) => earn(books, earning, settled, parts),
    prepareClawBack: (authorizationId) => prepareClawBack(parts, authorizationId),
    clawBack: (books, plan, authorizationId, refund) => {
      if (!coversPurchases(books, plan, authorizationId)) throw new PlanOutdated('a purchase was settled meanwhile')
      clawBack(books, plan, { authorizationId, refund }, parts.routingNumber)
    },
    createRewardableTransaction: (write, input) => createRewardableTransaction(parts, write, input),
    getDailyReconciliation: ({ organisationId }, date) => getDailyReconciliation(parts.database, organisationId, date),
  }
}
