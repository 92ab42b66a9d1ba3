-- expand: tests of webhooks are found by their ids, and the outcomes of deliveries are counted by the hour

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
