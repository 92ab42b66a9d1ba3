-- expand: sums of transfers by hour, made when they are first asked for

create table ledger_flow_hour (
  organisation_id bigint not null references organisation (id) on delete cascade,
  hour timestamptz(3) not null,
  flows json not null,
  primary key (organisation_id, hour)
);
comment on table ledger_flow_hour is
  'Sums of the transfers of an hour of bank time by the kinds of their accounts. An hour is kept once it is over and every transaction that could write into it has ended, so that its sums never change. Rows can be deleted: they are made again.';
comment on column ledger_flow_hour.flows is
  'A list of sums, each with the kinds of the debited and the credited account (null for a deposit account), the number of transfers and the amount. Empty for an hour without transfers.';
