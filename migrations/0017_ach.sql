-- expand: ACH files with their batches and entries, received payments, and exceptions

create sequence ach_trace as integer maxvalue 9999996 cycle;
comment on sequence ach_trace is
  'The last seven digits of trace numbers, which repeat. Its length is a multiple of four, so that no number comes twice in a row where a cell uses a quarter of them.';

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
    ('building', 'built', 'delivering', 'unknown', 'delivered', 'acknowledged', 'rejected', 'void',
     'taken', 'applied', 'refused')),
  sealed_content bytea,
  sha256 bytea check (length(sha256) = 32),
  entry_count integer not null default 0,
  debits bigint not null default 0,
  credits bigint not null default 0,
  delivered_at timestamptz(3),
  header text,
  answer_at timestamptz(3),
  arrived boolean not null default false,
  constraint ach_file_content_check check (
    (state = 'building') = (sha256 is null) and (arrived or state in ('building', 'refused') or sealed_content is not null))
);
comment on table ach_file is 'ACH files. The bytes are sealed, because they hold account numbers and names.';
comment on column ach_file.organisation_id is
  'The organisation of a file in a sandbox, where each has its own time. Null in live mode: a file has batches of all organisations.';
comment on column ach_file.key_organisation_id is
  'The organisation with whose key the bytes are sealed: that of the file, in live mode the first one with payments in it.';
comment on column ach_file.window_at is
  'Cut-off of the payments in an outgoing file; the bank time at which an incoming file was taken.';
comment on column ach_file.part is
  'Number of the file among those of its cut-off, from 1. A payment that is committed while a file is built leaves with the next part. 1 for an incoming file.';
comment on column ach_file.modifier is 'File id modifier, which tells the files of a day apart.';
comment on column ach_file.created_on is
  'Creation date in the header: the day of the cut-off, or a later day where all modifiers of that day are used up.';
comment on column ach_file.state is
  'Of an outgoing file: building, built, delivering, unknown (the outcome of the delivery is not known), delivered, acknowledged, rejected or void. Of an incoming file: taken, applied or refused.';
comment on column ach_file.entry_count is
  'Number of the entries in the file, and with it debits and credits their totals: of the organisations of this cell, where others have entries in the file, too.';
comment on column ach_file.header is
  'Origin, destination, creation date, time and modifier of an incoming file, which no two files share.';
comment on column ach_file.answer_at is
  'Time at which the other banks of a sandbox answer the file next; its cut-off until they have read it. Null without answers to come, and in live mode.';
comment on column ach_file.arrived is
  'Whether the file was made or taken by another cell. The row then stands for the entries of organisations that have moved here, with their totals. It has the bytes only where that cell is retired.';
create unique index ach_file_building on ach_file (coalesce(organisation_id, 0)) where state = 'building';
create index ach_file_undelivered on ach_file (id) where state in ('built', 'delivering');
create index ach_file_of_organisation on ach_file (organisation_id, id) where organisation_id is not null;
create index ach_file_to_answer on ach_file (organisation_id, answer_at, id) where answer_at is not null;
create index ach_file_list on ach_file (organisation_id, window_at, id) where organisation_id is not null;
create unique index ach_file_part on ach_file (coalesce(organisation_id, 0), window_at, part)
  where direction = 'out' and not arrived;
create unique index ach_file_modifier on ach_file (coalesce(organisation_id, 0), created_on, modifier)
  where direction = 'out' and not arrived;
create unique index ach_file_taken on ach_file (coalesce(organisation_id, 0), sha256) where direction = 'in' and not arrived;
create unique index ach_file_header on ach_file (coalesce(organisation_id, 0), header)
  where direction = 'in' and state <> 'refused' and not arrived;
create index ach_file_arrived on ach_file (sha256) where arrived;
create index ach_file_by_key on ach_file (key_organisation_id) where organisation_id is null;
create index ach_file_open on ach_file (id) where state in ('building', 'built', 'delivering', 'unknown', 'taken');

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
  return_side text check (return_side in ('Credit', 'Debit')),
  created_at timestamptz(3) not null default clock_timestamp(),
  unique (file_id, number),
  check (settled_at is null or rejected_at is null),
  check (rejected_at is not null or refunded_at is null)
);
comment on table ach_batch is 'Batches of ACH files. A batch settles as one transfer.';
comment on column ach_batch.settles_at is 'Time at which the batch settles.';
comment on column ach_batch.settled_at is 'Time at which its transfer was posted.';
comment on column ach_batch.rejected_at is 'Time at which the operator noted that the receiving bank refused the batch.';
comment on column ach_batch.refunded_at is 'Time at which the money of all payments of a rejected batch was back.';
comment on column ach_batch.return_side is
  'Side of the received payments that the batch returns; null for a batch of payments.';
comment on column ach_batch.created_at is
  'Cut-off of the file.';
create index ach_batch_of_organisation on ach_batch (organisation_id, id);
create index ach_batch_unsettled on ach_batch (organisation_id, settles_at, id)
  where settled_at is null and rejected_at is null;
