-- contract: events and answers are stored without copies, encrypted for each customer, and linked by a chain of hashes, which 0.1.0 cannot read or continue

-- Most events are the first of a payment or a transaction. Those are found by the time of their record, so that payments
-- pay for no index: the service marks pages that hold nothing else. A page of a process that does not know the mark is
-- indexed like any other.
alter table event_page
  add column timed boolean,
  add column history text;
comment on column event_page.timed is
  'True where all events of the row are the first ones of payments and transactions of this bank, made by a request: they are found by the time of their records. The events of other rows are in event_entity.';
comment on column event_page.history is 'Mark of the history in which the events were written, the end of their ids; null for ids without one.';
comment on column event_page.events is
  'The events, separated by the character 0x1e. The parts of an event are separated by 0x1f: type, entity id, entity version, data, API key id, request id, idempotency key. The data is the JSON of the record, kept to the byte because it is signed and sent. It is empty for events of payments and of the transactions of their accounts: these are rendered from columns that never change. Events of customers have it encrypted with the key of the customer: ~, the id of the key, a colon and Base64. Other events with an account number at another bank have it encrypted with the key of the organisation: ~ and Base64. The last three parts are empty for changes that the bank made itself.';

alter table event_counter
  add column linked_at timestamptz(3),
  add column digest bytea,
  add column link bytea;
comment on column event_counter.linked_at is 'Bank time of the latest transaction that wrote events.';
comment on column event_counter.digest is 'Digest of the events of that transaction.';
comment on column event_counter.link is
  'Its link, the head of the chain. These three are null before the first transaction with a link.';

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
comment on view event is
  'One event a row. Only the column page can use the index: a query by event numbers must also name their pages, as the functions do. The column data is null where it is rendered from the record.';

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

create table event_link (
  organisation_id bigint not null,
  last bigint not null,
  created_at timestamptz(3) not null,
  count integer not null check (count > 0 and count <= last),
  digest bytea not null,
  link bytea not null,
  history text,
  primary key (organisation_id, last)
);
comment on table event_link is
  'The chain of hashes over the events of an organisation, one link for each transaction that wrote events. Links stay when their events are deleted.';
comment on column event_link.last is 'Number of the last event of the transaction.';
comment on column event_link.created_at is 'Time of the events.';
comment on column event_link.count is 'How many events the transaction wrote.';
comment on column event_link.digest is
  'SHA-256 of the pages of the transaction and of the columns from which events without data are rendered.';
comment on column event_link.link is 'SHA-256 of the link before, the numbers, the time, the digest and the mark of the history, by link_after.';
comment on column event_link.history is
  'Mark of the history in which the events were written, as their pages have it; empty for ids without one. The link covers it. Null for links of 0.1.0, which cover none.';

create table copy_move (
  source text primary key check (source in ('event_page', 'answer', 'external_account', 'payment')),
  after_organisation bigint not null default 0,
  after_last bigint not null default 0,
  after_key bytea not null default ''
);
comment on table copy_move is
  'The tables from which copies of payments, which former versions stored, are still removed in the background. A row is deleted when its table has been read to the end.';
comment on column copy_move.after_organisation is 'Organisation of the last row that was read.';
comment on column copy_move.after_last is 'Key of the last row of event_page that was read.';
comment on column copy_move.after_key is 'Key of the last row of answer that was read.';
insert into copy_move (source) select 'event_page' where exists (select from event_page);
insert into copy_move (source) select 'answer' where exists (select from answer);
insert into copy_move (source) select 'external_account' where exists (select from external_account);
insert into copy_move (source) select 'payment' where exists (select from payment where external_account_id is not null);

alter table answer
  add column payment_id bigint,
  add column payment_status text;
comment on column answer.payment_id is
  'The payment whose first state the answer shows. The body is empty then, and is rendered from the payment.';
comment on column answer.payment_status is
  'The status with which the answer shows its payment; null for the first one.';
