-- expand: denied requests and deliveries of an organisation that moved have numbers of another cell's range, which are kept apart

create function number_range(number bigint) returns bigint
  language sql immutable parallel safe
  return -(number / 100000000000000);
comment on function number_range is
  'The range of a number, as retention_mark names it: 0 for the home cell, -n for cell n.';

comment on column retention_mark.organisation_id is
  '0 and below for numbers that all organisations share, by number_range: each cell gives them out from a range of its own.';

delete from retention_mark
where organisation_id = 0 and number_range(position) <> coalesce((select -number from cell), 0);
update retention_mark set organisation_id = number_range(position) where organisation_id = 0;

create or replace function mark_retention() returns void
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

create function expired_positions(kind text) returns bigint[]
  language sql stable set search_path = public, pg_temp as $$
  select array(select expired_position(expired_positions.kind, -n) from generate_series(0, 63) n order by n)
$$;
comment on function expired_positions is
  'As expired_position, for the numbers of each range: the home cell''s first.';

create or replace function refuse_deletion() returns trigger
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

create or replace function prune_denials(most integer) returns integer
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
