-- Written by `npm run schema` from the catalogue of PostgreSQL 18. Do not edit.

create sequence account_number as bigint start 1000000001 increment 1 maxvalue 999999999999;

create sequence ach_trace as integer start 1 increment 1 maxvalue 9999996;

create sequence record_id as bigint start 1000000 increment 100 maxvalue 9223372036854775807;

create table account (
  id bigint not null,
  organisation_id bigint not null,
  customer_id bigint,
  created_at timestamp(3) with time zone not null,
  name text not null,
  account_number text default (nextval('account_number'::regclass))::text not null,
  status text not null,
  close_reason text,
  balance bigint default 0 not null,
  hold bigint default 0 not null,
  tags jsonb default '{}'::jsonb not null,
  version integer default 1 not null,
  kind text,
  slot integer,
  seq bigint default 0 not null,
  posted_at timestamp(3) with time zone,
  closed_at timestamp(3) with time zone,
  limits jsonb,
  stopped_by_bank boolean default false not null,
  payment_block jsonb
) with (fillfactor=70);

comment on table account is 'Deposit accounts, and the bank''s internal accounts under negative ids, which no request can name.';

comment on column account.hold is 'Amount reserved by open card authorizations and active holds.';

comment on column account.kind is 'Kind of an internal account: ach_clearing, ach_settlement, ach_suspense, ach_write_off, bank_fees, bank_funding, bank_suspense, card_settlement, moved_in or rewards_funding.';

comment on column account.slot is 'Each writer uses internal accounts of its own slot, so that writers do not queue at one row.';

comment on column account.seq is 'Number of transfers that have touched the account.';

comment on column account.posted_at is 'Time of the latest transfer.';

comment on column account.closed_at is 'Bank time of the closing; null where the account is not closed. Accounts that were closed before the column existed have the time of its creation.';

comment on column account.limits is 'Limits of the payments of the account in cents, its own overdraft, and the first day of which payment_usage is kept; null for an account without limits.';

comment on column account.stopped_by_bank is 'A key with the scope risk:write froze the account. Only such a key unfreezes, closes or reopens it.';

comment on column account.payment_block is 'Why and since when outgoing payments of the account are refused, and the returned payment if a return of a debit blocked them. Null for nearly all accounts.';

alter table account add constraint account_account_number_key UNIQUE (account_number);

alter table account add constraint account_balance_check CHECK ((abs(balance) <= '9007199254740991'::bigint));

alter table account add constraint account_check CHECK (((status = 'Closed'::text) = (close_reason IS NOT NULL)));

alter table account add constraint account_check1 CHECK (((id < 0) = ((kind IS NOT NULL) AND (slot IS NOT NULL))));

alter table account add constraint account_check2 CHECK (((id < 0) = (customer_id IS NULL)));

alter table account add constraint account_hold_check CHECK (((hold >= 0) AND (hold <= '9007199254740991'::bigint)));

alter table account add constraint account_pkey PRIMARY KEY (id);

CREATE INDEX account_by_last_digits ON public.account USING btree (organisation_id, "right"(account_number, 4), id) WHERE (id > 0);

CREATE UNIQUE INDEX account_internal ON public.account USING btree (organisation_id, kind, slot) WHERE (id < 0);

CREATE INDEX account_newest ON public.account USING btree (organisation_id, created_at DESC, id DESC) WHERE (id > 0);

CREATE INDEX account_of_customer ON public.account USING btree (customer_id, created_at DESC, id DESC);

CREATE INDEX account_of_organisation ON public.account USING btree (organisation_id, id) WHERE (id > 0);

create table account_hold (
  id bigint not null,
  organisation_id bigint not null,
  account_id bigint not null,
  customer_id bigint not null,
  status text not null,
  amount bigint not null,
  reason text not null,
  description text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  ended_at timestamp with time zone,
  version integer not null,
  by_bank boolean default false not null
);

comment on table account_hold is 'Amounts that the app reserves on accounts. An Active one reduces the available balance.';

comment on column account_hold.reason is 'Why the money is held. One for a LegalOrder may exceed the available balance.';

comment on column account_hold.expires_at is 'Bank time at which the hold ends by itself; null for a hold that stays until it is released.';

comment on column account_hold.ended_at is 'Bank time of the release or of the expiry; null while the hold is Active.';

comment on column account_hold.by_bank is 'A key with the scope risk:write made the hold. Only such a key releases it, or one for a LegalOrder.';

alter table account_hold add constraint account_hold_amount_check CHECK (((amount >= 1) AND (amount <= '999999999999'::bigint)));

alter table account_hold add constraint account_hold_check1 CHECK (((status = 'Active'::text) = (ended_at IS NULL)));

alter table account_hold add constraint account_hold_check2 CHECK (((status <> 'Expired'::text) OR (expires_at IS NOT NULL)));

alter table account_hold add constraint account_hold_pkey PRIMARY KEY (id);

alter table account_hold add constraint account_hold_reason_check CHECK ((reason = ANY (ARRAY['LegalOrder'::text, 'Dispute'::text, 'Fraud'::text, 'Other'::text])));

alter table account_hold add constraint account_hold_status_check CHECK ((status = ANY (ARRAY['Active'::text, 'Released'::text, 'Expired'::text])));

CREATE INDEX account_hold_expiring ON public.account_hold USING btree (organisation_id, expires_at, id) WHERE (status = 'Active'::text);

CREATE INDEX account_hold_of_account ON public.account_hold USING btree (account_id, created_at DESC, id DESC);

CREATE INDEX account_hold_of_customer ON public.account_hold USING btree (customer_id, id);

CREATE INDEX account_hold_of_organisation ON public.account_hold USING btree (organisation_id, created_at, id);

CREATE INDEX account_hold_of_status ON public.account_hold USING btree (account_id, status, created_at DESC, id DESC);

create table account_verification (
  id bigint not null,
  organisation_id bigint not null,
  external_account_id bigint not null,
  created_at timestamp(3) with time zone not null,
  method text not null,
  status text not null,
  number_digest bytea,
  amounts integer[] not null,
  attempts integer default 0 not null,
  wrong_amounts integer[] default '{}'::integer[] not null,
  ends_at timestamp(3) with time zone,
  cutoff_at timestamp(3) with time zone,
  settles_at timestamp(3) with time zone,
  ach_file_id bigint,
  ach_batch_id bigint,
  trace_numbers text[] default '{}'::text[] not null
);

comment on table account_verification is 'Verifications of external accounts by entries that the bank sends. They stay when the account is deleted, because wrong answers count for its number.';

comment on column account_verification.number_digest is 'Digest of routing and account number. Null after an erasure.';

comment on column account_verification.amounts is 'Amounts of the two credits, in cents. Empty for a prenote.';

comment on column account_verification.attempts is 'Wrong answers.';

comment on column account_verification.wrong_amounts is 'Amounts of the wrong answers, two for each: the same answer again does not count.';

comment on column account_verification.ends_at is 'While it is Sent: time at which micro-entries expire and a prenote has verified the account.';

comment on column account_verification.cutoff_at is 'Cut-off with which its entries leave. Null if they left with no file.';

comment on column account_verification.settles_at is 'Time at which its entries settle. Null if they left with no file.';

comment on column account_verification.trace_numbers is 'Trace numbers of its entries: the credits in the order of the amounts, then the debit; or the prenote. Empty before they leave.';

alter table account_verification add constraint account_verification_attempts_check CHECK (((attempts >= 0) AND (attempts <= 3)));

alter table account_verification add constraint account_verification_method_check CHECK ((method = ANY (ARRAY['MicroEntries'::text, 'Prenote'::text])));

alter table account_verification add constraint account_verification_pkey PRIMARY KEY (id);

alter table account_verification add constraint account_verification_status_check CHECK ((status = ANY (ARRAY['Pending'::text, 'Sent'::text, 'Verified'::text, 'Failed'::text])));

CREATE INDEX account_verification_ending ON public.account_verification USING btree (organisation_id, ends_at, id) WHERE (status = 'Sent'::text);

CREATE INDEX account_verification_leaving ON public.account_verification USING btree (organisation_id, cutoff_at, id) WHERE ((status = 'Pending'::text) AND (ach_file_id IS NULL));

CREATE INDEX account_verification_of_batch ON public.account_verification USING btree (ach_batch_id);

CREATE INDEX account_verification_of_external_account ON public.account_verification USING btree (external_account_id, id);

CREATE INDEX account_verification_of_number ON public.account_verification USING btree (organisation_id, number_digest);

CREATE UNIQUE INDEX account_verification_open ON public.account_verification USING btree (organisation_id, number_digest) WHERE (status = ANY (ARRAY['Pending'::text, 'Sent'::text]));

CREATE INDEX account_verification_traces ON public.account_verification USING gin (trace_numbers);

create table ach_batch (
  id bigint not null,
  organisation_id bigint not null,
  file_id bigint not null,
  number integer not null,
  company_name text not null,
  company_id text not null,
  sec_code text not null,
  description text not null,
  effective_date date not null,
  entry_count integer not null,
  debits bigint not null,
  credits bigint not null,
  settles_at timestamp(3) with time zone not null,
  settled_at timestamp(3) with time zone,
  rejected_at timestamp(3) with time zone,
  refunded_at timestamp(3) with time zone,
  return_side text,
  created_at timestamp(3) with time zone default clock_timestamp() not null
);

comment on table ach_batch is 'Batches of ACH files. A batch settles as one transfer.';

comment on column ach_batch.settles_at is 'Time at which the batch settles.';

comment on column ach_batch.settled_at is 'Time at which its transfer was posted.';

comment on column ach_batch.rejected_at is 'Time at which the operator noted that the receiving bank refused the batch.';

comment on column ach_batch.refunded_at is 'Time at which the money of all payments of a rejected batch was back.';

comment on column ach_batch.return_side is 'Side of the received payments that the batch returns; null for a batch of payments.';

comment on column ach_batch.created_at is 'Cut-off of the file.';

alter table ach_batch add constraint ach_batch_check CHECK (((settled_at IS NULL) OR (rejected_at IS NULL)));

alter table ach_batch add constraint ach_batch_check1 CHECK (((rejected_at IS NOT NULL) OR (refunded_at IS NULL)));

alter table ach_batch add constraint ach_batch_file_id_number_key UNIQUE (file_id, number);

alter table ach_batch add constraint ach_batch_pkey PRIMARY KEY (id);

alter table ach_batch add constraint ach_batch_return_side_check CHECK ((return_side = ANY (ARRAY['Credit'::text, 'Debit'::text])));

CREATE INDEX ach_batch_list ON public.ach_batch USING btree (organisation_id, created_at, id);

CREATE INDEX ach_batch_of_organisation ON public.ach_batch USING btree (organisation_id, id);

CREATE INDEX ach_batch_unrefunded ON public.ach_batch USING btree (organisation_id, rejected_at, id) WHERE ((rejected_at IS NOT NULL) AND (refunded_at IS NULL));

CREATE INDEX ach_batch_unsettled ON public.ach_batch USING btree (organisation_id, settles_at, id) WHERE ((settled_at IS NULL) AND (rejected_at IS NULL));

create table ach_entry (
  payment_id bigint not null,
  organisation_id bigint not null,
  batch_id bigint not null
);

comment on table ach_entry is 'Entries of outgoing ACH files. A payment is in one batch; its other facts are in payment.';

alter table ach_entry add constraint ach_entry_pkey PRIMARY KEY (payment_id);

CREATE INDEX ach_entry_of_batch ON public.ach_entry USING btree (batch_id, payment_id);

CREATE INDEX ach_entry_of_organisation ON public.ach_entry USING btree (organisation_id, payment_id);

create table ach_exception (
  id bigint not null,
  organisation_id bigint not null,
  file_id bigint not null,
  line integer,
  kind text not null,
  detail text not null,
  direction text,
  amount bigint default 0 not null,
  payment_id bigint,
  created_at timestamp(3) with time zone not null,
  resolved_at timestamp(3) with time zone,
  resolution text,
  reason text,
  account_id bigint,
  version integer default 1 not null
);

comment on table ach_exception is 'Files and entries that need the operator: refused files, and entries that match nothing or cannot be applied. The money of an open one is in the suspense account.';

comment on column ach_exception.direction is 'Credit where the entry brought money, Debit where it took money; null without money.';

comment on column ach_exception.resolved_at is 'Time at which the operator resolved it; null while it is open.';

comment on column ach_exception.resolution is 'Noted without money, Account where the money went to or came from an account of a customer, WrittenOff to the internal account ach_write_off, Dishonored or Contested where a received payment without an account takes the entry back to the other bank.';

comment on column ach_exception.reason is 'The reason that the operator gave.';

comment on column ach_exception.account_id is 'The account of the customer.';

alter table ach_exception add constraint ach_exception_amount_check CHECK ((amount >= 0));

alter table ach_exception add constraint ach_exception_check CHECK (((direction IS NULL) = (amount = 0)));

alter table ach_exception add constraint ach_exception_direction_check CHECK ((direction = ANY (ARRAY['Credit'::text, 'Debit'::text])));

alter table ach_exception add constraint ach_exception_pkey PRIMARY KEY (id);

alter table ach_exception add constraint ach_exception_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 500)));

alter table ach_exception add constraint ach_exception_resolution_check CHECK ((resolution = ANY (ARRAY['Noted'::text, 'Account'::text, 'WrittenOff'::text, 'Dishonored'::text, 'Contested'::text])));

alter table ach_exception add constraint ach_exception_resolved_check CHECK ((((resolution IS NULL) = (reason IS NULL)) AND ((resolution IS NULL) OR (resolved_at IS NOT NULL)) AND ((COALESCE(resolution, ''::text) = 'Account'::text) = (account_id IS NOT NULL))));

CREATE INDEX ach_exception_of_file ON public.ach_exception USING btree (file_id, id);

CREATE INDEX ach_exception_of_organisation ON public.ach_exception USING btree (organisation_id, id);

CREATE INDEX ach_exception_open ON public.ach_exception USING btree (id) WHERE (resolved_at IS NULL);

create table ach_file (
  id bigint not null,
  organisation_id bigint,
  key_organisation_id bigint not null,
  direction text not null,
  window_at timestamp(3) with time zone not null,
  part integer not null,
  modifier text not null,
  created_on date not null,
  name text not null,
  state text not null,
  sealed_content bytea,
  sha256 bytea,
  entry_count integer default 0 not null,
  debits bigint default 0 not null,
  credits bigint default 0 not null,
  delivered_at timestamp(3) with time zone,
  header text,
  answer_at timestamp(3) with time zone,
  arrived boolean default false not null
);

comment on table ach_file is 'ACH files. The bytes are sealed, because they hold account numbers and names.';

comment on column ach_file.organisation_id is 'The organisation of a file in a sandbox, where each has its own time. Null in live mode: a file has batches of all organisations.';

comment on column ach_file.key_organisation_id is 'The organisation with whose key the bytes are sealed: that of the file, in live mode the first one with payments in it.';

comment on column ach_file.window_at is 'Cut-off of the payments in an outgoing file; the bank time at which an incoming file was taken.';

comment on column ach_file.part is 'Number of the file among those of its cut-off, from 1. A payment that is committed while a file is built leaves with the next part. 1 for an incoming file.';

comment on column ach_file.modifier is 'File id modifier, which tells the files of a day apart.';

comment on column ach_file.created_on is 'Creation date in the header: the day of the cut-off, or a later day where all modifiers of that day are used up.';

comment on column ach_file.state is 'Of an outgoing file: building, built, delivering, unknown (the outcome of the delivery is not known), delivered, acknowledged, rejected or void. Of an incoming file: taken, applied or refused.';

comment on column ach_file.entry_count is 'Number of the entries in the file, and with it debits and credits their totals: of the organisations of this cell, where others have entries in the file, too.';

comment on column ach_file.header is 'Origin, destination, creation date, time and modifier of an incoming file, which no two files share.';

comment on column ach_file.answer_at is 'Time at which the other banks of a sandbox answer the file next; its cut-off until they have read it. Null without answers to come, and in live mode.';

comment on column ach_file.arrived is 'Whether the file was made or taken by another cell. The row then stands for the entries of organisations that have moved here, with their totals. It has the bytes only where that cell is retired.';

alter table ach_file add constraint ach_file_content_check CHECK ((((state = 'building'::text) = (sha256 IS NULL)) AND (arrived OR (state = ANY (ARRAY['building'::text, 'refused'::text])) OR (sealed_content IS NOT NULL))));

alter table ach_file add constraint ach_file_direction_check CHECK ((direction = ANY (ARRAY['out'::text, 'in'::text])));

alter table ach_file add constraint ach_file_modifier_check CHECK ((modifier ~ '^[A-Z0-9]$'::text));

alter table ach_file add constraint ach_file_pkey PRIMARY KEY (id);

alter table ach_file add constraint ach_file_sha256_check CHECK ((length(sha256) = 32));

alter table ach_file add constraint ach_file_state_check CHECK ((state = ANY (ARRAY['building'::text, 'built'::text, 'delivering'::text, 'unknown'::text, 'delivered'::text, 'acknowledged'::text, 'rejected'::text, 'void'::text, 'taken'::text, 'applied'::text, 'refused'::text])));

CREATE INDEX ach_file_arrived ON public.ach_file USING btree (sha256) WHERE arrived;

CREATE UNIQUE INDEX ach_file_building ON public.ach_file USING btree (COALESCE(organisation_id, (0)::bigint)) WHERE (state = 'building'::text);

CREATE INDEX ach_file_by_key ON public.ach_file USING btree (key_organisation_id) WHERE (organisation_id IS NULL);

CREATE UNIQUE INDEX ach_file_header ON public.ach_file USING btree (COALESCE(organisation_id, (0)::bigint), header) WHERE ((direction = 'in'::text) AND (state <> 'refused'::text) AND (NOT arrived));

CREATE INDEX ach_file_list ON public.ach_file USING btree (organisation_id, window_at, id) WHERE (organisation_id IS NOT NULL);

CREATE UNIQUE INDEX ach_file_modifier ON public.ach_file USING btree (COALESCE(organisation_id, (0)::bigint), created_on, modifier) WHERE ((direction = 'out'::text) AND (NOT arrived));

CREATE INDEX ach_file_of_organisation ON public.ach_file USING btree (organisation_id, id) WHERE (organisation_id IS NOT NULL);

CREATE INDEX ach_file_open ON public.ach_file USING btree (id) WHERE (state = ANY (ARRAY['building'::text, 'built'::text, 'delivering'::text, 'unknown'::text, 'taken'::text]));

CREATE UNIQUE INDEX ach_file_part ON public.ach_file USING btree (COALESCE(organisation_id, (0)::bigint), window_at, part) WHERE ((direction = 'out'::text) AND (NOT arrived));

CREATE UNIQUE INDEX ach_file_taken ON public.ach_file USING btree (COALESCE(organisation_id, (0)::bigint), sha256) WHERE ((direction = 'in'::text) AND (NOT arrived));

CREATE INDEX ach_file_to_answer ON public.ach_file USING btree (organisation_id, answer_at, id) WHERE (answer_at IS NOT NULL);

CREATE INDEX ach_file_undelivered ON public.ach_file USING btree (id) WHERE (state = ANY (ARRAY['built'::text, 'delivering'::text]));

create table ach_journal (
  line integer not null,
  entry text not null,
  file_id bigint,
  created_at timestamp(3) with time zone default clock_timestamp() not null
);

comment on table ach_journal is 'Lines of the journal in the folder of outgoing ACH files, in live mode. Each is written here before it is written there, and there before its file gets its final name: if the folder has lines that this table lacks, the database is older than the world.';

comment on column ach_journal.entry is 'The line as the journal has it: JSON.';

comment on column ach_journal.file_id is 'The file that was delivered; null for the move of an organisation to another cell, and for a file that is known by the journal alone.';

comment on column ach_journal.created_at is 'Real time.';

alter table ach_journal add constraint ach_journal_line_check CHECK ((line > 0));

alter table ach_journal add constraint ach_journal_pkey PRIMARY KEY (line);

create table ach_received_entry (
  file_id bigint not null,
  line integer not null,
  organisation_id bigint not null,
  kind text not null,
  outcome text not null,
  code smallint not null,
  amount bigint not null,
  trace_number text not null,
  settles_on date not null,
  payment_id bigint,
  received_payment_id bigint,
  exception_id bigint
);

comment on table ach_received_entry is 'The entries of incoming ACH files, and their outcomes. Of outgoing files, those entries whose payment or return a restored database has lost.';

comment on column ach_received_entry.kind is 'What the entry is; other is one whose SEC code is not supported or that has a fault, which is an exception.';

comment on column ach_received_entry.outcome is 'applied, exception, or repeated: another file had the same trace number, settlement day, amount and transaction code.';

comment on column ach_received_entry.payment_id is 'The payment that the entry returns or corrects.';

alter table ach_received_entry add constraint ach_received_entry_kind_check CHECK ((kind = ANY (ARRAY['payment'::text, 'prenote'::text, 'return'::text, 'change'::text, 'refusedChange'::text, 'dishonour'::text, 'contest'::text, 'other'::text, 'lostPayment'::text, 'lostReturn'::text])));

alter table ach_received_entry add constraint ach_received_entry_outcome_check CHECK ((outcome = ANY (ARRAY['applied'::text, 'exception'::text, 'repeated'::text])));

alter table ach_received_entry add constraint ach_received_entry_pkey PRIMARY KEY (file_id, line);

CREATE INDEX ach_received_entry_by_trace ON public.ach_received_entry USING btree (trace_number, settles_on, amount, code);

