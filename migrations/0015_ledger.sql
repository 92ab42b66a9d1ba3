-- expand: holds, limits and blocks of accounts, balances at the ends of days, flows by hour, and the last check of the laws

comment on column transfer.source_id is
  'The payment, ACH batch, ACH exception, received payment, authorization or reward behind the transfer, where there is one.';
comment on column transfer.source_kind is
  'payment, payment_return, payment_release, debit, debit_return, ach_settlement, ach_return, ach_exception, ach_resolution, statement_booking, received_ach, received_ach_return, card_settlement, card_refund, reward, reward_clawback or moved_in.';
-- A payment's own transfer is found by its time. Without it the most frequent kind writes no entry here.
create index transfer_of_source on transfer (source_id) where source_kind <> 'payment' and source_id is not null;
-- Transfers that give the money of a payment back. Few do, so most transfers have no entry.
create index transfer_giving_back on transfer (organisation_id, created_at) where source_kind = 'payment_return';

alter table account
  add column closed_at timestamptz(3),
  add column limits jsonb,
  add column stopped_by_bank boolean not null default false,
  add column payment_block jsonb;
comment on column account.closed_at is
  'Bank time of the closing; null where the account is not closed. Accounts that were closed before the column existed have the time of its creation.';
comment on column account.limits is
  'Limits of the payments of the account in cents, its own overdraft, and the first day of which payment_usage is kept; null for an account without limits.';
comment on column account.stopped_by_bank is
  'A key with the scope risk:write froze the account. Only such a key unfreezes, closes or reopens it.';
comment on column account.payment_block is
  'Why and since when outgoing payments of the account are refused, and the returned payment if a return of a debit blocked them. Null for nearly all accounts.';
comment on column account.hold is 'Amount reserved by open card authorizations and active holds.';
comment on column account.kind is
  'Kind of an internal account: ach_clearing, ach_settlement, ach_suspense, ach_write_off, bank_fees, bank_funding, bank_suspense, card_settlement, moved_in or rewards_funding.';
update account set closed_at = bank_time(organisation_id) where status = 'Closed' and id > 0;
create index account_by_last_digits on account (organisation_id, right(account_number, 4), id) where id > 0;

create table ledger_verification (
  organisation_id bigint primary key references organisation (id) on delete cascade,
  checked_at timestamptz(3) not null,
  duration_ms integer not null check (duration_ms >= 0),
  laws json not null
);
comment on table ledger_verification is 'Result of the last check of the laws of the ledger, one for each organisation.';
comment on column ledger_verification.checked_at is 'Bank time of the snapshot that was checked.';
comment on column ledger_verification.laws is
  'The laws with the rows that break them, as the interface shows them; null for holds where the time was over.';

create table ledger_flow_hour (
  organisation_id bigint not null references organisation (id) on delete cascade,
  hour timestamptz(3) not null,
  flows json not null,
  primary key (organisation_id, hour)
);
comment on table ledger_flow_hour is
  'Sums of the transfers of an hour of bank time by the kinds of their accounts. An hour is kept once it is over and every transaction that could write into it has ended, so that its sums never change. Rows can be deleted: they are made again.';
comment on column ledger_flow_hour.flows is
  'A list of sums, each with the kinds of the debited and the credited account (null for a deposit account), the number of transfers and the amount. Empty for an hour without transfers.';

create table account_hold (
  id bigint primary key,
  organisation_id bigint not null,
  account_id bigint not null,
  customer_id bigint not null,
  status text not null check (status in ('Active', 'Released', 'Expired')),
  amount bigint not null check (amount between 1 and 999999999999),
  reason text not null check (reason in ('LegalOrder', 'Dispute', 'Fraud', 'Other')),
  description text,
  created_at timestamptz not null,
  expires_at timestamptz,
  ended_at timestamptz,
  version integer not null,
  by_bank boolean not null default false,
  check ((status = 'Active') = (ended_at is null)),
  check (status <> 'Expired' or expires_at is not null)
);
comment on table account_hold is 'Amounts that the app reserves on accounts. An Active one reduces the available balance.';
comment on column account_hold.reason is 'Why the money is held. One for a LegalOrder may exceed the available balance.';
comment on column account_hold.expires_at is 'Bank time at which the hold ends by itself; null for a hold that stays until it is released.';
comment on column account_hold.ended_at is 'Bank time of the release or of the expiry; null while the hold is Active.';
comment on column account_hold.by_bank is
  'A key with the scope risk:write made the hold. Only such a key releases it, or one for a LegalOrder.';
