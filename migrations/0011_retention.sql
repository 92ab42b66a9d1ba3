-- expand: how long rows are kept, and functions of the owner that delete what may go from append-only tables

create table retention (
  kind text primary key check (kind in ('events', 'denials', 'deliveries')),
  keep interval
);
comment on table retention is
  'How long rows are kept whose deletion the database itself checks. Written by set_retention alone.';
comment on column retention.keep is 'Real time from the creation of a row to its deletion; null for ever.';

create table retention_mark (
  kind text not null,
  organisation_id bigint not null,
  marked_at timestamptz(3) not null,
  position bigint not null,
  primary key (kind, organisation_id, marked_at)
);
comment on table retention_mark is
  'How far the numbers of rows had come at a real time. The rows themselves have bank time, which a sandbox can move. Written by mark_retention alone.';
comment on column retention_mark.organisation_id is
  '0 and below for numbers that all organisations share, by number_range: each cell gives them out from a range of its own.';
comment on column retention_mark.marked_at is 'Real time.';
comment on column retention_mark.position is 'Rows with this number and below had been created.';

create table retention_progress (
  kind text primary key,
  block bigint not null default 0,
  oldest_so_far timestamptz(3),
  oldest timestamptz(3),
  rested_from timestamptz(3)
) with (fillfactor = 50);
comment on table retention_progress is
  'How far the deletion of old rows has come. It walks through a table block by block, and any process continues it.';
comment on column retention_progress.block is 'The next block of the table to look at.';
comment on column retention_progress.oldest_so_far is 'Time of the oldest row that the present walk has kept.';
comment on column retention_progress.oldest is 'Time of the oldest row that the latest complete walk has kept.';
comment on column retention_progress.rested_from is 'Real time at which the latest walk was complete; null during one.';

create function number_range(number bigint) returns bigint
  language sql immutable parallel safe
  return -(number / 100000000000000);
comment on function number_range is
  'The range of a number, as retention_mark names it: 0 for the home cell, -n for cell n.';

create function expired_position(kind text, organisation bigint) returns bigint
  language sql stable set search_path = public, pg_temp as $$
  select coalesce((
    select m.position from retention r join retention_mark m on m.kind = r.kind
    where r.kind = expired_position.kind and m.organisation_id = organisation
      and m.marked_at < clock_timestamp() - r.keep
    order by m.marked_at desc limit 1), 0)
$$;
comment on function expired_position is
  'Number of the last row whose time of retention is over: 0 where there is none. The row is at least that old, because a mark was made after it.';

create function expired_positions(kind text) returns bigint[]
  language sql stable set search_path = public, pg_temp as $$
  select array(select expired_position(expired_positions.kind, -n) from generate_series(0, 63) n order by n)
$$;
comment on function expired_positions is
  'As expired_position, for the numbers of each range: the home cell''s first.';

create function set_retention(kind text, keep interval) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if keep < (case set_retention.kind when 'events' then interval '7 days' when 'denials' then interval '30 days'
      else interval '0' end) then
    raise exception '% are kept for longer than %', set_retention.kind, keep;
  end if;
  insert into retention values (set_retention.kind, set_retention.keep)
  on conflict on constraint retention_pkey do update set keep = excluded.keep
  where retention.keep is distinct from excluded.keep;
end $$;
comment on function set_retention is
  'Stores how long rows of a kind are kept. The least time of events and denied requests is fixed here, so that the service can never delete recent ones.';

create function mark_retention() returns void
  language sql security definer set search_path = public, pg_temp as $$
  insert into retention_mark (kind, organisation_id, marked_at, position)
  select n.kind, n.organisation_id, t.now, n.position
  from (
    select 'events' as kind, organisation_id, sequence as position from event_counter
    union all select 'denials', number_range(last_value), last_value from denied_request_id_seq where is_called
    union all select 'deliveries', number_range(last_value), last_value from webhook_delivery_id_seq where is_called) n
  cross join (select clock_timestamp() as now) t
  left join lateral (
    select m.marked_at, m.position from retention_mark m
    where m.kind = n.kind and m.organisation_id = n.organisation_id order by m.marked_at desc limit 1) l on true
  where n.position > coalesce(l.position, 0) and coalesce(l.marked_at < t.now - interval '6 hours', true)
  on conflict do nothing
$$;
comment on function mark_retention is
  'Notes how far the numbers of events, denied requests and deliveries have come, at most every six hours.';

create function prune_events(organisation bigint, up_to bigint) returns integer
  language plpgsql security definer
  set search_path = public, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  removed integer;
  new_floor bigint;