CREATE INDEX ach_received_entry_of_organisation ON public.ach_received_entry USING btree (organisation_id, settles_on, file_id, line);

CREATE UNIQUE INDEX ach_received_entry_return ON public.ach_received_entry USING btree (payment_id) WHERE ((kind = 'return'::text) AND (outcome = 'applied'::text));

create table answer (
  organisation_id bigint not null,
  key_hash bytea not null,
  fingerprint bytea not null,
  status smallint not null,
  body text not null,
  created_at timestamp(3) with time zone not null,
  sealed bytea,
  payment_id bigint,
  payment_status text
);

comment on table answer is 'The answer to every write, committed together with its effects.';

comment on column answer.key_hash is 'SHA-256 of the idempotency key; 16 random bytes where the caller sent none; 33 bytes for a message of a card processor, whose answer stays.';

comment on column answer.fingerprint is 'Keyed digest of method, path and body. The same key for another request is refused.';

comment on column answer.status is 'Status as it was sent; 410 for an answer that was erased with its customer. Its fingerprint and body are empty.';

comment on column answer.body is 'The body as it was sent; empty where the answer is encrypted or shows a payment: of one that is Pending or PendingReview, its version. Beside an encrypted answer with an account number, the id of its record.';

comment on column answer.sealed is 'The encrypted body of an answer that contains a secret or an account number at another bank.';

comment on column answer.payment_id is 'The payment whose first state the answer shows. The body is empty then, and is rendered from the payment.';

comment on column answer.payment_status is 'The status with which the answer shows its payment; null for the first one.';

alter table answer add constraint answer_pkey PRIMARY KEY (organisation_id, key_hash);

create table api_key (
  id bigint not null,
  organisation_id bigint not null,
  name text not null,
  hash bytea not null,
  scopes text[],
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  version integer default 1 not null,
  last_used_at timestamp(3) with time zone,
  source text default 'request'::text not null,
  deleted boolean default false not null,
  person_id bigint,
  session_id bigint,
  address text,
  makers bigint[] default '{}'::bigint[] not null,
  maker_inviters bigint[] default '{}'::bigint[] not null
);

comment on table api_key is 'API keys. The id stays, the secret can be rotated.';

comment on column api_key.hash is 'SHA-256 of the secret. The secret itself is not stored.';

comment on column api_key.scopes is 'Null: the key may do everything.';

comment on column api_key.source is 'Origin of the secret: the environment, the data folder or a request.';

comment on column api_key.deleted is 'The key was deleted on request. A later start with the same secret does not bring it back.';

comment on column api_key.person_id is 'Set for a seat: a person who acts in the organisation, with the name of the person and no secret that works.';

comment on column api_key.session_id is 'The session of a seat.';

comment on column api_key.address is 'The network address of a seat.';

comment on column api_key.makers is 'The persons who made or rotated the key, or a key that did.';

comment on column api_key.maker_inviters is 'The persons who had invited the makers.';

alter table api_key add constraint api_key_hash_check CHECK ((length(hash) = 32));

alter table api_key add constraint api_key_hash_key UNIQUE (hash);

alter table api_key add constraint api_key_pkey PRIMARY KEY (id);

alter table api_key add constraint api_key_source_check CHECK ((source = ANY (ARRAY['configured'::text, 'generated'::text, 'request'::text])));

CREATE INDEX api_key_by_name ON public.api_key USING btree (organisation_id, lower(name) COLLATE "C", id);

CREATE INDEX api_key_organisation ON public.api_key USING btree (organisation_id);

CREATE INDEX api_key_person ON public.api_key USING btree (person_id, organisation_id, address) WHERE ((session_id IS NULL) AND (person_id IS NOT NULL));

CREATE UNIQUE INDEX api_key_seat ON public.api_key USING btree (session_id, organisation_id, address) WHERE (session_id IS NOT NULL);

create table api_key_retired (
  hash bytea not null,
  api_key_id bigint not null,
  works_until timestamp(3) with time zone not null
);

comment on table api_key_retired is 'Former secrets of rotated keys.';

comment on column api_key_retired.works_until is 'End of the grace period, in real time.';

alter table api_key_retired add constraint api_key_retired_hash_check CHECK ((length(hash) = 32));

alter table api_key_retired add constraint api_key_retired_pkey PRIMARY KEY (hash);

CREATE INDEX api_key_retired_key ON public.api_key_retired USING btree (api_key_id);

create table application (
  id bigint not null,
  organisation_id bigint not null,
  created_at timestamp(3) with time zone not null,
  status text not null,
  name text not null,
  date_of_birth date not null,
  sealed_ssn bytea not null,
  email text not null,
  phone text not null,
  address json not null,
  customer_id bigint,
  version integer default 1 not null,
  needs_decision boolean default false not null,
  screening text,
  ssn_digest bytea
);

comment on table application is 'Applications to become a customer.';

comment on column application.sealed_ssn is 'The social security number, encrypted.';

comment on column application.customer_id is 'The customer created by the approval.';

comment on column application.needs_decision is 'Whether a person has to decide about the application itself: its documents alone do not approve it.';

comment on column application.screening is 'The answer of the screening about the person; null where it was not asked.';

comment on column application.ssn_digest is 'Keyed digest of the social security number, by which equal numbers are found. Null before it is made, and after an erasure.';

alter table application add constraint application_check CHECK (((status = 'Approved'::text) = (customer_id IS NOT NULL)));

alter table application add constraint application_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255)));

alter table application add constraint application_pkey PRIMARY KEY (id);

alter table application add constraint application_screening_check CHECK ((screening = ANY (ARRAY['pass'::text, 'review'::text, 'refuse'::text])));

alter table application add constraint application_ssn_digest_check CHECK ((length(ssn_digest) = 32));

alter table application add constraint application_status_check CHECK ((status = ANY (ARRAY['AwaitingDocuments'::text, 'PendingReview'::text, 'Approved'::text, 'Denied'::text])));

CREATE INDEX application_by_address ON public.application USING btree (organisation_id, lower((address ->> 'street'::text)) COLLATE "C", ((address ->> 'postalCode'::text)));

CREATE INDEX application_by_email ON public.application USING btree (organisation_id, lower(email) COLLATE "C", id);

CREATE INDEX application_by_last_word ON public.application USING btree (organisation_id, lower("substring"(name, '[^ ]+$'::text)) COLLATE "C", id);

CREATE INDEX application_by_name ON public.application USING btree (organisation_id, lower(name) COLLATE "C", id);

CREATE INDEX application_by_phone ON public.application USING btree (organisation_id, phone);

CREATE INDEX application_by_ssn ON public.application USING btree (organisation_id, ssn_digest) WHERE (ssn_digest IS NOT NULL);

CREATE INDEX application_newest ON public.application USING btree (organisation_id, created_at DESC, id DESC);

CREATE INDEX application_of_customer ON public.application USING btree (customer_id) WHERE (customer_id IS NOT NULL);

CREATE INDEX application_of_organisation ON public.application USING btree (organisation_id, id);

CREATE INDEX application_queue ON public.application USING btree (organisation_id, created_at, id) WHERE (status = ANY (ARRAY['AwaitingDocuments'::text, 'PendingReview'::text]));

CREATE INDEX application_without_digest ON public.application USING btree (id) WHERE ((ssn_digest IS NULL) AND (sealed_ssn <> '\x'::bytea));

create table attribution_day (
  organisation_id bigint not null,
  day date not null,
  offer_id text collate "C" not null,
  impressions bigint not null,
  views bigint not null,
  clicks bigint not null
);

comment on table attribution_day is 'Attributions by day of bank time and offer.';

alter table attribution_day add constraint attribution_day_pkey PRIMARY KEY (organisation_id, day, offer_id);

create table attribution_id (
  organisation_id bigint not null,
  id_hash bytea not null,
  counted_at timestamp(3) with time zone default clock_timestamp() not null
);

comment on table attribution_id is 'Attributions that were counted, so that none counts twice.';

comment on column attribution_id.id_hash is 'The first half of the SHA-256 of the id that the app gave.';

alter table attribution_id add constraint attribution_id_id_hash_check CHECK ((length(id_hash) = 16));

alter table attribution_id add constraint attribution_id_pkey PRIMARY KEY (organisation_id, id_hash);

create table attribution_touch (
  organisation_id bigint not null,
  partner_user_id bigint not null,
  offer_id text collate "C" not null,
  impression_at timestamp(3) with time zone,
  view_at timestamp(3) with time zone,
  click_at timestamp(3) with time zone,
  last_at timestamp(3) with time zone not null
);

comment on table attribution_touch is 'When a partner user last saw, viewed and clicked an offer, in bank time. Rewards are joined with it.';

alter table attribution_touch add constraint attribution_touch_pkey PRIMARY KEY (partner_user_id, offer_id);

create table bank_statement (
  id bigint generated always as identity not null,
  file_id bigint not null,
  as_of date not null,
  page integer not null,
  is_last boolean not null,
  is_interim boolean not null,
  format text not null,
  reference text not null,
  names jsonb not null,
  opening bigint,
  closing bigint,
  digest bytea not null,
  entries integer not null,
  flags text[] not null,
  replaced_at timestamp(3) with time zone,
  replaced_because text
);

comment on table bank_statement is 'Statements of the settlement account, or pages of them. A day has one of each page; a correction replaces it.';

comment on column bank_statement.is_interim is 'Whether the day goes on behind it. No day is closed on it, and it has no items.';

comment on column bank_statement.names is 'What the bank calls the file and the statement.';

comment on column bank_statement.digest is 'SHA-256 of balances and entries, which tells a statement that was sent again from a different one.';

alter table bank_statement add constraint bank_statement_check CHECK (((replaced_at IS NULL) = (replaced_because IS NULL)));

alter table bank_statement add constraint bank_statement_digest_check CHECK ((length(digest) = 32));

alter table bank_statement add constraint bank_statement_page_check CHECK ((page > 0));

alter table bank_statement add constraint bank_statement_pkey PRIMARY KEY (id);

CREATE UNIQUE INDEX bank_statement_current ON public.bank_statement USING btree (as_of, page) WHERE ((replaced_at IS NULL) AND (NOT is_interim));

create table campaign (
  id bigint not null,
  organisation_id bigint not null,
  name text not null,
  status text not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone,
  version integer default 1 not null,
  budget jsonb,
  user_budget jsonb,
  budgeted boolean default false not null
);

comment on table campaign is 'Campaigns of organisations. A merchant pays for the cash back of their offers.';

comment on column campaign.budget is 'The most that all users together earn by its offers.';

comment on column campaign.user_budget is 'The most that each user earns by its offers.';

comment on column campaign.budgeted is 'Whether it or one of its offers has or had a budget. Purchases of one that has not do not wait for each other.';

alter table campaign add constraint campaign_pkey PRIMARY KEY (id);

alter table campaign add constraint campaign_status_check CHECK ((status = ANY (ARRAY['Active'::text, 'Paused'::text, 'Ended'::text])));

CREATE INDEX campaign_list ON public.campaign USING btree (organisation_id, created_at, id);

create table campaign_offer (
  id bigint not null,
  organisation_id bigint not null,
  campaign_id bigint not null,
  status text not null,
  merchant_name text not null,
  normalised_name text not null,
  terms jsonb not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone,
  version integer default 1 not null
);

comment on table campaign_offer is 'Offers of campaigns, beside the catalogue.';

comment on column campaign_offer.normalised_name is 'The name of the merchant in the form that purchases are compared with.';

comment on column campaign_offer.terms is 'The terms as the interface shows them. Rewards copy those that they are computed by.';

alter table campaign_offer add constraint campaign_offer_pkey PRIMARY KEY (id);

alter table campaign_offer add constraint campaign_offer_status_check CHECK ((status = ANY (ARRAY['Active'::text, 'Paused'::text, 'Ended'::text])));

CREATE INDEX campaign_offer_list ON public.campaign_offer USING btree (organisation_id, created_at, id);

CREATE INDEX campaign_offer_of_campaign ON public.campaign_offer USING btree (campaign_id, created_at, id);

CREATE INDEX campaign_offer_of_merchant ON public.campaign_offer USING btree (organisation_id, normalised_name) WHERE (status <> 'Ended'::text);

CREATE INDEX campaign_offer_of_merchant_id ON public.campaign_offer USING gin (((terms -> 'merchantIds'::text))) WHERE (status <> 'Ended'::text);

create table campaign_usage (
  organisation_id bigint not null,
  campaign_id bigint not null,
  offer_id bigint not null,
  partner_user_id bigint not null,
  period text collate "C" not null,
  amount bigint not null,
  count bigint not null
);

comment on table campaign_usage is 'What rewards of campaigns use of budgets. It changes with the rewards, behind the lock of the campaign.';

comment on column campaign_usage.offer_id is 'The offer; 0 for all offers of the campaign.';

comment on column campaign_usage.partner_user_id is 'The user; 0 for all users.';

comment on column campaign_usage.period is 'A UTC day or month in bank time, or total.';

comment on column campaign_usage.amount is 'The cash back of the rewards of the period, without what was taken back.';

comment on column campaign_usage.count is 'The rewards of the period that were not taken back as a whole.';

alter table campaign_usage add constraint campaign_usage_period_check CHECK ((period ~ '^(\d{4}-\d\d(-\d\d)?|total)$'::text));

alter table campaign_usage add constraint campaign_usage_pkey PRIMARY KEY (campaign_id, offer_id, partner_user_id, period);

CREATE INDEX campaign_usage_of_organisation ON public.campaign_usage USING btree (organisation_id);

create table card (
  id bigint not null,
  organisation_id bigint not null,
  account_id bigint not null,
  customer_id bigint not null,
  created_at timestamp(3) with time zone not null,
  last4 text not null,
  expires text not null,
  status text not null,
  type text not null,
  design text,
  shipping_address json,
  replaces_card_id bigint,
  activated_at timestamp(3) with time zone,
  tags jsonb default '{}'::jsonb not null,
  version integer default 1 not null,
  processor_reference text,
  limits jsonb
);

comment on table card is 'Cards of deposit accounts.';

comment on column card.last4 is 'Last four digits. The full card number is not stored.';

comment on column card.expires is 'Last month in which the card works.';

comment on column card.shipping_address is 'The address with its members in the order in which they were sent.';

comment on column card.replaces_card_id is 'The card that ends when this one is activated.';

comment on column card.activated_at is 'Bank time of the first activation. Every card that an activated card replaced has ended.';

comment on column card.processor_reference is 'The name by which the card processor knows the card.';

comment on column card.limits is 'Limits of purchases: amounts in cents and numbers of purchases, lists of merchant categories. Null where there are none.';

alter table card add constraint card_check CHECK (((type = 'individualDebitCard'::text) = (design IS NOT NULL)));

alter table card add constraint card_check1 CHECK (((type = 'individualDebitCard'::text) = (shipping_address IS NOT NULL)));

alter table card add constraint card_expires_check CHECK ((expires ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'::text));

alter table card add constraint card_last4_check CHECK ((last4 ~ '^[0-9]{4}$'::text));

alter table card add constraint card_limits_check CHECK ((jsonb_typeof(limits) = 'object'::text));

alter table card add constraint card_pkey PRIMARY KEY (id);

alter table card add constraint card_processor_reference_check CHECK (((length(processor_reference) >= 1) AND (length(processor_reference) <= 255)));

alter table card add constraint card_status_check CHECK ((status = ANY (ARRAY['Inactive'::text, 'Active'::text, 'Frozen'::text, 'Lost'::text, 'Stolen'::text, 'ClosedByCustomer'::text, 'SuspectedFraud'::text])));

alter table card add constraint card_type_check CHECK ((type = ANY (ARRAY['individualDebitCard'::text, 'individualVirtualDebitCard'::text])));

CREATE INDEX card_by_last_four ON public.card USING btree (organisation_id, last4, id);

CREATE INDEX card_newest ON public.card USING btree (organisation_id, created_at DESC, id DESC);

CREATE INDEX card_of_account ON public.card USING btree (account_id, created_at DESC, id DESC);

CREATE INDEX card_of_customer ON public.card USING btree (customer_id);

CREATE INDEX card_of_organisation ON public.card USING btree (organisation_id, id);

CREATE UNIQUE INDEX card_of_processor ON public.card USING btree (organisation_id, processor_reference) WHERE (processor_reference IS NOT NULL);

CREATE INDEX card_replacing ON public.card USING btree (replaces_card_id) WHERE (replaces_card_id IS NOT NULL);

create table card_authorization (
  id bigint not null,
  organisation_id bigint not null,
  account_id bigint not null,
  customer_id bigint not null,
  card_id bigint not null,
  card_last4 text not null,
  status text not null,
  amount bigint not null,
  settled bigint default 0 not null,
  refunded bigint default 0 not null,
  merchant_name text not null,
  merchant_category text not null,
  merchant_location text not null,
  decline_reason text,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  version integer default 1 not null,
  over_settlement text,
  merchant_id text,
  merchant_category_code text
);

comment on table card_authorization is 'Card authorizations. An Authorized one holds money on its account.';

comment on column card_authorization.settled is 'Amount taken from the account so far.';

comment on column card_authorization.refunded is 'Amount given back so far.';

comment on column card_authorization.decline_reason is 'The reason of a declined authorization: one of the bank, or one of the app that was asked. Null for the others.';

comment on column card_authorization.over_settlement is 'Open while a reviewer has to look at settlements beyond the tolerance of the trade, Resolved afterwards; null where there were none.';

comment on column card_authorization.merchant_id is 'Id of the merchant at the card network; null if it was not sent.';

comment on column card_authorization.merchant_category_code is 'Merchant category code (MCC); null if it was not sent.';

alter table card_authorization add constraint card_authorization_amount_check CHECK (((amount >= 1) AND (amount <= '999999999999'::bigint)));

alter table card_authorization add constraint card_authorization_check CHECK (((refunded >= 0) AND (refunded <= settled)));

alter table card_authorization add constraint card_authorization_check1 CHECK (((status = 'Declined'::text) = (decline_reason IS NOT NULL)));

alter table card_authorization add constraint card_authorization_decline_reason_check CHECK ((decline_reason ~ '^[A-Z][A-Za-z0-9]{0,63}$'::text));

alter table card_authorization add constraint card_authorization_over_settlement_check CHECK ((over_settlement = ANY (ARRAY['Open'::text, 'Resolved'::text])));

alter table card_authorization add constraint card_authorization_pkey PRIMARY KEY (id);

alter table card_authorization add constraint card_authorization_settled_check CHECK ((settled >= 0));

alter table card_authorization add constraint card_authorization_status_check CHECK ((status = ANY (ARRAY['Authorized'::text, 'Completed'::text, 'Canceled'::text, 'Declined'::text])));

CREATE INDEX card_authorization_declined ON public.card_authorization USING btree (organisation_id, created_at, id) WHERE (status = 'Declined'::text);

CREATE INDEX card_authorization_newest ON public.card_authorization USING btree (organisation_id, created_at, id);

CREATE INDEX card_authorization_of_customer ON public.card_authorization USING btree (customer_id, created_at DESC, id DESC);

CREATE INDEX card_authorization_open ON public.card_authorization USING btree (organisation_id, expires_at) WHERE (status = 'Authorized'::text);

CREATE INDEX card_authorization_over_settled ON public.card_authorization USING btree (organisation_id, created_at, id) WHERE (over_settlement = 'Open'::text);

create table cell (
  id integer default 1 not null,
  name text not null,
  number integer not null,
  bank text not null,
  mark text not null,
  claimed_at timestamp with time zone not null,
  retired_at timestamp with time zone,
  mode text
);

comment on table cell is 'One row: the cell that this database is. The first start as that cell writes it, and a start as another cell is refused.';

comment on column cell.name is 'home, or the name of PURSER_CELL_<NAME> in lower case.';

comment on column cell.number is 'The range: 0 is the home cell, whose ids have up to 14 digits. Ids of cell n begin at n times 10^14, account numbers at n times 10^10.';

comment on column cell.bank is 'Made at random by the home cell and the same in all its cells: a database of another bank is refused.';

comment on column cell.mark is 'Made at random by the claim. The home cell has it in cell_range, so that an empty database cannot take the place of a lost one.';

comment on column cell.claimed_at is 'Real time.';

comment on column cell.retired_at is 'Real time at which purser cells retire has begun to retire this cell; null before. It takes no new organisations from then on.';

comment on column cell.mode is 'The mode of the bank. The first start of the service writes it, and a start in the other mode is refused; null before.';

alter table cell add constraint cell_bank_check CHECK ((bank ~ '^[0-9a-f]{32}$'::text));

alter table cell add constraint cell_id_check CHECK ((id = 1));

alter table cell add constraint cell_mark_check CHECK ((mark ~ '^[0-9a-f]{32}$'::text));

alter table cell add constraint cell_mode_check CHECK ((mode = ANY (ARRAY['sandbox'::text, 'live'::text])));

alter table cell add constraint cell_name_check CHECK ((name ~ '^[a-z0-9][a-z0-9_]{0,31}$'::text));

alter table cell add constraint cell_number_check CHECK (((number >= 0) AND (number <= 63)));

alter table cell add constraint cell_pkey PRIMARY KEY (id);

create table cell_range (
  number integer not null,
  name text not null,
  mark text,
  retired_at timestamp with time zone
);

comment on table cell_range is 'In the home cell: the ranges that were given out, each once. Empty in other cells.';

comment on column cell_range.name is 'The cell that has the range.';

comment on column cell_range.mark is 'The mark of the database that has claimed the range; null until it is claimed.';

comment on column cell_range.retired_at is 'Real time at which the cell was retired; null before. Its number and its name are never given out again.';

alter table cell_range add constraint cell_range_mark_check CHECK ((mark ~ '^[0-9a-f]{32}$'::text));

alter table cell_range add constraint cell_range_name_key UNIQUE (name);

alter table cell_range add constraint cell_range_number_check CHECK (((number >= 0) AND (number <= 63)));

alter table cell_range add constraint cell_range_pkey PRIMARY KEY (number);

create table claim (
  organisation_id bigint not null,
  key_hash bytea not null,
  fingerprint bytea not null,
  attempt integer not null,
  holder uuid not null,
  state text not null,
  sent_at timestamp(3) with time zone not null,
  busy_until timestamp(3) with time zone not null
);

comment on table claim is 'Writes that an upstream provider carries out. A claim is committed before the call and deleted with the stored answer. A remaining claim was refused or interrupted.';

comment on column claim.attempt is 'Number of the attempt, increased by each refusal. It is part of the key sent to the provider, which would repeat its refusal under the old key.';

comment on column claim.holder is 'The request that works on the claim.';

comment on column claim.sent_at is 'Real time since when the provider may know the key of this attempt. Providers forget keys after a while.';

comment on column claim.busy_until is 'Real time until which the holder counts as alive.';

alter table claim add constraint claim_attempt_check CHECK ((attempt >= 1));

alter table claim add constraint claim_fingerprint_check CHECK ((length(fingerprint) = 32));

alter table claim add constraint claim_key_hash_check CHECK ((length(key_hash) = 32));

alter table claim add constraint claim_pkey PRIMARY KEY (organisation_id, key_hash);

alter table claim add constraint claim_state_check CHECK ((state = ANY (ARRAY['sent'::text, 'refused'::text, 'unknown'::text])));

create table closed_day (
  day date not null,
  version integer not null,
  certificate text not null,
  sha256 bytea not null,
  closed_at timestamp(3) with time zone default now() not null,
  reopened_at timestamp(3) with time zone,
  reopened_because text
);

comment on table closed_day is 'Certificates of closed banking days. A day that is reopened keeps its certificate and gets the next version.';

alter table closed_day add constraint closed_day_check CHECK (((reopened_at IS NULL) = (reopened_because IS NULL)));

alter table closed_day add constraint closed_day_pkey PRIMARY KEY (day, version);

alter table closed_day add constraint closed_day_sha256_check CHECK ((length(sha256) = 32));

alter table closed_day add constraint closed_day_version_check CHECK ((version > 0));

CREATE UNIQUE INDEX closed_day_current ON public.closed_day USING btree (day) WHERE (reopened_at IS NULL);

create table copy_move (
  source text not null,
  after_organisation bigint default 0 not null,
  after_last bigint default 0 not null,
  after_key bytea default '\x'::bytea not null
);

comment on table copy_move is 'The tables from which copies of payments, which former versions stored, are still removed in the background. A row is deleted when its table has been read to the end.';

comment on column copy_move.after_organisation is 'Organisation of the last row that was read.';

comment on column copy_move.after_last is 'Key of the last row of event_page that was read.';

comment on column copy_move.after_key is 'Key of the last row of answer that was read.';

alter table copy_move add constraint copy_move_pkey PRIMARY KEY (source);

alter table copy_move add constraint copy_move_source_check CHECK ((source = ANY (ARRAY['event_page'::text, 'answer'::text, 'external_account'::text, 'payment'::text])));

create table customer (
  id bigint not null,
  organisation_id bigint not null,
  created_at timestamp(3) with time zone not null,
  name text not null,
  email text,
  phone text,
  address json,
  status text not null,
  tags jsonb default '{}'::jsonb not null,
  version integer default 1 not null
);

comment on table customer is 'People who hold accounts.';

alter table customer add constraint customer_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255)));

