-- expand: events, webhooks, denied requests, and events received from upstream providers

create table event_counter (
  organisation_id bigint primary key,
  sequence bigint not null
) with (fillfactor = 50);
comment on table event_counter is
  'Number of the latest event of each organisation. A table of its own, because it is locked until COMMIT and every request reads the organisation.';

-- A row for each event took a tenth of the database's time for a payment, so that events which are committed together share
-- rows of up to 8,000 characters.
create table event_page (
  organisation_id bigint not null,
  last bigint not null,
  count integer not null check (count > 0 and count <= last),
  created_at timestamptz(3) not null,
  events text not null,
  primary key (organisation_id, last)
)
-- A row that fits on a page of the database stays there, uncompressed.
with (toast_tuple_target = 8160);
alter table event_page alter column events set storage external;
comment on table event_page is
  'Events that were committed together and follow one another. Numbers have no gaps within an organisation.';
comment on column event_page.last is 'Number of the last event of the row.';
comment on column event_page.count is 'How many events the row holds.';
comment on column event_page.events is
  'The events, separated by the character 0x1e. The parts of an event are separated by 0x1f: type, entity id, entity version, data, API key id, request id, idempotency key. The data is the JSON of the record, kept to the byte because it is signed and sent. The last three parts are empty for changes that the bank made itself.';

create table webhook_endpoint (
  id bigint primary key,
  organisation_id bigint not null references organisation (id),
  created_at timestamptz(3) not null,
  url text not null check (length(url) between 1 and 2048),
  events text[] not null check (cardinality(events) > 0),
  description text check (length(description) between 1 and 255),
  status text not null check (status in ('Enabled', 'Disabled')),
  disabled_reason text check (disabled_reason in ('Requested', 'Gone', 'Failing')),
  sealed_secret bytea not null,
  sealed_previous_secret bytea,
  previous_secret_until timestamptz(3),
  failing_since timestamptz(3),
  deleted_at timestamptz(3),
  version integer not null default 1,
  check ((status = 'Disabled') = (disabled_reason is not null)),
  check ((sealed_previous_secret is null) = (previous_secret_until is null))
);
create index webhook_endpoint_newest on webhook_endpoint (organisation_id, created_at desc, id desc)
  where deleted_at is null;
create index webhook_endpoint_enabled on webhook_endpoint (organisation_id, id)
  where status = 'Enabled' and deleted_at is null;
comment on table webhook_endpoint is 'Addresses that events are sent to.';
comment on column webhook_endpoint.sealed_secret is 'Signing secret, encrypted.';
comment on column webhook_endpoint.sealed_previous_secret is 'The secret before the latest rotation, which also signs for a while.';
comment on column webhook_endpoint.previous_secret_until is 'Real time until which the previous secret signs.';
comment on column webhook_endpoint.failing_since is 'Real time of the first failure since the latest success; null without one.';

create table webhook_cursor (
  endpoint_id bigint primary key references webhook_endpoint (id),
  sequence bigint not null,
  recover_after timestamptz(3),
  recover_after_id bigint not null default 0,
  recover_through_id bigint not null default 0
) with (fillfactor = 50);
create index webhook_cursor_recovering on webhook_cursor (endpoint_id) where recover_after is not null;
comment on table webhook_cursor is
  'Number of the latest event that was turned into a delivery for an endpoint. A table of its own, because it moves often and its lock is taken by every transaction that changes which deliveries of the endpoint are pending.';
comment on column webhook_cursor.recover_after is
  'Position of a recovery that a worker carries on: failed deliveries created after this time, and after recover_after_id where the time is the same. Null where there is none.';
comment on column webhook_cursor.recover_through_id is
  'Latest delivery that the recovery takes, so that one which fails again is not taken twice.';

create table webhook_delivery (
  endpoint_id bigint not null,
  id bigint generated always as identity,
  organisation_id bigint not null,
  sequence bigint,
  test_id text,
  body text,
  entity text not null,
  status text not null check (status in ('Pending', 'Succeeded', 'Failed')),
  created_at timestamptz(3) not null,
  due_at timestamptz(3) not null,
  attempts integer not null default 0,
  log jsonb not null default '[]',
  lease uuid,
  leased_until timestamptz(3),
  blocked boolean not null default false,
  primary key (endpoint_id, id),
  check (not blocked or status = 'Pending'),
  check ((sequence is null) = (test_id is not null) and (sequence is null) = (body is not null))
) with (fillfactor = 70);
create unique index webhook_delivery_event on webhook_delivery (endpoint_id, sequence);
-- Only the first pending delivery of a record can be sent. The others are marked and stay out of this index: with 60,000 of
-- them at one endpoint, the statement that looks for due deliveries of all organisations took 2.7 s; now it takes 0.5 ms.
create index webhook_delivery_due on webhook_delivery (endpoint_id, due_at, id) where status = 'Pending' and not blocked;
create unique index webhook_delivery_first on webhook_delivery (endpoint_id, entity) where status = 'Pending' and not blocked;
create index webhook_delivery_blocked on webhook_delivery (endpoint_id, entity, id) where blocked;
create index webhook_delivery_failed on webhook_delivery (endpoint_id, created_at, id)
  where status = 'Failed' and sequence is not null;
comment on table webhook_delivery is 'One event to one endpoint.';
comment on column webhook_delivery.sequence is 'Number of the event; null for a test.';
comment on column webhook_delivery.test_id is 'Id of a test delivery.';
comment on column webhook_delivery.body is 'Body of a test delivery, which is no event.';
comment on column webhook_delivery.entity is 'Record that the event is about. Deliveries of one record keep their order.';
comment on column webhook_delivery.attempts is 'Attempts since the delivery was last started; decides the next delay.';
comment on column webhook_delivery.log is 'Outcomes of the latest attempts.';
comment on column webhook_delivery.lease is 'The worker that sends the delivery.';
comment on column webhook_delivery.leased_until is 'Real time until which no other worker takes the delivery.';
comment on column webhook_delivery.blocked is 'Whether an earlier delivery of the same record to the same endpoint is pending.';

create table denied_request (
  id bigint generated always as identity primary key,
  organisation_id bigint not null,
  api_key_id bigint not null,
  created_at timestamptz(3) not null,
  code text not null check (code in ('unauthorized', 'forbidden')),
  operation_id text not null,
  path text not null,
  address text not null,
  request_id text not null,
  unwritten integer not null
);
create index denied_request_time on denied_request (organisation_id, created_at, id);
comment on table denied_request is 'Requests that were denied, for the audit log.';
comment on column denied_request.unwritten is 'How many more requests of the key were denied and not stored since the entry before.';

create table inbound_event (
  provider text not null,
  upstream_id text not null check (length(upstream_id) between 1 and 255),
  organisation_id bigint not null references organisation (id),
  type text not null,
  received_at timestamptz(3) not null,
  primary key (provider, upstream_id)
);
comment on table inbound_event is
  'Events received from upstream providers, so that a repeated one has no second effect. Contents are not stored: they may hold personal data.';
comment on column inbound_event.received_at is 'Real time.';

create table inbound_version (
  organisation_id bigint not null references organisation (id),
  entity_type text not null,
  entity_id text not null,
  version integer not null,
  primary key (organisation_id, entity_type, entity_id)
);
comment on table inbound_version is 'Number of changes received for an upstream record: the version in our events.';
