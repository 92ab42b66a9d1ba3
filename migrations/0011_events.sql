-- expand: events, one for every change, numbered without a gap within an organisation

-- The last number an organisation's events have reached. A row of its own: the organisation's is read by everybody.
create table event_counter (
  organisation_id bigint primary key,
  sequence bigint not null
) with (fillfactor = 50);

-- No foreign keys, as every hot table. An event's id is made of the organisation and the number.
create table event (
  organisation_id bigint not null,
  sequence bigint not null check (sequence > 0),
  type text not null,
  entity_id text not null,
  entity_version integer not null,
  -- Bank time.
  created_at timestamptz(3) not null,
  -- The record in the interface's own shape, as text: what is signed and sent must stay the same to the byte.
  data text not null,
  -- Who asked for the change, and by which request; null where the bank itself made it.
  api_key_id bigint,
  request_id text,
  idempotency_key text,
  primary key (organisation_id, sequence)
);
create trigger event_append_only before update or delete or truncate on event
  for each statement execute function refuse_change();