alter table customer add constraint customer_pkey PRIMARY KEY (id);

alter table customer add constraint customer_status_check CHECK ((status = ANY (ARRAY['Active'::text, 'Erased'::text])));

CREATE INDEX customer_by_address ON public.customer USING btree (organisation_id, lower((address ->> 'street'::text)) COLLATE "C", ((address ->> 'postalCode'::text))) WHERE (address IS NOT NULL);

CREATE INDEX customer_by_email ON public.customer USING btree (organisation_id, lower(email) COLLATE "C", id) WHERE (email IS NOT NULL);

CREATE INDEX customer_by_last_word ON public.customer USING btree (organisation_id, lower("substring"(name, '[^ ]+$'::text)) COLLATE "C", id);

CREATE INDEX customer_by_name ON public.customer USING btree (organisation_id, lower(name) COLLATE "C", id);

CREATE INDEX customer_by_phone ON public.customer USING btree (organisation_id, phone) WHERE (phone IS NOT NULL);

CREATE INDEX customer_newest ON public.customer USING btree (organisation_id, created_at DESC, id DESC);

CREATE INDEX customer_of_organisation ON public.customer USING btree (organisation_id, id);

create table customer_key (
  id bigint not null,
  organisation_id bigint not null,
  data_key bytea,
  erased_at timestamp(3) with time zone
);

comment on table customer_key is 'Keys of customers and of applications, encrypted with the data key of the organisation. They encrypt the data of events. An erasure destroys the key.';

comment on column customer_key.id is 'Id of the customer or of the application.';

comment on column customer_key.data_key is 'Null after the erasure: the data of the events cannot be read any more.';

comment on column customer_key.erased_at is 'Bank time of the erasure.';

alter table customer_key add constraint customer_key_check CHECK (((data_key IS NULL) = (erased_at IS NOT NULL)));

alter table customer_key add constraint customer_key_pkey PRIMARY KEY (id);

CREATE INDEX customer_key_organisation ON public.customer_key USING btree (organisation_id);

create table database_history (
  number integer not null,
  place text not null,
  mark text,
  found_at timestamp with time zone not null
);

comment on table database_history is 'Histories of this database. A restore, and a failover to a standby that was behind, begin another one, in which numbers of events are given again. Every connection compares the latest row with the server that it has reached.';

comment on column database_history.place is 'System identifier and timeline of the server.';

comment on column database_history.mark is 'The end of the ids of events that are written in this history; null in the first one.';

comment on column database_history.found_at is 'Real time.';

alter table database_history add constraint database_history_mark_check CHECK ((mark ~ '^[0-9a-f]{8}$'::text));

alter table database_history add constraint database_history_pkey PRIMARY KEY (number);

create table debit (
  id bigint not null,
  organisation_id bigint not null,
  account_id bigint not null,
  external_account_id bigint not null,
  created_at timestamp(3) with time zone not null,
  mandate jsonb,
  clearing_days integer not null,
  early boolean not null,
  clears_at timestamp(3) with time zone,
  early_until timestamp(3) with time zone,
  cleared_at timestamp(3) with time zone,
  returned_at timestamp(3) with time zone,
  retry_at timestamp(3) with time zone
);

comment on table debit is 'Terms of payments that collect money, which other payments lack.';

comment on column debit.id is 'Id of the payment.';

comment on column debit.mandate is 'The mandate with which it was made. Null for the reversal of a payment, which needs none.';

comment on column debit.clearing_days is 'Banking days from the settlement to the credit of the account.';

comment on column debit.early is 'Whether the account is credited at the settlement, ahead of the clearing days.';

comment on column debit.clears_at is 'Time at which the account is credited, set by the settlement. Null before that, and for a payment that left with no file.';

comment on column debit.early_until is 'End of the clearing days of one that is credited early, set by the settlement: it counts for the amount that may be credited early until then.';

comment on column debit.cleared_at is 'Time at which the account was credited, or at which nothing was left to credit.';

comment on column debit.returned_at is 'Time at which another bank returned it. Null for most debits, and for those that a former version returned.';

comment on column debit.retry_at is 'Time from which on it is presented again without a request. Null for nearly all debits, and once this was done or refused.';

alter table debit add constraint debit_clearing_days_check CHECK (((clearing_days >= 0) AND (clearing_days <= 60)));

alter table debit add constraint debit_pkey PRIMARY KEY (id);

CREATE INDEX debit_clearing ON public.debit USING btree (organisation_id, clears_at, id) WHERE ((clears_at IS NOT NULL) AND (cleared_at IS NULL));

CREATE INDEX debit_early ON public.debit USING btree (account_id, created_at) WHERE early;

CREATE INDEX debit_made ON public.debit USING btree (organisation_id, created_at);

CREATE INDEX debit_of_external_account ON public.debit USING btree (external_account_id, id);

CREATE INDEX debit_of_organisation ON public.debit USING btree (organisation_id, id);

CREATE INDEX debit_retried ON public.debit USING btree (organisation_id, retry_at, id) WHERE (retry_at IS NOT NULL);

CREATE INDEX debit_returned ON public.debit USING btree (organisation_id, returned_at) WHERE (returned_at IS NOT NULL);

create table decision_reason (
  id bigint generated always as identity not null,
  organisation_id bigint not null,
  request_id text not null,
  action text not null,
  record_id bigint not null,
  subject_id bigint not null,
  reason text not null
);

comment on table decision_reason is 'Reasons that reviewers gave for decisions, which the audit log shows beside the event of the decision. An erasure deletes those about its customer.';

comment on column decision_reason.request_id is 'X-Request-Id of the decision.';

comment on column decision_reason.action is 'Type of the event of the decision.';

comment on column decision_reason.record_id is 'Id of the record that was decided about.';

comment on column decision_reason.subject_id is 'Id of the customer or of the application that the record belongs to.';

alter table decision_reason add constraint decision_reason_pkey PRIMARY KEY (id);

CREATE INDEX decision_reason_of_request ON public.decision_reason USING btree (organisation_id, request_id);

CREATE INDEX decision_reason_of_subject ON public.decision_reason USING btree (subject_id);

create table denied_request (
  id bigint generated always as identity not null,
  organisation_id bigint not null,
  api_key_id bigint not null,
  created_at timestamp(3) with time zone not null,
  code text not null,
  operation_id text not null,
  path text not null,
  address text not null,
  request_id text not null,
  unwritten integer not null
);

comment on table denied_request is 'Requests that were denied, for the audit log.';

comment on column denied_request.unwritten is 'How many more requests of the key were denied and not stored since the entry before.';

alter table denied_request add constraint denied_request_code_check CHECK ((code = ANY (ARRAY['unauthorized'::text, 'forbidden'::text])));

alter table denied_request add constraint denied_request_pkey PRIMARY KEY (id);

CREATE INDEX denied_request_time ON public.denied_request USING btree (organisation_id, created_at, id);

create table document (
  id bigint not null,
  organisation_id bigint not null,
  application_id bigint not null,
  document_type text not null,
  status text not null,
  reason text,
  version integer default 1 not null
);

comment on table document is 'Documents that an application asks for.';

comment on column document.reason is 'Reason of the rejection.';

alter table document add constraint document_check CHECK (((reason IS NULL) OR (status = 'Invalid'::text)));

alter table document add constraint document_document_type_check CHECK ((document_type = 'Passport'::text));

alter table document add constraint document_pkey PRIMARY KEY (id);

alter table document add constraint document_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 255)));

alter table document add constraint document_status_check CHECK ((status = ANY (ARRAY['Required'::text, 'ReceivedFront'::text, 'ReceivedBack'::text, 'PendingReview'::text, 'Approved'::text, 'Invalid'::text])));

CREATE INDEX document_of_application ON public.document USING btree (application_id, id);

CREATE INDEX document_of_organisation ON public.document USING btree (organisation_id);

create table document_file (
  document_id bigint not null,
  side text not null,
  content_type text not null,
  sealed_content bytea not null,
  uploaded_at timestamp(3) with time zone not null,
  version integer default 1 not null,
  organisation_id bigint
);

alter table document_file alter column sealed_content set storage external;

comment on table document_file is 'Uploaded sides of documents.';

comment on column document_file.sealed_content is 'The bytes of the file, encrypted.';

comment on column document_file.organisation_id is 'The organisation of the document: a move copies rows by this column.';

alter table document_file add constraint document_file_content_type_check CHECK ((content_type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text, 'application/pdf'::text])));

alter table document_file add constraint document_file_pkey PRIMARY KEY (document_id, side);

alter table document_file add constraint document_file_side_check CHECK ((side = ANY (ARRAY['front'::text, 'back'::text])));

create table encryption_marker (
  id integer not null,
  sealed bytea not null,
  next bytea
);

comment on table encryption_marker is 'One row, encrypted with the operator''s key by the first start. A start with another key fails to decrypt it and stops.';

comment on column encryption_marker.next is 'The same under the next key, while a change of the operator''s key is under way.';

alter table encryption_marker add constraint encryption_marker_id_check CHECK ((id = 1));

alter table encryption_marker add constraint encryption_marker_pkey PRIMARY KEY (id);

create table event_counter (
  organisation_id bigint not null,
  sequence bigint not null,
  linked_at timestamp(3) with time zone,
  digest bytea,
  link bytea
) with (fillfactor=50);

comment on table event_counter is 'Number of the latest event of each organisation. A table of its own, because it is locked until COMMIT and every request reads the organisation.';

comment on column event_counter.linked_at is 'Bank time of the latest transaction that wrote events.';

comment on column event_counter.digest is 'Digest of the events of that transaction.';

comment on column event_counter.link is 'Its link, the head of the chain. These three are null before the first transaction with a link.';

alter table event_counter add constraint event_counter_pkey PRIMARY KEY (organisation_id);

create table event_entity (
  organisation_id bigint not null,
  entity_type text not null,
  entity_id text not null,
  sequence bigint not null
);

comment on table event_entity is 'Numbers of the events of a record. Written by a trigger of event_page.';

alter table event_entity add constraint event_entity_pkey PRIMARY KEY (organisation_id, entity_type, entity_id, sequence);

create table event_link (
  organisation_id bigint not null,
  last bigint not null,
  created_at timestamp(3) with time zone not null,
  count integer not null,
  digest bytea not null,
  link bytea not null,
  history text
);

comment on table event_link is 'The chain of hashes over the events of an organisation, one link for each transaction that wrote events. Links stay when their events are deleted.';

comment on column event_link.last is 'Number of the last event of the transaction.';

comment on column event_link.created_at is 'Time of the events.';

comment on column event_link.count is 'How many events the transaction wrote.';

comment on column event_link.digest is 'SHA-256 of the pages of the transaction and of the columns from which events without data are rendered.';

comment on column event_link.link is 'SHA-256 of the link before, the numbers, the time, the digest and the mark of the history, by link_after.';

comment on column event_link.history is 'Mark of the history in which the events were written, as their pages have it; empty for ids without one. The link covers it. Null for links of 0.1.0, which cover none.';

alter table event_link add constraint event_link_check CHECK (((count > 0) AND (count <= last)));

alter table event_link add constraint event_link_pkey PRIMARY KEY (organisation_id, last);

create table event_page (
  organisation_id bigint not null,
  last bigint not null,
  count integer not null,
  created_at timestamp(3) with time zone not null,
  events text not null,
  timed boolean,
  history text
) with (toast_tuple_target=8160);

alter table event_page alter column events set storage external;

comment on table event_page is 'Events that were committed together and follow one another. Numbers have no gaps within an organisation.';

comment on column event_page.last is 'Number of the last event of the row.';

comment on column event_page.count is 'How many events the row holds.';

comment on column event_page.events is 'The events, separated by the character 0x1e. The parts of an event are separated by 0x1f: type, entity id, entity version, data, API key id, request id, idempotency key. The data is the JSON of the record, kept to the byte because it is signed and sent. It is empty for events of payments and of the transactions of their accounts: these are rendered from columns that never change. Events of customers have it encrypted with the key of the customer: ~, the id of the key, a colon and Base64. Other events with an account number at another bank have it encrypted with the key of the organisation: ~ and Base64. The last three parts are empty for changes that the bank made itself.';

comment on column event_page.timed is 'True where all events of the row are the first ones of payments and transactions of this bank, made by a request: they are found by the time of their records. The events of other rows are in event_entity.';

comment on column event_page.history is 'Mark of the history in which the events were written, the end of their ids; null for ids without one.';

alter table event_page add constraint event_page_check CHECK (((count > 0) AND (count <= last)));

alter table event_page add constraint event_page_pkey PRIMARY KEY (organisation_id, last);

create table external_account (
  id bigint not null,
  organisation_id bigint not null,
  customer_id bigint not null,
  created_at timestamp(3) with time zone not null,
  name text not null,
  routing_number text not null,
  account_number text not null,
  account_type text not null,
  type text not null,
  bank text not null,
  deleted_at timestamp(3) with time zone,
  version integer default 1 not null,
  number_digest bytea,
  last_digits text default ''::text not null,
  review text,
  known boolean default false not null,
  permissions text default 'CreditOnly'::text not null,
  mandate jsonb,
  verification jsonb
);

comment on table external_account is 'Accounts at other banks that a customer can pay to.';

comment on column external_account.account_number is 'The number, encrypted: ~ and Base64. Digits where a former version has written them, until they are encrypted in the background.';

comment on column external_account.number_digest is 'HMAC of the number under the digest key of the organisation; null while the number is not encrypted.';

comment on column external_account.last_digits is 'The last four digits; empty for a number that has no more than four.';

comment on column external_account.review is 'PendingReview while payments to it wait for a reviewer, and the decision afterwards; null for an account that needed no review.';

comment on column external_account.known is 'Whether a payment to the account was approved by a reviewer, or the account is older than this column. Payments to others wait for a review with PURSER_REVIEW_FIRST_PAYMENT=on.';

comment on column external_account.permissions is 'CreditAndDebit once the account is verified: money can be collected from it.';

comment on column external_account.mandate is 'The authorization of the customer to collect money: how, when and from where it was given, the version of its text, and when it was revoked. Null before the first.';

comment on column external_account.verification is 'How the account was verified, with the reference of the operator. Null before that.';

alter table external_account add constraint external_account_account_number_check CHECK ((account_number ~ '^([0-9]{1,17}|~[A-Za-z0-9+/]+=*)$'::text));

alter table external_account add constraint external_account_account_type_check CHECK ((account_type = ANY (ARRAY['Checking'::text, 'Savings'::text, 'Loan'::text])));

alter table external_account add constraint external_account_name_check CHECK (((length(name) >= 1) AND (length(name) <= 50)));

alter table external_account add constraint external_account_permissions_check CHECK ((permissions = ANY (ARRAY['CreditOnly'::text, 'CreditAndDebit'::text])));

alter table external_account add constraint external_account_pkey PRIMARY KEY (id);

alter table external_account add constraint external_account_review_check CHECK ((review = ANY (ARRAY['PendingReview'::text, 'Approved'::text, 'Rejected'::text])));

alter table external_account add constraint external_account_routing_number_check CHECK ((routing_number ~ '^[0-9]{9}$'::text));

alter table external_account add constraint external_account_type_check CHECK ((type = ANY (ARRAY['Business'::text, 'Person'::text, 'Unknown'::text])));

CREATE INDEX external_account_by_digest ON public.external_account USING btree (organisation_id, number_digest, id);

CREATE INDEX external_account_by_last_digits ON public.external_account USING btree (organisation_id, last_digits, id);

CREATE INDEX external_account_by_last_word ON public.external_account USING btree (organisation_id, lower("substring"(name, '[^ ]+$'::text)) COLLATE "C", id);

CREATE INDEX external_account_by_name ON public.external_account USING btree (organisation_id, lower(name) COLLATE "C", id);

CREATE INDEX external_account_of_customer ON public.external_account USING btree (customer_id, created_at, id);

CREATE INDEX external_account_of_organisation ON public.external_account USING btree (organisation_id, id);

CREATE INDEX external_account_queue ON public.external_account USING btree (organisation_id, created_at, id) WHERE (review = 'PendingReview'::text);

create table fault_rule (
  id bigint not null,
  organisation_id bigint not null,
  match json not null,
  effect json not null,
  probability double precision not null,
  times integer,
  seed bigint,
  draws bigint default 0 not null,
  fired integer default 0 not null,
  created_at timestamp(3) with time zone not null
);

comment on table fault_rule is 'Rules by which a sandbox injects faults into the requests and webhook deliveries of an organisation.';

comment on column fault_rule.match is 'The requests or deliveries that the rule applies to, as the interface shows it.';

comment on column fault_rule.effect is 'The effect on them, as the interface shows it.';

comment on column fault_rule.times is 'The rule is used up after so many effects; null for no limit.';

comment on column fault_rule.seed is 'With a seed, the draws of the probability repeat.';

comment on column fault_rule.draws is 'Number of draws so far. Counted only for rules with a seed or a number of times.';

comment on column fault_rule.fired is 'Number of effects so far. Counted as the draws are.';

alter table fault_rule add constraint fault_rule_check CHECK ((fired <= times));

alter table fault_rule add constraint fault_rule_pkey PRIMARY KEY (id);

alter table fault_rule add constraint fault_rule_probability_check CHECK (((probability >= (0)::double precision) AND (probability <= (1)::double precision)));

alter table fault_rule add constraint fault_rule_times_check CHECK ((times >= 1));

CREATE INDEX fault_rule_active ON public.fault_rule USING btree (organisation_id, id) WHERE ((times IS NULL) OR (fired < times));

CREATE INDEX fault_rule_list ON public.fault_rule USING btree (organisation_id, created_at, id);

create table first_organisation (
  one boolean default true not null
);

comment on table first_organisation is 'Has a row once this database has had the organisation "default", whose key a start makes or is given. A home cell that has had it and has it no more looks for it in the other cells, and does not make it again.';