create index ach_batch_unrefunded on ach_batch (organisation_id, rejected_at, id)
  where rejected_at is not null and refunded_at is null;
create index ach_batch_list on ach_batch (organisation_id, created_at, id);

create table ach_entry (
  payment_id bigint primary key,
  organisation_id bigint not null,
  batch_id bigint not null references ach_batch (id)
);
comment on table ach_entry is 'Entries of outgoing ACH files. A payment is in one batch; its other facts are in payment.';
create index ach_entry_of_batch on ach_entry (batch_id, payment_id);
create index ach_entry_of_organisation on ach_entry (organisation_id, payment_id);

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
  sealed_entry bytea,
  unique (file_id, line),
  check ((status in ('MarkedForReturn', 'Returned')) = (return_code is not null)),
  check ((return_code is null) = (return_cutoff_at is null) and (return_code is null) = (return_settles_at is null)),
  check (status = 'Pending' or booked_at is not null or status = 'MarkedForReturn'),
  check ((return_file_id is null) = (return_trace is null))
);
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
comment on column received_payment.sealed_entry is
  'What a return needs of the entry, as sealed JSON. A move of the organisation writes it, because the file stays in the cell that took it; null before.';
create index received_payment_of_organisation on received_payment (organisation_id, created_at, id) where account_id is not null;
create index received_payment_of_account on received_payment (account_id, created_at, id) where account_id is not null;
create index received_payment_unbooked on received_payment (organisation_id, due_at, id) where booked_at is null;
create index received_payment_to_return on received_payment (organisation_id, return_cutoff_at, id)
  where return_cutoff_at is not null and return_file_id is null;
create index received_payment_in_file on received_payment (return_file_id, id) where return_file_id is not null;
create index received_payment_in_batch on received_payment (return_batch_id, id) where return_batch_id is not null;
create index received_payment_settling on received_payment (organisation_id, settles_on, id);
create index received_payment_returned on received_payment (return_trace) where return_trace is not null;

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
  resolution text check (resolution in ('Noted', 'Account', 'WrittenOff', 'Dishonored', 'Contested')),
  reason text check (length(reason) between 1 and 500),
  account_id bigint,
  version integer not null default 1,
  check ((direction is null) = (amount = 0)),
  constraint ach_exception_resolved_check check (
    (resolution is null) = (reason is null) and (resolution is null or resolved_at is not null)
    and (coalesce(resolution, '') = 'Account') = (account_id is not null))
);
comment on table ach_exception is
  'Files and entries that need the operator: refused files, and entries that match nothing or cannot be applied. The money of an open one is in the suspense account.';
comment on column ach_exception.direction is 'Credit where the entry brought money, Debit where it took money; null without money.';
comment on column ach_exception.resolved_at is 'Time at which the operator resolved it; null while it is open.';
comment on column ach_exception.resolution is
  'Noted without money, Account where the money went to or came from an account of a customer, WrittenOff to the internal account ach_write_off, Dishonored or Contested where a received payment without an account takes the entry back to the other bank.';
comment on column ach_exception.reason is 'The reason that the operator gave.';
comment on column ach_exception.account_id is 'The account of the customer.';
create index ach_exception_of_organisation on ach_exception (organisation_id, id);
create index ach_exception_of_file on ach_exception (file_id, id);
create index ach_exception_open on ach_exception (id) where resolved_at is null;

create table ach_received_entry (
  file_id bigint not null references ach_file (id),
  line integer not null,
  organisation_id bigint not null,
  kind text not null check (kind in
    ('payment', 'prenote', 'return', 'change', 'refusedChange', 'dishonour', 'contest', 'other',
     'lostPayment', 'lostReturn')),
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
comment on table ach_received_entry is
  'The entries of incoming ACH files, and their outcomes. Of outgoing files, those entries whose payment or return a restored database has lost.';
comment on column ach_received_entry.kind is
  'What the entry is; other is one whose SEC code is not supported or that has a fault, which is an exception.';
comment on column ach_received_entry.outcome is
  'applied, exception, or repeated: another file had the same trace number, settlement day, amount and transaction code.';
comment on column ach_received_entry.payment_id is 'The payment that the entry returns or corrects.';
create index ach_received_entry_of_organisation on ach_received_entry (organisation_id, settles_on, file_id, line);
create index ach_received_entry_by_trace on ach_received_entry (trace_number, settles_on, amount, code);
create unique index ach_received_entry_return on ach_received_entry (payment_id)
  where kind = 'return' and outcome = 'applied';

create table ach_journal (
  line integer primary key check (line > 0),
  entry text not null,
  file_id bigint,
  created_at timestamptz(3) not null default clock_timestamp()
);
comment on table ach_journal is
  'Lines of the journal in the folder of outgoing ACH files, in live mode. Each is written here before it is written there, and there before its file gets its final name: if the folder has lines that this table lacks, the database is older than the world.';
comment on column ach_journal.entry is 'The line as the journal has it: JSON.';
comment on column ach_journal.file_id is 'The file that was delivered; null for the move of an organisation to another cell, and for a file that is known by the journal alone.';
comment on column ach_journal.created_at is 'Real time.';
