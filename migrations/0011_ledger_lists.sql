-- expand: transfers are found by their source, and with the request that made them

-- A payment's own transfer is found by its time. Without it the most frequent kind writes no entry here.
create index transfer_of_source on transfer (source_id) where source_kind <> 'payment' and source_id is not null;
create index reward_of_payout on reward (payout_payment_id) where payout_payment_id is not null;

create function requests_of_transactions(organisation bigint, transactions bigint[], instants timestamptz[])
returns table (id bigint, request_id text)
language sql stable set enable_seqscan = off set enable_sort = off as $$
  with recursive wanted (id, instant) as materialized (select * from unnest(transactions, instants)),
  search (instant, low, high) as (
    select w.instant, 0::bigint, c.sequence from (select distinct instant from wanted) w
    cross join event_counter c where c.organisation_id = organisation
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