alter table first_organisation add constraint first_organisation_one_check CHECK (one);

alter table first_organisation add constraint first_organisation_pkey PRIMARY KEY (one);

create table former_id (
  organisation_id bigint not null,
  kind text not null,
  former text not null,
  id bigint not null
);

comment on table former_id is 'Ids that records had in the former system of an organisation. Written once, by purser import.';

comment on column former_id.former is 'The id there.';

comment on column former_id.id is 'The id here.';

alter table former_id add constraint former_id_former_check CHECK (((length(former) >= 1) AND (length(former) <= 255)));

alter table former_id add constraint former_id_kind_check CHECK ((kind = ANY (ARRAY['customer'::text, 'account'::text, 'externalAccount'::text, 'card'::text, 'transaction'::text])));

alter table former_id add constraint former_id_pkey PRIMARY KEY (organisation_id, kind, former);

create table inbound_event (
  provider text not null,
  upstream_id text not null,
  organisation_id bigint not null,
  type text not null,
  received_at timestamp(3) with time zone not null,
  fault text
);

comment on table inbound_event is 'Events received from upstream providers, so that a repeated one has no second effect. Contents are not stored: they may hold personal data.';

comment on column inbound_event.received_at is 'Real time.';

comment on column inbound_event.fault is 'The problem for which the event was not applied, as JSON; null for an event that was applied. The event is tried again when the provider repeats it.';

alter table inbound_event add constraint inbound_event_pkey PRIMARY KEY (provider, upstream_id);

alter table inbound_event add constraint inbound_event_upstream_id_check CHECK (((length(upstream_id) >= 1) AND (length(upstream_id) <= 255)));

CREATE INDEX inbound_event_of_organisation ON public.inbound_event USING btree (organisation_id);

create table inbound_version (
  organisation_id bigint not null,
  entity_type text not null,
  entity_id text not null,
  version integer not null
);

comment on table inbound_version is 'Number of changes received for an upstream record: the version in our events.';

alter table inbound_version add constraint inbound_version_pkey PRIMARY KEY (organisation_id, entity_type, entity_id);

create table item_match (
  id bigint generated always as identity not null,
  reason text not null,
  person text,
  made_at timestamp(3) with time zone default now() not null,
  ended_at timestamp(3) with time zone,
  ended_because text
);

comment on table item_match is 'Why items of the statement and movements of the ledger are the same money.';

comment on column item_match.person is 'The person who matched them; null for a rule.';

alter table item_match add constraint item_match_check CHECK (((ended_at IS NULL) = (ended_because IS NULL)));

alter table item_match add constraint item_match_pkey PRIMARY KEY (id);

create table ledger_flow_hour (
  organisation_id bigint not null,
  hour timestamp(3) with time zone not null,
  flows json not null
);

comment on table ledger_flow_hour is 'Sums of the transfers of an hour of bank time by the kinds of their accounts. An hour is kept once it is over and every transaction that could write into it has ended, so that its sums never change. Rows can be deleted: they are made again.';

comment on column ledger_flow_hour.flows is 'A list of sums, each with the kinds of the debited and the credited account (null for a deposit account), the number of transfers and the amount. Empty for an hour without transfers.';

alter table ledger_flow_hour add constraint ledger_flow_hour_pkey PRIMARY KEY (organisation_id, hour);

create table ledger_verification (
  organisation_id bigint not null,
  checked_at timestamp(3) with time zone not null,
  duration_ms integer not null,
  laws json not null
);

comment on table ledger_verification is 'Result of the last check of the laws of the ledger, one for each organisation.';

comment on column ledger_verification.checked_at is 'Bank time of the snapshot that was checked.';

comment on column ledger_verification.laws is 'The laws with the rows that break them, as the interface shows them; null for holds where the time was over.';

alter table ledger_verification add constraint ledger_verification_duration_ms_check CHECK ((duration_ms >= 0));

alter table ledger_verification add constraint ledger_verification_pkey PRIMARY KEY (organisation_id);

create table merchant (
  id bigint not null,
  external_key text not null,
  name text not null,
  normalised_name text not null,
  description text not null,
  website_url text not null,
  img_url text not null,
  version integer default 1 not null
);

comment on table merchant is 'Merchants of the catalogue, which all organisations share.';

comment on column merchant.external_key is 'Key under which an import finds the merchant again. It is never shown.';

comment on column merchant.normalised_name is 'The name in the form that purchases are compared with.';

alter table merchant add constraint merchant_description_check CHECK ((length(description) <= 2000));

alter table merchant add constraint merchant_external_key_check CHECK (((length(external_key) >= 1) AND (length(external_key) <= 255)));

alter table merchant add constraint merchant_external_key_key UNIQUE (external_key);

alter table merchant add constraint merchant_img_url_check CHECK (((length(img_url) >= 1) AND (length(img_url) <= 2048)));

alter table merchant add constraint merchant_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255)));

alter table merchant add constraint merchant_pkey PRIMARY KEY (id);

alter table merchant add constraint merchant_website_url_check CHECK (((length(website_url) >= 1) AND (length(website_url) <= 2048)));

CREATE INDEX merchant_by_name ON public.merchant USING btree (lower(name) COLLATE "C");

CREATE INDEX merchant_by_normalised_name ON public.merchant USING btree (normalised_name);

create table offer (
  id bigint not null,
  external_key text not null,
  merchant_id bigint not null,
  offer_type text not null,
  title text not null,
  terms text not null,
  category text not null,
  redeemable_once boolean not null,
  commission_bp integer not null,
  total_bp integer not null,
  valid_from timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  minimum_spend bigint not null,
  maximum_reward bigint,
  operation_hours json,
  street text,
  city text,
  state text,
  zip text,
  lat double precision,
  long double precision,
  phone text,
  band integer generated always as ((floor((lat * (20)::double precision)))::integer) stored,
  version integer default 1 not null,
  merchant_ids text[],
  category_codes text[]
);

comment on table offer is 'Offers of the catalogue.';

comment on column offer.external_key is 'Key under which an import finds the offer again. It is never shown.';

comment on column offer.commission_bp is 'The user''s share, in basis points: integers, because floats round wrongly.';

comment on column offer.total_bp is 'The whole commission, in basis points.';

comment on column offer.band is 'Strip of latitude that is a twentieth of a degree high, about 3.5 miles.';

comment on column offer.merchant_ids is 'The only merchant ids at which the offer earns, for purchases that have one; null for those of the merchant.';

comment on column offer.category_codes is 'The only merchant category codes with which the offer earns, for purchases that have one; null for all.';

alter table offer add constraint offer_category_check CHECK (((length(category) >= 1) AND (length(category) <= 100)));

alter table offer add constraint offer_check CHECK (((total_bp >= commission_bp) AND (total_bp <= 10000)));

alter table offer add constraint offer_check1 CHECK ((expires_at > valid_from));

alter table offer add constraint offer_check2 CHECK ((num_nulls(operation_hours, street, city, state, zip, lat, long, phone) =
CASE offer_type
    WHEN 'INSTORE'::text THEN 0
    ELSE 8
END));

alter table offer add constraint offer_commission_bp_check CHECK (((commission_bp >= 1) AND (commission_bp <= 10000)));

alter table offer add constraint offer_external_key_check CHECK (((length(external_key) >= 1) AND (length(external_key) <= 255)));

alter table offer add constraint offer_external_key_key UNIQUE (external_key);

alter table offer add constraint offer_lat_check CHECK (((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision)));

alter table offer add constraint offer_long_check CHECK (((long >= ('-180'::integer)::double precision) AND (long <= (180)::double precision)));

alter table offer add constraint offer_maximum_reward_check CHECK (((maximum_reward >= 1) AND (maximum_reward <= '999999999999'::bigint)));

alter table offer add constraint offer_minimum_spend_check CHECK (((minimum_spend >= 0) AND (minimum_spend <= '999999999999'::bigint)));

alter table offer add constraint offer_offer_type_check CHECK ((offer_type = ANY (ARRAY['INSTORE'::text, 'ONLINE'::text])));

alter table offer add constraint offer_pkey PRIMARY KEY (id);

alter table offer add constraint offer_terms_check CHECK ((length(terms) <= 5000));

alter table offer add constraint offer_title_check CHECK (((length(title) >= 1) AND (length(title) <= 255)));

CREATE INDEX offer_national ON public.offer USING btree (commission_bp DESC, id) WHERE (offer_type = 'ONLINE'::text);

CREATE INDEX offer_national_expiring ON public.offer USING btree (expires_at, id) WHERE (offer_type = 'ONLINE'::text);

CREATE INDEX offer_near ON public.offer USING btree (band, long) WHERE (offer_type = 'INSTORE'::text);

CREATE INDEX offer_of_merchant ON public.offer USING btree (merchant_id);

CREATE INDEX offer_of_merchant_id ON public.offer USING gin (merchant_ids) WHERE (merchant_ids IS NOT NULL);

create table offer_activation (
  id bigint not null,
  organisation_id bigint not null,
  offer_id bigint not null,
  partner_user_id bigint not null,
  status text not null,
  expires_at timestamp(3) with time zone not null,
  uses integer,
  used integer default 0 not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone,
  version integer default 1 not null
);

comment on table offer_activation is 'Activations of campaign offers. Purchases within their time earn. They change under the lock of the partner user.';

comment on column offer_activation.uses is 'How many purchases may earn; null for any number.';

comment on column offer_activation.used is 'The purchases that earned and were not refunded as a whole.';

alter table offer_activation add constraint offer_activation_check CHECK (((used >= 0) AND ((uses IS NULL) OR (used <= uses))));

alter table offer_activation add constraint offer_activation_pkey PRIMARY KEY (id);

alter table offer_activation add constraint offer_activation_status_check CHECK ((status = ANY (ARRAY['Active'::text, 'Canceled'::text])));

alter table offer_activation add constraint offer_activation_uses_check CHECK ((uses >= 1));

CREATE INDEX offer_activation_list ON public.offer_activation USING btree (organisation_id, created_at, id);

CREATE INDEX offer_activation_of_user ON public.offer_activation USING btree (partner_user_id, offer_id, expires_at);

create table organisation (
  id bigint not null,
  name text not null,
  clock_offset interval default '00:00:00'::interval not null,
  created_at timestamp(3) with time zone not null,
  version integer default 1 not null,
  statements_from date,
  advancing_to timestamp(3) with time zone,
  advancing_key bytea,
  label text,
  frozen_at timestamp(3) with time zone,
  made boolean default false not null,
  idle boolean default false not null,
  ended_at timestamp(3) with time zone,
  events_after bigint default 0 not null,
  ach_company_name text,
  ach_company_id text,
  limits jsonb,
  epoch integer default 0 not null
);

comment on table organisation is 'A tenant. Every other record belongs to one organisation.';

comment on column organisation.clock_offset is 'Bank time is real time plus this offset. It only grows.';

comment on column organisation.statements_from is 'First day of the oldest month without statements. Null before the first month end: then the month of the organisation''s creation, or of its oldest account, counts.';

comment on column organisation.advancing_to is 'Target of the latest advance of the clock. A repeated request that was interrupted continues to this time.';

comment on column organisation.advancing_key is 'Identifies the request of the latest advance.';

comment on column organisation.label is 'Name that the request gave. It need not be unique, as the name is. Null: the name is shown.';

comment on column organisation.frozen_at is 'Bank time of a clock that stands still between advances; null for a clock that runs.';

comment on column organisation.made is 'Created by a request in a sandbox. It expires when it is not used.';

comment on column organisation.idle is 'A made organisation whose keys have not been used for a while. Background work skips it until a key is used.';

comment on column organisation.ended_at is 'Real time at which the organisation was deleted, expired or was replaced by a reset. Its records are deleted in the background.';

comment on column organisation.events_after is 'Its events are numbered from behind this number, so that no number repeats after a reset.';

comment on column organisation.ach_company_name is 'Company name in ACH batches; null for the one of the settings.';

comment on column organisation.ach_company_id is 'Company identification in ACH batches; null for the one of the settings.';

comment on column organisation.limits is 'Limits of the payments of the organisation in cents, whether they are enforced yet, and the first day of which organisation_usage is kept; null for none.';

comment on column organisation.epoch is 'How often the organisation has moved between cells. Where two cells have it, the one with the larger number owns it.';

alter table organisation add constraint organisation_label_check CHECK (((length(label) >= 1) AND (length(label) <= 255)));

alter table organisation add constraint organisation_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255)));

alter table organisation add constraint organisation_pkey PRIMARY KEY (id);

alter table organisation add constraint organisation_statements_from_check CHECK ((EXTRACT(day FROM statements_from) = (1)::numeric));

CREATE INDEX organisation_awake ON public.organisation USING btree (id) WHERE ((NOT idle) AND (ended_at IS NULL));

CREATE INDEX organisation_ended ON public.organisation USING btree (ended_at) WHERE (ended_at IS NOT NULL);

CREATE INDEX organisation_made ON public.organisation USING btree (id) WHERE (made AND (ended_at IS NULL));

CREATE UNIQUE INDEX organisation_name ON public.organisation USING btree (name) WHERE (1 = 1);

create table organisation_import (
  id bigint not null,
  archive uuid not null,
  head bigint not null,
  link bytea,
  record_id bigint,
  imported_at timestamp(3) with time zone default clock_timestamp() not null,
  figures jsonb default '[]'::jsonb not null
);

comment on table organisation_import is 'Organisations that purser import has read, from an archive of another bank or from files.';

comment on column organisation_import.id is 'The organisation.';

comment on column organisation_import.archive is 'The number that the export gave the archive, or one made of the contents of the files.';

comment on column organisation_import.head is 'Number of the last event in the archive.';

comment on column organisation_import.link is 'Link of that event in the chain of hashes; null if the archive has no links.';

comment on column organisation_import.record_id is 'Where the sequence record_id stood after the import of an archive; null for files. While it stands there, this bank has given out no ids of its own.';

comment on column organisation_import.figures is 'The counts in the archive or the files, and in this bank after the import: a list of what, before and after.';

alter table organisation_import add constraint organisation_import_archive_key UNIQUE (archive);

alter table organisation_import add constraint organisation_import_pkey PRIMARY KEY (id);

create table organisation_key (
  organisation_id bigint not null,
  data_key bytea,
  digest_key bytea
);

comment on table organisation_key is 'Keys of organisations, encrypted with the operator''s key. A change of the operator''s key encrypts these anew and nothing else.';

comment on column organisation_key.data_key is 'Key that encrypts the values of the organisation. Null for an organisation that existed before keys, until a process has made them.';

comment on column organisation_key.digest_key is 'Key of the digests of the organisation. One that existed before keys has the digest key that was derived from the operator''s key, so that its stored fingerprints stay valid.';

alter table organisation_key add constraint organisation_key_check CHECK (((data_key IS NULL) = (digest_key IS NULL)));

alter table organisation_key add constraint organisation_key_pkey PRIMARY KEY (organisation_id);

create table organisation_move (
  id bigint not null,
  name text not null,
  cell text not null,
  epoch integer not null,
  state text not null,
  run uuid not null,
  identities text[] default '{}'::text[] not null,
  started_at timestamp with time zone default clock_timestamp() not null
);

comment on table organisation_move is 'Moves of organisations between cells: one that leaves or arrives, and those that have left. Written by purser organisations move alone.';

comment on column organisation_move.id is 'Id of the organisation.';

comment on column organisation_move.cell is 'The other cell: the one that it moves to, or comes from.';

comment on column organisation_move.epoch is 'Epoch of the organisation after the move.';

comment on column organisation_move.state is 'Of an organisation that leaves: copying, pausing (writes are about to be refused), switching (writes are refused for good, and the other cell may own it), switched (the other cell owns it) or moved (nothing of the move is left but this row). arriving in the other cell, until it owns the organisation.';

comment on column organisation_move.run is 'The run of the command that works on the move. A former one changes nothing any more.';

comment on column organisation_move.identities is 'The tables whose replica identity the move has changed.';

comment on column organisation_move.started_at is 'Real time.';

alter table organisation_move add constraint organisation_move_pkey PRIMARY KEY (id);

alter table organisation_move add constraint organisation_move_state_check CHECK ((state = ANY (ARRAY['copying'::text, 'pausing'::text, 'switching'::text, 'switched'::text, 'moved'::text, 'arriving'::text])));

create table organisation_move_mark (
  id bigint not null,
  mark bigint not null
);

comment on table organisation_move_mark is 'A number that the move of an organisation raises in the cell that it leaves. All earlier changes have arrived where the number has.';

alter table organisation_move_mark add constraint organisation_move_mark_pkey PRIMARY KEY (id);

create table organisation_usage (
  organisation_id bigint not null,
  period text not null,
  slot integer not null,
  used bigint not null,
  soft_left bigint not null,
  hard_left bigint not null
);

comment on table organisation_usage is 'Amounts of the payments of organisations with limits, by a UTC day or month of bank time. Each connection of a lane has a row of its own, so that batches do not wait for each other.';

comment on column organisation_usage.period is 'A day (2026-01-31) or a month (2026-01).';

comment on column organisation_usage.used is 'Amount of the payments that this slot made, less those that were canceled or rejected by it. The sum over all slots counts.';

comment on column organisation_usage.soft_left is 'Amount that the slot may use within the soft limit without looking at the other slots.';

comment on column organisation_usage.hard_left is 'Amount that the slot may use within the hard limit without looking at the other slots.';

alter table organisation_usage add constraint organisation_usage_pkey PRIMARY KEY (organisation_id, period, slot);

create table partner_user (
  id bigint generated by default as identity not null,
  organisation_id bigint not null,
  user_id bigint not null,
  is_removed boolean default false not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone,
  version integer default 1 not null,
  tags jsonb default '{}'::jsonb not null
);

comment on table partner_user is 'People who take part in rewards.';

comment on column partner_user.user_id is 'The issuer''s own number of the user.';

comment on column partner_user.tags is 'Names and values of the app, which conditions of campaign offers refer to.';

alter table partner_user add constraint partner_user_organisation_id_user_id_key UNIQUE (organisation_id, user_id);

alter table partner_user add constraint partner_user_pkey PRIMARY KEY (id);

CREATE INDEX partner_user_list ON public.partner_user USING btree (organisation_id, id);

create table partner_user_card (
  id bigint generated by default as identity not null,
  organisation_id bigint not null,
  partner_user_id bigint not null,
  bank_card_id text collate "C" not null,
  is_removed boolean default false not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone,
  version integer default 1 not null
);

comment on table partner_user_card is 'Cards linked to partner users.';

comment on column partner_user_card.bank_card_id is 'Id of the card at the bank. No foreign key: the bank can be an upstream provider.';

alter table partner_user_card add constraint partner_user_card_pkey PRIMARY KEY (id);

CREATE INDEX partner_user_card_list ON public.partner_user_card USING btree (organisation_id, id);

CREATE UNIQUE INDEX partner_user_card_live ON public.partner_user_card USING btree (organisation_id, bank_card_id) WHERE (NOT is_removed);

CREATE INDEX partner_user_card_of_user ON public.partner_user_card USING btree (partner_user_id, id);

create table payment (
  id bigint not null,
  organisation_id bigint not null,
  account_id bigint not null,
  customer_id bigint not null,
  type text not null,
  direction text not null,
  status text not null,
  amount bigint not null,
  description text not null,
  addenda text,
  original_type text not null,
  created_at timestamp(3) with time zone not null,
  external_account_id bigint,
  counterparty_name text not null,
  counterparty_routing_number text not null,
  counterparty_account_number text not null,
  counterparty_account_type text not null,
  destination_account_id bigint,
  tags jsonb,
  return_code text,
  version integer default 1 not null,
  first_status text,
  same_day boolean,
  sec_code text,
  cutoff_at timestamp(3) with time zone,
  settles_at timestamp(3) with time zone,
  ach_file_id bigint,
  trace_number text,
  review_note text,
  departures jsonb,
  recurring_payment_id bigint,
  link jsonb
);

comment on table payment is 'ACH payments, and book payments of rewards.';

comment on column payment.external_account_id is 'The external account that was named. The counterparty columns copy it, because it can be deleted.';

comment on column payment.counterparty_account_number is 'The number as the external account stores it: encrypted, ~ and Base64. In clear for payments without an external account, which name accounts of this bank.';

comment on column payment.destination_account_id is 'The receiving account, where it is at this bank.';

comment on column payment.first_status is 'Status with which the payment was created, which its first event and its answer show; null for Sent. Status, return_code and version change; ach_file_id and trace_number are set once. The decision about a payment that began as PendingReview sets same_day, sec_code, cutoff_at, settles_at, destination_account_id and review_note.';

comment on column payment.cutoff_at is 'Cut-off with which the payment leaves. Null where it does not leave with a file: a payment within the bank, with PURSER_ACH=instant, or one that waits for a review.';

comment on column payment.settles_at is 'Time at which the entry settles, fixed with the cut-off.';

comment on column payment.ach_file_id is 'The file that the payment leaves with, from Clearing on.';

comment on column payment.trace_number is 'Trace number of the entry, from Clearing on.';

comment on column payment.review_note is 'The reason that the reviewer gave for the approval or the rejection; null before the decision, and for a payment that needed none.';

comment on column payment.departures is 'By the version in which the payment was Pending: cut-off, time of settlement and reason of the reviewer that it had before it was stopped. Earlier events and answers show them. Null for a payment that was never stopped.';

comment on column payment.recurring_payment_id is 'The recurring payment whose run made it. Null for other payments.';

