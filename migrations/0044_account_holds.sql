-- expand: holds on accounts, which former versions count in the available balance and leave alone

create table account_hold (
  id bigint primary key,
  organisation_id bigint not null,
  account_id bigint not null,
  customer_id bigint not null,
  status text not null check (status in ('Active', 'Released', 'Expired')),
  amount bigint not null check (amount between 1 and 999999999999),
  reason text not null check (reason in ('LegalOrder', 'Dispute', 'Fraud', 'Other')),
  description text,
  created_at timestamptz not null,
  expires_at timestamptz,
  ended_at timestamptz,
  version integer not null,
  check ((status = 'Active') = (ended_at is null)),
  check (status <> 'Expired' or expires_at is not null)
);
comment on table account_hold is 'Amounts that the app reserves on accounts. An Active one reduces the available balance.';
comment on column account_hold.reason is 'Why the money is held. One for a LegalOrder may exceed the available balance.';
comment on column account_hold.expires_at is 'Bank time at which the hold ends by itself; null for a hold that stays until it is released.';
comment on column account_hold.ended_at is 'Bank time of the release or of the expiry; null while the hold is Active.';
create index account_hold_of_organisation on account_hold (organisation_id, created_at, id);
create index account_hold_of_account on account_hold (account_id, created_at desc, id desc);
create index account_hold_of_status on account_hold (account_id, status, created_at desc, id desc);
create index account_hold_of_customer on account_hold (customer_id, id);
create index account_hold_expiring on account_hold (organisation_id, expires_at, id) where status = 'Active';

comment on column account.hold is 'Amount reserved by open card authorizations and active holds.';