create index account_hold_of_organisation on account_hold (organisation_id, created_at, id);
create index account_hold_of_account on account_hold (account_id, created_at desc, id desc);
create index account_hold_of_status on account_hold (account_id, status, created_at desc, id desc);
create index account_hold_of_customer on account_hold (customer_id, id);
create index account_hold_expiring on account_hold (organisation_id, expires_at, id) where status = 'Active';

create table payment_usage (
  account_id bigint not null,
  organisation_id bigint not null,
  day date not null,
  amount bigint not null,
  primary key (account_id, day)
);
comment on table payment_usage is
  'Amounts of the payments of accounts with limits, by the UTC day of their creation in bank time, without those that were canceled or rejected.';
create index payment_usage_of_organisation on payment_usage (organisation_id, account_id, day);
-- A payment changes the amount of a row, which is in no index.
create index payment_usage_of_day on payment_usage (organisation_id, day, account_id);

create table organisation_usage (
  organisation_id bigint not null,
  period text not null,
  slot integer not null,
  used bigint not null,
  soft_left bigint not null,
  hard_left bigint not null,
  primary key (organisation_id, period, slot)
);
comment on table organisation_usage is
  'Amounts of the payments of organisations with limits, by a UTC day or month of bank time. Each connection of a lane has a row of its own, so that batches do not wait for each other.';
comment on column organisation_usage.period is 'A day (2026-01-31) or a month (2026-01).';
comment on column organisation_usage.used is
  'Amount of the payments that this slot made, less those that were canceled or rejected by it. The sum over all slots counts.';
comment on column organisation_usage.soft_left is
  'Amount that the slot may use within the soft limit without looking at the other slots.';
comment on column organisation_usage.hard_left is
  'Amount that the slot may use within the hard limit without looking at the other slots.';

-- Checked by `npm run verify`, like the references of the other tables of the ledger.
alter table statement
  drop constraint statement_customer_id_fkey,
  drop constraint statement_organisation_id_fkey;
create index statement_of_organisation on statement (organisation_id);

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

-- The search began at 0 and never ended where the first events of an organisation are gone.
create function requests_of_transactions(organisation bigint, transactions bigint[], instants timestamptz[])
  returns table (id bigint, request_id text)
  language sql stable set enable_seqscan = off set enable_sort = off as $$
  with recursive wanted (id, instant) as materialized (select * from unnest(transactions, instants)),
  search (instant, low, high) as (
    select w.instant, o.events_after, c.sequence from (select distinct instant from wanted) w
    cross join event_counter c join organisation o on o.id = c.organisation_id where c.organisation_id = organisation
    union all
    select s.instant, case when p.created_at < s.instant then p.last else s.low end,
      case when p.created_at < s.instant then s.high else p.last - p.count end
    from search s cross join lateral (
      select last, count, created_at from event_page
      where organisation_id = organisation and last >= (s.low + s.high + 1) / 2 order by last limit 1) p
    where s.low < s.high)
  select w.id, nullif(split_part(substr(p.events, strpos(p.events, n.text)), e'\x1f', 6), '')
  from wanted w join search s on s.instant = w.instant and s.low = s.high
  cross join lateral (values (concat('transaction.created', e'\x1f', w.id, e'\x1f'))) n (text)
  cross join lateral (
    select e.events from (
      select events from event_page where organisation_id = organisation and last > s.low order by last limit 200) e
    where strpos(e.events, n.text) > 0 limit 1) p
$$;
comment on function requests_of_transactions is
  'Ids of the requests that made transactions, from their events. An event was recorded by the same commit as its transfer, at its time or a little later: a binary search finds that time, and 200 pages from there on are searched.';

drop trigger transfer_append_only on transfer;
create trigger transfer_append_only before update or truncate on transfer
  for each statement execute function refuse_change();
create trigger transfer_keeps before delete on transfer
  for each statement execute function refuse_deletion();
create trigger transfer_kept after delete on transfer referencing old table as gone
  for each statement execute function refuse_deletion();
