-- expand: payments can collect money from verified external accounts, with a mandate of the customer

alter table external_account add column permissions text not null default 'CreditOnly'
  constraint external_account_permissions_check check (permissions in ('CreditOnly', 'CreditAndDebit'));
comment on column external_account.permissions is 'CreditAndDebit once the account is verified: money can be collected from it.';
alter table external_account add column mandate jsonb;
comment on column external_account.mandate is
  'The authorization of the customer to collect money: how, when and from where it was given, the version of its text, and when it was revoked. Null before the first.';
alter table external_account add column verification jsonb;
comment on column external_account.verification is 'How the account was verified, with the reference of the operator. Null before that.';

create table debit (
  id bigint primary key,
  organisation_id bigint not null,
  account_id bigint not null,
  external_account_id bigint not null,
  created_at timestamp(3) with time zone not null,
  mandate jsonb not null,
  clearing_days integer not null check (clearing_days between 0 and 60),
  early boolean not null,
  clears_at timestamp(3) with time zone,
  early_until timestamp(3) with time zone,
  cleared_at timestamp(3) with time zone
);
comment on table debit is 'Terms of payments that collect money, which other payments lack.';
comment on column debit.id is 'Id of the payment.';
comment on column debit.mandate is 'The mandate with which it was made.';
comment on column debit.clearing_days is 'Banking days from the settlement to the credit of the account.';
comment on column debit.early is 'Whether the account is credited at the settlement, ahead of the clearing days.';
comment on column debit.clears_at is 'Time at which the account is credited, set by the settlement. Null before that, and for a payment that left with no file.';
comment on column debit.early_until is 'End of the clearing days of one that is credited early, set by the settlement: it counts for the amount that may be credited early until then.';
comment on column debit.cleared_at is 'Time at which the account was credited, or at which nothing was left to credit.';
create index debit_of_organisation on debit (organisation_id, id);
create index debit_clearing on debit (organisation_id, clears_at, id) where clears_at is not null and cleared_at is null;
create index debit_of_external_account on debit (external_account_id, id);
create index debit_early on debit (account_id, created_at) where early;

comment on column transfer.source_kind is
  'payment, payment_return, payment_release, debit, debit_return, ach_settlement, ach_return, ach_exception, ach_resolution, received_ach, received_ach_return, card_settlement, card_refund, reward or reward_clawback.';
