import { arrayOf, bigint, integer, jsonb, rowSet, text, timestamptz } from '../../database/arrays.ts'
import type { Queryable } from '../../database/database.ts'
import type { Locking } from '../../ledger/attempts.ts'
import { byId } from '../../ledger/kinds.ts'
import type { LedgerLink, LedgerPurchase, LedgerReward } from './records.ts'

/** The purchases of an authorization, and the records by which a new one may earn a reward. */
export interface EarningId {
  authorizationId: number
  partnerUserIds: number[]
  linkId?: number
  offerIds?: string[]
}

export interface ReadEarning {
  links: LedgerLink[]
  purchases: LedgerPurchase[]
  /** `partner user:offer` of every reward that is pending, confirmed or paid. */
  earned: string[]
}

interface LockedEarning extends ReadEarning {
  /** The partner users that were left out because another transaction has locked them. */
  heldUserIds: number[]
}

const lockUsers = (waiting: string) =>
  `select id from partner_user where id = any($1::bigint[]) order by id for no key update ${waiting}`
const lockTexts: Record<Locking, string> = { wait: lockUsers(''), skip: lockUsers('skip locked') }

/**
 * Locks the partner users of a batch, after its accounts, and reads the records by which they earn. `offset 0` keeps the
 * planner from choosing to read a table whole that was small when the plan was made.
 */
export async function lockEarning(
  transaction: Queryable,
  wanted: EarningId[],
  locking: Locking,
): Promise<LockedEarning> {
  const users = wanted.flatMap(({ partnerUserIds }) => partnerUserIds)
  const locked = await transaction.query<{ id: number }>(lockTexts[locking], [arrayOf('bigint', users)])
  const lockedIds = new Set(locked.map(({ id }) => id))
  const links = await transaction.query<LedgerLink>(
    `select l.id, l.partner_user_id as "partnerUserId", not (l.is_removed or u.is_removed) as "isLive"
     from partner_user_card l
     cross join lateral (select is_removed from partner_user where id = l.partner_user_id offset 0) u
     where l.id = any($1::bigint[])`,
    [
      arrayOf(
        'bigint',
        wanted.flatMap(({ linkId }) => linkId ?? []),
      ),
    ],
  )
  const earned = await transaction.query<{ name: string }>(
    `select u.id || ':' || r.offer_id as name
     from unnest($1::bigint[]) u (id) cross join lateral (
       select offer_id, state from reward where partner_user_id = u.id and offer_id = any($2::text[]) offset 0) r
     where r.state in ('PENDING', 'CONFIRMED', 'PAID')`,
    [
      arrayOf('bigint', users),
      arrayOf(
        'text',
        wanted.flatMap(({ offerIds = [] }) => offerIds),
      ),
    ],
  )
  const purchases = await readPurchases(
    transaction,
    wanted.map(({ authorizationId }) => authorizationId),
  )
  return {
    links,
    purchases,
    earned: earned.map(({ name }) => name),
    heldUserIds: locking === 'skip' ? users.filter((id) => !lockedIds.has(id)) : [],
  }
}

async function readPurchases(transaction: Queryable, authorizationIds: number[]): Promise<LedgerPurchase[]> {
  const rows = await transaction.query<Omit<LedgerPurchase, 'reward'> & { reward: LedgerReward | null }>(
    `select b.id, b.organisation_id as "organisationId", b.partner_user_card_id as "linkId",
       b.authorization_id as "authorizationId", b.bank_transaction_id as "bankTransactionId",
       b.merchant_id as "merchantId", b.category_code as "categoryCode", b.amount, b.refunded,
       b.created_at as "createdAt", b.updated_at as "updatedAt", b.version, null as considered,
       case when r.id is not null then json_build_object('id', r.id, 'partnerUserId', r.partner_user_id,
         'offerId', r.offer_id, 'merchantName', r.merchant_name, 'commissionBp', r.commission_basis_points,
         'totalBp', r.total_basis_points, 'maximumReward', r.maximum_reward, 'campaignId', r.campaign_id, 'activationId', r.activation_id,
         'flatAmount', r.flat_amount, 'userAmount', r.user_amount,
         'issuerAmount', r.issuer_amount, 'state', r.state, 'payoutDueAt', r.payout_due_at,
         'paymentId', r.payout_payment_id, 'paidAt', p.created_at, 'rewardPaymentId', p.id,
         'createdAt', to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt', r.updated_at, 'version', r.version) end as reward
     from (select * from rewardable_transaction where authorization_id = any($1::bigint[]) offset 0) b
     left join lateral (select * from reward where rewardable_transaction_id = b.id offset 0) r on true
     left join lateral (select * from reward_payment where reward_id = r.id offset 0) p on true
     order by b.id`,
    [arrayOf('bigint', authorizationIds)],
  )
  return rows
}

