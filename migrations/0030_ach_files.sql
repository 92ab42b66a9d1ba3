-- expand: payments that leave with ACH files, the files with their batches and entries

alter table payment
  add column same_day boolean,
  add column sec_code text,
  add column cutoff_at timestamptz(3),
  add column settles_at timestamptz(3),
  add column ach_file_id bigint,
  add column trace_number text;
comment on column payment.cutoff_at is
  'Cut-off with which the payment leaves. Null where it does not leave with a file: a payment within the bank, or with PURSER_ACH=instant.';
comment on column payment.settles_at is 'Time at which the entry settles, fixed with the cut-off.';
comment on column payment.ach_file_id is 'The file that the payment leaves with, from Clearing on.';
comment on column payment.trace_number is 'Trace number of the entry, from Clearing on.';
comment on column payment.first_status is
  'Status with which the payment was created, which its first event and its answer show; null for Sent. Status, return_code and version change; ach_file_id and trace_number are set once.';
create index payment_at_cutoff on payment (organisation_id, cutoff_at, id) where status = 'Pending';
create index payment_in_file on payment (ach_file_id, id) where ach_file_id is not null;

comment on column account.kind is
  'Kind of an internal account: ach_clearing, ach_settlement, ach_suspense, card_settlement or rewards_funding.';
comment on column transfer.source_kind is
  'payment, payment_return, ach_settlement, ach_return, received_ach, card_settlement, card_refund, reward or reward_clawback.';
comment on column transfer.source_id is
  'The payment, ACH batch, authorization or reward behind the transfer, where there is one.';

create sequence ach_trace as integer maxvalue 9999999 cycle;
comment on sequence ach_trace is 'The last seven digits of trace numbers. They repeat after ten million.';

create table ach_file (
  id bigint primary key,
  organisation_id bigint,
  key_organisation_id bigint not null,
  direction text not null check (direction in ('out', 'in')),
  window_at timestamptz(3) not null,
  part integer not null,
  modifier text not null check (modifier ~ '^[A-Z0-9]$'),
  created_on date not null,
  name text not null,
  state text not null check (state in
    ('building', 'built', 'delivering', 'unknown', 'delivered', 'acknowledged', 'rejected', 'void')),
  sealed_content bytea,
  sha256 bytea check (length(sha256) = 32),
  entry_count integer not null default 0,
  debits bigint not null default 0,
  credits bigint not null default 0,
  delivered_at timestamptz(3),
  check ((state = 'building') = (sealed_content is null and sha256 is null))
);
create unique index ach_file_part on ach_file (coalesce(organisation_id, 0), window_at, part) where direction = 'out';
create unique index ach_file_building on ach_file (coalesce(organisation_id, 0)) where state = 'building';
create unique index ach_file_modifier on ach_file (coalesce(organisation_id, 0), created_on, modifier)
  where direction = 'out';
create index ach_file_undelivered on ach_file (id) where state in ('built', 'delivering');
create index ach_file_of_organisation on ach_file (organisation_id, id) where organisation_id is not null;
comment on table ach_file is 'ACH files. The bytes are sealed, because they hold account numbers and names.';
comment on column ach_file.organisation_id is
  'The organisation of a file in a sandbox, where each has its own time. Null in live mode: a file has batches of all organisations.';
comment on column ach_file.key_organisation_id is
  'The organisation with whose key the bytes are sealed: that of the file, in live mode the first one with payments in it.';
comment on column ach_file.window_at is 'Cut-off of the payments in the file.';
comment on column ach_file.part is
  'Number of the file among those of its cut-off, from 1. A payment that is committed while a file is built leaves with the next part.';
comment on column ach_file.modifier is 'File id modifier, which tells the files of a day apart.';
comment on column ach_file.created_on is
  'Creation date in the header: the day of the cut-off, or a later day where all modifiers of that day are used up.';
comment on column ach_file.state is
  'building, built, delivering, unknown (the outcome of the delivery is not known), delivered, acknowledged, rejected or void.';

create table ach_batch (
  id bigint primary key,
  organisation_id bigint not null,
  file_id bigint not null references ach_file (id),
  number integer not null,
  company_name text not null,
  company_id text not null,
  sec_code text not null,
  description text not null,
  effective_date date not null,
  entry_count integer not null,
  debits bigint not null,
  credits bigint not null,
  settles_at timestamptz(3) not null,
  settled_at timestamptz(3),
  rejected_at timestamptz(3),
  refunded_at timestamptz(3),
  unique (file_id, number),
  check (settled_at is null or rejected_at is null),
  check (rejected_at is not null or refunded_at is null)
);
create index ach_batch_of_organisation on ach_batch (organisation_id, id);
create index ach_batch_unsettled on ach_batch (organisation_id, settles_at, id)
  where settled_at is null and rejected_at is null;
create index ach_batch_unrefunded on ach_batch (organisation_id, rejected_at, id)
  where rejected_at is not null and refunded_at is null;
comment on table ach_batch is 'Batches of ACH files. A batch settles as one transfer.';
comment on column ach_batch.settles_at is 'Time at which the batch settles.';
comment on column ach_batch.settled_at is 'Time at which its transfer was posted.';
comment on column ach_batch.rejected_at is 'Time at which the operator noted that the receiving bank refused the batch.';
comment on column ach_batch.refunded_at is 'Time at which the money of all payments of a rejected batch was back.';

create table ach_entry (
  payment_id bigint primary key,
  organisation_id bigint not null,
  batch_id bigint not null references ach_batch (id)
);
create index ach_entry_of_batch on ach_entry (batch_id, payment_id);
create index ach_entry_of_organisation on ach_entry (organisation_id, payment_id);
comment on table ach_entry is 'Entries of outgoing ACH files. A payment is in one batch; its other facts are in payment.';

alter table organisation add column ach_company_name text, add column ach_company_id text;
comment on column organisation.ach_company_name is 'Company name in ACH batches; null for the one of the settings.';
comment on column organisation.ach_company_id is 'Company identification in ACH batches; null for the one of the settings.';
