-- expand: ACH files that are taken in, their entries, received payments and exceptions

alter table ach_file
  drop constraint ach_file_state_check,
  drop constraint ach_file_check,
  add column header text;
alter table ach_file
  add constraint ach_file_state_check check (state in
    ('building', 'built', 'delivering', 'unknown', 'delivered', 'acknowledged', 'rejected', 'void',
     'taken', 'applied', 'refused')),
  add constraint ach_file_content_check check (
    (state = 'building') = (sha256 is null) and (state in ('building', 'refused') or sealed_content is not null));
create unique index ach_file_taken on ach_file (coalesce(organisation_id, 0), sha256) where direction = 'in';
create unique index ach_file_header on ach_file (coalesce(organisation_id, 0), header)
  where direction = 'in' and state <> 'refused';
comment on column ach_file.window_at is
  'Cut-off of the payments in an outgoing file; the bank time at which an incoming file was taken.';
comment on column ach_file.part is
  'Number of the file among those of its cut-off, from 1. A payment that is committed while a file is built leaves with the next part. 1 for an incoming file.';
comment on column ach_file.state is
  'Of an outgoing file: building, built, delivering, unknown (the outcome of the delivery is not known), delivered, acknowledged, rejected or void. Of an incoming file: taken, applied or refused.';
comment on column ach_file.header is
  'Origin, destination, creation date, time and modifier of an incoming file, which no two files share.';

alter table ach_batch add column return_side text check (return_side in ('Credit', 'Debit'));
comment on column ach_batch.return_side is
  'Side of the received payments that the batch returns; null for a batch of payments.';

create index payment_by_trace on payment (trace_number) where trace_number is not null;

comment on column transfer.source_kind is
  'payment, payment_return, ach_settlement, ach_return, ach_exception, received_ach, received_ach_return, card_settlement, card_refund, reward or reward_clawback.';
comment on column transfer.source_id is
  'The payment, ACH batch, ACH exception, received payment, authorization or reward behind the transfer, where there is one.';

create table received_payment (
  id bigint primary key,
  organisation_id bigint not null,
  account_id bigint,
  customer_id bigint,
  file_id bigint not null references ach_file (id),
  line integer not null,
  direction text not null check (direction in ('Credit', 'Debit')),
  status text not null check (status in ('Pending', 'Completed', 'MarkedForReturn', 'Returned')),
  amount bigint not null check (amount > 0),
  sec_code text not null,
  company_name text not null,
  description text not null,
  sending_bank text not null check (sending_bank ~ '^[0-9]{8}$'),
  trace_number text not null,
  receiver_name text not null,
  addenda text,
  settles_on date not null,
  due_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  booked_at timestamptz(3),
  return_code text,
  return_cutoff_at timestamptz(3),
  return_settles_at timestamptz(3),
  return_file_id bigint,
  return_batch_id bigint,
  return_trace text,
  version integer not null default 1,
  unique (file_id, line),
  check ((status in ('MarkedForReturn', 'Returned')) = (return_code is not null)),
  check ((return_code is null) = (return_cutoff_at is null) and (return_code is null) = (return_settles_at is null)),
  check (status = 'Pending' or booked_at is not null or status = 'MarkedForReturn'),
  check ((return_file_id is null) = (return_trace is null))
);
create index received_payment_of_organisation on received_payment (organisation_id, created_at, id) where account_id is not null;
create index received_payment_of_account on received_payment (account_id, created_at, id) where account_id is not null;
create index received_payment_unbooked on received_payment (organisation_id, due_at, id) where booked_at is null;
create index received_payment_to_return on received_payment (organisation_id, return_cutoff_at, id)
  where return_cutoff_at is not null and return_file_id is null;
create index received_payment_in_file on received_payment (return_file_id, id) where return_file_id is not null;
create index received_payment_in_batch on received_payment (return_batch_id, id) where return_batch_id is not null;
create index received_payment_settling on received_payment (organisation_id, settles_on, id);
comment on table received_payment is
  'Payments that other banks sent to accounts here: entries of incoming ACH files that credit or debit an account.';
comment on column received_payment.account_id is 'The account that the entry names; null where there is none.';
comment on column received_payment.line is 'Line of the entry in the file.';
comment on column received_payment.sending_bank is 'First eight digits of the routing number of the bank that sent the entry.';
comment on column received_payment.settles_on is 'Day on which the entry settles.';
comment on column received_payment.due_at is 'Time from which the money is booked: 09:00 Eastern time for credits, 08:30 for debits.';
comment on column received_payment.booked_at is
  'Time at which the money was booked: to or from the account, or the suspense account where the payment is returned.';
comment on column received_payment.return_cutoff_at is 'Cut-off with which the return leaves.';
comment on column received_payment.return_settles_at is 'Time at which the return settles.';
comment on column received_payment.return_file_id is 'The outgoing file that holds the return.';
comment on column received_payment.return_trace is 'Trace number of the return.';

create table ach_exception (
  id bigint primary key,
  organisation_id bigint not null,
  file_id bigint not null references ach_file (id),
  line integer,
  kind text not null,
  detail text not null,
  direction text check (direction in ('Credit', 'Debit')),
  amount bigint not null default 0 check (amount >= 0),
  payment_id bigint,
  created_at timestamptz(3) not null,
  resolved_at timestamptz(3),
  check ((direction is null) = (amount = 0))
);
create index ach_exception_of_organisation on ach_exception (organisation_id, id);
create index ach_exception_of_file on ach_exception (file_id, id);
comment on table ach_exception is
  'Files and entries that need the operator: refused files, and entries that match nothing or cannot be applied. The money of an open one is in the suspense account.';
comment on column ach_exception.direction is 'Credit where the entry brought money, Debit where it took money; null without money.';
comment on column ach_exception.resolved_at is 'Time at which the operator resolved it; null while it is open.';

create table ach_received_entry (
  file_id bigint not null references ach_file (id),
  line integer not null,
  organisation_id bigint not null,
  kind text not null check (kind in
    ('payment', 'prenote', 'return', 'change', 'refusedChange', 'dishonour', 'contest')),
  outcome text not null check (outcome in ('applied', 'exception', 'repeated')),
  code smallint not null,
  amount bigint not null,
  trace_number text not null,
  settles_on date not null,
  payment_id bigint,
  received_payment_id bigint,
  exception_id bigint,
  primary key (file_id, line)
);
create index ach_received_entry_of_organisation on ach_received_entry (organisation_id, settles_on, file_id, line);
create index ach_received_entry_by_trace on ach_received_entry (trace_number, settles_on, amount, code);
create unique index ach_received_entry_return on ach_received_entry (payment_id)
  where kind = 'return' and outcome = 'applied';
comment on table ach_received_entry is 'The entries of incoming ACH files, and their outcomes.';
comment on column ach_received_entry.outcome is
  'applied, exception, or repeated: another file had the same trace number, settlement day, amount and transaction code.';
comment on column ach_received_entry.payment_id is 'The payment that the entry returns or corrects.';