export async function writePurchases(
  transaction: Queryable,
  { inserted, rewarded, updated }: Record<'inserted' | 'rewarded' | 'updated', LedgerPurchase[]>,
): Promise<void> {
  if (inserted.length > 0) await insertPurchases(transaction, inserted)
  if (rewarded.length > 0) await insertRewards(transaction, rewarded)
  // A purchase that changed twice in a batch is written once, in its last state.
  const last = [...byId(updated).values()]
  if (last.length > 0) await updatePurchases(transaction, last)
}

const purchaseRows = rowSet<LedgerPurchase>({
  id: bigint(({ id }) => id),
  organisation_id: bigint(({ organisationId }) => organisationId),
  partner_user_card_id: bigint(({ linkId }) => linkId),
  authorization_id: bigint(({ authorizationId }) => authorizationId),
  bank_transaction_id: text(({ bankTransactionId }) => bankTransactionId),
  merchant_id: text(({ merchantId }) => merchantId),
  category_code: text(({ categoryCode }) => categoryCode),
  amount: bigint(({ amount }) => amount),
  refunded: bigint(({ refunded }) => refunded),
  created_at: timestamptz(({ createdAt }) => createdAt),
  considered: jsonb(({ considered }) => considered && JSON.stringify(considered)),
})
const rewardRows = rowSet<Rewarded>({
  id: bigint(({ reward }) => reward.id),
  organisation_id: bigint(({ purchase }) => purchase.organisationId),
  partner_user_id: bigint(({ reward }) => reward.partnerUserId),
  rewardable_transaction_id: bigint(({ purchase }) => purchase.id),
  offer_id: text(({ reward }) => reward.offerId),
  merchant_name: text(({ reward }) => reward.merchantName),
  commission_basis_points: integer(({ reward }) => reward.commissionBp),
  total_basis_points: integer(({ reward }) => reward.totalBp),
  maximum_reward: bigint(({ reward }) => reward.maximumReward),
  campaign_id: bigint(({ reward }) => reward.campaignId),
  activation_id: bigint(({ reward }) => reward.activationId),
  flat_amount: bigint(({ reward }) => reward.flatAmount),
  amount: bigint(({ purchase }) => purchase.amount),
  user_amount: bigint(({ reward }) => reward.userAmount),
  issuer_amount: bigint(({ reward }) => reward.issuerAmount),
  state: text(({ reward }) => reward.state),
  payout_payment_id: bigint(({ reward }) => reward.paymentId),
  payout_due_at: timestamptz(({ reward }) => reward.payoutDueAt),
  created_at: timestamptz(({ reward }) => reward.createdAt),
})

async function insertPurchases(transaction: Queryable, purchases: LedgerPurchase[]): Promise<void> {
  await transaction.query(
    `insert into rewardable_transaction (${purchaseRows.names}) ${purchaseRows.select}`,
    purchaseRows.values(purchases),
  )
  await insertRewards(transaction, purchases)
}

/** The click of a partner user on an offer in the 30 days before a time, or else the view, or else the impression. */
export const attributionOf = (partnerUserId: string, offerId: string, time: string) =>
  `(select case when click_at >= ${time} - interval '30 days' then 'Click' when view_at >= ${time} - interval '30 days' then 'View'
     when impression_at >= ${time} - interval '30 days' then 'Impression' end
   from attribution_touch where partner_user_id = ${partnerUserId} and offer_id = ${offerId})`

