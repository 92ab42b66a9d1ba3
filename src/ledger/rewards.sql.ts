import { arrayOf, bigint, columns, integer, text, timestamptz } from '../database/arrays.ts'
import type { Queryable } from '../database/database.ts'
import type { BooksState, Command, Rows } from './books.ts'
import type { LedgerLink, LedgerPurchase, LedgerReward } from './records.ts'

type Earning = Pick<BooksState, 'links' | 'purchases' | 'earned'>

/** Locks the partner users of a batch, after its accounts, and reads what they earn by; most batches have none. */
export async function lockEarning(transaction: Queryable, commands: Command<never>[]): Promise<Earning> {
  const wanted = commands.flatMap(({ rewards, authorizationIds = [] }) =>
    rewards ? [{ rewards, authorizationIds }] : [],
  )
  if (wanted.length === 0) return { links: [], purchases: [], earned: new Set() }
  const users = wanted.flatMap(({ rewards }) => rewards.partnerUserIds)
  await transaction.query(`select id from partner_user where id = any($1::bigint[]) order by id for no key update`, [
    arrayOf('bigint', users),
  ])
  const links = await transaction.query<LedgerLink>(
    `select l.id, l.partner_user_id as "partnerUserId", not (l.is_removed or u.is_removed) as "isLive"
     from partner_user_card l join partner_user u on u.id = l.partner_user_id where l.id = any($1::bigint[])`,
    [
      arrayOf(
        'bigint',
        wanted.flatMap(({ rewards }) => rewards.linkIds),
      ),
    ],
  )
  const earned = await transaction.query<{ name: string }>(
    `select partner_user_id || ':' || offer_id as name from reward
     where partner_user_id = any($1::bigint[]) and offer_id = any($2::text[])
       and state in ('PENDING', 'CONFIRMED', 'PAID')`,
    [
      arrayOf('bigint', users),
      arrayOf(
        'text',
        wanted.flatMap(({ rewards }) => rewards.offerIds),
      ),
    ],
  )
  const purchases = await readPurchases(
    transaction,
    wanted.flatMap(({ authorizationIds }) => authorizationIds),
  )
  return { links, purchases, earned: new Set(earned.map(({ name }) => name)) }
}

async function readPurchases(transaction: Queryable, authorizationIds: number[]): Promise<LedgerPurchase[]> {
  const rows = await transaction.query<Omit<LedgerPurchase, 'reward'> & { reward: LedgerReward | null }>(
    `select b.id, b.organisation_id as "organisationId", b.partner_user_card_id as "linkId",
       b.authorization_id as "authorizationId", b.bank_transaction_id as "bankTransactionId", b.amount, b.refunded,
       b.created_at as "createdAt", b.updated_at as "updatedAt", b.version,
       case when r.id is not null then json_build_object('id', r.id, 'partnerUserId', r.partner_user_id,
         'offerId', r.offer_id, 'merchantName', r.merchant_name, 'commissionBp', r.commission_basis_points,
         'totalBp', r.total_basis_points, 'maximumReward', r.maximum_reward, 'userAmount', r.user_amount,
         'issuerAmount', r.issuer_amount, 'state', r.state, 'payoutDueAt', r.payout_due_at,
         'paymentId', r.payout_payment_id, 'paidAt', p.created_at, 'rewardPaymentId', p.id,
         'updatedAt', r.updated_at, 'version', r.version) end as reward
     from rewardable_transaction b
     left join reward r on r.rewardable_transaction_id = b.id
     left join reward_payment p on p.reward_id = r.id
     where b.authorization_id = any($1::bigint[]) order by b.id`,
    [arrayOf('bigint', authorizationIds)],
  )
  return rows
}

export async function writePurchases(
  transaction: Queryable,
  { purchases, purchaseUpdates }: Pick<Rows, 'purchases' | 'purchaseUpdates'>,
): Promise<void> {
  if (purchases.length > 0) await insertPurchases(transaction, purchases)
  // A purchase that changed twice in a batch is written once, as it ended up.
  const last = [...new Map(purchaseUpdates.map((purchase) => [purchase.id, purchase])).values()]
  if (last.length > 0) await updatePurchases(transaction, last)
}