comment on column payment.link is 'The payment that it presents again (Retry) or takes back (Reversal), and the reason of a reversal. Null for nearly all payments.';

alter table payment add constraint payment_amount_check CHECK (((amount >= 1) AND (amount <= '999999999999'::bigint)));

alter table payment add constraint payment_direction_check CHECK ((direction = ANY (ARRAY['Credit'::text, 'Debit'::text])));

alter table payment add constraint payment_pkey PRIMARY KEY (id);

alter table payment add constraint payment_status_check CHECK ((status = ANY (ARRAY['Pending'::text, 'PendingReview'::text, 'Clearing'::text, 'Sent'::text, 'Rejected'::text, 'Canceled'::text, 'Returned'::text])));

alter table payment add constraint payment_type_check CHECK ((type = ANY (ARRAY['achPayment'::text, 'bookPayment'::text])));

CREATE INDEX payment_at_cutoff ON public.payment USING btree (organisation_id, cutoff_at, id) WHERE (status = 'Pending'::text);

CREATE INDEX payment_by_trace ON public.payment USING btree (trace_number) WHERE (trace_number IS NOT NULL);

CREATE INDEX payment_in_file ON public.payment USING btree (ach_file_id, id) WHERE (ach_file_id IS NOT NULL);

CREATE INDEX payment_linked ON public.payment USING btree ((((link ->> 'paymentId'::text))::bigint)) WHERE (link IS NOT NULL);

CREATE INDEX payment_newest ON public.payment USING btree (organisation_id, created_at, id);

CREATE INDEX payment_of_account ON public.payment USING btree (account_id, created_at DESC, id DESC);

CREATE INDEX payment_of_recurring ON public.payment USING btree (recurring_payment_id, created_at DESC, id DESC) WHERE (recurring_payment_id IS NOT NULL);

CREATE INDEX payment_recurring ON public.payment USING btree (organisation_id, created_at, id) WHERE (recurring_payment_id IS NOT NULL);

create table payment_review (
  id bigint not null,
  organisation_id bigint not null,
  created_at timestamp with time zone not null,
  reason text not null,
  decision text,
  decided_at timestamp with time zone
);

comment on table payment_review is 'Reviews of payments that began as PendingReview, or were stopped before they left.';

comment on column payment_review.id is 'Id of the payment.';

comment on column payment_review.reason is 'Why the payment has to be reviewed.';

comment on column payment_review.decision is 'Approved or Rejected by a reviewer, or Canceled by the sender; null while the payment waits, also one that was stopped after an approval.';

alter table payment_review add constraint payment_review_check CHECK (((decision IS NULL) = (decided_at IS NULL)));

alter table payment_review add constraint payment_review_decision_check CHECK ((decision = ANY (ARRAY['Approved'::text, 'Rejected'::text, 'Canceled'::text])));

alter table payment_review add constraint payment_review_pkey PRIMARY KEY (id);

alter table payment_review add constraint payment_review_reason_check CHECK ((reason = ANY (ARRAY['accountLimit'::text, 'organisationLimit'::text, 'firstPayment'::text, 'externalAccount'::text, 'screening'::text, 'accountFrozen'::text, 'paymentsBlocked'::text, 'legalHold'::text, 'stopped'::text])));

CREATE INDEX payment_review_external_account ON public.payment_review USING btree (organisation_id, created_at, id) WHERE ((decision IS NULL) AND (reason = 'externalAccount'::text));

CREATE INDEX payment_review_of_organisation ON public.payment_review USING btree (organisation_id, created_at, id);

CREATE INDEX payment_review_queue ON public.payment_review USING btree (organisation_id, created_at, id) WHERE (decision IS NULL);

create table payment_usage (
  account_id bigint not null,
  organisation_id bigint not null,
  day date not null,
  amount bigint not null
);

comment on table payment_usage is 'Amounts of the payments of accounts with limits, by the UTC day of their creation in bank time, without those that were canceled or rejected.';

alter table payment_usage add constraint payment_usage_pkey PRIMARY KEY (account_id, day);

CREATE INDEX payment_usage_of_day ON public.payment_usage USING btree (organisation_id, day, account_id);

CREATE INDEX payment_usage_of_organisation ON public.payment_usage USING btree (organisation_id, account_id, day);

create table people (
  id bigint not null,
  name text not null,
  subject text,
  roles jsonb default '{}'::jsonb not null,
  created_at timestamp(3) with time zone not null,
  removed_at timestamp(3) with time zone,
  version integer default 1 not null,
  invited_by bigint
);

comment on table people is 'In the home cell: persons who sign in. They belong to the bank and have a role in each of some organisations.';

comment on column people.subject is 'The person at the identity provider; null for one who signs in with a passkey.';

comment on column people.roles is 'The names of organisations, each with the name of the role there. A name outlives a reset and a move.';

comment on column people.invited_by is 'The person who made the latest invitation; null for the command line of the operator and an identity provider.';

alter table people add constraint people_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255)));

alter table people add constraint people_pkey PRIMARY KEY (id);

alter table people add constraint people_roles_check CHECK ((jsonb_typeof(roles) = 'object'::text));

alter table people add constraint people_subject_key UNIQUE (subject);

create table people_entry (
  id bigint generated always as identity not null,
  person_id bigint not null,
  version integer not null,
  organisation text not null,
  type text not null,
  role text,
  former_role text,
  cause text,
  session_id bigint,
  actor_id bigint,
  actor_session_id bigint,
  actor_address text
);

comment on table people_entry is 'In the home cell: changes of persons that are not yet events of their organisations, which may be in other cells.';

comment on column people_entry.organisation is 'The name of the organisation whose audit log gets the entry.';

comment on column people_entry.session_id is 'The session that began or ended; null for none or all.';

comment on column people_entry.actor_id is 'The person who did it; null for the command line of the operator.';

alter table people_entry add constraint people_entry_pkey PRIMARY KEY (id);

create table people_passkey (
  id text not null,
  person_id bigint not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  created_at timestamp(3) with time zone not null,
  used_at timestamp(3) with time zone
);

comment on table people_passkey is 'In the home cell: the passkeys of persons. The private keys stay in their devices.';

comment on column people_passkey.id is 'The id of the credential, as the browser sends it.';

alter table people_passkey add constraint people_passkey_pkey PRIMARY KEY (id);

CREATE INDEX people_passkey_person ON public.people_passkey USING btree (person_id);

create table people_session (
  id bigint not null,
  person_id bigint not null,
  hash bytea not null,
  kind text not null,
  address text not null,
  agent text,
  created_at timestamp(3) with time zone not null,
  used_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  ended_at timestamp(3) with time zone
);

comment on table people_session is 'In the home cell: sessions of persons who have signed in.';

comment on column people_session.hash is 'SHA-256 of the secret, which the cookie or the command line has.';

comment on column people_session.address is 'The address from which the person signed in.';

comment on column people_session.agent is 'What the browser calls itself.';

comment on column people_session.used_at is 'The latest use, to the minute. The session ends when it has been idle.';

alter table people_session add constraint people_session_hash_check CHECK ((length(hash) = 32));

alter table people_session add constraint people_session_hash_key UNIQUE (hash);

alter table people_session add constraint people_session_kind_check CHECK ((kind = ANY (ARRAY['browser'::text, 'command'::text])));

alter table people_session add constraint people_session_pkey PRIMARY KEY (id);

CREATE INDEX people_session_person ON public.people_session USING btree (person_id, id);

create table people_ticket (
  hash bytea not null,
  kind text not null,
  person_id bigint,
  content jsonb,
  expires_at timestamp(3) with time zone not null
);

comment on table people_ticket is 'In the home cell: secrets that work once, such as those of invitations and of sign-ins that are under way.';

comment on column people_ticket.hash is 'SHA-256 of the secret.';

alter table people_ticket add constraint people_ticket_hash_check CHECK ((length(hash) = 32));

alter table people_ticket add constraint people_ticket_kind_check CHECK ((kind = ANY (ARRAY['invitation'::text, 'registration'::text, 'passkey'::text, 'provider'::text, 'command'::text])));

alter table people_ticket add constraint people_ticket_pkey PRIMARY KEY (hash);

CREATE INDEX people_ticket_expiry ON public.people_ticket USING btree (expires_at);

create table proposal (
  id bigint not null,
  organisation_id bigint not null,
  state text not null,
  decision text not null,
  operation_id text not null,
  params jsonb not null,
  body jsonb not null,
  record_id text not null,
  amount bigint,
  reason text,
  proposer_key_id bigint not null,
  proposer_person_id bigint,
  proposer_name text,
  signer_key_id bigint,
  signer_person_id bigint,
  signer_name text,
  signer_decides_risk boolean,
  decision_reason text,
  problem jsonb,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  decided_at timestamp(3) with time zone,
  changed_at timestamp(3) with time zone default now() not null,
  version integer not null,
  proposer_inviters bigint[] default '{}'::bigint[] not null,
  customer_id bigint,
  proposer_makers bigint[] default '{}'::bigint[] not null
);

comment on table proposal is 'Decisions that a rule of the operator asks a second person for. An Approved one runs, or runs again after a crash.';

comment on column proposal.operation_id is 'The operation that an approval runs, with params and body.';

comment on column proposal.proposer_person_id is 'The person who proposed; null for an API key.';

comment on column proposal.signer_key_id is 'The key, or the session of the person, that approved or rejected.';

comment on column proposal.problem is 'Why the operation was refused after the approval.';

comment on column proposal.decided_at is 'Bank time of the approval, rejection, withdrawal or expiry.';

comment on column proposal.changed_at is 'Real time of the last change.';

comment on column proposal.proposer_inviters is 'The persons who invited the proposer or the makers of the key, and do not sign for them.';

comment on column proposal.customer_id is 'The customer of the record, whose erasure clears the texts. Null for none, for an erased one, and for proposals of a former version.';

comment on column proposal.proposer_makers is 'The persons who had made the key that proposed, and do not sign for it.';

alter table proposal add constraint proposal_check CHECK (((state = ANY (ARRAY['Waiting'::text, 'Withdrawn'::text, 'Expired'::text])) = (signer_key_id IS NULL)));

alter table proposal add constraint proposal_check1 CHECK (((state <> ALL (ARRAY['Approved'::text, 'Executed'::text, 'Failed'::text])) OR (signer_person_id IS NOT NULL)));

alter table proposal add constraint proposal_check2 CHECK (((signer_person_id <> proposer_person_id) OR (state = 'Rejected'::text)));

alter table proposal add constraint proposal_check3 CHECK (((state = 'Waiting'::text) = (decided_at IS NULL)));

alter table proposal add constraint proposal_check4 CHECK (((state = 'Failed'::text) = (problem IS NOT NULL)));

alter table proposal add constraint proposal_pkey PRIMARY KEY (id);

alter table proposal add constraint proposal_state_check CHECK ((state = ANY (ARRAY['Waiting'::text, 'Approved'::text, 'Executed'::text, 'Failed'::text, 'Rejected'::text, 'Withdrawn'::text, 'Expired'::text])));

CREATE INDEX proposal_approved ON public.proposal USING btree (changed_at, id) WHERE (state = 'Approved'::text);

CREATE INDEX proposal_expiring ON public.proposal USING btree (organisation_id, expires_at, id) WHERE (state = 'Waiting'::text);

CREATE INDEX proposal_of_customer ON public.proposal USING btree (customer_id) WHERE (customer_id IS NOT NULL);

CREATE INDEX proposal_of_organisation ON public.proposal USING btree (organisation_id, created_at DESC, id DESC);

CREATE INDEX proposal_of_record ON public.proposal USING btree (organisation_id, record_id, created_at DESC, id DESC);

CREATE INDEX proposal_of_state ON public.proposal USING btree (organisation_id, state, created_at DESC, id DESC);

CREATE UNIQUE INDEX proposal_open ON public.proposal USING btree (organisation_id, operation_id, record_id) WHERE (state = ANY (ARRAY['Waiting'::text, 'Approved'::text]));

create table received_payment (
  id bigint not null,
  organisation_id bigint not null,
  account_id bigint,
  customer_id bigint,
  file_id bigint not null,
  line integer not null,
  direction text not null,
  status text not null,
  amount bigint not null,
  sec_code text not null,
  company_name text not null,
  description text not null,
  sending_bank text not null,
  trace_number text not null,
  receiver_name text not null,
  addenda text,
  settles_on date not null,
  due_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  booked_at timestamp(3) with time zone,
  return_code text,
  return_cutoff_at timestamp(3) with time zone,
  return_settles_at timestamp(3) with time zone,
  return_file_id bigint,
  return_batch_id bigint,
  return_trace text,
  version integer default 1 not null,
  sealed_entry bytea
);

comment on table received_payment is 'Payments that other banks sent to accounts here: entries of incoming ACH files that credit or debit an account.';

comment on column received_payment.account_id is 'The account that the entry names; null where there is none.';

comment on column received_payment.line is 'Line of the entry in the file.';

comment on column received_payment.sending_bank is 'First eight digits of the routing number of the bank that sent the entry.';

comment on column received_payment.settles_on is 'Day on which the entry settles.';

comment on column received_payment.due_at is 'Time from which the money is booked: 09:00 Eastern time for credits, 08:30 for debits.';

comment on column received_payment.booked_at is 'Time at which the money was booked: to or from the account, or the suspense account where the payment is returned.';

comment on column received_payment.return_cutoff_at is 'Cut-off with which the return leaves.';

comment on column received_payment.return_settles_at is 'Time at which the return settles.';

comment on column received_payment.return_file_id is 'The outgoing file that holds the return.';

comment on column received_payment.return_trace is 'Trace number of the return.';

comment on column received_payment.sealed_entry is 'What a return needs of the entry, as sealed JSON. A move of the organisation writes it, because the file stays in the cell that took it; null before.';

alter table received_payment add constraint received_payment_amount_check CHECK ((amount > 0));

alter table received_payment add constraint received_payment_check CHECK (((status = ANY (ARRAY['MarkedForReturn'::text, 'Returned'::text])) = (return_code IS NOT NULL)));

alter table received_payment add constraint received_payment_check1 CHECK ((((return_code IS NULL) = (return_cutoff_at IS NULL)) AND ((return_code IS NULL) = (return_settles_at IS NULL))));

alter table received_payment add constraint received_payment_check2 CHECK (((status = 'Pending'::text) OR (booked_at IS NOT NULL) OR (status = 'MarkedForReturn'::text)));

alter table received_payment add constraint received_payment_check3 CHECK (((return_file_id IS NULL) = (return_trace IS NULL)));

alter table received_payment add constraint received_payment_direction_check CHECK ((direction = ANY (ARRAY['Credit'::text, 'Debit'::text])));

alter table received_payment add constraint received_payment_file_id_line_key UNIQUE (file_id, line);

alter table received_payment add constraint received_payment_pkey PRIMARY KEY (id);

alter table received_payment add constraint received_payment_sending_bank_check CHECK ((sending_bank ~ '^[0-9]{8}$'::text));

alter table received_payment add constraint received_payment_status_check CHECK ((status = ANY (ARRAY['Pending'::text, 'Completed'::text, 'MarkedForReturn'::text, 'Returned'::text])));

CREATE INDEX received_payment_in_batch ON public.received_payment USING btree (return_batch_id, id) WHERE (return_batch_id IS NOT NULL);

CREATE INDEX received_payment_in_file ON public.received_payment USING btree (return_file_id, id) WHERE (return_file_id IS NOT NULL);

CREATE INDEX received_payment_of_account ON public.received_payment USING btree (account_id, created_at, id) WHERE (account_id IS NOT NULL);

CREATE INDEX received_payment_of_organisation ON public.received_payment USING btree (organisation_id, created_at, id) WHERE (account_id IS NOT NULL);

CREATE INDEX received_payment_returned ON public.received_payment USING btree (return_trace) WHERE (return_trace IS NOT NULL);

CREATE INDEX received_payment_settling ON public.received_payment USING btree (organisation_id, settles_on, id);

CREATE INDEX received_payment_to_return ON public.received_payment USING btree (organisation_id, return_cutoff_at, id) WHERE ((return_cutoff_at IS NOT NULL) AND (return_file_id IS NULL));

CREATE INDEX received_payment_unbooked ON public.received_payment USING btree (organisation_id, due_at, id) WHERE (booked_at IS NULL);

create table recurring_payment (
  id bigint not null,
  organisation_id bigint not null,
  account_id bigint not null,
  customer_id bigint not null,
  status text not null,
  reason text,
  type text not null,
  direction text not null,
  external_account_id bigint,
  to_account_id bigint,
  amount bigint not null,
  details jsonb not null,
  schedule jsonb not null,
  rules jsonb not null,
  changes jsonb not null,
  run_count integer not null,
  tries integer not null,
  next_due_date text,
  next_at timestamp(3) with time zone,
  last_run jsonb,
  created_at timestamp(3) with time zone not null,
  ended_at timestamp(3) with time zone,
  version integer not null
);

comment on table recurring_payment is 'Payments that are made by themselves on the due dates of a schedule.';

comment on column recurring_payment.reason is 'Why it is Stopped: the code of a refusal or of a return.';

comment on column recurring_payment.to_account_id is 'The account that receives book transfers; null if an external account is paid.';

comment on column recurring_payment.amount is 'Amount of the next due date.';

comment on column recurring_payment.details is 'Description, addenda, tags and the members for the rail, as its payments get them.';

comment on column recurring_payment.schedule is 'Interval, start, end or count, days of the month, and what happens on a day on which banks are closed.';

comment on column recurring_payment.rules is 'What happens if money is missing, on how many days it is tried again, and what happens after a return.';

comment on column recurring_payment.changes is 'Amounts from later due dates on, and due dates that are skipped.';

comment on column recurring_payment.run_count is 'Number of due dates that are over: the next one has this number, counted from 0.';

comment on column recurring_payment.tries is 'Number of tries of the next due date that lacked money.';

comment on column recurring_payment.next_at is 'Bank time of the next run, or of the next try of one. Null once it has ended.';

alter table recurring_payment add constraint recurring_payment_amount_check CHECK (((amount >= 1) AND (amount <= '999999999999'::bigint)));

alter table recurring_payment add constraint recurring_payment_check CHECK (((external_account_id IS NULL) <> (to_account_id IS NULL)));

alter table recurring_payment add constraint recurring_payment_check1 CHECK (((type = 'bookPayment'::text) = (to_account_id IS NOT NULL)));

alter table recurring_payment add constraint recurring_payment_check2 CHECK (((status = ANY (ARRAY['Active'::text, 'Paused'::text])) = (ended_at IS NULL)));

alter table recurring_payment add constraint recurring_payment_check3 CHECK (((ended_at IS NULL) = (next_at IS NOT NULL)));

alter table recurring_payment add constraint recurring_payment_check4 CHECK (((next_at IS NULL) = (next_due_date IS NULL)));

alter table recurring_payment add constraint recurring_payment_check5 CHECK (((status = 'Stopped'::text) = (reason IS NOT NULL)));

alter table recurring_payment add constraint recurring_payment_direction_check CHECK ((direction = ANY (ARRAY['Credit'::text, 'Debit'::text])));

alter table recurring_payment add constraint recurring_payment_next_due_date_check CHECK ((next_due_date ~ '^\d{4}-\d\d-\d\d$'::text));

alter table recurring_payment add constraint recurring_payment_pkey PRIMARY KEY (id);

alter table recurring_payment add constraint recurring_payment_run_count_check CHECK ((run_count >= 0));

alter table recurring_payment add constraint recurring_payment_status_check CHECK ((status = ANY (ARRAY['Active'::text, 'Paused'::text, 'Completed'::text, 'Canceled'::text, 'Stopped'::text])));

alter table recurring_payment add constraint recurring_payment_tries_check CHECK ((tries >= 0));

alter table recurring_payment add constraint recurring_payment_type_check CHECK ((type = ANY (ARRAY['achPayment'::text, 'bookPayment'::text])));

CREATE INDEX recurring_payment_due ON public.recurring_payment USING btree (organisation_id, next_at, id) WHERE (next_at IS NOT NULL);

CREATE INDEX recurring_payment_of_account ON public.recurring_payment USING btree (account_id, created_at DESC, id DESC);

CREATE INDEX recurring_payment_of_customer ON public.recurring_payment USING btree (customer_id, id);

CREATE INDEX recurring_payment_of_organisation ON public.recurring_payment USING btree (organisation_id, created_at, id);

CREATE INDEX recurring_payment_planned ON public.recurring_payment USING btree (account_id, next_at, id) WHERE (next_at IS NOT NULL);

create table recurring_payment_run (
  id bigint not null,
  organisation_id bigint not null,
  recurring_payment_id bigint not null,
  due_date text not null,
  status text not null,
  reason text,
  amount bigint not null,
  payment_id bigint,
  tries integer not null,
  created_at timestamp(3) with time zone not null,
  at timestamp(3) with time zone not null
);

comment on table recurring_payment_run is 'What became of the due dates of recurring payments: one row for each that has come.';

comment on column recurring_payment_run.reason is 'Why there is no payment. Null if there is one.';

comment on column recurring_payment_run.at is 'Bank time of the last try.';

alter table recurring_payment_run add constraint recurring_payment_run_check CHECK (((status = 'Succeeded'::text) = (reason IS NULL)));

alter table recurring_payment_run add constraint recurring_payment_run_check1 CHECK (((status = 'Succeeded'::text) = (payment_id IS NOT NULL)));

alter table recurring_payment_run add constraint recurring_payment_run_due_date_check CHECK ((due_date ~ '^\d{4}-\d\d-\d\d$'::text));

