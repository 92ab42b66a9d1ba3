-- expand: organisations that requests create, reset and delete in a sandbox, with clocks that can stand still

alter table organisation
  add column label text check (length(label) between 1 and 255),
  add column frozen_at timestamptz(3),
  add column made boolean not null default false,
  add column idle boolean not null default false,
  add column ended_at timestamptz(3),
  add column events_after bigint not null default 0;
comment on column organisation.label is
  'Name that the request gave. It need not be unique, as the name is. Null: the name is shown.';
comment on column organisation.frozen_at is 'Bank time of a clock that stands still between advances; null for a clock that runs.';
comment on column organisation.made is 'Created by a request in a sandbox. It expires when it is not used.';
comment on column organisation.idle is
  'A made organisation whose keys have not been used for a while. Background work skips it until a key is used.';
comment on column organisation.ended_at is
  'Real time at which the organisation was deleted, expired or was replaced by a reset. Its records are deleted in the background.';
comment on column organisation.events_after is
  'Its events are numbered from behind this number, so that no number repeats after a reset.';
create index organisation_made on organisation (id) where made and ended_at is null;
create index organisation_awake on organisation (id) where not idle and ended_at is null;
create index organisation_ended on organisation (ended_at) where ended_at is not null;

create or replace function bank_time(organisation_id bigint) returns timestamptz
  language sql volatile
  return (select coalesce(o.frozen_at,
      least(date_trunc('milliseconds', clock_timestamp()) + o.clock_offset, '9999-12-31 23:59:59.999+00'::timestamptz))
    from organisation o where o.id = bank_time.organisation_id);

-- Rows of append-only tables are deleted only with the organisation that they belong to.
create function refuse_deletion() returns trigger language plpgsql as $$
begin
  if tg_when = 'BEFORE' and not exists (select from organisation where ended_at is not null) then
    raise exception '% is append-only', tg_table_name;
  end if;
  if tg_when = 'AFTER' then
    if exists (select from gone g left join organisation o on o.id = g.organisation_id where o.ended_at is null) then
      raise exception '% is append-only', tg_table_name;
    end if;
  end if;
  return null;
end $$;
comment on function refuse_deletion is 'Trigger of append-only tables: rows are deleted only after their organisation has ended.';
drop trigger transfer_append_only on transfer;
drop trigger event_page_append_only on event_page;
drop trigger denied_request_append_only on denied_request;
create trigger transfer_append_only before update or truncate on transfer
  for each statement execute function refuse_change();
create trigger event_page_append_only before update or truncate on event_page
  for each statement execute function refuse_change();
create trigger denied_request_append_only before update or truncate on denied_request
  for each statement execute function refuse_change();
create trigger transfer_keeps before delete on transfer
  for each statement execute function refuse_deletion();
create trigger transfer_kept after delete on transfer referencing old table as gone
  for each statement execute function refuse_deletion();
create trigger event_page_keeps before delete on event_page
  for each statement execute function refuse_deletion();
create trigger event_page_kept after delete on event_page referencing old table as gone
  for each statement execute function refuse_deletion();
create trigger denied_request_keeps before delete on denied_request
  for each statement execute function refuse_deletion();
create trigger denied_request_kept after delete on denied_request referencing old table as gone
  for each statement execute function refuse_deletion();

-- The deletion of an organisation finds its rows by these, and so do the checks of foreign keys.
create index application_of_organisation on application (organisation_id);
create index card_of_customer on card (customer_id);
create index card_replacing on card (replaces_card_id) where replaces_card_id is not null;
create index card_authorization_of_organisation on card_authorization (organisation_id);
create index document_of_organisation on document (organisation_id);
create index external_account_of_organisation on external_account (organisation_id);
create index inbound_event_of_organisation on inbound_event (organisation_id);
create index statement_of_organisation on statement (organisation_id);
create index verification_token_of_customer on verification_token (customer_id);
create index verification_token_of_organisation on verification_token (organisation_id);
create index webhook_endpoint_of_organisation on webhook_endpoint (organisation_id);
-- Checked by `npm run verify`, like the references of the other tables of the ledger.
alter table statement drop constraint statement_customer_id_fkey;
alter table statement drop constraint statement_organisation_id_fkey;