begin
  with gone as (
    delete from event_page
    where organisation_id = organisation and last <= least(up_to, expired_position('events', organisation))
      and last < (select max(last) from event_page where organisation_id = organisation)
    returning last, count, events, timed),
  entries as (
    delete from event_entity e using (
      select split_part(p.text, '.', 1) as entity_type, split_part(p.text, e'\x1f', 2) as entity_id,
        g.last - g.count + p.place as sequence
      from gone g cross join unnest(string_to_array(g.events, e'\x1e')) with ordinality p (text, place)
      where g.timed is not true) x
    where e.organisation_id = organisation and e.entity_type = x.entity_type and e.entity_id = x.entity_id
      and e.sequence = x.sequence)
  select count(*), max(last) into removed, new_floor from gone;
  update organisation o set events_after = new_floor where o.id = prune_events.organisation and o.events_after < new_floor;
  return removed;
end $$;
comment on function prune_events is
  'Deletes the pages of an organisation up to a number, of events whose time of retention is over, and raises the number behind which events begin. The newest page always stays. Returns the number of pages.';

create function prune_denials(most integer) returns integer
  language sql security definer set search_path = public, pg_temp as $$
  with gone as (
    delete from denied_request where id in (
      select d.id from unnest(expired_positions('denials')) with ordinality p (position, place)
      cross join lateral (
        select r.id from denied_request r
        where r.id between (p.place - 1) * 100000000000000 and p.position order by r.id limit most) d
      where p.position > 0 limit most)
    returning true)
  select count(*)::integer from gone
$$;
comment on function prune_denials is
  'Deletes the oldest denied requests, of those whose time of retention is over. Returns their number.';

create function delete_ended(name text, organisations bigint[], most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  removed integer;
begin
  if name not in ('transfer', 'event_page', 'event_link', 'denied_request', 'customer_key') then
    raise exception '% is not append-only', name;
  end if;
  if exists (select from unnest(organisations) i (id) left join organisation o on o.id = i.id where o.ended_at is null) then
    raise exception 'an organisation has not ended';
  end if;
  execute format('delete from %I where ctid = any(array(select ctid from %I where organisation_id = any($1) limit $2))',
    name, name) using organisations, most;
  get diagnostics removed = row_count;
  return removed;
end $$;
comment on function delete_ended is
  'Deletes rows of an append-only table that belong to organisations that have ended. Returns their number.';

create function refuse_deletion() returns trigger
  language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_when = 'BEFORE' then
    if not exists (select from organisation where ended_at is not null)
      and (tg_table_name = 'transfer' or not exists (select from retention where keep is not null)) then
      raise exception '% is append-only', tg_table_name;
    end if;
    return null;
  end if;
  if tg_table_name = 'event_page' then
    if exists (select from gone g left join organisation o on o.id = g.organisation_id
        where o.ended_at is null and g.last > expired_position('events', g.organisation_id)) then
      raise exception '% is append-only', tg_table_name;
    end if;
  elsif tg_table_name = 'denied_request' then
    if exists (select from gone g left join organisation o on o.id = g.organisation_id
        where o.ended_at is null and g.id > (select expired_positions('denials'))[1 - number_range(g.id)]) then
      raise exception '% is append-only', tg_table_name;
    end if;
  elsif exists (select from gone g left join organisation o on o.id = g.organisation_id where o.ended_at is null) then
    raise exception '% is append-only', tg_table_name;
  end if;
  return null;
end $$;
comment on function refuse_deletion is
  'Trigger of append-only tables: rows are deleted only after their organisation has ended, events and denied requests also after their time of retention.';

create function mark_arrived(organisation bigint) returns void
  language sql set search_path = public, pg_temp as $$
  insert into retention_mark (kind, organisation_id, marked_at, position)
  select n.kind, n.range, clock_timestamp(), greatest(n.position, (
    select max(m.position) from retention_mark m where m.kind = n.kind and m.organisation_id = n.range))
  from (
    select 'denials' as kind, number_range(id) as range, max(id) as position
    from denied_request where organisation_id = organisation group by 2
    union all
    select 'deliveries', number_range(d.id), max(d.id)
    from webhook_endpoint e join webhook_delivery d on d.endpoint_id = e.id
    where e.organisation_id = organisation group by 2) n
  on conflict do nothing
$$;
comment on function mark_arrived is
  'Notes how far the numbers of other ranges have come that an organisation brings from another cell: its rows are kept from the move on.';