async function insertRewards(transaction: Queryable, purchases: LedgerPurchase[]): Promise<void> {
  const rewarded = rewardsOf(purchases)
  await transaction.query(
    `insert into reward (${rewardRows.names}, attribution)
     select n.*, ${attributionOf('n.partner_user_id', 'n.offer_id', 'n.created_at')} from (${rewardRows.select}) n`,
    rewardRows.values(rewarded),
  )
  await insertRewardPayments(transaction, rewarded)
}

const changedPurchases = rowSet<LedgerPurchase>({
  id: bigint(({ id }) => id),
  refunded: bigint(({ refunded }) => refunded),
  updated_at: timestamptz(({ updatedAt }) => updatedAt),
  version: integer(({ version }) => version),
})
const changedRewards = rowSet<Rewarded>({
  id: bigint(({ reward }) => reward.id),
  user_amount: bigint(({ reward }) => reward.userAmount),
  issuer_amount: bigint(({ reward }) => reward.issuerAmount),
  state: text(({ reward }) => reward.state),
  payment_id: bigint(({ reward }) => reward.paymentId),
  updated_at: timestamptz(({ reward }) => reward.updatedAt),
  version: integer(({ reward }) => reward.version),
})

async function updatePurchases(transaction: Queryable, purchases: LedgerPurchase[]): Promise<void> {
  await transaction.query(
    `update rewardable_transaction b
     set refunded = n.refunded, updated_at = n.updated_at, version = n.version
     from (${changedPurchases.select}) n
     where b.id = n.id and b.version <> n.version and b.id = any($1::bigint[])`,
    changedPurchases.values(purchases),
  )
  const rewarded = rewardsOf(purchases)
  const rewardValues = changedRewards.values(rewarded)
  await transaction.query(
    `insert into reward_reduction (organisation_id, reward_id, version, created_at, user_amount, issuer_amount)
     select r.organisation_id, r.id, n.version, n.updated_at, r.user_amount - n.user_amount, r.issuer_amount - n.issuer_amount
     from (${changedRewards.select}) n join reward r on r.id = n.id
     where r.version <> n.version and (r.user_amount, r.issuer_amount) <> (n.user_amount, n.issuer_amount)
       and r.id = any($1::bigint[])`,
    rewardValues,
  )
  await transaction.query(
    `update reward r
     set user_amount = n.user_amount, issuer_amount = n.issuer_amount, state = n.state, payout_payment_id = n.payment_id,
       updated_at = n.updated_at, version = n.version
     from (${changedRewards.select}) n
     where r.id = n.id and r.version <> n.version and r.id = any($1::bigint[])`,
    rewardValues,
  )
  await insertRewardPayments(transaction, rewarded)
}

interface Rewarded {
  purchase: LedgerPurchase
  reward: LedgerReward
}

function rewardsOf(purchases: LedgerPurchase[]): Rewarded[] {
  return purchases.flatMap((purchase) => (purchase.reward ? [{ purchase, reward: purchase.reward }] : []))
}

const rewardPaymentRows = rowSet<Rewarded>({
  id: bigint(({ reward }) => reward.rewardPaymentId),
  organisation_id: bigint(({ purchase }) => purchase.organisationId),
  reward_id: bigint(({ reward }) => reward.id),
  payment_id: bigint(({ reward }) => reward.paymentId),
  created_at: timestamptz(({ reward }) => reward.paidAt),
})

/** Inserts the record of a payout, once for each reward that was paid. */
async function insertRewardPayments(transaction: Queryable, rewarded: Rewarded[]): Promise<void> {
  await transaction.query(
    `insert into reward_payment (${rewardPaymentRows.names}) ${rewardPaymentRows.select}
     on conflict (reward_id) do nothing`,
    rewardPaymentRows.values(rewarded.filter(({ reward }) => reward.paymentId !== null)),
  )
}