comment on column answer.sealed is 'The encrypted body of an answer that contains a secret or an account number at another bank.';
comment on column answer.status is 'Status as it was sent; 410 for an answer that was erased with its customer. Its fingerprint and body are empty.';
comment on column answer.key_hash is
  'SHA-256 of the idempotency key; 16 random bytes where the caller sent none; 33 bytes for a message of a card processor, whose answer stays.';
comment on column answer.body is
  'The body as it was sent; empty where the answer is encrypted or shows a payment: of one that is Pending or PendingReview, its version. Beside an encrypted answer with an account number, the id of its record.';

alter table inbound_event add column fault text;
comment on column inbound_event.fault is
  'The problem for which the event was not applied, as JSON; null for an event that was applied. The event is tried again when the provider repeats it.';
create index inbound_event_of_organisation on inbound_event (organisation_id);

create unique index webhook_delivery_test on webhook_delivery (test_id) where test_id is not null;

create table webhook_outcome_hour (
  endpoint_id bigint not null references webhook_endpoint (id),
  slot smallint not null check (slot between 0 and 24),
  hour integer not null,
  succeeded integer not null,
  retried integer not null,
  failed integer not null,
  primary key (endpoint_id, slot)
) with (fillfactor = 50);
comment on table webhook_outcome_hour is
  'Attempts to deliver to an endpoint in one hour of real time, by their outcome. A ring: the slot is the hour modulo 25, so that an endpoint has at most 25 rows. Written under the lock of the endpoint''s cursor.';
comment on column webhook_outcome_hour.hour is 'Hours since 1970. A row of an earlier round is overwritten.';
comment on column webhook_outcome_hour.retried is 'Failures after which the delivery is attempted again.';
comment on column webhook_outcome_hour.failed is 'Failures of the last attempt.';

create index webhook_endpoint_of_organisation on webhook_endpoint (organisation_id);

create table fault_rule (
  id bigint primary key,
  organisation_id bigint not null references organisation (id),
  match json not null,
  effect json not null,
  probability double precision not null check (probability between 0 and 1),
  times integer check (times >= 1),
  seed bigint,
  draws bigint not null default 0,
  fired integer not null default 0 check (fired <= times),
  created_at timestamptz(3) not null
);
comment on table fault_rule is 'Rules by which a sandbox injects faults into the requests and webhook deliveries of an organisation.';
comment on column fault_rule.match is 'The requests or deliveries that the rule applies to, as the interface shows it.';
comment on column fault_rule.effect is 'The effect on them, as the interface shows it.';
comment on column fault_rule.times is 'The rule is used up after so many effects; null for no limit.';
comment on column fault_rule.seed is 'With a seed, the draws of the probability repeat.';
comment on column fault_rule.draws is 'Number of draws so far. Counted only for rules with a seed or a number of times.';
comment on column fault_rule.fired is 'Number of effects so far. Counted as the draws are.';
create index fault_rule_list on fault_rule (organisation_id, created_at, id);
create index fault_rule_active on fault_rule (organisation_id, id) where times is null or fired < times;

create function is_copy_removed(before text, after text) returns boolean stable
language sql return exists (select from copy_move where source = 'event_page')
  and split_part(before, e'\x1f', 1) ~ '^(payment|transaction|externalAccount)\.'
  and split_part(before, e'\x1f', 4) ~ '^\{'
  and split_part(after, e'\x1f', 4) ~ '^(~[A-Za-z0-9+/]+=*)?$';
comment on function is_copy_removed is 'Whether a change of an event removes or encrypts a copy that a former version stored.';

create function is_erased(organisation bigint, last bigint, after text) returns boolean stable
language sql return split_part(after, e'\x1f', 1) ~ '^(customer|application|document|account|card|externalAccount)\.'
  and split_part(after, e'\x1f', 4) ~ '^~[1-9][0-9]*:$'
  and exists (
    select from customer_key k
    where k.id = substring(split_part(after, e'\x1f', 4) from '[0-9]+')::bigint and k.organisation_id = is_erased.organisation
      and k.data_key is null)
  and not exists (
    select from event_link l where l.organisation_id = is_erased.organisation and l.last - l.count < is_erased.last);
