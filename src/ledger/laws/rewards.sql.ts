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
        <> floor((b.amount - b.refunded)::numeric * r.total_basis_points / 10000))`,
} satisfies Record<string, string>