alter table recurring_payment_run add constraint recurring_payment_run_pkey PRIMARY KEY (id);

alter table recurring_payment_run add constraint recurring_payment_run_recurring_payment_id_due_date_key UNIQUE (recurring_payment_id, due_date);

alter table recurring_payment_run add constraint recurring_payment_run_status_check CHECK ((status = ANY (ARRAY['Succeeded'::text, 'Waiting'::text, 'Skipped'::text, 'Failed'::text])));

CREATE INDEX recurring_payment_run_newest ON public.recurring_payment_run USING btree (recurring_payment_id, created_at DESC, id DESC);

CREATE INDEX recurring_payment_run_of_organisation ON public.recurring_payment_run USING btree (organisation_id, id);

create table reseal (
  source text not null,
  position text not null,
  done boolean default false not null
);

comment on table reseal is 'How far values that were encrypted with the operator''s key itself have been encrypted anew with the keys of their organisations.';

comment on column reseal.source is 'Table and column.';

comment on column reseal.position is 'The last row that was looked at, as text.';

alter table reseal add constraint reseal_pkey PRIMARY KEY (source);

create table retention (
  kind text not null,
  keep interval
);

comment on table retention is 'How long rows are kept whose deletion the database itself checks. Written by set_retention alone.';

comment on column retention.keep is 'Real time from the creation of a row to its deletion; null for ever.';

alter table retention add constraint retention_kind_check CHECK ((kind = ANY (ARRAY['events'::text, 'denials'::text, 'deliveries'::text])));

alter table retention add constraint retention_pkey PRIMARY KEY (kind);

create table retention_mark (
  kind text not null,
  organisation_id bigint not null,
  marked_at timestamp(3) with time zone not null,
  position bigint not null
);

comment on table retention_mark is 'How far the numbers of rows had come at a real time. The rows themselves have bank time, which a sandbox can move. Written by mark_retention alone.';

comment on column retention_mark.organisation_id is '0 and below for numbers that all organisations share, by number_range: each cell gives them out from a range of its own.';

comment on column retention_mark.marked_at is 'Real time.';

comment on column retention_mark.position is 'Rows with this number and below had been created.';

alter table retention_mark add constraint retention_mark_pkey PRIMARY KEY (kind, organisation_id, marked_at);

create table retention_progress (
  kind text not null,
  block bigint default 0 not null,
  oldest_so_far timestamp(3) with time zone,
  oldest timestamp(3) with time zone,
  rested_from timestamp(3) with time zone
) with (fillfactor=50);

comment on table retention_progress is 'How far the deletion of old rows has come. It walks through a table block by block, and any process continues it.';

comment on column retention_progress.block is 'The next block of the table to look at.';

comment on column retention_progress.oldest_so_far is 'Time of the oldest row that the present walk has kept.';

comment on column retention_progress.oldest is 'Time of the oldest row that the latest complete walk has kept.';

comment on column retention_progress.rested_from is 'Real time at which the latest walk was complete; null during one.';

alter table retention_progress add constraint retention_progress_pkey PRIMARY KEY (kind);

create table reward (
  id bigint generated by default as identity not null,
  organisation_id bigint not null,
  partner_user_id bigint not null,
  rewardable_transaction_id bigint not null,
  offer_id text collate "C" not null,
  merchant_name text collate "C" not null,
  commission_basis_points integer not null,
  total_basis_points integer not null,
  amount bigint not null,
  user_amount bigint not null,
  issuer_amount bigint not null,
  state text collate "C" not null,
  payout_payment_id bigint,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone,
  version integer default 1 not null,
  maximum_reward bigint,
  payout_due_at timestamp(3) with time zone,
  campaign_id bigint,
  flat_amount bigint,
  activation_id bigint,
  attribution text
);

comment on table reward is 'Cash back earned by purchases. The terms of the offer are copied, because offers change and end.';

comment on column reward.amount is 'Amount of the purchase.';

comment on column reward.user_amount is 'The user''s share of the commission.';

comment on column reward.issuer_amount is 'The rest of the commission.';

comment on column reward.campaign_id is 'The campaign of the offer; null for an offer of the catalogue.';

comment on column reward.flat_amount is 'The cash back of the whole purchase, for an offer of an amount; null for a share of the purchase.';

comment on column reward.activation_id is 'The activation that the purchase used; null if the offer needs none.';

comment on column reward.attribution is 'What the partner user did with the offer within 30 days before the reward: the click counts more than the view, and that more than the impression. Null for nothing.';

alter table reward add constraint reward_amount_check CHECK (((amount >= 1) AND (amount <= '9007199254740991'::bigint)));

alter table reward add constraint reward_attribution_check CHECK ((attribution = ANY (ARRAY['Impression'::text, 'View'::text, 'Click'::text])));

alter table reward add constraint reward_check CHECK (((total_basis_points >= commission_basis_points) AND (total_basis_points <= 10000)));

alter table reward add constraint reward_check1 CHECK (((user_amount >= 0) AND (user_amount <= amount)));

alter table reward add constraint reward_check2 CHECK (((issuer_amount >= 0) AND (issuer_amount <= amount)));

alter table reward add constraint reward_check3 CHECK (((flat_amount >= 1) AND (flat_amount <= amount)));

alter table reward add constraint reward_commission_basis_points_check CHECK (((commission_basis_points >= 0) AND (commission_basis_points <= 10000)));

alter table reward add constraint reward_maximum_reward_check CHECK ((maximum_reward >= 1));

alter table reward add constraint reward_pkey PRIMARY KEY (id);

alter table reward add constraint reward_state_check CHECK ((state = ANY (ARRAY['PENDING'::text, 'CONFIRMED'::text, 'PAID'::text, 'REJECTED'::text, 'REVERSED'::text, 'CLAWED_BACK'::text])));

CREATE INDEX reward_due ON public.reward USING btree (organisation_id, payout_due_at) WHERE (state = 'PENDING'::text);

CREATE INDEX reward_list ON public.reward USING btree (organisation_id, id);

CREATE UNIQUE INDEX reward_live ON public.reward USING btree (rewardable_transaction_id) WHERE (state = ANY (ARRAY['PENDING'::text, 'CONFIRMED'::text, 'PAID'::text]));

CREATE INDEX reward_of_activation ON public.reward USING btree (activation_id) WHERE (activation_id IS NOT NULL);

CREATE INDEX reward_of_campaign ON public.reward USING btree (campaign_id, created_at) WHERE (campaign_id IS NOT NULL);

CREATE INDEX reward_of_day ON public.reward USING btree (organisation_id, created_at);

CREATE INDEX reward_of_payout ON public.reward USING btree (payout_payment_id) WHERE (payout_payment_id IS NOT NULL);

CREATE INDEX reward_of_purchase ON public.reward USING btree (rewardable_transaction_id);

CREATE INDEX reward_of_user ON public.reward USING btree (partner_user_id, offer_id);

CREATE INDEX reward_unpaid ON public.reward USING btree (organisation_id, payout_due_at) WHERE (state = 'CONFIRMED'::text);

create table reward_payment (
  id bigint generated by default as identity not null,
  organisation_id bigint not null,
  reward_id bigint not null,
  payment_id bigint not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone,
  version integer default 1 not null
);

comment on table reward_payment is 'Payouts of rewards. A reward is paid out once.';

alter table reward_payment add constraint reward_payment_payment_id_key UNIQUE (payment_id);

alter table reward_payment add constraint reward_payment_pkey PRIMARY KEY (id);

alter table reward_payment add constraint reward_payment_reward_id_key UNIQUE (reward_id);

CREATE INDEX reward_payment_list ON public.reward_payment USING btree (organisation_id, id);

create table reward_reduction (
  organisation_id bigint not null,
  reward_id bigint not null,
  version integer not null,
  created_at timestamp(3) with time zone not null,
  user_amount bigint not null,
  issuer_amount bigint not null
);

comment on table reward_reduction is 'What refunds took off the shares of rewards.';

comment on column reward_reduction.version is 'The version of the reward after it.';

comment on column reward_reduction.issuer_amount is 'Negative if the issuer gets more, because the maximum of the offer no longer holds.';

alter table reward_reduction add constraint reward_reduction_pkey PRIMARY KEY (reward_id, version);

alter table reward_reduction add constraint reward_reduction_user_amount_check CHECK ((user_amount >= 0));

CREATE INDEX reward_reduction_of_time ON public.reward_reduction USING btree (organisation_id, created_at);

create table rewardable_transaction (
  id bigint generated by default as identity not null,
  organisation_id bigint not null,
  partner_user_card_id bigint not null,
  bank_transaction_id text collate "C" not null,
  authorization_id bigint,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone,
  version integer default 1 not null,
  amount bigint default 0 not null,
  refunded bigint default 0 not null,
  bank_account_id text collate "C",
  considered jsonb,
  merchant_id text,
  category_code text
);

comment on table rewardable_transaction is 'Purchases by linked cards.';

comment on column rewardable_transaction.bank_transaction_id is 'Id of the transaction at the bank. It is rewardable once.';

comment on column rewardable_transaction.authorization_id is 'The settled authorization, where it is known.';

comment on column rewardable_transaction.amount is 'Amount of the purchase.';

comment on column rewardable_transaction.refunded is 'Refunded part of the amount.';

comment on column rewardable_transaction.bank_account_id is 'Account that receives the cash back at an upstream bank; null with the built-in bank.';

comment on column rewardable_transaction.considered is 'The offers that were considered, with their cash back and outcomes, if one of a campaign was among them.';

comment on column rewardable_transaction.merchant_id is 'Id of the merchant by which offers were looked for; null if it was not known.';

comment on column rewardable_transaction.category_code is 'Merchant category code by which offers were looked for; null if it was not known.';

alter table rewardable_transaction add constraint rewardable_transaction_organisation_id_bank_transaction_id_key UNIQUE (organisation_id, bank_transaction_id);

alter table rewardable_transaction add constraint rewardable_transaction_pkey PRIMARY KEY (id);

CREATE INDEX rewardable_transaction_list ON public.rewardable_transaction USING btree (organisation_id, id);

CREATE INDEX rewardable_transaction_of_authorization ON public.rewardable_transaction USING btree (authorization_id) WHERE (authorization_id IS NOT NULL);

CREATE INDEX rewardable_transaction_of_card ON public.rewardable_transaction USING btree (partner_user_card_id, id);

create table settlement_item (
  id bigint generated always as identity not null,
  side text not null,
  statement_id bigint,
  place integer,
  transfer_id bigint,
  parent_id bigint,
  day date not null,
  amount bigint not null,
  has_direction boolean default true not null,
  kinds text[] not null,
  keys text[] not null,
  groups text[] default '{}'::text[] not null,
  description text not null,
  match_id bigint,
  owner text,
  note text,
  hint text,
  by_hand boolean default false not null,
  split_because text,
  withdrawn_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone default now() not null
);

comment on table settlement_item is 'Lines of the statement and movements of the ledger''s settlement account. An item is in one match, which has the same sum on both sides.';

comment on column settlement_item.place is 'Number of the line in the statement; 0 for what the account held before the first statement beyond the ledger.';

comment on column settlement_item.parent_id is 'The item that this one is a part of.';

comment on column settlement_item.amount is 'Cents: positive if money came to the settlement account.';

comment on column settlement_item.has_direction is 'False if the statement does not say which way the money went. The day stays open.';

comment on column settlement_item.keys is 'References by which it is found on the other side.';

comment on column settlement_item.groups is 'Movements that a bank may show as one line.';

comment on column settlement_item.hint is 'What the item may be, for the person who looks at it.';

comment on column settlement_item.by_hand is 'Whether a person ended a match of it, so that no rule matches it again.';

comment on column settlement_item.withdrawn_at is 'Time at which a correction replaced its statement.';

alter table settlement_item add constraint settlement_item_check CHECK (((side = 'ledger'::text) = (transfer_id IS NOT NULL)));

alter table settlement_item add constraint settlement_item_check1 CHECK (((side = 'statement'::text) = ((statement_id IS NOT NULL) AND (place IS NOT NULL))));

alter table settlement_item add constraint settlement_item_check2 CHECK (((owner IS NULL) = (note IS NULL)));

alter table settlement_item add constraint settlement_item_check3 CHECK (((match_id IS NULL) OR ((split_because IS NULL) AND (withdrawn_at IS NULL) AND has_direction)));

alter table settlement_item add constraint settlement_item_pkey PRIMARY KEY (id);

alter table settlement_item add constraint settlement_item_side_check CHECK ((side = ANY (ARRAY['statement'::text, 'ledger'::text])));

CREATE INDEX settlement_item_by_day ON public.settlement_item USING btree (day, id);

CREATE UNIQUE INDEX settlement_item_line ON public.settlement_item USING btree (statement_id, place) WHERE (parent_id IS NULL);

CREATE INDEX settlement_item_matched ON public.settlement_item USING btree (match_id) WHERE (match_id IS NOT NULL);

CREATE INDEX settlement_item_open ON public.settlement_item USING btree (day, id) WHERE ((match_id IS NULL) AND (split_because IS NULL) AND (withdrawn_at IS NULL));

CREATE UNIQUE INDEX settlement_item_transfer ON public.settlement_item USING btree (transfer_id) WHERE (parent_id IS NULL);

create table statement (
  id bigint not null,
  organisation_id bigint not null,
  account_id bigint not null,
  customer_id bigint not null,
  period text not null,
  opening_balance bigint not null,
  closing_balance bigint not null,
  first_seq bigint not null,
  last_seq bigint not null,
  created_at timestamp(3) with time zone not null,
  version integer default 1 not null
);

comment on table statement is 'One month of one account: its balances and the range of its transfers. The document is rendered from these when it is requested.';

comment on column statement.first_seq is 'Number of the month''s first transfer along the account.';

comment on column statement.last_seq is 'Number of the month''s last transfer; one less than the first in a month without transfers.';

alter table statement add constraint statement_check CHECK ((last_seq >= (first_seq - 1)));

alter table statement add constraint statement_check1 CHECK (((last_seq >= first_seq) OR (opening_balance = closing_balance)));

alter table statement add constraint statement_closing_balance_check CHECK ((abs(closing_balance) <= '9007199254740991'::bigint));

alter table statement add constraint statement_first_seq_check CHECK ((first_seq >= 1));

alter table statement add constraint statement_opening_balance_check CHECK ((abs(opening_balance) <= '9007199254740991'::bigint));

alter table statement add constraint statement_period_check CHECK ((period ~ '^[1-9][0-9]{3}-(0[1-9]|1[0-2])$'::text));

alter table statement add constraint statement_pkey PRIMARY KEY (id);

CREATE UNIQUE INDEX statement_of_account ON public.statement USING btree (account_id, period);

CREATE INDEX statement_of_organisation ON public.statement USING btree (organisation_id);

create table statement_file (
  id bigint generated always as identity not null,
  sha256 bytea not null,
  name text not null,
  state text not null,
  detail text not null,
  taken_at timestamp(3) with time zone default now() not null
);

comment on table statement_file is 'Files with statements of the bank of the settlement account. Each is taken once; a refused one can be taken later.';

comment on column statement_file.detail is 'The reason of a refusal; of a file that was taken, what was in it.';

alter table statement_file add constraint statement_file_pkey PRIMARY KEY (id);

alter table statement_file add constraint statement_file_sha256_check CHECK ((length(sha256) = 32));

alter table statement_file add constraint statement_file_sha256_key UNIQUE (sha256);

alter table statement_file add constraint statement_file_state_check CHECK ((state = ANY (ARRAY['taken'::text, 'refused'::text])));

create table transfer (
  id bigint not null,
  organisation_id bigint not null,
  debit_account_id bigint not null,
  debit_seq bigint not null,
  debit_balance bigint not null,
  credit_account_id bigint not null,
  credit_seq bigint not null,
  credit_balance bigint not null,
  amount bigint not null,
  source_kind text not null,
  source_id bigint,
  party text,
  description text,
  created_at timestamp(3) with time zone not null
);

comment on table transfer is 'Movements of money, append-only. One row takes an amount from one account and gives it to another, so that it is balanced by construction.';

comment on column transfer.id is 'Even. The debit side is the interface''s transaction of this id, the credit side that of the next.';

comment on column transfer.debit_seq is 'Number of the transfer along the debited account, without gaps.';

comment on column transfer.debit_balance is 'Balance of the debited account after the transfer.';

comment on column transfer.credit_seq is 'Number of the transfer along the credited account, without gaps.';

comment on column transfer.credit_balance is 'Balance of the credited account after the transfer.';

comment on column transfer.source_kind is 'payment, payment_return, payment_release, debit, debit_return, ach_settlement, ach_return, ach_exception, ach_resolution, statement_booking, received_ach, received_ach_return, card_settlement, card_refund, reward, reward_clawback or moved_in.';

comment on column transfer.source_id is 'The payment, ACH batch, ACH exception, received payment, authorization or reward behind the transfer, where there is one.';

comment on column transfer.party is 'Name of the other party, where no payment has it.';

comment on column transfer.description is 'Description, where no payment has it.';

alter table transfer add constraint transfer_amount_check CHECK (((amount >= 1) AND (amount <= '9007199254740991'::bigint)));

alter table transfer add constraint transfer_check CHECK ((debit_account_id <> credit_account_id));

alter table transfer add constraint transfer_id_check CHECK (((id % (2)::bigint) = 0));

alter table transfer add constraint transfer_pkey PRIMARY KEY (id);

CREATE UNIQUE INDEX transfer_credit ON public.transfer USING btree (credit_account_id, credit_seq);

CREATE UNIQUE INDEX transfer_debit ON public.transfer USING btree (debit_account_id, debit_seq);

CREATE INDEX transfer_giving_back ON public.transfer USING btree (organisation_id, created_at) WHERE (source_kind = 'payment_return'::text);

CREATE INDEX transfer_newest ON public.transfer USING btree (organisation_id, created_at, id);

CREATE INDEX transfer_of_source ON public.transfer USING btree (source_id) WHERE ((source_kind <> 'payment'::text) AND (source_id IS NOT NULL));

create table verification_token (
  id bigint not null,
  hash bytea not null,
  organisation_id bigint not null,
  customer_id bigint not null,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null
);

comment on table verification_token is 'Short-lived tokens of customers.';

comment on column verification_token.hash is 'SHA-256 of the token. The token itself is not stored.';

comment on column verification_token.created_at is 'Real time.';

comment on column verification_token.expires_at is 'Real time.';

alter table verification_token add constraint verification_token_hash_check CHECK ((length(hash) = 32));

alter table verification_token add constraint verification_token_hash_key UNIQUE (hash);

alter table verification_token add constraint verification_token_pkey PRIMARY KEY (id);

CREATE INDEX verification_token_of_customer ON public.verification_token USING btree (customer_id);

CREATE INDEX verification_token_of_organisation ON public.verification_token USING btree (organisation_id);

create table webhook_cursor (
  endpoint_id bigint not null,
  sequence bigint not null,
  recover_after timestamp(3) with time zone,
  recover_after_id bigint default 0 not null,
  recover_through_id bigint default 0 not null
) with (fillfactor=50);

comment on table webhook_cursor is 'Number of the latest event that was turned into a delivery for an endpoint. A table of its own, because it moves often and its lock is taken by every transaction that changes which deliveries of the endpoint are pending.';

comment on column webhook_cursor.recover_after is 'Position of a recovery that a worker carries on: failed deliveries created after this time, and after recover_after_id where the time is the same. Null where there is none.';

comment on column webhook_cursor.recover_through_id is 'Latest delivery that the recovery takes, so that one which fails again is not taken twice.';

alter table webhook_cursor add constraint webhook_cursor_pkey PRIMARY KEY (endpoint_id);

CREATE INDEX webhook_cursor_recovering ON public.webhook_cursor USING btree (endpoint_id) WHERE (recover_after IS NOT NULL);

create table webhook_delivery (
  endpoint_id bigint not null,
  id bigint generated always as identity not null,
  organisation_id bigint not null,
  sequence bigint,
  test_id text,
  body text,
  entity text not null,
  status text not null,
  created_at timestamp(3) with time zone not null,
  due_at timestamp(3) with time zone not null,
  attempts integer default 0 not null,
  log jsonb default '[]'::jsonb not null,
  lease uuid,
  leased_until timestamp(3) with time zone,
  blocked boolean default false not null
) with (fillfactor=70);

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

alter table webhook_delivery add constraint webhook_delivery_check CHECK (((NOT blocked) OR (status = 'Pending'::text)));

alter table webhook_delivery add constraint webhook_delivery_check1 CHECK ((((sequence IS NULL) = (test_id IS NOT NULL)) AND ((sequence IS NULL) = (body IS NOT NULL))));

alter table webhook_delivery add constraint webhook_delivery_pkey PRIMARY KEY (endpoint_id, id);

alter table webhook_delivery add constraint webhook_delivery_status_check CHECK ((status = ANY (ARRAY['Pending'::text, 'Succeeded'::text, 'Failed'::text])));

CREATE INDEX webhook_delivery_blocked ON public.webhook_delivery USING btree (endpoint_id, entity, id) WHERE blocked;

CREATE INDEX webhook_delivery_due ON public.webhook_delivery USING btree (endpoint_id, due_at, id) WHERE ((status = 'Pending'::text) AND (NOT blocked));

CREATE UNIQUE INDEX webhook_delivery_event ON public.webhook_delivery USING btree (endpoint_id, sequence);

CREATE INDEX webhook_delivery_failed ON public.webhook_delivery USING btree (endpoint_id, created_at, id) WHERE ((status = 'Failed'::text) AND (sequence IS NOT NULL));

