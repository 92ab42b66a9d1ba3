-- expand: limits of organisations, which former versions leave alone; processes of former versions must not take payments while there are some

alter table organisation add column limits jsonb;
comment on column organisation.limits is
  'Limits of the payments of the organisation in cents, whether they are enforced yet, and the first day of which organisation_usage is kept; null for none.';

create table organisation_usage (
  organisation_id bigint not null,
  period text not null,
  slot integer not null,
  used bigint not null,
  soft_left bigint not null,
  hard_left bigint not null,
  primary key (organisation_id, period, slot)
);
comment on table organisation_usage is
  'Amounts of the payments of organisations with limits, by a UTC day or month of bank time. Each connection of a lane has a row of its own, so that batches do not wait for each other.';
comment on column organisation_usage.period is 'A day (2026-01-31) or a month (2026-01).';
comment on column organisation_usage.used is
  'Amount of the payments that this slot made, less those that were canceled or rejected by it. The sum over all slots counts.';
comment on column organisation_usage.soft_left is
  'Amount that the slot may use within the soft limit without looking at the other slots.';
comment on column organisation_usage.hard_left is
  'Amount that the slot may use within the hard limit without looking at the other slots.';