async function insertPurchases(transaction: Queryable, purchases: LedgerPurchase[]): Promise<void> {
  await transaction.query(
    `insert into rewardable_transaction (id, organisation_id, partner_user_card_id, authorization_id,
       bank_transaction_id, amount, refunded, created_at)
     select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[], $7::bigint[],
       $8::timestamptz[])`,
    columns(purchases, [
      bigint(({ id }) => id),
      bigint(({ organisationId }) => organisationId),
      bigint(({ linkId }) => linkId),
      bigint(({ authorizationId }) => authorizationId),
      text(({ bankTransactionId }) => bankTransactionId),
      bigint(({ amount }) => amount),
      bigint(({ refunded }) => refunded),
      timestamptz(({ createdAt }) => createdAt),
    ]),
  )
  const rewarded = rewardsOf(purchases)
  await transaction.query(
    `insert into reward (id, organisation_id, partner_user_id, rewardable_transaction_id, offer_id, merchant_name,
       commission_basis_points, total_basis_points, maximum_reward, amount, user_amount, issuer_amount, state,
       payout_payment_id, payout_due_at, created_at)
     select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::int[],
       $8::int[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::text[], $14::bigint[],
       $15::timestamptz[], $16::timestamptz[])`,
    columns(rewarded, [
      bigint(({ reward }) => reward.id),
      bigint(({ purchase }) => purchase.organisationId),
      bigint(({ reward }) => reward.partnerUserId),
      bigint(({ purchase }) => purchase.id),
      text(({ reward }) => reward.offerId),
      text(({ reward }) => reward.merchantName),
      integer(({ reward }) => reward.commissionBp),
      integer(({ reward }) => reward.totalBp),
      bigint(({ reward }) => reward.maximumReward),
      bigint(({ purchase }) => purchase.amount),
      bigint(({ reward }) => reward.userAmount),
      bigint(({ reward }) => reward.issuerAmount),
      text(({ reward }) => reward.state),
      bigint(({ reward }) => reward.paymentId),
      timestamptz(({ reward }) => reward.payoutDueAt),
      timestamptz(({ purchase }) => purchase.createdAt),
    ]),
  )
  await insertRewardPayments(transaction, rewarded)
}

async function updatePurchases(transaction: Queryable, purchases: LedgerPurchase[]): Promise<void> {
  await transaction.query(
    `update rewardable_transaction b
     set refunded = n.refunded, updated_at = n.updated_at, version = n.version
     from unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::int[]) as n (id, refunded, updated_at, version)
     where b.id = n.id and b.version <> n.version`,
    columns(purchases, [
      bigint(({ id }) => id),
      bigint(({ refunded }) => refunded),
      timestamptz(({ updatedAt }) => updatedAt),
      integer(({ version }) => version),
    ]),
  )
  const rewarded = rewardsOf(purchases)
  await transaction.query(
    `update reward r
     set user_amount = n.user_amount, issuer_amount = n.issuer_amount, state = n.state, payout_payment_id = n.payment_id,
       updated_at = n.updated_at, version = n.version
     from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::timestamptz[], $7::int[])
       as n (id, user_amount, issuer_amount, state, payment_id, updated_at, version)
     where r.id = n.id and r.version <> n.version`,
    columns(rewarded, [
      bigint(({ reward }) => reward.id),
      bigint(({ reward }) => reward.userAmount),
      bigint(({ reward }) => reward.issuerAmount),
      text(({ reward }) => reward.state),
      bigint(({ reward }) => reward.paymentId),
      timestamptz(({ reward }) => reward.updatedAt),
      integer(({ reward }) => reward.version),
    ]),
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

/** The record of a payout, once for each reward that was paid. */
async function insertRewardPayments(transaction: Queryable, rewarded: Rewarded[]): Promise<void> {
  await transaction.query(
    `insert into reward_payment (id, organisation_id, reward_id, payment_id, created_at)
     select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::timestamptz[])
     on conflict (reward_id) do nothing`,
    columns(
      rewarded.filter(({ reward }) => reward.paymentId !== null),
      [
        bigint(({ reward }) => reward.rewardPaymentId),
        bigint(({ purchase }) => purchase.organisationId),
        bigint(({ reward }) => reward.id),
        bigint(({ reward }) => reward.paymentId),
        timestamptz(({ reward }) => reward.paidAt),
      ],
    ),
  )
}
