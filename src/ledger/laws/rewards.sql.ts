import { USE_KEPT_DAYS } from '../../rewards/campaigns/budget.ts'

/** The rows of a table, each with the first period of its organisation whose use of budgets is kept. */
const kept = (table: string) => `${table} join (
        select id, to_char(bank_time(id) at time zone 'UTC' - interval '${USE_KEPT_DAYS} days', 'YYYY-MM-DD') as first
        from organisation) k on k.id = organisation_id`

/** The holders and periods whose usage of budgets differs from their rewards; with a condition on the period, only some periods. */
export const budgetLaw = (condition = 'true') => `
    select campaign_id, offer_id, partner_user_id, period, u.amount, u.count, r.amount as earned, r.count as purchases
    from (select * from ${kept('campaign_usage')} where period >= k.first and ${condition}) u
    full join (
      select campaign_id, offer_id, partner_user_id, period, sum(user_amount)::bigint as amount,
        count(*) filter (where state in ('PENDING', 'CONFIRMED', 'PAID')) as count
      from (
        select campaign_id, period, user_amount, state, unnest(array[0, offer, 0, offer]) as offer_id,
          unnest(array[0, 0, user_id, user_id]) as partner_user_id
        from (
          select k.first, campaign_id, case when campaign_id is not null then offer_id::bigint end as offer,
            partner_user_id as user_id, user_amount, state, unnest(array[to_char(created_at at time zone 'UTC', 'YYYY-MM-DD'),
              to_char(created_at at time zone 'UTC', 'YYYY-MM'), 'total']) as period
          from ${kept('reward')} where campaign_id is not null) e
        where period >= first and ${condition}) h
      group by 1, 2, 3, 4) r using (campaign_id, offer_id, partner_user_id, period)
    where coalesce(u.amount, 0) <> coalesce(r.amount, 0) or coalesce(u.count, 0) <> coalesce(r.count, 0)`

/** Laws about cash back and its payouts. */
export const rewardLaws = {
  'a payout reaches its account once': `
    select p.id, count(t.id) as credits from payment p
    left join transfer t on t.source_id = p.id and t.source_kind = 'reward' and t.amount = p.amount
      and t.credit_account_id = p.account_id and t.debit_account_id < 0
    where p.type = 'bookPayment' and p.direction = 'Debit' group by p.id having count(t.id) <> 1`,

  'a reward has paid out what its transfers left, and its shares are the commission': `
    select r.id, r.state, r.user_amount, r.issuer_amount, b.amount, b.refunded, moved.paid
    from reward r join rewardable_transaction b on b.id = r.rewardable_transaction_id
    left join (
      select source_id, sum(case source_kind when 'reward' then amount else -amount end) as paid
      from transfer where source_kind in ('reward', 'reward_clawback') group by source_id
    ) moved on moved.source_id = r.payout_payment_id
    where r.payout_payment_id is not null and (
      -- A payout by another bank is in that bank's ledger.
      (b.bank_account_id is null and coalesce(moved.paid, 0) <> r.user_amount) or (r.user_amount + r.issuer_amount)::numeric
        <> case
          when r.flat_amount is not null then floor(r.flat_amount::numeric * (b.amount - b.refunded) / b.amount)
          -- Above the maximum of a campaign nobody gets the rest.
          else least(floor((b.amount - b.refunded)::numeric * r.total_basis_points / 10000),
            case when r.campaign_id is not null then r.maximum_reward end) end)`,

  'what is used of a budget is what its rewards earned, less what was taken back': budgetLaw(),

  'an activation is used by the rewards that were not taken back as a whole': `
    select a.id, a.used, r.count from offer_activation a
    left join (
      select activation_id, count(*) as count from reward
      where activation_id is not null and state in ('PENDING', 'CONFIRMED', 'PAID') group by activation_id) r on r.activation_id = a.id
    where a.used <> coalesce(r.count, 0)`,
} satisfies Record<string, string>
