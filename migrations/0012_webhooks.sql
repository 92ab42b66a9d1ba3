-- expand: webhook endpoints and what is delivered to them; requests that were denied

create table webhook_endpoint (
  id bigint primary key,
  organisation_id bigint not null references organisation (id),
  -- Bank time.
  created_at timestamptz(3) not null,
  url text not null check (length(url) between 1 and 2048),
  events text[] not null check (cardinality(events) > 0),
  description text check (length(description) between 1 and 255),
  status text not null check (status in ('Enabled', 'Disabled')),
  disabled_reason text check (disabled_reason in ('Requested', 'Gone', 'Failing')),
  sealed_secret bytea not null,
  -- The secret before the last rotation signs along until this real time.
  sealed_previous_secret bytea,
  previous_secret_until timestamptz(3),
  -- Since when nothing has succeeded, in real time; null while all is well.
  failing_since timestamptz(3),
  deleted_at timestamptz(3),
  version integer not null default 1,
  check ((status = 'Disabled') = (disabled_reason is not null)),
  check ((sealed_previous_secret is null) = (previous_secret_until is null))
);
create index webhook_endpoint_newest on webhook_endpoint (organisation_id, created_at desc, id desc)
  where deleted_at is null;
create index webhook_endpoint_enabled on webhook_endpoint (id) where status = 'Enabled' and deleted_at is null;

-- How far the events of its organisation have been turned into deliveries for an endpoint. A row of its own: it moves
-- all the time, and whoever moves it holds its lock.
create table webhook_cursor (
  endpoint_id bigint primary key references webhook_endpoint (id),
  sequence bigint not null
) with (fillfactor = 50);

-- One event to one endpoint. No foreign keys, as every hot table.
create table webhook_delivery (
  endpoint_id bigint not null,
  id bigint generated always as identity,
  organisation_id bigint not null,
  -- The event; null for a test, which is no event and has its body here.
  sequence bigint,
  test_id text,
  body text,
  -- What the event is about: deliveries of one entity keep their order.
  entity text not null,
  status text not null check (status in ('Pending', 'Succeeded', 'Failed')),
  -- Bank time, both.
  created_at timestamptz(3) not null,
  due_at timestamptz(3) not null,
  -- How often it was tried since it was last begun: tells the next delay.
  attempts integer not null default 0,
  -- What became of the last attempts.
  log jsonb not null default '[]',
  -- The worker that is at it, and until when in real time nobody else may be.
  lease uuid,
  leased_until timestamptz(3),
  primary key (endpoint_id, id),
  check ((sequence is null) = (test_id is not null) and (sequence is null) = (body is not null))
) with (fillfactor = 70);
create unique index webhook_delivery_event on webhook_delivery (endpoint_id, sequence);
create index webhook_delivery_due on webhook_delivery (endpoint_id, due_at, id) where status = 'Pending';
create index webhook_delivery_order on webhook_delivery (endpoint_id, entity, id) where status = 'Pending';
create index webhook_delivery_failed on webhook_delivery (endpoint_id, id) where status = 'Failed';

-- The last of an organisation's events that are not after a time: along their numbers, times never fall.
create function event_sequence_at(organisation bigint, instant timestamptz) returns bigint language plpgsql stable as $$
declare
  low bigint := 0;
  high bigint := coalesce((select sequence from event_counter where organisation_id = organisation), 0);
  middle bigint;
begin
  while low < high loop
    middle := (low + high + 1) / 2;
    if (select created_at <= instant from event where organisation_id = organisation and sequence = middle) then
      low := middle;
    else
      high := middle - 1;
    end if;
  end loop;
  return low;
end $$;

-- Requests by a key of an organisation that were denied.
create table denied_request (
  id bigint generated always as identity primary key,
  organisation_id bigint not null,
  api_key_id bigint not null,
  -- Bank time, and the last event before it: together with events, in one order.
  created_at timestamptz(3) not null,
  after_sequence bigint not null,
  code text not null check (code in ('unauthorized', 'forbidden')),
  operation_id text not null,
  path text not null,
  address text not null,
  request_id text not null,
  -- How many more of the key were denied since the one before and are not written down.
  unwritten integer not null
);
create index denied_request_newest on denied_request (organisation_id, after_sequence desc, id desc);
create trigger denied_request_append_only before update or delete or truncate on denied_request
  for each statement execute function refuse_change();
