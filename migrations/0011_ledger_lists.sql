-- expand: transfers are found by their source, and with the request that made them

-- A payment's own transfer is found by its time. Without it the most frequent kind writes no entry here.
create index transfer_of_source on transfer (source_id) where source_kind <> 'payment' and source_id is not null;
create index reward_of_payout on reward (payout_payment_id) where payout_payment_id is not null;

create function request_of_transaction(organisation bigint, transaction bigint, instant timestamptz) returns text
language sql stable set enable_seqscan = off set enable_sort = off as $$
  select nullif(split_part(substr(p.events, strpos(p.events, n.text)), e'\x1f', 6), '')
  from (values (concat('transaction.created', e'\x1f', transaction, e'\x1f'))) n (text)
  cross join lateral (
    select events from event_page
    where organisation_id = organisation and last > event_sequence_at(organisation, instant - interval '1 millisecond')
    order by last limit 200) p
  where strpos(p.events, n.text) > 0 limit 1
$$;
comment on function request_of_transaction is
  'Id of the request that made a transaction, from its event. The event was recorded by the same commit, at the time of the transfer or a little later, so that 200 pages from that time on are searched.';
