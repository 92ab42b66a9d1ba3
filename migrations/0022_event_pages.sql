-- contract: events lie together on pages, because a row for each cost a payment a tenth of the database's time

-- Events of one organisation that were written together and follow one another. A process of the version before cannot
-- write its events any more, and so nothing else.
create table event_page (
  organisation_id bigint not null,
  -- The number of the last of them.
  last bigint not null,
  count integer not null check (count > 0 and count <= last),
  -- Bank time.
  created_at timestamptz(3) not null,
  -- Each event with the character 0x1e before the next, and each of its parts with 0x1f before the next, which both stand
  -- nowhere else: type, entity, its version, data, API key, request and idempotency key. The data are the record in the
  -- interface's own shape, as JSON: what is signed and sent must stay the same to the byte. The last three tell who asked
  -- for the change, and by which request; nothing where the bank itself made it.
  events text not null,
  primary key (organisation_id, last)
) with (toast_tuple_target = 8160);
-- As long as a page of the database holds it, it stays there as it is.
alter table event_page alter column events set storage external;

insert into event_page (organisation_id, last, count, created_at, events)
select organisation_id, sequence, 1, created_at, concat_ws(e'\x1f', type, translate(entity_id, e'\x1e\x1f', e'\ufffd\ufffd'),
  entity_version, data, coalesce(api_key_id::text, ''), translate(coalesce(request_id, ''), e'\x1e\x1f', e'\ufffd\ufffd'),
  translate(coalesce(idempotency_key, ''), e'\x1e\x1f', e'\ufffd\ufffd'))
from event order by organisation_id, sequence;
drop table event;
create trigger event_page_append_only before update or delete or truncate on event_page
  for each statement execute function refuse_change();

-- One event a row. Only `page`, the number of the last one on its page, leads along the index: whoever looks for events by
-- their numbers says on which pages they are.
create view event as
select p.organisation_id, p.last as page, p.last - p.count + e.place as sequence, split_part(e.text, e'\x1f', 1) as type,
  split_part(e.text, e'\x1f', 2) as entity_id, split_part(e.text, e'\x1f', 3)::integer as entity_version, p.created_at,
  split_part(e.text, e'\x1f', 4) as data, nullif(split_part(e.text, e'\x1f', 5), '')::bigint as api_key_id,
  nullif(split_part(e.text, e'\x1f', 6), '') as request_id, nullif(split_part(e.text, e'\x1f', 7), '') as idempotency_key
from event_page p cross join lateral unnest(string_to_array(p.events, e'\x1e')) with ordinality e (text, place);

-- The page with this event; the number itself where there is none yet. Always along the index, as the functions below: a
-- plan of when there were few pages would read all of them.
create function event_page_of(organisation bigint, number bigint) returns bigint language sql stable
set enable_seqscan = off set enable_sort = off as $$
  select coalesce((select last from event_page where organisation_id = organisation and last >= number order by last limit 1),
    number)
$$;

create function event_at(organisation bigint, number bigint) returns setof event language sql stable rows 1
set enable_seqscan = off set enable_sort = off as $$
  select * from event
  where organisation_id = organisation and sequence = number
    and page = (select last from event_page where organisation_id = organisation and last >= number order by last limit 1)
$$;

-- So many events behind a number, of some types or of all. Along the index, whatever is known about the table: where a plan
-- expects few pages it may take all of them and sort them.
create function events_after(organisation bigint, number bigint, types text[], entities text[], most bigint)
returns setof event language sql stable set enable_seqscan = off set enable_sort = off as $$
  select * from event
  where organisation_id = organisation and page > number and sequence > number
    and (types is null or type = any(types) or split_part(type, '.', 1) = any(entities))
  order by page, sequence limit most
$$;

-- So many of the events behind a number, up to another, the newest first.
create function events_back_from(organisation bigint, number bigint, down_to bigint, most bigint)
returns setof event language sql stable set enable_seqscan = off set enable_sort = off as $$
  select * from event
  where organisation_id = organisation and page > down_to and page <= event_page_of(organisation, number)
    and sequence > down_to and sequence <= number
  order by page desc, sequence desc limit most
$$;

-- The last of an organisation's events that are not after a time: along their numbers, times never fall.
create or replace function event_sequence_at(organisation bigint, instant timestamptz) returns bigint
language plpgsql stable set enable_seqscan = off set enable_sort = off as $$
declare
  low bigint := 0;
  high bigint := coalesce((select sequence from event_counter where organisation_id = organisation), 0);
  middle bigint;
begin
  while low < high loop
    middle := (low + high + 1) / 2;
    if (select created_at <= instant from event_page
        where organisation_id = organisation and last >= middle order by last limit 1) then
      low := middle;
    else
      high := middle - 1;
    end if;
  end loop;
  return low;
end $$;