CREATE UNIQUE INDEX webhook_delivery_first ON public.webhook_delivery USING btree (endpoint_id, entity) WHERE ((status = 'Pending'::text) AND (NOT blocked));

CREATE UNIQUE INDEX webhook_delivery_test ON public.webhook_delivery USING btree (test_id) WHERE (test_id IS NOT NULL);

create table webhook_endpoint (
  id bigint not null,
  organisation_id bigint not null,
  created_at timestamp(3) with time zone not null,
  url text not null,
  events text[] not null,
  description text,
  status text not null,
  disabled_reason text,
  sealed_secret bytea not null,
  sealed_previous_secret bytea,
  previous_secret_until timestamp(3) with time zone,
  failing_since timestamp(3) with time zone,
  deleted_at timestamp(3) with time zone,
  version integer default 1 not null
);

comment on table webhook_endpoint is 'Addresses that events are sent to.';

comment on column webhook_endpoint.sealed_secret is 'Signing secret, encrypted.';

comment on column webhook_endpoint.sealed_previous_secret is 'The secret before the latest rotation, which also signs for a while.';

comment on column webhook_endpoint.previous_secret_until is 'Real time until which the previous secret signs.';

comment on column webhook_endpoint.failing_since is 'Real time of the first failure since the latest success; null without one.';

alter table webhook_endpoint add constraint webhook_endpoint_check CHECK (((status = 'Disabled'::text) = (disabled_reason IS NOT NULL)));

alter table webhook_endpoint add constraint webhook_endpoint_check1 CHECK (((sealed_previous_secret IS NULL) = (previous_secret_until IS NULL)));

alter table webhook_endpoint add constraint webhook_endpoint_description_check CHECK (((length(description) >= 1) AND (length(description) <= 255)));

alter table webhook_endpoint add constraint webhook_endpoint_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['Requested'::text, 'Gone'::text, 'Failing'::text])));

alter table webhook_endpoint add constraint webhook_endpoint_events_check CHECK ((cardinality(events) > 0));

alter table webhook_endpoint add constraint webhook_endpoint_pkey PRIMARY KEY (id);

alter table webhook_endpoint add constraint webhook_endpoint_status_check CHECK ((status = ANY (ARRAY['Enabled'::text, 'Disabled'::text])));

alter table webhook_endpoint add constraint webhook_endpoint_url_check CHECK (((length(url) >= 1) AND (length(url) <= 2048)));

CREATE INDEX webhook_endpoint_enabled ON public.webhook_endpoint USING btree (organisation_id, id) WHERE ((status = 'Enabled'::text) AND (deleted_at IS NULL));

CREATE INDEX webhook_endpoint_newest ON public.webhook_endpoint USING btree (organisation_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);

CREATE INDEX webhook_endpoint_of_organisation ON public.webhook_endpoint USING btree (organisation_id);

create table webhook_outcome_hour (
  endpoint_id bigint not null,
  slot smallint not null,
  hour integer not null,
  succeeded integer not null,
  retried integer not null,
  failed integer not null
) with (fillfactor=50);

comment on table webhook_outcome_hour is 'Attempts to deliver to an endpoint in one hour of real time, by their outcome. A ring: the slot is the hour modulo 25, so that an endpoint has at most 25 rows. Written under the lock of the endpoint''s cursor.';

comment on column webhook_outcome_hour.hour is 'Hours since 1970. A row of an earlier round is overwritten.';

comment on column webhook_outcome_hour.retried is 'Failures after which the delivery is attempted again.';

comment on column webhook_outcome_hour.failed is 'Failures of the last attempt.';

alter table webhook_outcome_hour add constraint webhook_outcome_hour_pkey PRIMARY KEY (endpoint_id, slot);

alter table webhook_outcome_hour add constraint webhook_outcome_hour_slot_check CHECK (((slot >= 0) AND (slot <= 24)));

create view event as
 SELECT p.organisation_id,
    p.last AS page,
    ((p.last - p.count) + e.place) AS sequence,
    split_part(e.text, ''::text, 1) AS type,
    split_part(e.text, ''::text, 2) AS entity_id,
    (split_part(e.text, ''::text, 3))::integer AS entity_version,
    p.created_at,
    NULLIF(split_part(e.text, ''::text, 4), ''::text) AS data,
    (NULLIF(split_part(e.text, ''::text, 5), ''::text))::bigint AS api_key_id,
    NULLIF(split_part(e.text, ''::text, 6), ''::text) AS request_id,
    NULLIF(split_part(e.text, ''::text, 7), ''::text) AS idempotency_key,
    p.history
   FROM (event_page p
     CROSS JOIN LATERAL unnest(string_to_array(p.events, ''::text)) WITH ORDINALITY e(text, place));

comment on view event is 'One event a row. Only the column page can use the index: a query by event numbers must also name their pages, as the functions do. The column data is null where it is rendered from the record.';

CREATE OR REPLACE FUNCTION public.balance_at(account bigint, seq bigint)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(
    (select debit_balance from transfer where debit_account_id = account and debit_seq = seq),
    (select credit_balance from transfer where credit_account_id = account and credit_seq = seq),
    0)
$function$;

comment on function balance_at is 'Balance of an account after its transfer of this number; 0 before the first.';