comment on function is_erased is
  'Whether a changed event lost the data of an erased customer, and is older than the chain of hashes.';

create function index_events() returns trigger language plpgsql as $$
begin
  insert into event_entity (organisation_id, entity_type, entity_id, sequence)
  select new.organisation_id, split_part(e.text, '.', 1), split_part(e.text, e'\x1f', 2), new.last - new.count + e.place
  from unnest(string_to_array(new.events, e'\x1e')) with ordinality e (text, place);
  return null;
end $$;
comment on function index_events is 'Trigger of event_page: writes the events of a row to event_entity.';

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

create function link_after(previous bytea, organisation bigint, first bigint, last bigint, instant timestamptz, digest bytea)
  returns bytea language sql immutable
  return sha256(
    coalesce(previous, sha256(convert_to('organisation ' || organisation || ' after event ' || first - 1, 'UTF8')))
    || int8send(first) || int8send(last) || timestamptz_send(instant) || digest);
comment on function link_after is
  'The link that follows another one. The first link of an organisation follows from its id and the number of the event before.';

-- Events from before the chain of hashes hold the data of customers in clear. An erasure may remove it: no link covers them.
create function refuse_other_changes() returns trigger language plpgsql as $$
begin
  if tg_level = 'STATEMENT' then
    if not exists (select from copy_move where source = 'event_page')
      and not exists (select from customer_key where data_key is null) then
      raise exception '% is append-only', tg_table_name;
    end if;
    return null;
  end if;
  if (new.organisation_id, new.last, new.count, new.created_at, new.timed, new.history)
      is distinct from (old.organisation_id, old.last, old.count, old.created_at, old.timed, old.history)
    or exists (
      select from unnest(string_to_array(old.events, e'\x1e'), string_to_array(new.events, e'\x1e')) e (before, after)
      where before is distinct from after and not coalesce(
        after = concat_ws(e'\x1f', split_part(before, e'\x1f', 1), split_part(before, e'\x1f', 2),
          split_part(before, e'\x1f', 3), split_part(after, e'\x1f', 4), split_part(before, e'\x1f', 5),
          split_part(before, e'\x1f', 6), split_part(before, e'\x1f', 7))
        and (is_copy_removed(before, after) or is_erased(new.organisation_id, new.last, after)), false)) then
    raise exception '% is append-only', tg_table_name;
  end if;
  return new;
end $$;
comment on function refuse_other_changes is
  'Trigger of event_page: while copies are removed, an update may empty or encrypt the data of events of payments, transactions and external accounts. After an erasure, it may remove the data of events of the customer that are not in the chain of hashes. Any other update is refused.';

drop trigger event_page_append_only on event_page;
drop trigger denied_request_append_only on denied_request;
create trigger event_page_index after insert on event_page
  for each row when (new.timed is not true) execute function index_events();
create trigger event_page_keeps before delete on event_page
  for each statement execute function refuse_deletion();
create trigger event_page_kept after delete on event_page referencing old table as gone
  for each statement execute function refuse_deletion();
create trigger event_page_append_only before truncate on event_page
  for each statement execute function refuse_change();
create trigger event_page_loses_copies before update on event_page
  for each statement execute function refuse_other_changes();
create trigger event_page_loses_no_more before update on event_page
  for each row execute function refuse_other_changes();
create trigger event_link_append_only before update or truncate on event_link
  for each statement execute function refuse_change();
create trigger event_link_keeps before delete on event_link
  for each statement execute function refuse_deletion();
create trigger event_link_kept after delete on event_link referencing old table as gone
  for each statement execute function refuse_deletion();
create trigger denied_request_append_only before update or truncate on denied_request
  for each statement execute function refuse_change();
create trigger denied_request_keeps before delete on denied_request
  for each statement execute function refuse_deletion();
create trigger denied_request_kept after delete on denied_request referencing old table as gone
  for each statement execute function refuse_deletion();
