-- expand: ids of events name the history of the database that they belong to

create table database_history (
  number integer primary key,
  place text not null,
  mark text check (mark ~ '^[0-9a-f]{8}$'),
  found_at timestamptz not null
);
comment on table database_history is
  'Histories of this database. A restore, and a failover to a standby that was behind, begin another one, in which numbers of events are given again. Every connection compares the latest row with the server that it has reached.';
comment on column database_history.place is 'System identifier and timeline of the server.';
comment on column database_history.mark is 'The end of the ids of events that are written in this history; null in the first one.';
comment on column database_history.found_at is 'Real time.';

alter table event_page add column history text;
comment on column event_page.history is 'Mark of the history in which the events were written, the end of their ids; null for ids without one.';

create or replace view event as
select p.organisation_id, p.last as page, p.last - p.count + e.place as sequence,
  split_part(e.text, e'\x1f', 1) as type, split_part(e.text, e'\x1f', 2) as entity_id,
  split_part(e.text, e'\x1f', 3)::int as entity_version, p.created_at,
  nullif(split_part(e.text, e'\x1f', 4), '') as data,
  nullif(split_part(e.text, e'\x1f', 5), '')::bigint as api_key_id,
  nullif(split_part(e.text, e'\x1f', 6), '') as request_id,
  nullif(split_part(e.text, e'\x1f', 7), '') as idempotency_key,
  p.history
from event_page p cross join lateral unnest(string_to_array(p.events, e'\x1e')) with ordinality e (text, place);

create function history_start(organisation bigint) returns bigint
language plpgsql stable as $$
declare
  latest text := (select mark from database_history order by number desc limit 1);
  high bigint := coalesce((select sequence from event_counter where organisation_id = organisation), 0);
  low bigint := 0;
  middle bigint;
begin
  -- Nothing is known to be undone.
  if latest is null then
    return high;
  end if;
  while low < high loop
    middle := (low + high) / 2;
    if exists (
      select from (select history from event_page where organisation_id = organisation and last > middle order by last limit 1) p
      where p.history is not distinct from latest) then
      high := middle;
    else
      low := middle + 1;
    end if;
  end loop;
  return low;
end $$;
comment on function history_start is
  'Number behind which an organisation''s events of the latest history begin; its latest event where there is none yet. A binary search, because histories follow one another.';
