-- contract: events and answers of payments are stored without copies of the payment, which a former version cannot read

alter table payment add column first_status text;
comment on column payment.first_status is
  'Status with which the payment was created, which its first event and its answer show; null for Sent. Of a payment only status, return_code and version ever change.';

alter table answer add column payment_id bigint;
comment on column answer.payment_id is
  'The payment whose first state the answer shows. The body is empty then, and is rendered from the payment.';
comment on column answer.body is 'The body as it was sent; empty where the answer is encrypted or shows a payment.';
comment on column answer.key_hash is
  'SHA-256 of the idempotency key, 32 bytes. 16 random bytes where the caller sent no key; 32 in answers of former versions.';

create or replace view event as
select p.organisation_id, p.last as page, p.last - p.count + e.place as sequence, split_part(e.text, e'\x1f', 1) as type,
  split_part(e.text, e'\x1f', 2) as entity_id, split_part(e.text, e'\x1f', 3)::integer as entity_version, p.created_at,
  nullif(split_part(e.text, e'\x1f', 4), '') as data, nullif(split_part(e.text, e'\x1f', 5), '')::bigint as api_key_id,
  nullif(split_part(e.text, e'\x1f', 6), '') as request_id, nullif(split_part(e.text, e'\x1f', 7), '') as idempotency_key
from event_page p cross join lateral unnest(string_to_array(p.events, e'\x1e')) with ordinality e (text, place);
comment on view event is
  'One event a row. Only the column page can use the index: a query by event numbers must also name their pages, as the functions do. The column data is null where it is rendered from the record.';
comment on column event_page.events is
  'The events, separated by the character 0x1e. The parts of an event are separated by 0x1f: type, entity id, entity version, data, API key id, request id, idempotency key. The data is the JSON of the record, kept to the byte because it is signed and sent. It is empty for the first events of payments and of the transactions of their accounts: these are rendered from columns that never change. The last three parts are empty for changes that the bank made itself.';

create table copy_move (
  source text primary key check (source in ('event_page', 'answer')),
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

-- While copies are removed, a row may lose them and stays as it is otherwise.
create function refuse_other_changes() returns trigger language plpgsql as $$
begin
  if tg_level = 'STATEMENT' then
    if not exists (select from copy_move where source = 'event_page') then
      raise exception '% is append-only', tg_table_name;
    end if;
    return null;
  end if;
  if (new.organisation_id, new.last, new.count, new.created_at, new.timed)
      is distinct from (old.organisation_id, old.last, old.count, old.created_at, old.timed)
    or exists (
      select from unnest(string_to_array(old.events, e'\x1e'), string_to_array(new.events, e'\x1e')) e (before, after)
      where before is distinct from after and (
        split_part(before, e'\x1f', 1) not in ('payment.created', 'transaction.created')
        or after is distinct from concat_ws(e'\x1f', split_part(before, e'\x1f', 1), split_part(before, e'\x1f', 2),
          split_part(before, e'\x1f', 3), '', split_part(before, e'\x1f', 5), split_part(before, e'\x1f', 6),
          split_part(before, e'\x1f', 7)))) then
    raise exception '% is append-only', tg_table_name;
  end if;
  return new;
end $$;
comment on function refuse_other_changes is
  'Trigger of event_page: while copies are removed, an update may empty the data of first events of payments and transactions. Any other update is refused.';
drop trigger event_page_append_only on event_page;
create trigger event_page_append_only before truncate on event_page
  for each statement execute function refuse_change();
create trigger event_page_loses_copies before update on event_page
  for each statement execute function refuse_other_changes();
create trigger event_page_loses_no_more before update on event_page
  for each row execute function refuse_other_changes();
