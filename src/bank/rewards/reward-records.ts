import type { Static, TObject } from 'typebox'
import { idNumber, integerIdNumber } from '../../base/ids.ts'
import type { Answer, Caller, Write } from '../../base/operation.ts'
import { type Page, toPage } from '../../base/page.ts'
import { Problem, type ProblemCode } from '../../base/problem.ts'
import type { Database, Queryable } from '../../database/database.ts'
import { emit } from '../../events/event.ts'
import type { Filter } from '../../rewards/filter/filter.ts'
import type { CreatePartnerUserInput } from '../../rewards/records/create-partner-user.ts'
import type { CreatePartnerUserCardInput } from '../../rewards/records/create-partner-user-card.ts'
import type { TaggedPartnerUser } from '../../rewards/records/partner-user.ts'
import type { PartnerUserCard } from '../../rewards/records/partner-user-card.ts'
import type { CampaignRecords, RewardRecords } from '../../rewards/records/records.ts'
import type { UpdatePartnerUserInput } from '../../rewards/records/update-partner-user.ts'
import type { UpdatePartnerUserCardInput } from '../../rewards/records/update-partner-user-card.ts'
import { lockAccount } from '../accounts/accounts.sql.ts'
import { findCard } from '../cards/cards.sql.ts'
import { findZipCode } from '../offers/zip-codes.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { listMerchantBills } from './merchant-bills.ts'
import {
  changeUser,
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
  taggedUsers,
} from './reward-records.sql.ts'

type Records = Omit<
  RewardRecords,
  | 'createRewardableTransaction'
  | 'getDailyReconciliation'
  | 'getPurchaseExplanation'
  | 'getRewardExplanation'
  | keyof CampaignRecords
>

/** Holds up the purchases of a card while its links change. */
export type LockCard = (transaction: Queryable, organisationId: number, bankCardId: string) => Promise<void>

interface RecordParts extends Pick<BankParts, 'database' | 'runOnce'> {
  lockCard: LockCard
}

/** Locks the account of a card of the built-in bank: a settlement holds the same lock, and so sees no link change. */
export const lockBuiltinCard: LockCard = async (transaction, organisationId, bankCardId) => {
  const card = required(await findCard(transaction, organisationId, idNumber(bankCardId)), 'card_not_found')
  await lockAccount(transaction, organisationId, card.accountId)
}

export function rewardRecordsOf(parts: RecordParts): Records {
  const { database } = parts
  return {
    listPartnerUsers: listOf(database, partnerUsers),
    listRewardableTransactions: listOf(database, rewardableTransactions),
    listRewardPayments: listOf(database, rewardPayments),
    listPartnerUserCards: listOf(database, partnerUserCards),
    listRewards: listOf(database, rewards),
    listMerchantBills: (caller, query) => listMerchantBills(database, caller, query),
    getReward: async ({ organisationId }, rewardId) =>
      required(await findRecord(database, rewards, organisationId, integerIdNumber(rewardId)), 'reward_not_found'),
    getZipCode: async (_caller, zip) => {
      const { city, state, lat, long } = required(findZipCode(zip), 'zip_code_not_found')
      return { zip, city, state, geoLocation: { lat, long } }
    },
    getPartnerUser: async ({ organisationId }, id) =>
      required(await findRecord(database, taggedUsers, organisationId, integerIdNumber(id)), 'partner_user_not_found'),
    createPartnerUser: (write, input) => createPartnerUser(parts, write, input),
    updatePartnerUser: (write, input) => updatePartnerUser(parts, write, input),
    createPartnerUserCard: (write, input) => createPartnerUserCard(parts, write, input),
    updatePartnerUserCard: (write, input) => updatePartnerUserCard(parts, write, input),
  }
}

function listOf<Record extends TObject>(database: Database, table: RecordTable<Record>) {
  return async ({ organisationId }: Caller, filter: Filter): Promise<Page<Static<Record>>> =>
    toPage(await listRecords(database, table, organisationId, filter), filter.limit, (row) => row)
}

function createPartnerUser(
  { runOnce }: RecordParts,
  write: Write<TaggedPartnerUser>,
  { userId, tags = {} }: CreatePartnerUserInput,
): Promise<Answer> {
  return runOnce.transaction(write, async (transaction, events) => {
    const user = await insertPartnerUser(transaction, write.caller.organisationId, { userId, tags })
    return emitUser(events, 'partnerUser.created', 1, required(user, 'partner_user_exists'))
  })
}

function updatePartnerUser(
  { runOnce }: RecordParts,
  write: Write<TaggedPartnerUser>,
  { partnerUserId, isRemoved, tags }: UpdatePartnerUserInput,
): Promise<Answer> {
  return runOnce.transaction(write, async (transaction, events) => {
    const { organisationId } = write.caller
    const id = integerIdNumber(partnerUserId)
    const changed = await changeUser(transaction, organisationId, { id, isRemoved, tags })
    if (changed) return emitUser(events, 'partnerUser.updated', changed.version, changed.record)
    return required(await findRecord(transaction, taggedUsers, organisationId, id), 'partner_user_not_found')
  })
}

/** Emits the event of a partner user without the tags: they can be personal, and events stay when a customer is erased. */
function emitUser(
  events: Parameters<typeof emit>[0],
  type: 'partnerUser.created' | 'partnerUser.updated',
  version: number,
  user: TaggedPartnerUser,
): TaggedPartnerUser {
  const { tags: _, ...untagged } = user
  emit(events, type, version, untagged)
  return user
}

function createPartnerUserCard(
  { runOnce, lockCard }: RecordParts,
  write: Write<PartnerUserCard>,
  { partnerUserId, bankCardId }: CreatePartnerUserCardInput,
): Promise<Answer> {
  return runOnce.transaction(write, async (transaction, events) => {
    const { organisationId } = write.caller
    const user = await findRecord(transaction, partnerUsers, organisationId, integerIdNumber(partnerUserId))
    const link = { partnerUserId: required(user, 'partner_user_not_found').id, bankCardId }
    await lockCard(transaction, organisationId, bankCardId)
    const linked = await insertPartnerUserCard(transaction, organisationId, link)
    return emit(events, 'partnerUserCard.created', 1, required(linked, 'card_already_linked'))
  })
}

function updatePartnerUserCard(
  { runOnce, lockCard }: RecordParts,
  write: Write<PartnerUserCard>,
  { partnerUserCardId, isRemoved }: UpdatePartnerUserCardInput,
): Promise<Answer> {
  return runOnce.transaction(write, async (transaction, events) => {
    const { organisationId } = write.caller
    const id = integerIdNumber(partnerUserCardId)
    const find = () => findRecord(transaction, partnerUserCards, organisationId, id)
    const { bankCardId } = required(await find(), 'partner_user_card_not_found')
    await lockCard(transaction, organisationId, bankCardId)
    if (!isRemoved && (await hasOtherLink(transaction, organisationId, { id, bankCardId }))) {
      throw new Problem('card_already_linked')
    }
    const changed = await setRemoved(transaction, partnerUserCards, organisationId, { id, isRemoved })
    if (changed) return emit(events, 'partnerUserCard.updated', changed.version, changed.record)
    return required(await find(), 'partner_user_card_not_found')
  })
}

function required<Row>(row: Row | undefined, otherwise: ProblemCode): Row {
  if (row === undefined) throw new Problem(otherwise)
  return row
}
