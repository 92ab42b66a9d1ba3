-- expand: functions, the view of events, and the triggers that keep tables append-only

create function bank_time(organisation_id bigint) returns timestamptz
  language sql volatile
  return (select least(date_trunc('milliseconds', clock_timestamp()) + o.clock_offset, '9999-12-31 23:59:59.999+00')
          from organisation o where o.id = organisation_id);
comment on function bank_time is
  'Bank time of an organisation, in whole milliseconds. It stops at the last instant that the interface can write.';

create function require(condition boolean, complaint text) returns boolean language plpgsql as $$
begin
  if not condition then
    raise exception '%', complaint;
  end if;
  return true;
end $$;
comment on function require is
  'Fails unless the condition holds. A statement can so refuse its own outcome, and COMMIT may be sent right behind it.';

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
comment on function refuse_change is 'Trigger of append-only tables.';
create trigger transfer_append_only before update or delete or truncate on transfer
  for each statement execute function refuse_change();
create trigger event_page_append_only before update or delete or truncate on event_page
  for each statement execute function refuse_change();
create trigger denied_request_append_only before update or delete or truncate on denied_request
  for each statement execute function refuse_change();

create function posted_at(account bigint, seq bigint) returns timestamptz language sql stable as $$
  select coalesce(
    (select created_at from transfer where debit_account_id = account and debit_seq = seq),
    (select created_at from transfer where credit_account_id = account and credit_seq = seq))
$$;
comment on function posted_at is 'Time of a transfer, given its number along an account.';

create function seq_before(account bigint, at timestamptz) returns bigint language plpgsql stable strict as $$
declare
  low bigint := 0;
  high bigint := (select seq from account a where a.id = account);
  middle bigint;
begin
  while low < high loop
    middle := (low + high + 1) / 2;
    if posted_at(account, middle) < at then low := middle; else high := middle - 1; end if;
  end loop;
  return low;
end $$;
comment on function seq_before is
  'Number of an account''s last transfer before a time: 0 where there is none, null without a time. A binary search, because times never fall along an account.';

create function balance_at(account bigint, seq bigint) returns bigint language sql stable as $$
  select coalesce(
    (select debit_balance from transfer where debit_account_id = account and debit_seq = seq),
    (select credit_balance from transfer where credit_account_id = account and credit_seq = seq),
    0)
$$;
comment on function balance_at is 'Balance of an account after its transfer of this number; 0 before the first.';

create function miles_between(lat1 double precision, long1 double precision, lat2 double precision, long2 double precision)
  returns double precision language sql immutable parallel safe
  return 2 * 3958.7613 * asin(least(1, sqrt(
    sin(radians(lat2 - lat1) / 2) ^ 2 + cos(radians(lat1)) * cos(radians(lat2)) * sin(radians(long2 - long1) / 2) ^ 2)));
comment on function miles_between is
  'Distance on the sphere by the haversine formula, which is precise over short distances.';

create view event as
select p.organisation_id, p.last as page, p.last - p.count + e.place as sequence, split_part(e.text, e'\x1f', 1) as type,
  split_part(e.text, e'\x1f', 2) as entity_id, split_part(e.text, e'\x1f', 3)::integer as entity_version, p.created_at,
  split_part(e.text, e'\x1f', 4) as data, nullif(split_part(e.text, e'\x1f', 5), '')::bigint as api_key_id,
  nullif(split_part(e.text, e'\x1f', 6), '') as request_id, nullif(split_part(e.text, e'\x1f', 7), '') as idempotency_key
from event_page p cross join lateral unnest(string_to_array(p.events, e'\x1e')) with ordinality e (text, place);
comment on view event is
  'One event a row. Only the column page can use the index: a query by event numbers must also name their pages, as the functions do.';

-- The functions on events never scan or sort the table. A plan made while there were few pages would read all of them.
create function event_page_of(organisation bigint, number bigint) returns bigint language sql stable
set enable_seqscan = off set enable_sort = off as $$
  select coalesce((select last from event_page where organisation_id = organisation and last >= number order by last limit 1),
    number)
$$;
comment on function event_page_of is 'Page that holds an event; the event''s own number where there is no such page yet.';

create function event_at(organisation bigint, number bigint) returns setof event language sql stable rows 1
set enable_seqscan = off set enable_sort = off as $$
  select * from event
  where organisation_id = organisation and sequence = number
    and page = (select last from event_page where organisation_id = organisation and last >= number order by last limit 1)
$$;
comment on function event_at is 'One event by its number.';

create function events_after(organisation bigint, number bigint, up_to bigint, types text[], entities text[], most bigint)
returns setof event language sql stable set enable_seqscan = off set enable_sort = off as $$
  select * from event
  where organisation_id = organisation and page > number and page <= event_page_of(organisation, up_to)
    and sequence > number and sequence <= up_to
    and (types is null or type = any(types) or split_part(type, '.', 1) = any(entities))
  order by page, sequence limit most
$$;
comment on function events_after is 'The next events after a number and up to another, of some types or of all.';

create function event_types_between(organisation bigint, number bigint, up_to bigint)
returns setof text language sql stable set enable_seqscan = off set enable_sort = off as $$
  select distinct type from event
  where organisation_id = organisation and page > number and page <= event_page_of(organisation, up_to)
    and sequence > number and sequence <= up_to
$$;
comment on function event_types_between is 'Types of the events after a number and up to another.';

create function events_back_from(organisation bigint, number bigint, down_to bigint, most bigint)
returns setof event language sql stable set enable_seqscan = off set enable_sort = off as $$
  select * from event
  where organisation_id = organisation and page > down_to and page <= event_page_of(organisation, number)
    and sequence > down_to and sequence <= number
  order by page desc, sequence desc limit most
$$;
comment on function events_back_from is 'Events from a number down to another, newest first.';

create function denied_requests_back_from(organisation bigint, instant timestamptz, denial bigint, since timestamptz,
  most bigint)
returns setof denied_request language sql stable set enable_seqscan = off set enable_sort = off as $$
  select * from denied_request
  where organisation_id = organisation and (created_at, id) < (instant, denial) and created_at > since
  order by created_at desc, id desc limit most
$$;
comment on function denied_requests_back_from is
  'Denied requests before a time, or before one of that time, newest first.';

create function event_sequence_at(organisation bigint, instant timestamptz) returns bigint
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
comment on function event_sequence_at is
  'Number of the last event that is not after a time. A binary search, because times never fall along the numbers.';

create function webhook_delivery_at(endpoint bigint, instant timestamptz) returns bigint
language plpgsql stable set enable_seqscan = off set enable_sort = off as $$
declare
  low bigint := 0;
  high bigint := coalesce((select max(id) from webhook_delivery where endpoint_id = endpoint), 0);
  middle bigint;
  next record;
begin
  while low < high loop
    middle := (low + high + 1) / 2;
    select id, created_at into next from webhook_delivery
    where endpoint_id = endpoint and id >= middle order by id limit 1;
    if next.created_at <= instant then
      low := next.id;
    else
      high := middle - 1;
    end if;
  end loop;
  return low;
end $$;
comment on function webhook_delivery_at is
  'Id of the last delivery to an endpoint that was not created after a time. A binary search: deliveries are inserted under a lock of the endpoint, so that their times never fall along the ids.';
