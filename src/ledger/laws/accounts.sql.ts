/** Both sides of every transfer: one row for each account. */
export const sides = `
  select t.id, t.organisation_id, t.debit_account_id as account_id, t.debit_seq as seq, -t.amount as change,
    t.debit_balance as balance, t.created_at
  from transfer t
  union all
  select t.id + 1, t.organisation_id, t.credit_account_id, t.credit_seq, t.amount, t.credit_balance, t.created_at
  from transfer t`

/** The law about sequences, for rows of `sides` and rows without an id, which are the state that an account begins with. */
export const chainOf = (rows: string) => `
    select * from (
      select id, account_id, seq, balance, created_at,
        lag(seq, 1, 0::bigint) over account as seq_before,
        lag(balance, 1, 0::bigint) over account + change as balance_expected,
        lag(created_at, 1, created_at) over account as created_before
      from (${rows}) s
      window account as (partition by account_id order by seq)
    ) chain
    where id is not null and (seq <> seq_before + 1 or balance <> balance_expected or created_at < created_before)`

/** Laws about the balances and holds of accounts, and about the transfers and card authorizations behind them. */
export const accountLaws = {
  'balances sum to zero in every organisation': `
    select organisation_id, sum(balance)::text as sum from account group by organisation_id having sum(balance) <> 0`,

  'sequences have no gap, every balance follows from the one before, and time never falls': chainOf(sides),

  'an account has the balance and the sequence number of its last transfer': `
    select a.id, a.seq, a.balance, s.last_seq, s.balance as balance_at_seq
    from account a
    left join (
      select x.account_id, max(x.seq) as last_seq, max(x.balance) filter (where x.seq = o.seq) as balance
      from (${sides}) x join account o on o.id = x.account_id group by x.account_id) s on s.account_id = a.id
    where a.seq <> coalesce(s.last_seq, 0) or a.balance <> coalesce(s.balance, 0)`,

  'a transfer is between two existing accounts of its organisation': `
    select t.id from transfer t
    left join account d on d.id = t.debit_account_id and d.organisation_id = t.organisation_id
    left join account c on c.id = t.credit_account_id and c.organisation_id = t.organisation_id
    where d.id is null or c.id is null`,

  // No foreign keys: PostgreSQL would check them with every posting.
  'an account has its organisation and its customer, a card and a statement have their account': `
    select 'account' as "table", a.id from account a
    left join customer c on c.id = a.customer_id and c.organisation_id = a.organisation_id
    left join organisation o on o.id = a.organisation_id
    where o.id is null or a.id > 0 and c.id is null
    union all
    select 'card', k.id from card k
    left join account a on a.id = k.account_id and a.organisation_id = k.organisation_id and a.customer_id = k.customer_id
    where a.id is null
    union all
    select 'statement', s.id from statement s
    left join account a on a.id = s.account_id and a.organisation_id = s.organisation_id and a.customer_id = s.customer_id
    where a.id is null`,

  'an account holds what its open authorizations and its active holds hold': `
    select coalesce(a.id, c.account_id) as id, a.hold, coalesce(c.held, 0) as held
    from account a
    full join (
      select account_id, sum(held)::bigint as held
      from (
        select account_id, greatest(0, amount - settled) as held from card_authorization where status = 'Authorized'
        union all
        select account_id, amount from account_hold where status = 'Active') x
      group by account_id) c on c.account_id = a.id
    where a.hold is distinct from coalesce(c.held, 0)`,

  'an authorization has settled and refunded what its transfers moved': `
    select c.id, c.settled, c.refunded
    from card_authorization c
    left join transfer t on t.source_id = c.id and t.source_kind in ('card_settlement', 'card_refund')
    group by c.id, c.settled, c.refunded
    having c.settled <> coalesce(sum(t.amount) filter (where t.source_kind = 'card_settlement'), 0)
      or c.refunded <> coalesce(sum(t.amount) filter (where t.source_kind = 'card_refund'), 0)`,
} satisfies Record<string, string>
