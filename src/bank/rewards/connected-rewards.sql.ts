import type { Queryable } from '../../database/database.ts'
import type { MatchedOffer, Shares } from '../../rewards/matching.ts'
import type { UpstreamPurchase } from '../../rewards/purchases.ts'
import type { Reward } from '../../rewards/records/reward.ts'
import type { RewardPayment } from '../../rewards/records/reward-payment.ts'
import type { RewardableTransaction } from '../../rewards/records/rewardable-transaction.ts'
import { attributionOf } from '../records/purchases.sql.ts'
import { rewardableTransactions, rewardPayments, rewards } from './reward-records.sql.ts'

/** The live link of a card. Its partner user is locked, so that an offer that is redeemable once is redeemed once. */
export async function lockLiveLink(
  transaction: Queryable,
  organisationId: number,
  bankCardId: string,
): Promise<{ id: number; partnerUserId: number } | undefined> {
  const [row] = await transaction.query<{ id: number; partnerUserId: number }>(
    `select l.id, l.partner_user_id as "partnerUserId"
     from partner_user_card l join partner_user u on u.id = l.partner_user_id
     where l.organisation_id = $1::bigint and l.bank_card_id = $2::text and not l.is_removed and not u.is_removed
     for no key update of u`,
    [organisationId, bankCardId],
  )
  return row
}

/** Records a purchase. No row if it is recorded already. */
export async function insertUpstreamPurchase(
  transaction: Queryable,
  organisationId: number,
  linkId: number,
  { transactionId, accountId, amount, merchantId, categoryCode }: UpstreamPurchase,
): Promise<RewardableTransaction | undefined> {
  const [row] = await transaction.query<RewardableTransaction>(
    `insert into rewardable_transaction (organisation_id, partner_user_card_id, bank_transaction_id, bank_account_id,
       amount, merchant_id, category_code, created_at)
     values ($1::bigint, $2::bigint, $3::text, $4::text, $5::bigint, $6::text, $7::text, bank_time($1))
     on conflict (organisation_id, bank_transaction_id) do nothing returning ${rewardableTransactions.selected}`,
    [organisationId, linkId, transactionId, accountId, amount, merchantId, categoryCode],
  )
  return row
}

/** The offers among these that a partner user has a live reward from. */
export async function usedUpOffers(
  transaction: Queryable,
  partnerUserId: number,
  offerIds: string[],
): Promise<Set<string>> {
  const rows = await transaction.query<{ id: string }>(
    `select offer_id as id from reward
     where partner_user_id = $1::bigint and offer_id = any($2::text[]) and state in ('PENDING', 'CONFIRMED', 'PAID')`,
    [partnerUserId, offerIds],
  )
  return new Set(rows.map(({ id }) => id))
}

/** A reward after a change, with its version. */
export interface RewardChange extends Reward {
  version: number
}

interface NewReward extends MatchedOffer, Shares {
  partnerUserId: number
  rewardableTransactionId: number
  amount: number
  payoutDelayMs: number
}

export async function insertReward(
  transaction: Queryable,
  organisationId: number,
  reward: NewReward,
): Promise<RewardChange> {
  const [row] = await transaction.query<RewardChange>(
    `insert into reward (organisation_id, partner_user_id, rewardable_transaction_id, offer_id, merchant_name,
       commission_basis_points, total_basis_points, maximum_reward, amount, user_amount, issuer_amount, state, created_at,
       payout_due_at, attribution)
     select $1::bigint, $2::bigint, $3::bigint, $4::text, $5::text, $6::int, $7::int, $8::bigint, $9::bigint, $10::bigint,
       $11::bigint, 'PENDING', now, now + $12::bigint * interval '1 millisecond',
       ${attributionOf('$2::bigint', '$4::text', 'now')}
     from bank_time($1) as now
     returning ${rewards.selected}, version`,
    [
      organisationId,
      reward.partnerUserId,
      reward.rewardableTransactionId,
      reward.id,
      reward.merchantName,
      reward.commissionBp,
      reward.totalBp,
      reward.maximumReward,
      reward.amount,
      reward.userAmount,
      reward.issuerAmount,
      reward.payoutDelayMs,
    ],
  )
  if (!row) throw new Error('the reward was not written')
  return row
}

/** Confirms rewards whose payout is due. Rewards that another process has locked are left to it. */
export function confirmDueRewards(
  transaction: Queryable,
  organisationId: number,
  limit: number,
): Promise<RewardChange[]> {
  return transaction.query(
    `update reward set state = 'CONFIRMED', updated_at = bank_time($1::bigint), version = version + 1
     where id = any (array(
       select r.id from reward r join rewardable_transaction b on b.id = r.rewardable_transaction_id
       where r.organisation_id = $1::bigint and r.state = 'PENDING' and r.payout_due_at <= bank_time($1)
         and b.bank_account_id is not null
       order by r.payout_due_at, r.id limit $2 for no key update of r skip locked))
     returning ${rewards.selected}, version`,
    [organisationId, limit],
  )
}

export interface UnpaidReward {
  id: number
  accountId: string
  amount: number
  purchaseId: string
  isBegunByReward: boolean
}

export function listUnpaidRewards(database: Queryable, organisationId: number, limit: number): Promise<UnpaidReward[]> {
  return database.query(
    `select r.id, b.bank_account_id as "accountId", r.user_amount as amount, b.bank_transaction_id as "purchaseId",
       exists (select from claim where organisation_id = $1::bigint and key_hash = k.hash)
         or exists (select from answer where organisation_id = $1::bigint and key_hash = k.hash) as "isBegunByReward"
     from reward r join rewardable_transaction b on b.id = r.rewardable_transaction_id
     cross join lateral (select sha256(convert_to('payout of reward ' || r.id, 'UTF8')) as hash) k
     where r.organisation_id = $1::bigint and r.state = 'CONFIRMED' and r.payout_due_at <= bank_time($1)
       and b.bank_account_id is not null
     order by r.payout_due_at, r.id limit $2`,
    [organisationId, limit],
  )
}

/** Marks a reward as paid and records its payout. Undefined if it is paid already. */
export async function payReward(
  transaction: Queryable,
  organisationId: number,
  { rewardId, paymentId }: { rewardId: number; paymentId: number },
): Promise<{ change: RewardChange; payment: RewardPayment } | undefined> {
  const [change] = await transaction.query<RewardChange>(
    `update reward set state = 'PAID', payout_payment_id = $3::bigint, updated_at = bank_time($1::bigint),
       version = version + 1
     where organisation_id = $1 and id = $2::bigint and state = 'CONFIRMED'
     returning ${rewards.selected}, version`,
    [organisationId, rewardId, paymentId],
  )
  if (!change) return undefined
  const [payment] = await transaction.query<RewardPayment>(
    `insert into reward_payment (organisation_id, reward_id, payment_id, created_at)
     values ($1::bigint, $2::bigint, $3::bigint, bank_time($1)) returning ${rewardPayments.selected}`,
    [organisationId, rewardId, paymentId],
  )
  if (!payment) throw new Error('the payout was not written')
  return { change, payment }
}

export async function postponePayout(
  database: Queryable,
  organisationId: number,
  rewardId: number,
  ms: number,
): Promise<void> {
  await database.query(
    `update reward set payout_due_at = bank_time($1::bigint) + $3::bigint * interval '1 millisecond'
     where organisation_id = $1 and id = $2::bigint and state = 'CONFIRMED'`,
    [organisationId, rewardId, ms],
  )
}
