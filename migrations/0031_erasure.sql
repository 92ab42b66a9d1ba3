-- contract: events of customers are encrypted with keys of the customers, which a former version cannot read

create table customer_key (
  id bigint primary key,
  organisation_id bigint not null references organisation (id),
  data_key bytea,
  erased_at timestamptz(3),
  check ((data_key is null) = (erased_at is not null))
);
create index customer_key_organisation on customer_key (organisation_id);
comment on table customer_key is
  'Keys of customers and of applications, encrypted with the data key of the organisation. They encrypt the data of events. An erasure destroys the key.';
comment on column customer_key.id is 'Id of the customer or of the application.';
comment on column customer_key.data_key is 'Null after the erasure: the data of the events cannot be read any more.';
comment on column customer_key.erased_at is 'Bank time of the erasure.';

alter table customer drop constraint customer_status_check;
alter table customer add constraint customer_status_check check (status in ('Active', 'Erased'));

alter table account add closed_at timestamptz(3);
comment on column account.closed_at is
  'Bank time of the closing; null where the account is not closed. Accounts that were closed before the column existed have the time of its creation.';
update account set closed_at = bank_time(organisation_id) where status = 'Closed' and id > 0;

comment on column answer.status is 'Status as it was sent; 410 for an answer that was erased with its customer. Its fingerprint and body are empty.';

comment on column event_page.events is
  'The events, separated by the character 0x1e. The parts of an event are separated by 0x1f: type, entity id, entity version, data, API key id, request id, idempotency key. The data is the JSON of the record, kept to the byte because it is signed and sent. It is empty for events of payments and of the transactions of their accounts: these are rendered from columns that never change. Events of customers have it encrypted with the key of the customer: ~, the id of the key, a colon and Base64. Other events with an account number at another bank have it encrypted with the key of the organisation: ~ and Base64. The last three parts are empty for changes that the bank made itself.';

create or replace function delete_ended(name text, organisations bigint[], most integer) returns integer
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

-- Events from before the chain of hashes hold the data of customers in clear. An erasure may remove it: no link covers them.
create or replace function refuse_other_changes() returns trigger language plpgsql as $$
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