CREATE OR REPLACE FUNCTION public.claim_cell(name text, number integer, bank text, mark text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into cell (name, number, bank, mark, claimed_at)
  values (claim_cell.name, claim_cell.number, claim_cell.bank, claim_cell.mark, clock_timestamp())
  on conflict do nothing;
  if found then
    perform keep_cell_range();
  end if;
end $function$;

comment on function claim_cell is 'Makes this database a cell of the bank, where it is none yet. It never becomes another one.';

CREATE OR REPLACE FUNCTION public.created_event(organisation bigint, kind text, entity text, number bigint, up_to bigint)
 RETURNS SETOF event
 LANGUAGE sql
 STABLE ROWS 1
 SET enable_seqscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
  select e.* from event_page p join event e on e.organisation_id = organisation and e.page = p.last
  where p.organisation_id = organisation and p.last > number and p.last <= event_page_of(organisation, up_to)
    and strpos(p.events, kind || e'.created\x1f' || entity || e'\x1f') > 0
    and e.type = kind || '.created' and e.entity_id = entity and e.sequence > number and e.sequence <= up_to
  order by p.last limit 1
$function$;

comment on function created_event is 'The first event of a record, looked for after a number and up to another. Rows that cannot hold it are not taken apart.';

CREATE OR REPLACE FUNCTION public.daily_balances(accounts bigint[], first_day date, last_day date)
 RETURNS TABLE(account_id bigint, day date, seq bigint, balance bigint)
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
AS $function$
  with recursive search (account, ends, low, high) as (
    select a.id, (g.day + interval '1 day') at time zone 'UTC', 0::bigint, a.seq
    from account a cross join generate_series(first_day::timestamp, last_day::timestamp, interval '1 day') g (day)
    where a.id = any(accounts)
    union all
    select s.account, s.ends, case when p.early then p.middle else s.low end,
      case when p.early then s.high else p.middle - 1 end
    from search s cross join lateral (
      select m.middle, coalesce(
        (select created_at from transfer where debit_account_id = s.account and debit_seq = m.middle),
        (select created_at from transfer where credit_account_id = s.account and credit_seq = m.middle)) < s.ends as early
      from (values ((s.low + s.high + 1) / 2)) m (middle) offset 0) p
    where s.low < s.high)
  select s.account, ((s.ends at time zone 'UTC')::date - 1), s.low, coalesce(
    (select debit_balance from transfer where debit_account_id = s.account and debit_seq = s.low),
    (select credit_balance from transfer where credit_account_id = s.account and credit_seq = s.low), 0)
  from search s where s.low = s.high
$function$;

comment on function daily_balances is 'Balance of accounts at the end of each day in UTC, and the number of the last transfer before it. A binary search along the transfers of an account, for all days at once; 90 days of a million transfers take 20 ms.';

CREATE OR REPLACE FUNCTION public.delete_ended(name text, organisations bigint[], most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  removed integer;
begin
  if name not in ('transfer', 'event_page', 'event_link', 'denied_request', 'customer_key') then
    raise exception '% is not append-only', name;
  end if;
  if exists (select from unnest(organisations) i (id) left join organisation o on o.id = i.id where o.ended_at is null) then
    raise exception 'an organisation has not ended';
  end if;
  execute format('delete from %I where ctid = any(array(select ctid from %I where organisation_id = any($1) limit $2))',
    name, name) using organisations, most;
  get diagnostics removed = row_count;
  return removed;
end $function$;

comment on function delete_ended is 'Deletes rows of an append-only table that belong to organisations that have ended. Returns their number.';

CREATE OR REPLACE FUNCTION public.denied_requests_back_from(organisation bigint, instant timestamp with time zone, denial bigint, since timestamp with time zone, most bigint)
 RETURNS SETOF denied_request
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
  select * from denied_request
  where organisation_id = organisation and (created_at, id) < (instant, denial) and created_at > since
  order by created_at desc, id desc limit most
$function$;

comment on function denied_requests_back_from is 'Denied requests before a time, or before one of that time, newest first.';

CREATE OR REPLACE FUNCTION public.event_at(organisation bigint, number bigint)
 RETURNS SETOF event
 LANGUAGE sql
 STABLE ROWS 1
 SET enable_seqscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
  select * from event
  where organisation_id = organisation and sequence = number
    and page = (select last from event_page where organisation_id = organisation and last >= number order by last limit 1)
$function$;

comment on function event_at is 'One event by its number.';

CREATE OR REPLACE FUNCTION public.event_page_of(organisation bigint, number bigint)
 RETURNS bigint
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
  select coalesce((select last from event_page where organisation_id = organisation and last >= number order by last limit 1),
    number)
$function$;

comment on function event_page_of is 'Page that holds an event; the event''s own number where there is no such page yet.';

CREATE OR REPLACE FUNCTION public.event_sequence_at(organisation bigint, instant timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
declare
  low bigint := 0;
  high bigint := coalesce((select sequence from event_counter where organisation_id = organisation), 0);
  middle bigint;
begin
  while low < high loop
    middle := (low + high + 1) / 2;
    if (select created_at <= instant from event_page
        where organisation_id = organisation and last >= middle order by last limit 1) then
      low := middle;
    else
      high := middle - 1;
    end if;
  end loop;
  return low;
end $function$;

comment on function event_sequence_at is 'Number of the last event that is not after a time. A binary search, because times never fall along the numbers.';

CREATE OR REPLACE FUNCTION public.event_types_between(organisation bigint, number bigint, up_to bigint)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
  select distinct type from event
  where organisation_id = organisation and page > number and page <= event_page_of(organisation, up_to)
    and sequence > number and sequence <= up_to
$function$;

comment on function event_types_between is 'Types of the events after a number and up to another.';

CREATE OR REPLACE FUNCTION public.events_after(organisation bigint, number bigint, up_to bigint, types text[], entities text[], most bigint)
 RETURNS SETOF event
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
  select * from event
  where organisation_id = organisation and page > number and page <= event_page_of(organisation, up_to)
    and sequence > number and sequence <= up_to
    and (types is null or type = any(types) or split_part(type, '.', 1) = any(entities))
  order by page, sequence limit most
$function$;

comment on function events_after is 'The next events after a number and up to another, of some types or of all.';

CREATE OR REPLACE FUNCTION public.events_back_from(organisation bigint, number bigint, down_to bigint, most bigint)
 RETURNS SETOF event
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
  select * from event
  where organisation_id = organisation and page > down_to and page <= event_page_of(organisation, number)
    and sequence > down_to and sequence <= number
  order by page desc, sequence desc limit most
$function$;

comment on function events_back_from is 'Events from a number down to another, newest first.';

CREATE OR REPLACE FUNCTION public.events_before(organisation bigint, number bigint, down_to bigint, types text[], entities text[], request text, most bigint)
 RETURNS SETOF event
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
  select * from event
  where organisation_id = organisation and page > down_to and page <= event_page_of(organisation, number - 1)
    and sequence > down_to and sequence < number and (request is null or request_id = request)
    and (types is null or type = any(types) or split_part(type, '.', 1) = any(entities))
  order by page desc, sequence desc limit most
$function$;

comment on function events_before is 'The events before a number and after another, newest first, of some types and of one request or of all.';

CREATE OR REPLACE FUNCTION public.events_of_request(organisation bigint, number bigint, up_to bigint, types text[], entities text[], request text, most bigint)
 RETURNS SETOF event
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
  select * from event
  where organisation_id = organisation and page > number and page <= event_page_of(organisation, up_to)
    and sequence > number and sequence <= up_to and request_id = request
    and (types is null or type = any(types) or split_part(type, '.', 1) = any(entities))
  order by page, sequence limit most
$function$;

comment on function events_of_request is 'The next events of one request after a number and up to another, of some types or of all.';

CREATE OR REPLACE FUNCTION public.expired_position(kind text, organisation bigint)
 RETURNS bigint
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select coalesce((
    select m.position from retention r join retention_mark m on m.kind = r.kind
    where r.kind = expired_position.kind and m.organisation_id = organisation
      and m.marked_at < clock_timestamp() - r.keep
    order by m.marked_at desc limit 1), 0)
$function$;

comment on function expired_position is 'Number of the last row whose time of retention is over: 0 where there is none. The row is at least that old, because a mark was made after it.';

CREATE OR REPLACE FUNCTION public.expired_positions(kind text)
 RETURNS bigint[]
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select array(select expired_position(expired_positions.kind, -n) from generate_series(0, 63) n order by n)
$function$;

comment on function expired_positions is 'As expired_position, for the numbers of each range: the home cell''s first.';

CREATE OR REPLACE FUNCTION public.guard_move()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  moving bigint := tg_argv[0]::bigint;
  changed record;
  found_state text;
begin
  if tg_op = 'DELETE' then changed := old; else changed := new; end if;
  if tg_table_name in ('webhook_cursor', 'webhook_outcome_hour') then
    if not exists (select from webhook_endpoint e where e.id = changed.endpoint_id and e.organisation_id = moving) then
      return changed;
    end if;
  elsif tg_table_name = 'api_key_retired' then
    if not exists (select from api_key k where k.id = changed.api_key_id and k.organisation_id = moving) then
      return changed;
    end if;
  end if;
  if current_setting('purser.mover', true) = 'on' then
    return changed;
  end if;
  -- The move waits for this lock before it looks at the rows, and holds it until the organisation is elsewhere. Nobody waits
  -- for the move: a lock that is not free is a refusal.
  if pg_try_advisory_xact_lock_shared(7275760) then
    select m.state into found_state from organisation_move m where m.id = moving;
    -- A transaction of which a change was left out makes no other one.
    if coalesce(found_state in ('copying', 'pausing'), true)
      and current_setting('purser.move_left_out', true) is distinct from 'on' then
      return changed;
    end if;
  end if;
  -- Changes that come with reads or with work for several organisations are left out; the work is done after the move.
  if tg_table_name in ('webhook_outcome_hour', 'ledger_flow_hour') or tg_op = 'UPDATE' and (
      tg_table_name in ('webhook_delivery', 'fault_rule')
      or tg_table_name = 'api_key' and to_jsonb(new) - 'last_used_at' = to_jsonb(old) - 'last_used_at'
      or tg_table_name = 'organisation' and to_jsonb(new) - 'idle' = to_jsonb(old) - 'idle'
      or tg_table_name = 'webhook_endpoint' and to_jsonb(new) - 'failing_since' = to_jsonb(old) - 'failing_since') then
    perform set_config('purser.move_left_out', 'on', true);
    return null;
  end if;
  perform refuse_moving(moving);
  return null;
end $function$;

comment on function guard_move is 'Trigger that a move sets on the tables, for the rows of its organisation: refuses changes while it is paused, after it has left, and before it has arrived.';

CREATE OR REPLACE FUNCTION public.history_start(organisation bigint)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  latest text := (select mark from database_history order by number desc limit 1);
  high bigint := coalesce((select sequence from event_counter where organisation_id = organisation), 0);
  low bigint := 0;
  middle bigint;
begin
  -- Nothing is known to be undone.
  if latest is null then
    return high;
  end if;
  while low < high loop
    middle := (low + high) / 2;
    if exists (
      select from (select history from event_page where organisation_id = organisation and last > middle order by last limit 1) p
      where p.history is not distinct from latest) then
      high := middle;
    else
      low := middle + 1;
    end if;
  end loop;
  return low;
end $function$;

comment on function history_start is 'Number behind which an organisation''s events of the latest history begin; its latest event where there is none yet. A binary search, because histories follow one another.';

CREATE OR REPLACE FUNCTION public.index_events()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into event_entity (organisation_id, entity_type, entity_id, sequence)
  select new.organisation_id, split_part(e.text, '.', 1), split_part(e.text, e'\x1f', 2), new.last - new.count + e.place
  from unnest(string_to_array(new.events, e'\x1e')) with ordinality e (text, place);
  return null;
end $function$;

comment on function index_events is 'Trigger of event_page: writes the events of a row to event_entity.';

CREATE OR REPLACE FUNCTION public.keep_cell_mode(wanted text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update cell c set mode = wanted where c.mode is null;
  return (select c.mode from cell c);
end $function$;

comment on function keep_cell_mode is 'Writes the mode of the bank where it has none yet, and returns the mode that it has.';

CREATE OR REPLACE FUNCTION public.keep_cell_range()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  own integer := (select c.number from cell c);
  each record;
begin
  for each in
    select s.sequencename as name, s.increment_by as step, s.last_value as used, s.max_value,
      case when own = 0 then s.min_value else own * r.size end as low, (own + 1) * r.size - s.increment_by as high
    from pg_sequences s
    cross join lateral (
      select case s.sequencename when 'account_number' then 10000000000 else 100000000000000 end as size
    ) r
    -- Trace numbers have seven digits, and repeat.
    where s.schemaname = 'public' and s.sequencename <> 'ach_trace'
  loop
    continue when each.max_value = each.high;
    if own > 0 and each.used is not null then
      raise exception 'the sequence % has given out numbers of another range', each.name using errcode = '22000';
    end if;
    if own > 0 then
      execute format('alter sequence %I minvalue %s maxvalue %s start %s restart', each.name, each.low, each.high, each.low);
    else
      execute format('alter sequence %I maxvalue %s', each.name, each.high);
    end if;
  end loop;
end $function$;

comment on function keep_cell_range is 'Gives every sequence the range of the cell. Runs at every start, because a migration may bring a sequence.';

CREATE OR REPLACE FUNCTION public.mark_arrived(organisation bigint)
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'public', 'pg_temp'
AS $function$
  insert into retention_mark (kind, organisation_id, marked_at, position)
  select n.kind, n.range, clock_timestamp(), greatest(n.position, (
    select max(m.position) from retention_mark m where m.kind = n.kind and m.organisation_id = n.range))
  from (
    select 'denials' as kind, number_range(id) as range, max(id) as position
    from denied_request where organisation_id = organisation group by 2
    union all
    select 'deliveries', number_range(d.id), max(d.id)
    from webhook_endpoint e join webhook_delivery d on d.endpoint_id = e.id
    where e.organisation_id = organisation group by 2) n
  on conflict do nothing
$function$;

comment on function mark_arrived is 'Notes how far the numbers of other ranges have come that an organisation brings from another cell: its rows are kept from the move on.';

CREATE OR REPLACE FUNCTION public.mark_retention()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  insert into retention_mark (kind, organisation_id, marked_at, position)
  select n.kind, n.organisation_id, t.now, n.position
  from (
    select 'events' as kind, organisation_id, sequence as position from event_counter
    union all select 'denials', number_range(last_value), last_value from denied_request_id_seq where is_called
    union all select 'deliveries', number_range(last_value), last_value from webhook_delivery_id_seq where is_called) n
  cross join (select clock_timestamp() as now) t
  left join lateral (
    select m.marked_at, m.position from retention_mark m
    where m.kind = n.kind and m.organisation_id = n.organisation_id order by m.marked_at desc limit 1) l on true
  where n.position > coalesce(l.position, 0) and coalesce(l.marked_at < t.now - interval '6 hours', true)
  on conflict do nothing
$function$;

comment on function mark_retention is 'Notes how far the numbers of events, denied requests and deliveries have come, at most every six hours.';

CREATE OR REPLACE FUNCTION public.note_first_organisation()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into first_organisation default values on conflict do nothing;
  return null;
end $function$;

comment on function note_first_organisation is 'Notes that this database has had the organisation of the first key.';

CREATE OR REPLACE FUNCTION public.posted_at(account bigint, seq bigint)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(
    (select created_at from transfer where debit_account_id = account and debit_seq = seq),
    (select created_at from transfer where credit_account_id = account and credit_seq = seq))
$function$;

comment on function posted_at is 'Time of a transfer, given its number along an account.';

CREATE OR REPLACE FUNCTION public.prune_denials(most integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with gone as (
    delete from denied_request where id in (
      select d.id from unnest(expired_positions('denials')) with ordinality p (position, place)
      cross join lateral (
        select r.id from denied_request r
        where r.id between (p.place - 1) * 100000000000000 and p.position order by r.id limit most) d
      where p.position > 0 limit most)
    returning true)
  select count(*)::integer from gone
$function$;

comment on function prune_denials is 'Deletes the oldest denied requests, of those whose time of retention is over. Returns their number.';

CREATE OR REPLACE FUNCTION public.prune_events(organisation bigint, up_to bigint)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
declare
  removed integer;
  new_floor bigint;
begin
  with gone as (
    delete from event_page
    where organisation_id = organisation and last <= least(up_to, expired_position('events', organisation))
      and last < (select max(last) from event_page where organisation_id = organisation)
    returning last, count, events, timed),
  entries as (
    delete from event_entity e using (
      select split_part(p.text, '.', 1) as entity_type, split_part(p.text, e'\x1f', 2) as entity_id,
        g.last - g.count + p.place as sequence
      from gone g cross join unnest(string_to_array(g.events, e'\x1e')) with ordinality p (text, place)
      where g.timed is not true) x
    where e.organisation_id = organisation and e.entity_type = x.entity_type and e.entity_id = x.entity_id
      and e.sequence = x.sequence)
  select count(*), max(last) into removed, new_floor from gone;
  update organisation o set events_after = new_floor where o.id = prune_events.organisation and o.events_after < new_floor;
  return removed;
end $function$;

comment on function prune_events is 'Deletes the pages of an organisation up to a number, of events whose time of retention is over, and raises the number behind which events begin. The newest page always stays. Returns the number of pages.';

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append-only', tg_table_name;
end $function$;

comment on function refuse_change is 'Trigger of append-only tables.';

CREATE OR REPLACE FUNCTION public.refuse_deletion()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_when = 'BEFORE' then
    if not exists (select from organisation where ended_at is not null)
      and (tg_table_name = 'transfer' or not exists (select from retention where keep is not null)) then
      raise exception '% is append-only', tg_table_name;
    end if;
    return null;
  end if;
  if tg_table_name = 'event_page' then
    if exists (select from gone g left join organisation o on o.id = g.organisation_id
        where o.ended_at is null and g.last > expired_position('events', g.organisation_id)) then
      raise exception '% is append-only', tg_table_name;
    end if;
  elsif tg_table_name = 'denied_request' then
    if exists (select from gone g left join organisation o on o.id = g.organisation_id
        where o.ended_at is null and g.id > (select expired_positions('denials'))[1 - number_range(g.id)]) then
      raise exception '% is append-only', tg_table_name;
    end if;
  elsif exists (select from gone g left join organisation o on o.id = g.organisation_id where o.ended_at is null) then
    raise exception '% is append-only', tg_table_name;
  end if;
  return null;
end $function$;

comment on function refuse_deletion is 'Trigger of append-only tables: rows are deleted only after their organisation has ended, events and denied requests also after their time of retention.';

CREATE OR REPLACE FUNCTION public.refuse_ended(organisation_id bigint)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from organisation_move m where m.id = refuse_ended.organisation_id) then
    return refuse_moving(organisation_id);
  end if;
  raise exception 'organisation % has ended', organisation_id using errcode = 'PE001';
end $function$;

comment on function refuse_ended is 'Raises the error of a change in an organisation that has ended.';

CREATE OR REPLACE FUNCTION public.refuse_moving(organisation bigint)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'organisation % is being moved to another cell', organisation using errcode = 'PE002';
end $function$;

comment on function refuse_moving is 'Raises the error of a change in an organisation that moves or has moved to another cell.';

CREATE OR REPLACE FUNCTION public.refuse_other_changes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_level = 'STATEMENT' then
    if not exists (select from copy_move where source = 'event_page')
      and not exists (select from customer_key where data_key is null) then
      raise exception '% is append-only', tg_table_name;
    end if;
    return null;
  end if;
  if (new.organisation_id, new.last, new.count, new.created_at, new.timed, new.history)
      is distinct from (old.organisation_id, old.last, old.count, old.created_at, old.timed, old.history)
    or exists (
      select from unnest(string_to_array(old.events, e'\x1e'), string_to_array(new.events, e'\x1e')) e (before, after)
      where before is distinct from after and not coalesce(
        after = concat_ws(e'\x1f', split_part(before, e'\x1f', 1), split_part(before, e'\x1f', 2),
          split_part(before, e'\x1f', 3), split_part(after, e'\x1f', 4), split_part(before, e'\x1f', 5),
          split_part(before, e'\x1f', 6), split_part(before, e'\x1f', 7))
        and (is_copy_removed(before, after) or is_erased(new.organisation_id, new.last, after)), false)) then
    raise exception '% is append-only', tg_table_name;
  end if;
  return new;
end $function$;

comment on function refuse_other_changes is 'Trigger of event_page: while copies are removed, an update may empty or encrypt the data of events of payments, transactions and external accounts. After an erasure, it may remove the data of events of the customer that are not in the chain of hashes. Any other update is refused.';

CREATE OR REPLACE FUNCTION public.refuse_retired()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from cell c where c.retired_at is not null) then
    raise exception 'the cell is retired and takes no new organisations' using errcode = '55000';
  end if;
  return null;
end $function$;

comment on function refuse_retired is 'Refuses new organisations in a cell that is retired.';

CREATE OR REPLACE FUNCTION public.requests_of_transactions(organisation bigint, transactions bigint[], instants timestamp with time zone[])
 RETURNS TABLE(id bigint, request_id text)
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
  with recursive wanted (id, instant) as materialized (select * from unnest(transactions, instants)),
  search (instant, low, high) as (
    select w.instant, o.events_after, c.sequence from (select distinct instant from wanted) w
    cross join event_counter c join organisation o on o.id = c.organisation_id where c.organisation_id = organisation
    union all
    select s.instant, case when p.created_at < s.instant then p.last else s.low end,
      case when p.created_at < s.instant then s.high else p.last - p.count end
    from search s cross join lateral (
      select last, count, created_at from event_page
      where organisation_id = organisation and last >= (s.low + s.high + 1) / 2 order by last limit 1) p
    where s.low < s.high)
  select w.id, nullif(split_part(substr(p.events, strpos(p.events, n.text)), e'\x1f', 6), '')
  from wanted w join search s on s.instant = w.instant and s.low = s.high
  cross join lateral (values (concat('transaction.created', e'\x1f', w.id, e'\x1f'))) n (text)
  cross join lateral (
    select e.events from (
      select events from event_page where organisation_id = organisation and last > s.low order by last limit 200) e
    where strpos(e.events, n.text) > 0 limit 1) p
$function$;

comment on function requests_of_transactions is 'Ids of the requests that made transactions, from their events. An event was recorded by the same commit as its transfer, at its time or a little later: a binary search finds that time, and 200 pages from there on are searched.';

CREATE OR REPLACE FUNCTION public.require(condition boolean, complaint text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  if not condition then
    raise exception '%', complaint;
  end if;
  return true;
end $function$;

comment on function require is 'Fails unless the condition holds. A statement can so refuse its own outcome, and COMMIT may be sent right behind it.';

CREATE OR REPLACE FUNCTION public.require_match_balances()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (
    select from settlement_item where match_id in (new.match_id, old.match_id)
    group by match_id having sum(case side when 'statement' then amount else -amount end) <> 0) then
    raise exception 'a match of settlement items does not balance';
  end if;
  return null;
end $function$;

comment on function require_match_balances is 'Refuses a match whose sums differ between the statement and the ledger.';

CREATE OR REPLACE FUNCTION public.retire_cell()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  -- Waits for transactions that create an organisation; later ones see that the cell is retired.
  lock table organisation in share row exclusive mode;
  if exists (select from organisation o where o.ended_at is null) then
    return false;
  end if;
  update cell c set retired_at = clock_timestamp() where c.number > 0 and c.retired_at is null;
  return true;
end $function$;

comment on function retire_cell is 'Begins to retire this cell. False where it has organisations.';

CREATE OR REPLACE FUNCTION public.seq_before(account bigint, at timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE STRICT
AS $function$
declare
  low bigint := 0;
  high bigint := (select seq from account a where a.id = account);
  middle bigint;
begin
  while low < high loop
    middle := (low + high + 1) / 2;
    if posted_at(account, middle) < at then low := middle; else high := middle - 1; end if;
  end loop;
  return low;
end $function$;

comment on function seq_before is 'Number of an account''s last transfer before a time: 0 where there is none, null without a time. A binary search, because times never fall along an account.';

CREATE OR REPLACE FUNCTION public.set_document_organisation()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.organisation_id := (select d.organisation_id from document d where d.id = new.document_id);
  return new;
end $function$;

comment on function set_document_organisation is 'Trigger of document_file: sets the organisation of a row that a former version of the service writes.';

CREATE OR REPLACE FUNCTION public.set_retention(kind text, keep interval)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if keep < (case set_retention.kind when 'events' then interval '7 days' when 'denials' then interval '30 days'
      else interval '0' end) then
    raise exception '% are kept for longer than %', set_retention.kind, keep;
  end if;
  insert into retention values (set_retention.kind, set_retention.keep)
  on conflict on constraint retention_pkey do update set keep = excluded.keep
  where retention.keep is distinct from excluded.keep;
end $function$;

comment on function set_retention is 'Stores how long rows of a kind are kept. The least time of events and denied requests is fixed here, so that the service can never delete recent ones.';

CREATE OR REPLACE FUNCTION public.webhook_delivery_at(endpoint bigint, instant timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
declare
  low bigint := 0;
  high bigint := coalesce((select max(id) from webhook_delivery where endpoint_id = endpoint), 0);
  middle bigint;
  next record;
begin
  while low < high loop
    middle := (low + high + 1) / 2;
    select id, created_at into next from webhook_delivery
    where endpoint_id = endpoint and id >= middle order by id limit 1;
    if next.created_at <= instant then
      low := next.id;
    else
      high := middle - 1;
    end if;
  end loop;
  return low;
end $function$;

comment on function webhook_delivery_at is 'Id of the last delivery to an endpoint that was not created after a time. A binary search: deliveries are inserted under a lock of the endpoint, so that their times never fall along the ids.';

CREATE OR REPLACE FUNCTION public.bank_time(organisation_id bigint)
 RETURNS timestamp with time zone
 LANGUAGE sql
RETURN (SELECT COALESCE(o.frozen_at, LEAST((date_trunc('milliseconds'::text, clock_timestamp()) + o.clock_offset), '9999-12-31 23:59:59.999+00'::timestamp with time zone)) AS "coalesce" FROM organisation o WHERE (o.id = bank_time.organisation_id));

comment on function bank_time is 'Bank time of an organisation, in whole milliseconds. It stops at the last instant that the interface can write.';

CREATE OR REPLACE FUNCTION public.event_time(organisation_id bigint)
 RETURNS timestamp with time zone
 LANGUAGE sql
RETURN (SELECT CASE WHEN (o.ended_at IS NOT NULL) THEN refuse_ended(o.id) ELSE COALESCE(o.frozen_at, LEAST((date_trunc('milliseconds'::text, clock_timestamp()) + o.clock_offset), '9999-12-31 23:59:59.999+00'::timestamp with time zone)) END AS "coalesce" FROM organisation o WHERE (o.id = event_time.organisation_id));

comment on function event_time is 'Bank time of an event, as bank_time has it: a call of that function would add to every payment. It is read behind the lock of the counter of events, which the end of an organisation takes, too: every change records an event, so that none is committed after the end.';

CREATE OR REPLACE FUNCTION public.is_copy_removed(before text, after text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN ((EXISTS (SELECT FROM copy_move WHERE (copy_move.source = 'event_page'::text))) AND (split_part(before, ''::text, 1) ~ '^(payment|transaction|externalAccount)\.'::text) AND (split_part(before, ''::text, 4) ~ '^\{'::text) AND (split_part(after, ''::text, 4) ~ '^(~[A-Za-z0-9+/]+=*)?$'::text));

comment on function is_copy_removed is 'Whether a change of an event removes or encrypts a copy that a former version stored.';

CREATE OR REPLACE FUNCTION public.is_erased(organisation bigint, last bigint, after text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN ((split_part(after, ''::text, 1) ~ '^(customer|application|document|account|card|externalAccount)\.'::text) AND (split_part(after, ''::text, 4) ~ '^~[1-9][0-9]*:$'::text) AND (EXISTS (SELECT FROM customer_key k WHERE ((k.id = ("substring"(split_part(is_erased.after, ''::text, 4), '[0-9]+'::text))::bigint) AND (k.organisation_id = is_erased.organisation) AND (k.data_key IS NULL)))) AND (NOT (EXISTS (SELECT FROM event_link l WHERE ((l.organisation_id = is_erased.organisation) AND ((l.last - l.count) < is_erased.last))))));

comment on function is_erased is 'Whether a changed event lost the data of an erased customer, and is older than the chain of hashes.';

CREATE OR REPLACE FUNCTION public.is_moving(organisation bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN (EXISTS (SELECT FROM organisation_move m WHERE ((m.id = is_moving.organisation) AND (m.state <> 'copying'::text))));

comment on function is_moving is 'Whether background work leaves an organisation alone: its writes are refused because it moves, or it is in another cell.';

CREATE OR REPLACE FUNCTION public.link_after(previous bytea, organisation bigint, first bigint, last bigint, instant timestamp with time zone, digest bytea)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE
RETURN sha256(((((COALESCE(previous, sha256(convert_to(((('organisation '::text || organisation) || ' after event '::text) || (first - 1)), 'UTF8'::name))) || int8send(first)) || int8send(last)) || timestamptz_send(instant)) || digest));

comment on function link_after is 'The link that follows another one. The first link of an organisation follows from its id and the number of the event before.';

CREATE OR REPLACE FUNCTION public.miles_between(lat1 double precision, long1 double precision, lat2 double precision, long2 double precision)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((((2)::numeric * 3958.7613))::double precision * asin(LEAST((1)::double precision, sqrt(((sin((radians((lat2 - lat1)) / (2)::double precision)) ^ (2)::double precision) + ((cos(radians(lat1)) * cos(radians(lat2))) * (sin((radians((long2 - long1)) / (2)::double precision)) ^ (2)::double precision)))))));

comment on function miles_between is 'Distance on the sphere by the haversine formula, which is precise over short distances.';

CREATE OR REPLACE FUNCTION public.number_range(number bigint)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (- (number / '100000000000000'::bigint));

comment on function number_range is 'The range of a number, as retention_mark names it: 0 for the home cell, -n for cell n.';

alter table ach_batch add constraint ach_batch_file_id_fkey FOREIGN KEY (file_id) REFERENCES ach_file(id);

alter table ach_entry add constraint ach_entry_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES ach_batch(id);

alter table ach_exception add constraint ach_exception_file_id_fkey FOREIGN KEY (file_id) REFERENCES ach_file(id);

alter table ach_received_entry add constraint ach_received_entry_file_id_fkey FOREIGN KEY (file_id) REFERENCES ach_file(id);

alter table api_key add constraint api_key_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table api_key_retired add constraint api_key_retired_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_key(id);

alter table application add constraint application_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id);

alter table application add constraint application_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table attribution_day add constraint attribution_day_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table attribution_id add constraint attribution_id_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table attribution_touch add constraint attribution_touch_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table attribution_touch add constraint attribution_touch_partner_user_id_fkey FOREIGN KEY (partner_user_id) REFERENCES partner_user(id);

alter table bank_statement add constraint bank_statement_file_id_fkey FOREIGN KEY (file_id) REFERENCES statement_file(id);

alter table campaign add constraint campaign_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table campaign_offer add constraint campaign_offer_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaign(id);

alter table campaign_offer add constraint campaign_offer_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table campaign_usage add constraint campaign_usage_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaign(id);

alter table campaign_usage add constraint campaign_usage_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table card add constraint card_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id);

alter table card add constraint card_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table card add constraint card_replaces_card_id_fkey FOREIGN KEY (replaces_card_id) REFERENCES card(id);

alter table customer add constraint customer_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table customer_key add constraint customer_key_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table decision_reason add constraint decision_reason_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

CREATE TRIGGER denied_request_append_only BEFORE UPDATE OR TRUNCATE ON public.denied_request FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER denied_request_keeps BEFORE DELETE ON public.denied_request FOR EACH STATEMENT EXECUTE FUNCTION refuse_deletion();

CREATE TRIGGER denied_request_kept AFTER DELETE ON public.denied_request REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION refuse_deletion();

alter table document add constraint document_application_id_fkey FOREIGN KEY (application_id) REFERENCES application(id);

alter table document add constraint document_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table document_file add constraint document_file_document_id_fkey FOREIGN KEY (document_id) REFERENCES document(id);

CREATE TRIGGER document_file_organisation BEFORE INSERT ON public.document_file FOR EACH ROW WHEN ((new.organisation_id IS NULL)) EXECUTE FUNCTION set_document_organisation();

CREATE TRIGGER event_link_append_only BEFORE UPDATE OR TRUNCATE ON public.event_link FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER event_link_keeps BEFORE DELETE ON public.event_link FOR EACH STATEMENT EXECUTE FUNCTION refuse_deletion();

CREATE TRIGGER event_link_kept AFTER DELETE ON public.event_link REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION refuse_deletion();

CREATE TRIGGER event_page_append_only BEFORE TRUNCATE ON public.event_page FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER event_page_index AFTER INSERT ON public.event_page FOR EACH ROW WHEN ((new.timed IS NOT TRUE)) EXECUTE FUNCTION index_events();

CREATE TRIGGER event_page_keeps BEFORE DELETE ON public.event_page FOR EACH STATEMENT EXECUTE FUNCTION refuse_deletion();

CREATE TRIGGER event_page_kept AFTER DELETE ON public.event_page REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION refuse_deletion();

CREATE TRIGGER event_page_loses_copies BEFORE UPDATE ON public.event_page FOR EACH STATEMENT EXECUTE FUNCTION refuse_other_changes();

CREATE TRIGGER event_page_loses_no_more BEFORE UPDATE ON public.event_page FOR EACH ROW EXECUTE FUNCTION refuse_other_changes();

alter table external_account add constraint external_account_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id);

alter table external_account add constraint external_account_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table fault_rule add constraint fault_rule_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table inbound_event add constraint inbound_event_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table inbound_version add constraint inbound_version_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table ledger_flow_hour add constraint ledger_flow_hour_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id) ON DELETE CASCADE;

alter table ledger_verification add constraint ledger_verification_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id) ON DELETE CASCADE;

alter table offer add constraint offer_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant(id);

alter table offer_activation add constraint offer_activation_offer_id_fkey FOREIGN KEY (offer_id) REFERENCES campaign_offer(id);

alter table offer_activation add constraint offer_activation_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table offer_activation add constraint offer_activation_partner_user_id_fkey FOREIGN KEY (partner_user_id) REFERENCES partner_user(id);

CREATE TRIGGER note_first_organisation AFTER INSERT OR UPDATE OF name ON public.organisation FOR EACH ROW WHEN ((new.name = 'default'::text)) EXECUTE FUNCTION note_first_organisation();

CREATE TRIGGER refuse_retired BEFORE INSERT ON public.organisation FOR EACH STATEMENT EXECUTE FUNCTION refuse_retired();

alter table organisation_key add constraint organisation_key_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table partner_user add constraint partner_user_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table partner_user_card add constraint partner_user_card_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table partner_user_card add constraint partner_user_card_partner_user_id_fkey FOREIGN KEY (partner_user_id) REFERENCES partner_user(id);

alter table people add constraint people_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES people(id);

alter table people_entry add constraint people_entry_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES people(id);

alter table people_entry add constraint people_entry_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id);

alter table people_passkey add constraint people_passkey_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id);

alter table people_session add constraint people_session_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id);

alter table people_ticket add constraint people_ticket_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id);

alter table received_payment add constraint received_payment_file_id_fkey FOREIGN KEY (file_id) REFERENCES ach_file(id);

alter table reward add constraint reward_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table reward add constraint reward_partner_user_id_fkey FOREIGN KEY (partner_user_id) REFERENCES partner_user(id);

alter table reward add constraint reward_rewardable_transaction_id_fkey FOREIGN KEY (rewardable_transaction_id) REFERENCES rewardable_transaction(id);

alter table reward_payment add constraint reward_payment_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table reward_payment add constraint reward_payment_reward_id_fkey FOREIGN KEY (reward_id) REFERENCES reward(id);

alter table reward_reduction add constraint reward_reduction_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table reward_reduction add constraint reward_reduction_reward_id_fkey FOREIGN KEY (reward_id) REFERENCES reward(id);

alter table rewardable_transaction add constraint rewardable_transaction_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table rewardable_transaction add constraint rewardable_transaction_partner_user_card_id_fkey FOREIGN KEY (partner_user_card_id) REFERENCES partner_user_card(id);

CREATE CONSTRAINT TRIGGER settlement_item_balances AFTER UPDATE ON public.settlement_item DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.match_id IS DISTINCT FROM old.match_id) OR (new.amount <> old.amount))) EXECUTE FUNCTION require_match_balances();

alter table settlement_item add constraint settlement_item_match_id_fkey FOREIGN KEY (match_id) REFERENCES item_match(id);

alter table settlement_item add constraint settlement_item_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES settlement_item(id);

alter table settlement_item add constraint settlement_item_statement_id_fkey FOREIGN KEY (statement_id) REFERENCES bank_statement(id);

CREATE TRIGGER transfer_append_only BEFORE UPDATE OR TRUNCATE ON public.transfer FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER transfer_keeps BEFORE DELETE ON public.transfer FOR EACH STATEMENT EXECUTE FUNCTION refuse_deletion();

CREATE TRIGGER transfer_kept AFTER DELETE ON public.transfer REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION refuse_deletion();

alter table verification_token add constraint verification_token_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id);

alter table verification_token add constraint verification_token_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table webhook_cursor add constraint webhook_cursor_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoint(id);

alter table webhook_endpoint add constraint webhook_endpoint_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table webhook_outcome_hour add constraint webhook_outcome_hour_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoint(id);
