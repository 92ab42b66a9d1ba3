-- contract: a chain of hashes over the events of each organisation, which a former version would leave with gaps

alter table event_counter add column linked_at timestamptz(3), add column digest bytea, add column link bytea;
comment on column event_counter.linked_at is 'Bank time of the latest transaction that wrote events.';
comment on column event_counter.digest is 'Digest of the events of that transaction.';
comment on column event_counter.link is
  'Its link, the head of the chain. These three are null before the first transaction with a link.';

create table event_link (
  organisation_id bigint not null,
  last bigint not null,
  created_at timestamptz(3) not null,
  count integer not null check (count > 0 and count <= last),
  digest bytea not null,
  link bytea not null,
  primary key (organisation_id, last)
);
comment on table event_link is
  'The chain of hashes over the events of an organisation, one link for each transaction that wrote events. Links stay when their events are deleted.';
comment on column event_link.last is 'Number of the last event of the transaction.';
comment on column event_link.created_at is 'Time of the events.';
comment on column event_link.count is 'How many events the transaction wrote.';
comment on column event_link.digest is
  'SHA-256 of the pages of the transaction and of the columns from which events without data are rendered.';
comment on column event_link.link is 'SHA-256 of the link before, the numbers, the time and the digest, by link_after.';

create function link_after(previous bytea, organisation bigint, first bigint, last bigint, instant timestamptz, digest bytea)
  returns bytea language sql immutable
  return sha256(
    coalesce(previous, sha256(convert_to('organisation ' || organisation || ' after event ' || first - 1, 'UTF8')))
    || int8send(first) || int8send(last) || timestamptz_send(instant) || digest);
comment on function link_after is
  'The link that follows another one. The first link of an organisation follows from its id and the number of the event before.';

create trigger event_link_append_only before update or truncate on event_link
  for each statement execute function refuse_change();
create trigger event_link_keeps before delete on event_link
  for each statement execute function refuse_deletion();
create trigger event_link_kept after delete on event_link referencing old table as gone
  for each statement execute function refuse_deletion();

create or replace function delete_ended(name text, organisations bigint[], most integer) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  removed integer;
begin
  if name not in ('transfer', 'event_page', 'event_link', 'denied_request') then
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
