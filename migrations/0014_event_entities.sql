-- expand: events are found by their record and by their request, and read backwards

-- Most events are the first of a payment or a transaction. Those are found by the time of their record, so that payments
-- pay for no index: the service marks pages that hold nothing else. A page of a process that does not know the mark is
-- indexed like any other.
alter table event_page add column timed boolean;
comment on column event_page.timed is
  'True where all events of the row are the first ones of payments and transactions of this bank, made by a request: they are found by the time of their records. The events of other rows are in event_entity.';

create table event_entity (
  organisation_id bigint not null,
  entity_type text not null,
  entity_id text not null,
  sequence bigint not null,
  primary key (organisation_id, entity_type, entity_id, sequence)
);
comment on table event_entity is 'Numbers of the events of a record. Written by a trigger of event_page.';

insert into event_entity (organisation_id, entity_type, entity_id, sequence)
select organisation_id, split_part(type, '.', 1), entity_id, sequence from event
where type not in ('payment.created', 'transaction.created') or request_id is null;

create function index_events() returns trigger language plpgsql as $$
begin
  insert into event_entity (organisation_id, entity_type, entity_id, sequence)
  select new.organisation_id, split_part(e.text, '.', 1), split_part(e.text, e'\x1f', 2), new.last - new.count + e.place
  from unnest(string_to_array(new.events, e'\x1e')) with ordinality e (text, place);
  return null;
end $$;
comment on function index_events is 'Trigger of event_page: writes the events of a row to event_entity.';
create trigger event_page_index after insert on event_page
  for each row when (new.timed is not true) execute function index_events();

-- As the functions on events before, these never scan or sort the table.
create function events_of_request(organisation bigint, number bigint, up_to bigint, types text[], entities text[],
  request text, most bigint)
returns setof event language sql stable set enable_seqscan = off set enable_sort = off as $$
  select * from event
  where organisation_id = organisation and page > number and page <= event_page_of(organisation, up_to)
    and sequence > number and sequence <= up_to and request_id = request
    and (types is null or type = any(types) or split_part(type, '.', 1) = any(entities))
  order by page, sequence limit most
$$;
comment on function events_of_request is
  'The next events of one request after a number and up to another, of some types or of all.';

create function events_before(organisation bigint, number bigint, down_to bigint, types text[], entities text[],
  request text, most bigint)
returns setof event language sql stable set enable_seqscan = off set enable_sort = off as $$
  select * from event
  where organisation_id = organisation and page > down_to and page <= event_page_of(organisation, number - 1)
    and sequence > down_to and sequence < number and (request is null or request_id = request)
    and (types is null or type = any(types) or split_part(type, '.', 1) = any(entities))
  order by page desc, sequence desc limit most
$$;
comment on function events_before is
  'The events before a number and after another, newest first, of some types and of one request or of all.';

create function created_event(organisation bigint, kind text, entity text, number bigint, up_to bigint)
returns setof event language sql stable rows 1 set enable_seqscan = off set enable_sort = off as $$
  select e.* from event_page p join event e on e.organisation_id = organisation and e.page = p.last
  where p.organisation_id = organisation and p.last > number and p.last <= event_page_of(organisation, up_to)
    and strpos(p.events, kind || e'.created\x1f' || entity || e'\x1f') > 0
    and e.type = kind || '.created' and e.entity_id = entity and e.sequence > number and e.sequence <= up_to
  order by p.last limit 1
$$;
comment on function created_event is
  'The first event of a record, looked for after a number and up to another. Rows that cannot hold it are not taken apart.';
