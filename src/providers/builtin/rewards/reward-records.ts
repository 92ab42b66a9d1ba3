import type { Static, TObject } from 'typebox'
import { idNumber, integerIdNumber } from '../../../base/ids.ts'
import type { Caller } from '../../../base/operation.ts'
import { type Page, toPage } from '../../../base/page.ts'
import { Problem, type ProblemCode } from '../../../base/problem.ts'
import type { Queryable } from '../../../database/database.ts'
import type { Filter } from '../../../rewards/filter/filter.ts'
import type { RewardRecords } from '../../../rewards/records/records.ts'
import { lockAccount } from '../bank/accounts.sql.ts'
import { findCard } from '../bank/cards.sql.ts'
import type { BankParts } from '../bank-parts.ts'
import {
  findRecord,
  hasOtherLink,
  insertPartnerUser,
  insertPartnerUserCard,
  listRecords,
  partnerUserCards,
  partnerUsers,
  type RecordTable,
  rewardableTransactions,
  rewardPayments,
  rewards,
  setRemoved,
} from './reward-records.sql.ts'

type Records = Omit<RewardRecords, 'createRewardableTransaction' | 'getDailyReconciliation'>

/** Keeps a card's purchases out while its links change. */
export type LockCard = (transaction: Queryable, organisationId: number, bankCardId: string) => Promise<void>

/** The account's lock guards its cards and their links: a settlement, which holds it, sees no link change. */
export const lockOwnCard: LockCard = async (transaction, organisationId, bankCardId) => {
  const card = known(await findCard(transaction, organisationId, idNumber(bankCardId)), 'card_not_found')
  await lockAccount(transaction, organisationId, card.accountId)
}

export function rewardRecordsOf(
  { database, runOnce }: Pick<BankParts, 'database' | 'runOnce'>,
  lockCard: LockCard,
): Records {
  const list =
    <Record extends TObject>(table: RecordTable<Record>) =>
    async ({ organisationId }: Caller, filter: Filter): Promise<Page<Static<Record>>> =>
      toPage(await listRecords(database, table, organisationId, filter), filter.limit, (row) => row)

  return {
    listPartnerUsers: list(partnerUsers),
    listRewardableTransactions: list(rewardableTransactions),
    listRewardPayments: list(rewardPayments),
    listPartnerUserCards: list(partnerUserCards),
    listRewards: list(rewards),

    getReward: async ({ organisationId }, rewardId) =>
      known(await findRecord(database, rewards, organisationId, integerIdNumber(rewardId)), 'reward_not_found'),

    createPartnerUser: (write, { userId }) =>
      runOnce.transaction(write, async (transaction) =>
        known(await insertPartnerUser(transaction, write.caller.organisationId, userId), 'partner_user_exists'),
      ),

    updatePartnerUser: (write, { partnerUserId, isRemoved }) =>
      runOnce.transaction(write, async (transaction) => {
        const change = { id: integerIdNumber(partnerUserId), isRemoved }
        const user = await setRemoved(transaction, partnerUsers, write.caller.organisationId, change)
        return known(user, 'partner_user_not_found')
      }),

    createPartnerUserCard: (write, { partnerUserId, bankCardId }) =>
      runOnce.transaction(write, async (transaction) => {
        const { organisationId } = write.caller
        const user = await findRecord(transaction, partnerUsers, organisationId, integerIdNumber(partnerUserId))
        const link = { partnerUserId: known(user, 'partner_user_not_found').id, bankCardId }
        await lockCard(transaction, organisationId, bankCardId)
        return known(await insertPartnerUserCard(transaction, organisationId, link), 'card_already_linked')
      }),

    updatePartnerUserCard: (write, { partnerUserCardId, isRemoved }) =>
      runOnce.transaction(write, async (transaction) => {
        const { organisationId } = write.caller
        const id = integerIdNumber(partnerUserCardId)
        const link = await findRecord(transaction, partnerUserCards, organisationId, id)
        const { bankCardId } = known(link, 'partner_user_card_not_found')
        await lockCard(transaction, organisationId, bankCardId)
        if (!isRemoved && (await hasOtherLink(transaction, organisationId, { id, bankCardId }))) {
          throw new Problem('card_already_linked')
        }
        const changed = await setRemoved(transaction, partnerUserCards, organisationId, { id, isRemoved })
        return known(changed, 'partner_user_card_not_found')
      }),
  }
}

function known<Row>(row: Row | undefined, otherwise: ProblemCode): Row {
  if (row === undefined) throw new Problem(otherwise)
  return row
}
