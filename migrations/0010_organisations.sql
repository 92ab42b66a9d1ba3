-- expand: organisations end, move and have limits and keys of their own, and can come from another bank

alter table organisation
  drop constraint organisation_name_key,
  add column label text check (length(label) between 1 and 255),
  add column frozen_at timestamptz(3),
  add column made boolean not null default false,
  add column idle boolean not null default false,
  add column ended_at timestamptz(3),
  add column events_after bigint not null default 0,
  add column ach_company_name text,
  add column ach_company_id text,
  add column limits jsonb,
  add column epoch integer not null default 0;
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
comment on column organisation.ach_company_name is 'Company name in ACH batches; null for the one of the settings.';
comment on column organisation.ach_company_id is 'Company identification in ACH batches; null for the one of the settings.';
comment on column organisation.limits is
  'Limits of the payments of the organisation in cents, whether they are enforced yet, and the first day of which organisation_usage is kept; null for none.';
comment on column organisation.epoch is
  'How often the organisation has moved between cells. Where two cells have it, the one with the larger number owns it.';
create index organisation_made on organisation (id) where made and ended_at is null;
create index organisation_awake on organisation (id) where not idle and ended_at is null;
create index organisation_ended on organisation (ended_at) where ended_at is not null;
-- A column of a unique index without a predicate counts as a key, and a change of it waits for every transaction whose
-- foreign keys refer to the row: a series of writes that never pauses would hold up a reset for ever. A predicate that
-- holds for every row keeps all names unique, also for `on conflict (name)`, and makes the name no key.
create unique index organisation_name on organisation (name) where 1 = 1;

create table organisation_key (
  organisation_id bigint primary key references organisation (id),
  data_key bytea,
  digest_key bytea,
  check ((data_key is null) = (digest_key is null))
);
comment on table organisation_key is
  'Keys of organisations, encrypted with the operator''s key. A change of the operator''s key encrypts these anew and nothing else.';
comment on column organisation_key.data_key is
  'Key that encrypts the values of the organisation. Null for an organisation that existed before keys, until a process has made them.';
comment on column organisation_key.digest_key is
  'Key of the digests of the organisation. One that existed before keys has the digest key that was derived from the operator''s key, so that its stored fingerprints stay valid.';
insert into organisation_key (organisation_id) select id from organisation;

alter table encryption_marker add column next bytea;
comment on table encryption_marker is
  'One row, encrypted with the operator''s key by the first start. A start with another key fails to decrypt it and stops.';
comment on column encryption_marker.next is
  'The same under the next key, while a change of the operator''s key is under way.';

create table reseal (
  source text primary key,
  position text not null,
  done boolean not null default false
);
comment on table reseal is
  'How far values that were encrypted with the operator''s key itself have been encrypted anew with the keys of their organisations.';
comment on column reseal.source is 'Table and column.';
comment on column reseal.position is 'The last row that was looked at, as text.';
insert into reseal (source, position) values
  ('application.sealed_ssn', '0'),
  ('document_file.sealed_content', '0/'),
  ('webhook_endpoint.sealed_secret', '0'),
  ('webhook_endpoint.sealed_previous_secret', '0'),
  ('answer.sealed', '0/');

create table first_organisation (
  one boolean primary key default true check (one)
);
comment on table first_organisation is
  'Has a row once this database has had the organisation "default", whose key a start makes or is given. A home cell that has had it and has it no more looks for it in the other cells, and does not make it again.';
insert into first_organisation select where exists (select from organisation o where o.name = 'default');

create table organisation_import (
  id bigint primary key,
  archive uuid not null unique,
  head bigint not null,
  link bytea,
  record_id bigint,
  imported_at timestamptz(3) not null default clock_timestamp()
);
comment on table organisation_import is 'Organisations that purser import has read, from an archive of another bank or from files.';
comment on column organisation_import.id is 'The organisation.';
comment on column organisation_import.archive is 'The number that the export gave the archive, or one made of the contents of the files.';
comment on column organisation_import.head is 'Number of the last event in the archive.';
comment on column organisation_import.link is 'Link of that event in the chain of hashes; null if the archive has no links.';
comment on column organisation_import.record_id is 'Where the sequence record_id stood after the import of an archive; null for files. While it stands there, this bank has given out no ids of its own.';

create table former_id (
  organisation_id bigint not null,
  kind text not null check (kind in ('customer', 'account', 'externalAccount', 'card', 'transaction')),
  former text not null check (length(former) between 1 and 255),
  id bigint not null,
  primary key (organisation_id, kind, former)
);
comment on table former_id is 'Ids that records had in the former system of an organisation. Written once, by purser import.';
comment on column former_id.former is 'The id there.';
comment on column former_id.id is 'The id here.';

create function refuse_moving(organisation bigint) returns timestamptz language plpgsql as $$
begin
  raise exception 'organisation % is being moved to another cell', organisation using errcode = 'PE002';
end $$;
comment on function refuse_moving is 'Raises the error of a change in an organisation that moves or has moved to another cell.';

create function refuse_ended(organisation_id bigint) returns timestamptz language plpgsql as $$
begin
  if exists (select from organisation_move m where m.id = refuse_ended.organisation_id) then
    return refuse_moving(organisation_id);
  end if;
  raise exception 'organisation % has ended', organisation_id using errcode = 'PE001';
end $$;
comment on function refuse_ended is 'Raises the error of a change in an organisation that has ended.';

create function event_time(organisation_id bigint) returns timestamptz
  language sql volatile
  return (select case when o.ended_at is not null then refuse_ended(o.id) else coalesce(o.frozen_at,
      least(date_trunc('milliseconds', clock_timestamp()) + o.clock_offset, '9999-12-31 23:59:59.999+00'::timestamptz)) end
    from organisation o where o.id = event_time.organisation_id);
comment on function event_time is
  'Bank time of an event, as bank_time has it: a call of that function would add to every payment. It is read behind the lock of the counter of events, which the end of an organisation takes, too: every change records an event, so that none is committed after the end.';

create or replace function bank_time(organisation_id bigint) returns timestamptz
  language sql volatile
  return (select coalesce(o.frozen_at,
      least(date_trunc('milliseconds', clock_timestamp()) + o.clock_offset, '9999-12-31 23:59:59.999+00'::timestamptz))
    from organisation o where o.id = bank_time.organisation_id);

create function note_first_organisation() returns trigger language plpgsql as $$
begin
  insert into first_organisation default values on conflict do nothing;
  return null;
end $$;
comment on function note_first_organisation is 'Notes that this database has had the organisation of the first key.';

create trigger note_first_organisation after insert or update of name on organisation
  for each row when (new.name = 'default') execute function note_first_organisation();
