-- Written by `npm run baseline`. Do not edit.
-- {"path":"/v0/banking/accounts/1000046/payments","key":"baseline-payment","body":{"amount":2000,"counterpartyAccountId":"1000048","description":"Lunch","originalType":"ACH"},"answer":"{\"data\":{\"id\":\"1000072\",\"type\":\"achPayment\",\"amount\":2000,\"createdAt\":\"2026-11-19T21:08:57.496Z\",\"description\":\"Lunch\",\"direction\":\"Credit\",\"status\":\"Sent\",\"originalType\":\"ACH\",\"counterparty\":{\"name\":\"Grace Sample\",\"routingNumber\":\"021000021\",\"accountNumber\":\"9876543210\",\"accountType\":\"Checking\"}}}"}

set check_function_bodies = off;

create sequence account_number as bigint start 1000000001 increment 1 maxvalue 9999999999;

create sequence ach_trace as integer start 1 increment 1 maxvalue 9999996;

create sequence record_id as bigint start 1000000 increment 100 maxvalue 99999999999900;

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
  imported_at timestamp(3) with time zone default clock_timestamp() not null
);

comment on table organisation_import is 'Organisations that purser import has read, from an archive of another bank or from files.';

comment on column organisation_import.id is 'The organisation.';

comment on column organisation_import.archive is 'The number that the export gave the archive, or one made of the contents of the files.';

comment on column organisation_import.head is 'Number of the last event in the archive.';

comment on column organisation_import.link is 'Link of that event in the chain of hashes; null if the archive has no links.';

comment on column organisation_import.record_id is 'Where the sequence record_id stood after the import of an archive; null for files. While it stands there, this bank has given out no ids of its own.';

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

insert into account (id, organisation_id, customer_id, created_at, name, account_number, status, close_reason, balance, hold, tags, version, kind, slot, seq, posted_at, closed_at, limits, stopped_by_bank, payment_block) overriding system value values
('-1000008', '1000000', NULL, '2026-09-05 21:08:54.911+00', 'ACH clearing', '1000000003', 'Open', NULL, '-638000', '0', '{}', '10', 'ach_clearing', '0', '9', '2026-11-19 21:08:57.496+00', NULL, NULL, 'false', NULL),
('-1000022', '1000000', NULL, '2026-09-24 21:08:55.125+00', 'Card settlement', '1000000004', 'Open', NULL, '12840', '0', '{}', '3', 'card_settlement', '0', '2', '2026-11-19 21:08:57.049+00', NULL, NULL, 'false', NULL),
('-1000023', '1000000', NULL, '2026-09-24 21:08:55.132+00', 'Rewards funding', '1000000005', 'Open', NULL, '-1250', '0', '{}', '3', 'rewards_funding', '0', '2', '2026-11-19 21:08:57.049+00', NULL, NULL, 'false', NULL),
('1000003', '1000000', '1000002', '2026-09-05 21:08:54.743+00', 'Ada Example', '1000000001', 'Open', NULL, '474205', '450', '{}', '10', NULL, NULL, '8', '2026-11-07 21:08:55.301+00', NULL, NULL, 'false', NULL),
('1000004', '1000000', '1000002', '2026-09-05 21:08:54.774+00', 'Ada Example', '1000000002', 'Closed', 'ByCustomer', '0', '0', '{}', '2', NULL, NULL, '0', NULL, '2026-09-05 21:08:54.81+00', NULL, 'false', NULL),
('1000046', '1000000', '1000045', '2026-10-15 12:00:00+00', 'Ada Example', '1000000006', 'Open', NULL, '152205', '450', '{}', '7', NULL, NULL, '5', '2026-11-19 21:08:57.496+00', NULL, NULL, 'false', NULL),
('1000047', '1000000', '1000045', '2026-11-19 21:08:56.81+00', 'Ada Example', '1000000007', 'Closed', 'ByCustomer', '0', '0', '{}', '2', NULL, NULL, '0', NULL, '2026-11-19 21:08:56.843+00', NULL, 'false', NULL);

insert into answer (organisation_id, key_hash, fingerprint, status, body, created_at, sealed, payment_id, payment_status) overriding system value values
('1000000', E'\\x05bf1708d7df39a18a38bac03211ec187b0a0febb6d50533c4cf71b354df78a1', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '', '2026-11-19 21:08:57.043+00', NULL, '1000054', NULL),
('1000000', E'\\x08ac8ec8109323dd8dcd0a35d790bfd430a65b48d18f0ea32189130993c0718f', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":1,"userId":1000002,"isRemoved":false,"createdAt":"2026-09-10T21:08:55.027Z","updatedAt":null,"tags":{}}}', '2026-11-19 21:08:55.133+00', NULL, NULL, NULL),
('1000000', E'\\x0c665f200f0b92bde678a6c07e5967ea585ba1d97a9a9e465861e63efe73c91b', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000009","accountId":"1000003","createdAt":"2026-09-05T21:08:54.960Z","last4Digits":"0483","expirationDate":"2030-09","status":"Active","type":"individualDebitCard","design":"default","shippingAddress":{"street":"1 Sample Street","city":"Springfield","state":"IL","postalCode":"62701","country":"US"}}}', '2026-11-19 21:08:55.123+00', NULL, NULL, NULL),
('1000000', E'\\x0ff9d7c99295d95f2a4e5aaa39a350f6892a908fa2abc8ec332551cde38490c2', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000041","status":"AwaitingDocuments","createdAt":"2026-11-19T21:08:55.775Z","name":"Grace Sample","email":"grace@example.com","documents":[{"id":"1000043","documentType":"Passport","status":"Required","description":"Upload the photo page of the passport."}]}}', '2026-11-19 21:08:55.824+00', NULL, NULL, NULL),
('1000000', E'\\x12e4e750483d1bc3fb31c6789b3520435d43ec5c7e0cf2400ea771fa9bacf6c4', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"type":"bookTransaction","id":"1000060","accountId":"1000046","createdAt":"2026-11-19T21:08:57.049Z","amount":6420,"direction":"Debit","balance":153580,"summary":"Fluxandria Meals  |  Card 9824","counterparty":{"name":"Fluxandria Meals","routingNumber":"812345678","accountNumber":"1000000004","accountType":"Checking"},"tags":{"originalType":"CARD"}}}', '2026-11-19 21:08:57.104+00', NULL, NULL, NULL),
('1000000', E'\\x18d9c90cba3c0414023eaa5ece9863648cb2ce104b77a22b03a7661ec8596e56', E'\\xbfdcdcebe1903cdb779b4b41f162ad05353d772c08e2948164ead3a13048c8bb', '201', '', '2026-11-19 21:08:57.536+00', NULL, '1000072', NULL),
('1000000', E'\\x1beef8bf510438cc9b85ff067f2f502a9fe9b82279a830d9ace8f591beba668a', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"type":"bookTransaction","id":"1000027","accountId":"1000003","createdAt":"2026-10-08T21:08:55.251Z","amount":250000,"direction":"Credit","balance":404205,"summary":"Sample Payroll  |  Salary","counterparty":{"name":"Sample Payroll","routingNumber":"812345678","accountNumber":"1000000003","accountType":"Checking"},"tags":{"originalType":"ACH"}}}', '2026-11-19 21:08:55.555+00', NULL, NULL, NULL),
('1000000', E'\\x272d6d44e8d731ffa1ccb983175b7d775978f77456db85ec203a6a362609d107', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000053","accountId":"1000046","createdAt":"2026-11-19T21:08:56.916Z","last4Digits":"3641","expirationDate":"2030-11","status":"Active","type":"individualVirtualDebitCard"}}', '2026-11-19 21:08:56.954+00', NULL, NULL, NULL),
('1000000', E'\\x2c4e04fe5be5f550847e2b22ec8f55fb22c6029396d05c24e78e6e309fb3674d', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000052","accountId":"1000046","createdAt":"2026-11-19T21:08:56.895Z","last4Digits":"9824","expirationDate":"2030-11","status":"Inactive","type":"individualDebitCard","design":"default","shippingAddress":{"street":"1 Sample Street","city":"Springfield","state":"IL","postalCode":"62701","country":"US"}}}', '2026-11-19 21:08:56.933+00', NULL, NULL, NULL),
('1000000', E'\\x309fb83101d31058dcb6735e11c244046e3cb759ee6d6a3b56cc0ca6baf7bd22', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000045","type":"individualCustomer","createdAt":"2026-10-15T12:00:00.000Z","name":"Ada Example","email":"ada@example.com","phone":"+12125550123","address":{"street":"1 Sample Street","city":"Springfield","state":"IL","postalCode":"62701","country":"US"},"status":"Active","tags":{}}}', '2026-11-19 21:08:56.798+00', NULL, NULL, NULL),
('1000000', E'\\x329bf2e9573c4a43b988bf13cedbd1e46ad9a6aa867aa18e399c657a3eb0876a', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '', '2026-11-19 21:08:55.562+00', NULL, '1000028', NULL),
('1000000', E'\\x33d562ced6df0bbfb3484bc04bc499bdab097f56a8e2083b1e46d6dec2bcfc38', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"now":"2026-09-10T21:08:55.002Z","happened":[],"total":0}}', '2026-11-19 21:08:55.107+00', NULL, NULL, NULL),
('1000000', E'\\x39724b6bf0dd9670f1b402c0c23d2ad095067ecd6ceda139ccbad2ea7c8478df', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"type":"accountStatementDTO","id":"1000070","period":"2026-10","accountId":"1000046","customerId":"1000045"}}', '2026-11-19 21:08:57.222+00', NULL, NULL, NULL),
('1000000', E'\\x409a38c5f96047a6e451822d9552eb1827feeda5926fc3a723f4da2b8cc27ea4', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"type":"bookTransaction","id":"1000035","accountId":"1000003","createdAt":"2026-11-07T21:08:55.287Z","amount":250000,"direction":"Credit","balance":564205,"summary":"Sample Payroll  |  Salary","counterparty":{"name":"Sample Payroll","routingNumber":"812345678","accountNumber":"1000000003","accountType":"Checking"},"tags":{"originalType":"ACH"}}}', '2026-11-19 21:08:55.729+00', NULL, NULL, NULL),
('1000000', E'\\x4b80816c55ef4fb6f317723f25a366c334296a3330656b09491ca26d0c32ad9b', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"now":"2026-11-19T21:08:55.749Z","happened":[],"total":0}}', '2026-11-19 21:08:55.791+00', NULL, NULL, NULL),
('1000000', E'\\x4eb7588f3c6cead256b95ece56f96a14e7f7e24245b1d48702f9aa1a2b9d2656', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000005","createdAt":"2026-09-05T21:08:54.845Z","name":"Grace Sample","routingNumber":"021000021","bank":"JPMorgan Chase","accountNumber":"9876543210","accountType":"Checking","type":"Person","permissions":"CreditOnly","customerId":"1000002"}}', '2026-11-19 21:08:54.866+00', NULL, NULL, NULL),
('1000000', E'\\x5857eaac2e4d954811340ccd66307668ab16b871ded3a21a0856d14ca5727251', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000040","status":"Authorized","amount":450,"description":"Sample Coffee","createdAt":"2026-11-19T21:08:55.757Z","cardLast4Digits":"0483","merchant":{"name":"Sample Coffee","category":"Restaurants","location":"Springfield, IL"}}}', '2026-11-19 21:08:55.799+00', NULL, NULL, NULL),
('1000000', E'\\x5a77fef8d8f01a93bdc17e89dd42077e81ccb85be2aa6e0076c40a48d5d3d4d0', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000003","type":"depositAccount","customerId":"1000002","createdAt":"2026-09-05T21:08:54.743Z","name":"Ada Example","depositProduct":"checking","routingNumber":"812345678","accountNumber":"1000000001","currency":"USD","available":0,"balance":0,"hold":0,"status":"Open","tags":{}}}', '2026-11-19 21:08:54.753+00', NULL, NULL, NULL),
('1000000', E'\\x5d7d63ded630cc7e219d8e3c455e03a0d120871de0abb8cd247f4c3882fcb075', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000004","type":"depositAccount","customerId":"1000002","createdAt":"2026-09-05T21:08:54.774Z","name":"Ada Example","depositProduct":"checking","routingNumber":"812345678","accountNumber":"1000000002","currency":"USD","available":0,"balance":0,"hold":0,"status":"Closed","tags":{}}}', '2026-11-19 21:08:54.825+00', NULL, NULL, NULL),
('1000000', E'\\x60132ce2f17404fd6535cb5c459e3650f05d57f26c74216a36551b3ce71a1db1', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000002","type":"individualCustomer","createdAt":"2026-09-05T21:08:54.637Z","name":"Ada Example","email":"ada@example.com","phone":"+12125550123","address":{"street":"1 Sample Street","city":"Springfield","state":"IL","postalCode":"62701","country":"US"},"status":"Active","tags":{}}}', '2026-11-19 21:08:54.653+00', NULL, NULL, NULL),
('1000000', E'\\x61568f2077697699b63e5dcb64db41f17f01c3cfde4f1fd63a1540444e4b6cc3', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000010","accountId":"1000003","createdAt":"2026-09-05T21:08:54.973Z","last4Digits":"6553","expirationDate":"2030-09","status":"Active","type":"individualVirtualDebitCard"}}', '2026-11-19 21:08:54.976+00', NULL, NULL, NULL),
('1000000', E'\\x75f5f20fb44106094c2a26dc768583903d0428081a034b014a9a56aaf36dbc94', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":1,"partnerUserId":1,"bankCardId":"1000009","isRemoved":false,"createdAt":"2026-09-10T21:08:55.039Z","updatedAt":null}}', '2026-11-19 21:08:55.144+00', NULL, NULL, NULL),
('1000000', E'\\x76402e3b6bd23a6f43a83cd5c59f0244e6ce574e99704f2bb668623dcfdd2191', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"type":"bookTransaction","id":"1000016","accountId":"1000003","createdAt":"2026-09-24T21:08:55.147Z","amount":6420,"direction":"Debit","balance":153580,"summary":"Fluxandria Meals  |  Card 0483","counterparty":{"name":"Fluxandria Meals","routingNumber":"812345678","accountNumber":"1000000004","accountType":"Checking"},"tags":{"originalType":"CARD"}}}', '2026-11-19 21:08:55.363+00', NULL, NULL, NULL),
('1000000', E'\\x783d590aad51a5bcd0ec7a6e490b01b4b740ee0ed06dff4d8614aaf80945188a', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000047","type":"depositAccount","customerId":"1000045","createdAt":"2026-11-19T21:08:56.810Z","name":"Ada Example","depositProduct":"checking","routingNumber":"812345678","accountNumber":"1000000007","currency":"USD","available":0,"balance":0,"hold":0,"status":"Closed","tags":{}}}', '2026-11-19 21:08:56.886+00', NULL, NULL, NULL),
('1000000', E'\\x7c2285c7f9b2d5c07bdf83ef39d6d11b47c88c1411b2ae8fb2594be141b9f18e', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000047","type":"depositAccount","customerId":"1000045","createdAt":"2026-11-19T21:08:56.810Z","name":"Ada Example","depositProduct":"checking","routingNumber":"812345678","accountNumber":"1000000007","currency":"USD","available":0,"balance":0,"hold":0,"status":"Open","tags":{}}}', '2026-11-19 21:08:56.847+00', NULL, NULL, NULL),
('1000000', E'\\x7e22afa8ef7af647b55f6e436a140cdeabf5bab3bf81a62077a3d9e8c04c096a', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":2,"userId":1000045,"isRemoved":false,"createdAt":"2026-11-19T21:08:56.964Z","updatedAt":null,"tags":{}}}', '2026-11-19 21:08:57.001+00', NULL, NULL, NULL),
('1000000', E'\\x81c65a1739c7b38a7505dfe0efaaa8ede32ae5f6499ee64615d7447cc8b8b713', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000066","status":"Authorized","amount":450,"description":"Sample Coffee","createdAt":"2026-11-19T21:08:57.074Z","cardLast4Digits":"9824","merchant":{"name":"Sample Coffee","category":"Restaurants","location":"Springfield, IL"}}}', '2026-11-19 21:08:57.112+00', NULL, NULL, NULL),
('1000000', E'\\x8a7f3592a4551958ef0b3c2e81b8f9e56be3bbf2a2bded7af739d88dab962fce', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"type":"accountStatementDTO","id":"1000032","period":"2026-10","accountId":"1000003","customerId":"1000002"}}', '2026-11-19 21:08:55.899+00', NULL, NULL, NULL),
('1000000', E'\\x8f277d7c868cf426097ceca6e2d4970c9dbe923f69b6a27b95683d8d93b5eb3a', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000009","accountId":"1000003","createdAt":"2026-09-05T21:08:54.960Z","last4Digits":"0483","expirationDate":"2030-09","status":"Inactive","type":"individualDebitCard","design":"default","shippingAddress":{"street":"1 Sample Street","city":"Springfield","state":"IL","postalCode":"62701","country":"US"}}}', '2026-11-19 21:08:54.965+00', NULL, NULL, NULL),
('1000000', E'\\x995f34e2b2da6fd8d006b8634258cbfe1e0e0962daaad1cb4ce2d2a8da997454', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000046","type":"depositAccount","customerId":"1000045","createdAt":"2026-10-15T12:00:00.000Z","name":"Ada Example","depositProduct":"checking","routingNumber":"812345678","accountNumber":"1000000006","currency":"USD","available":0,"balance":0,"hold":0,"status":"Open","tags":{}}}', '2026-11-19 21:08:56.818+00', NULL, NULL, NULL),
('1000000', E'\\x9bdd698b0bc534ee226eabcee0e34fbf', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '201', '', '2026-11-19 21:08:57.413+00', E'\\x45d0b8e3fb9f68d43334f3831714cfae583978a7e64408ee1f78b32676d93ef2270cf25410a35b27cbc5870ed939963fdb0d96ea4d7ca69874c44946a5adf44a526e316e0e76958b9cfeb8d3e5310f8e35761651c78377f573e69a4495e91b5505b3575178771d6248ea3d7d1a29d014ca7742aa5658c9270bd182736ccea7581d35925b49b544147230cc8902b5ac25bc156675dec4f926f328f0c7ffa476160831b0611d368e20ee791b1395c360fa948b9e1d91e1aa591d3ad16123734b5c2c80e9d6c0e54b68450221e8cc9a2ca536328569bd45112295a6e7946b9e38d8b521dcbfe3f1eeb1bb576768207f7ae1f7b8b19a5a910e4744874554f9cec1b4b1a1e4bdfd', NULL, NULL),
('1000000', E'\\xa742d2be0378bb9f17cacece494618737857068dfc7af5e7aa783ef3b6a79682', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '', '2026-11-19 21:08:55.16+00', NULL, '1000011', NULL),
('1000000', E'\\xa9f9254414a3aa766aa7690d110548e2977456f7b06a52c3ca89c65b76bdb019', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000004","type":"depositAccount","customerId":"1000002","createdAt":"2026-09-05T21:08:54.774Z","name":"Ada Example","depositProduct":"checking","routingNumber":"812345678","accountNumber":"1000000002","currency":"USD","available":0,"balance":0,"hold":0,"status":"Open","tags":{}}}', '2026-11-19 21:08:54.776+00', NULL, NULL, NULL),
('1000000', E'\\xb56887d8f56505b17664b354915e4a083daf6789428e7d593ddcb9411555a5e6', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"now":"2026-11-07T21:08:55.282Z","happened":[{"at":"2026-11-01T00:00:00.000Z","type":"statement.created","id":"1000033"},{"at":"2026-11-01T00:00:00.000Z","type":"statement.created","id":"1000032"}],"total":2}}', '2026-11-19 21:08:55.722+00', NULL, NULL, NULL),
('1000000', E'\\xbc14046a1759d3326f2fc3e672836e400409c3d15212d5d0273609476c84f4ce', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"now":"2026-09-24T21:08:55.068Z","happened":[],"total":0}}', '2026-11-19 21:08:55.211+00', NULL, NULL, NULL),
('1000000', E'\\xbd57a9672b7fb950f21550c93f0ab80585414d887a10eaf4b9e5f3bd549eddf0', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"type":"bookTransaction","id":"1000007","accountId":"1000003","createdAt":"2026-09-05T21:08:54.919Z","amount":250000,"direction":"Credit","balance":250000,"summary":"Sample Payroll  |  Salary","counterparty":{"name":"Sample Payroll","routingNumber":"812345678","accountNumber":"1000000003","accountType":"Checking"},"tags":{"originalType":"ACH"}}}', '2026-11-19 21:08:54.939+00', NULL, NULL, NULL),
('1000000', E'\\xbe3cdc9b124b00c90fb6497de503807f167401cf503fa5a001a904cca445298f', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '201', '{"data":{"customerId":"1000002","accountId":"1000003","closedAccountId":"1000004","cardId":"1000009","virtualCardId":"1000010","externalAccountId":"1000005","paymentId":"1000011","transactionId":"1000007","authorizationId":"1000040","statementId":"1000032","applicationId":"1000041","documentId":"1000043","partnerUserId":1}}', '2026-11-19 21:08:55.93+00', NULL, NULL, NULL),
('1000000', E'\\xc282a973b0c701d1d9312d80d28eaeba77874e5eafa6087310cfb07a8820f4e7', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000048","createdAt":"2026-11-19T21:08:56.860Z","name":"Grace Sample","routingNumber":"021000021","bank":"JPMorgan Chase","accountNumber":"9876543210","accountType":"Checking","type":"Person","permissions":"CreditOnly","customerId":"1000045"}}', '2026-11-19 21:08:56.899+00', NULL, NULL, NULL),
('1000000', E'\\xc3ec524f369e65cd5b6e0c4c78454aa9', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '201', '{"data":{"customerId":"1000045","accountId":"1000046","closedAccountId":"1000047","cardId":"1000052","virtualCardId":"1000053","externalAccountId":"1000048","paymentId":"1000054","transactionId":"1000051","authorizationId":"1000066","statementId":"1000070","applicationId":"1000067","documentId":"1000069","partnerUserId":2}}', '2026-11-19 21:08:57.233+00', NULL, NULL, NULL),
('1000000', E'\\xcd571565cc9d8da26e601a6526cb6bd40861881ee0130bac680d35ff43f2baf3', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"now":"2026-10-08T21:08:55.241Z","happened":[{"at":"2026-10-01T00:00:00.000Z","type":"statement.created","id":"1000025"},{"at":"2026-10-01T00:00:00.000Z","type":"statement.created","id":"1000024"}],"total":2}}', '2026-11-19 21:08:55.544+00', NULL, NULL, NULL),
('1000000', E'\\xd2333527d6b20abd57557370cf8c6ede93981bdde173fcfdcaa65309600e8aca', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000052","accountId":"1000046","createdAt":"2026-11-19T21:08:56.895Z","last4Digits":"9824","expirationDate":"2030-11","status":"Active","type":"individualDebitCard","design":"default","shippingAddress":{"street":"1 Sample Street","city":"Springfield","state":"IL","postalCode":"62701","country":"US"}}}', '2026-11-19 21:08:56.992+00', NULL, NULL, NULL),
('1000000', E'\\xd36ddeafe388a29560ae9ce676f50e18ed6f6aa4e2d9d4efdbefb2e4c4967cc3', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000067","status":"AwaitingDocuments","createdAt":"2026-11-19T21:08:57.101Z","name":"Grace Sample","email":"grace@example.com","documents":[{"id":"1000069","documentType":"Passport","status":"Required","description":"Upload the photo page of the passport."}]}}', '2026-11-19 21:08:57.142+00', NULL, NULL, NULL),
('1000000', E'\\xd53a9a60a3c455ce092608e30de3da80faa5c256e75933c21f3a0e1e04c9887d', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000058","status":"Authorized","amount":6420,"description":"Fluxandria Meals","createdAt":"2026-11-19T21:08:57.025Z","cardLast4Digits":"9824","merchant":{"name":"Fluxandria Meals","category":"Groceries","location":"Springfield, IL"}}}', '2026-11-19 21:08:57.064+00', NULL, NULL, NULL),
('1000000', E'\\xd96092e3a9b399e08edeaa0900f82230c9c791ad5e9c119b2453c0ac6878624c', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000014","status":"Authorized","amount":6420,"description":"Fluxandria Meals","createdAt":"2026-09-24T21:08:55.077Z","cardLast4Digits":"0483","merchant":{"name":"Fluxandria Meals","category":"Groceries","location":"Springfield, IL"}}}', '2026-11-19 21:08:55.233+00', NULL, NULL, NULL),
('1000000', E'\\xe62e1dd1cb8f3caaaa745178201713e0bc50ee97e9fc419de52a5a626ddf8843', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"type":"bookTransaction","id":"1000051","accountId":"1000046","createdAt":"2026-11-19T21:08:56.878Z","amount":250000,"direction":"Credit","balance":250000,"summary":"Sample Payroll  |  Salary","counterparty":{"name":"Sample Payroll","routingNumber":"812345678","accountNumber":"1000000003","accountType":"Checking"},"tags":{"originalType":"ACH"}}}', '2026-11-19 21:08:56.917+00', NULL, NULL, NULL),
('1000000', E'\\xf00e1e161f61b0a2663234bc10d4ce97ed583556fa2cdf3e7c058f108479d59e', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":2,"partnerUserId":2,"bankCardId":"1000052","isRemoved":false,"createdAt":"2026-11-19T21:08:56.987Z","updatedAt":null}}', '2026-11-19 21:08:57.026+00', NULL, NULL, NULL),
('1000000', E'\\xf6533a64d40f920463fdb3313ce2b238fcb2179bfddd177f2db4135f78362dd0', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '', '2026-11-19 21:08:55.744+00', NULL, '1000036', NULL);

insert into api_key (id, organisation_id, name, hash, scopes, created_at, expires_at, revoked_at, version, last_used_at, source, deleted, person_id, session_id, address, makers, maker_inviters) overriding system value values
('1000001', '1000000', 'configured', E'\\x35831a5414704a685557cdc307bf038543ac03dba536bdc0394c30ad0a40c9d1', NULL, '2026-11-19 21:08:51.007+00', NULL, NULL, '1', '2026-11-19 21:08:56.75+00', 'configured', 'false', NULL, NULL, NULL, '{}', '{}');

insert into application (id, organisation_id, created_at, status, name, date_of_birth, sealed_ssn, email, phone, address, customer_id, version, needs_decision, screening, ssn_digest) overriding system value values
('1000041', '1000000', '2026-11-19 21:08:55.775+00', 'AwaitingDocuments', 'Grace Sample', '1990-01-31', E'\\x45d0b8e37cbdf74cca5d85c813a3b435daa77cc9aaac32b60ef0370c3ca564fb25c5fa1a4c71087fba', 'grace@example.com', '+12125550124', '{"street":"1 Sample Street","city":"Springfield","state":"IL","postalCode":"62701","country":"US"}', NULL, '1', 'false', NULL, E'\\x659515768f0b14f3697797240031ebf4f26af9fe57a7012b06ffaeabf62fe21c'),
('1000067', '1000000', '2026-11-19 21:08:57.101+00', 'AwaitingDocuments', 'Grace Sample', '1990-01-31', E'\\x45d0b8e39df6f3a8fd234ae28a56cb3eda3e02c686a38cde9250768a9a9086b497e07cff3df0174ab0', 'grace@example.com', '+12125550124', '{"street":"1 Sample Street","city":"Springfield","state":"IL","postalCode":"62701","country":"US"}', NULL, '1', 'false', NULL, E'\\x659515768f0b14f3697797240031ebf4f26af9fe57a7012b06ffaeabf62fe21c');

insert into card (id, organisation_id, account_id, customer_id, created_at, last4, expires, status, type, design, shipping_address, replaces_card_id, activated_at, tags, version, processor_reference, limits) overriding system value values
('1000009', '1000000', '1000003', '1000002', '2026-09-05 21:08:54.96+00', '0483', '2030-09', 'Active', 'individualDebitCard', 'default', '{"street":"1 Sample Street","city":"Springfield","state":"IL","postalCode":"62701","country":"US"}', NULL, '2026-09-10 21:08:55.008+00', '{}', '2', NULL, NULL),
('1000010', '1000000', '1000003', '1000002', '2026-09-05 21:08:54.973+00', '6553', '2030-09', 'Active', 'individualVirtualDebitCard', NULL, NULL, NULL, '2026-09-05 21:08:54.973+00', '{}', '1', NULL, NULL),
('1000052', '1000000', '1000046', '1000045', '2026-11-19 21:08:56.895+00', '9824', '2030-11', 'Active', 'individualDebitCard', 'default', '{"street":"1 Sample Street","city":"Springfield","state":"IL","postalCode":"62701","country":"US"}', NULL, '2026-11-19 21:08:56.954+00', '{}', '2', NULL, NULL),
('1000053', '1000000', '1000046', '1000045', '2026-11-19 21:08:56.916+00', '3641', '2030-11', 'Active', 'individualVirtualDebitCard', NULL, NULL, NULL, '2026-11-19 21:08:56.916+00', '{}', '1', NULL, NULL);

insert into card_authorization (id, organisation_id, account_id, customer_id, card_id, card_last4, status, amount, settled, refunded, merchant_name, merchant_category, merchant_location, decline_reason, created_at, expires_at, version, over_settlement, merchant_id, merchant_category_code) overriding system value values
('1000014', '1000000', '1000003', '1000002', '1000009', '0483', 'Completed', '6420', '6420', '0', 'Fluxandria Meals', 'Groceries', 'Springfield, IL', NULL, '2026-09-24 21:08:55.077+00', '2026-10-01 21:08:55.077+00', '2', NULL, NULL, NULL),
('1000040', '1000000', '1000003', '1000002', '1000009', '0483', 'Authorized', '450', '0', '0', 'Sample Coffee', 'Restaurants', 'Springfield, IL', NULL, '2026-11-19 21:08:55.757+00', '2026-11-26 21:08:55.757+00', '1', NULL, NULL, NULL),
('1000058', '1000000', '1000046', '1000045', '1000052', '9824', 'Completed', '6420', '6420', '0', 'Fluxandria Meals', 'Groceries', 'Springfield, IL', NULL, '2026-11-19 21:08:57.025+00', '2026-11-26 21:08:57.025+00', '2', NULL, NULL, NULL),
('1000066', '1000000', '1000046', '1000045', '1000052', '9824', 'Authorized', '450', '0', '0', 'Sample Coffee', 'Restaurants', 'Springfield, IL', NULL, '2026-11-19 21:08:57.074+00', '2026-11-26 21:08:57.074+00', '1', NULL, NULL, NULL);

insert into cell (id, name, number, bank, mark, claimed_at, retired_at, mode) overriding system value values
('1', 'home', '0', '03f9dbb4526dcb0aa7ab195dca929673', '5b2ce08d7d413806451605db201df473', '2026-11-19 21:08:50.883073+00', NULL, 'sandbox');

insert into customer (id, organisation_id, created_at, name, email, phone, address, status, tags, version) overriding system value values
('1000002', '1000000', '2026-09-05 21:08:54.637+00', 'Ada Example', 'ada@example.com', '+12125550123', '{"street":"1 Sample Street","city":"Springfield","state":"IL","postalCode":"62701","country":"US"}', 'Active', '{}', '1'),
('1000045', '1000000', '2026-10-15 12:00:00+00', 'Ada Example', 'ada@example.com', '+12125550123', '{"street":"1 Sample Street","city":"Springfield","state":"IL","postalCode":"62701","country":"US"}', 'Active', '{}', '1');

insert into customer_key (id, organisation_id, data_key, erased_at) overriding system value values
('1000002', '1000000', E'\\x45d0b8e3c2ee56bc59cf11171c02a550cbf6952ef431816ca860523f2e014061b34274043dd4c1d2c72bb2bb3ca55b41abb8eec87cb3c0c8810ee3f36e4556d6', NULL),
('1000041', '1000000', E'\\x45d0b8e3739c1e1192d9a5de271728ff5600b373ee648d6d2c55b0063cbf3a52ce6eb34e0696e2a4843a0e2c076aac9a031e96a83dcd3201d6c89c9febe7f157', NULL),
('1000045', '1000000', E'\\x45d0b8e30e7871d6d04cb975dbd29f5c2eff3a48017b44c8dab969dd7934eb5a17ed45b80d8748a8697a86e14553a785d9690150652e5015dffd1e37b44907e0', NULL),
('1000067', '1000000', E'\\x45d0b8e3bf33adfed1b9d3262e5e3c9d5d1be1a6132e619516f1925979e93e0a178319353f2b5bc41461f8462eb8afee1fae5a2f2c324b1937bd4eed55a16cf9', NULL);

insert into database_history (number, place, mark, found_at) overriding system value values
('1', '7709992533902075607/00000001', NULL, '2026-11-19 21:08:53.103951+00');

insert into document (id, organisation_id, application_id, document_type, status, reason, version) overriding system value values
('1000043', '1000000', '1000041', 'Passport', 'Required', NULL, '1'),
('1000069', '1000000', '1000067', 'Passport', 'Required', NULL, '1');

insert into encryption_marker (id, sealed, next) overriding system value values
('1', E'\\xf594f9745877df1456aacddfea92deb2763309fa8b7c8c5d0ac7754ad65edcf6fe055064ce46', NULL);

insert into event_counter (organisation_id, sequence, linked_at, digest, link) overriding system value values
('1000000', '60', '2026-11-19 21:08:57.502+00', E'\\x9a544553da08bdccb4412dd438dd0a5bc3513a2e88611d5e60feaadfd6979653', E'\\xe68fc3a26edfdbab88c228d5a569059c9ddbc53153fe1337a8a05df77956341d');

insert into event_entity (organisation_id, entity_type, entity_id, sequence) overriding system value values
('1000000', 'account', '1000003', '2'),
('1000000', 'account', '1000004', '3'),
('1000000', 'account', '1000004', '4'),
('1000000', 'account', '1000046', '35'),
('1000000', 'account', '1000047', '36'),
('1000000', 'account', '1000047', '37'),
('1000000', 'application', '1000041', '33'),
('1000000', 'application', '1000067', '56'),
('1000000', 'authorization', '1000014', '14'),
('1000000', 'authorization', '1000014', '15'),
('1000000', 'authorization', '1000040', '32'),
('1000000', 'authorization', '1000058', '47'),
('1000000', 'authorization', '1000058', '48'),
('1000000', 'authorization', '1000066', '55'),
('1000000', 'card', '1000009', '7'),
('1000000', 'card', '1000009', '9'),
('1000000', 'card', '1000010', '8'),
('1000000', 'card', '1000052', '40'),
('1000000', 'card', '1000052', '42'),
('1000000', 'card', '1000053', '41'),
('1000000', 'customer', '1000002', '1'),
('1000000', 'customer', '1000045', '34'),
('1000000', 'externalAccount', '1000005', '5'),
('1000000', 'externalAccount', '1000048', '38'),
('1000000', 'partnerUser', '1', '10'),
('1000000', 'partnerUser', '2', '43'),
('1000000', 'partnerUserCard', '1', '11'),
('1000000', 'partnerUserCard', '2', '44'),
('1000000', 'payment', '1000018', '19'),
('1000000', 'payment', '1000062', '52'),
('1000000', 'reward', '1', '18'),
('1000000', 'reward', '2', '51'),
('1000000', 'rewardPayment', '1', '21'),
('1000000', 'rewardPayment', '2', '54'),
('1000000', 'rewardableTransaction', '1', '17'),
('1000000', 'rewardableTransaction', '2', '50'),
('1000000', 'statement', '1000024', '23'),
('1000000', 'statement', '1000025', '22'),
('1000000', 'statement', '1000032', '28'),
('1000000', 'statement', '1000033', '27'),
('1000000', 'statement', '1000070', '57'),
('1000000', 'transaction', '1000016', '16'),
('1000000', 'transaction', '1000021', '20'),
('1000000', 'transaction', '1000060', '49'),
('1000000', 'transaction', '1000065', '53'),
('1000000', 'webhookEndpoint', '1000071', '58');

insert into event_link (organisation_id, last, created_at, count, digest, link, history) overriding system value values
('1000000', '1', '2026-09-05 21:08:54.691+00', '1', E'\\x7cd9dcebe1d912ad789886d360a809e65022c82bc74629213aae73a32df993d3', E'\\x009c2dc5bceda488e7542bbcc76af161ea380d955cecf86c87fcd8d362d0164d', ''),
('1000000', '10', '2026-09-10 21:08:55.029+00', '1', E'\\x36e8e0da368c518995570698ea40e4256331409a39f1d76a34923dba3a8f10c4', E'\\xa497a2ec10a74c7b4ee2b5c34bff188541ea2ffc059be50d9eec9f9f5df82904', ''),
('1000000', '11', '2026-09-10 21:08:55.041+00', '1', E'\\x4eefcbf256097eeeb4c4c243c80b7cf88109620d65416494ec1a5b0035bb06f1', E'\\xccf8ecef4bcb40eb8e0ccb2cf16e583984a3f2797e7822c014111e69d7a61db2', ''),
('1000000', '13', '2026-09-10 21:08:55.058+00', '2', E'\\x3f4c2f532498fce5fcb3968ed713f9ed4019e30c1fa66bba3973935c5c32740c', E'\\x6d7857abbfd9bcbae8b2424fff61081d4ada729046dfa30a9c3d17fb4f91f974', ''),
('1000000', '14', '2026-09-24 21:08:55.091+00', '1', E'\\xf53ef756fd526736e051d8e29ea4f8bb31b1272dbc168b3be5ba3cb53dd664d2', E'\\x9e9deca6784b23ee6321741be36a41277dfa27554ea1a1777e53a29217be82e9', ''),
('1000000', '2', '2026-09-05 21:08:54.76+00', '1', E'\\x683e9fd41f76ee18744ba92fe78952cec315be549ce2198c814ee0ad18d81c92', E'\\xdeea12ab55045cdce59d196ba3a4e5087d81c6baaa4a57f6e8c19cc51cd66c6a', ''),
('1000000', '21', '2026-09-24 21:08:55.227+00', '7', E'\\x76208ac26c753c110c3d89315c1bd5d7be3b481dd64dfd3276dabcb7c969e1d7', E'\\x53935e7517383d0d5e9af22ba332904fd63062a9970412f7e691b1945943caf1', ''),
('1000000', '23', '2026-10-01 00:00:00.034+00', '2', E'\\x0871f99ccbbf743610060880a05d1f748df19602af5323951e589d0d7eeb19d1', E'\\x9b9707777f887c3389757cb2f808139182e0a225eb4260860ee93a0f318190d3', ''),
('1000000', '24', '2026-10-08 21:08:55.253+00', '1', E'\\x4c45e1ee42a7a357aa38759da49280ee978f9fd1b1b33a0c9e807984ed544853', E'\\x18113bdba9458bdd090ed33ca053a702dc768bae80276df0e1c62bc378755e26', ''),
('1000000', '26', '2026-10-08 21:08:55.26+00', '2', E'\\xaa43568514b85d65045a20b7800bae1277b0ac9ae9db8670f16262c737791bed', E'\\x63fcbece6f2819a919197662739224bbe39e94d6cfee0b3d2a69a3e80cbba9ea', ''),
('1000000', '28', '2026-11-01 00:00:00.055+00', '2', E'\\x2f1d2210d25c1217b24f36bf8215ec66136cebccd8890f77b336866217ddc05b', E'\\xe2aa76d3e0443aad12cee6ebad5be39d11f1594837367aafcb1ee0fda4627da2', ''),
('1000000', '29', '2026-11-07 21:08:55.289+00', '1', E'\\x7036d9c138a7c8ac1d510361fd9f9c93984a52c0ece3df5ee1080db628c65b45', E'\\xd079971dcd7c52894da5c908a3c4b4de6285943b729d8f2e5c703479671d3e6b', ''),
('1000000', '3', '2026-09-05 21:08:54.781+00', '1', E'\\x5e1790143cd8c5b23fe05127aa2701387345686b782526bc41b49d769368bd4e', E'\\x1932c4478a8191854923500bf683fe465d0f155feb50c816980ba38d2feb5181', ''),
('1000000', '31', '2026-11-07 21:08:55.305+00', '2', E'\\xc26f8e746df50c30fea504c33a605604ea61e702e8b897415fb5814099137a37', E'\\xc3cca7092f6fecaaa05743d4690b61dd819d0787882b7903cc5aeadc8dada3f2', ''),
('1000000', '32', '2026-11-19 21:08:55.77+00', '1', E'\\x26c4955e3f7810fc683f1db09309385b28f81d18d70eef7cf4245ff4c82f4564', E'\\x4b8faec34c470d6dbf1196da249df205b7a343845a1b653d45e4356f9eaf94e7', ''),
('1000000', '33', '2026-11-19 21:08:55.821+00', '1', E'\\x46545f130bf18487880a7d1acf3f77aa2915df5daf8889c1d19864635ce87a3f', E'\\xf7c677e57533e792cf089a849c87e3d0aa478a11e92dc75f4b8573b822da3470', ''),
('1000000', '34', '2026-11-19 21:08:56.771+00', '1', E'\\xcf9a50e8ae8f493e9a476a38cd40e39550b22455fc96505fec64de0cb3dc824e', E'\\x47a5cb93fa16fa615d9e85760d915c7dfdcf6ddf7c1d1666d117e9853caf9e10', ''),
('1000000', '35', '2026-11-19 21:08:56.8+00', '1', E'\\x43f20d4b880a9defae1d6adb39b21e2a2019bbf7f3ffd4784baea896a28adee0', E'\\x61410da40329b6c335b1fab5eae40b2ed439dfd60e2c509a289a9930eff0dcf2', ''),
('1000000', '36', '2026-11-19 21:08:56.824+00', '1', E'\\xdb722b75695ebb08aeaf42c3d2c146cade6610ba57733bff648444427370d7f9', E'\\x43c2de889805684ba5a94fb6105c707e677cf96db382bbd9d40558a23bc62e53', ''),
('1000000', '37', '2026-11-19 21:08:56.852+00', '1', E'\\x6c89580626fae6f134d8fdd3195334419eef2281cd4f3449b62d2a9421c975bb', E'\\xc57b4f20f449506d9a261cf2e808ee217e6bba6bc15fcfeb1a2e7154cd18e53d', ''),
('1000000', '38', '2026-11-19 21:08:56.871+00', '1', E'\\xe7a7ea561b7d48cd13b6f3b3b9c76b8ce07bd98ccd79504c8e5151604e8509f6', E'\\x5949a4589397ab8fd77f767afe4d6f3cbb10923b95114861f7d4f28c64229ed8', ''),
('1000000', '39', '2026-11-19 21:08:56.888+00', '1', E'\\x5a5b3b53fbfe42504d63a9d1db089ffb966b1db3592a7e17e3b0ef3c6c2a48f2', E'\\x98dc560fc2911e57bcb2f2450b8a2e5070ec2875bf37d437cd2b8e6fcdcec156', ''),
('1000000', '4', '2026-09-05 21:08:54.832+00', '1', E'\\xd6ce37d085ba1e4fa875911f38e1d5dc7f90c32ab338990d631d4a0ab5b321d6', E'\\xb5c8022e1a10d24e100220dc1efedb2d6bc4700a488d32b558a4f530b81d70ea', ''),
('1000000', '40', '2026-11-19 21:08:56.903+00', '1', E'\\xf0f8ab7e56bdeeca9919e680fc08694ce8b60fb5617ca16924ed8d5e91e264ae', E'\\x357771317782746f8493ae41ef25c84e2e537efa84e7bdd12390bf835964421e', ''),
('1000000', '41', '2026-11-19 21:08:56.935+00', '1', E'\\xf88c54a90d2530a051ee8729ebc1a5a8c5fcb4397d17055dc419aa8e49805ac6', E'\\x5843cb2a76dfb8ffacdf847acb36adf3ca8e1691ee099c64d652e2ed98b3d36c', ''),
('1000000', '42', '2026-11-19 21:08:56.957+00', '1', E'\\xb141bb122668e174a63d903c3084d3b8ea7d7848a34b9db3f9f7f45a3749cc66', E'\\xe711569fc34c2b2ed19304f13241aa4371d6342f531ebeb647ccc429e913e672', ''),
('1000000', '43', '2026-11-19 21:08:56.968+00', '1', E'\\xebdc8f49c95cabd0d2bb9547778e4d888374055d03bc114b29b8b3ceae311394', E'\\xfbf719b93dbaa688e10ab9fca59ca094585ccec969713b9e28724cc5e062a8a1', ''),
('1000000', '44', '2026-11-19 21:08:56.99+00', '1', E'\\x6e610da9dc29ea714f299546077c69a65b208137a71f278f3b3f31a4f21d90d1', E'\\x01f06604dadc4e76466887466985b643258436fe19c9911b90778b51f998b31e', ''),
('1000000', '46', '2026-11-19 21:08:57.007+00', '2', E'\\xbda6951847cd25f2bcfc6df8fb60481d7ed3a650f66bda0d544703e5810a7dfe', E'\\x44fac973204825f7772aabdcb7aa535f69954cd8491acb113f5b7f4c5b0f71a3', ''),
('1000000', '47', '2026-11-19 21:08:57.028+00', '1', E'\\x0a9bada0006472e9a44db475df19891bec225c00b40c442010b462c512078dbe', E'\\x1979c69647d82aea0b74d62e340e680b720ff282a3db088cd2a6bf8ac381e790', ''),
('1000000', '5', '2026-09-05 21:08:54.874+00', '1', E'\\x6c4a46ecbbb972426bf6fd3888c661c14e3da588a2a27de320e796ac287cde08', E'\\xeb30b390cf9d9d7c06caf2537be98b04bb6bb1d33db7d76db1022eadcd9b3ef7', ''),
('1000000', '54', '2026-11-19 21:08:57.068+00', '7', E'\\x63fd24d4efdf97c7a3da8cedf7261f4d8054e055abdf735212a129302573709b', E'\\x62020f8f24689321d8cd603cbd11d3a557d283ed61d46c2a7433f1f29df9f029', ''),
('1000000', '55', '2026-11-19 21:08:57.087+00', '1', E'\\xee5f7d91259c83c4d43034ca71c562f36215a71eb8fdc0231f87f6424757ae0a', E'\\x179fe1b2f9634f30423c7291188b80f79b839aa94c25b35b7a30b98916870975', ''),
('1000000', '56', '2026-11-19 21:08:57.14+00', '1', E'\\x0b90e3ad83761ed4d14990d1c95660c4934763218655b856e0f27d9aca249c4e', E'\\x001a84087afb314ba423c471e1446617c7d63ab9fc9874872e5789f8128c9c35', ''),
('1000000', '57', '2026-11-19 21:08:57.188+00', '1', E'\\xdefcb30fd320509de54dad1fe2f5eb60e7d6343da736fa51cf40d0cf175efc75', E'\\x774ad65030fd324199973d6d4d2a3397f580d51cfd07d738c7980e8d11e6b167', ''),
('1000000', '58', '2026-11-19 21:08:57.399+00', '1', E'\\x31f15f99f6939b852eadb52539823bd903b387ad915c89b6460f515aa59c3028', E'\\xe387b05cadfce1cea89170a5f788a3ba872059e3a861be2c7224059a8c068d5a', ''),
('1000000', '6', '2026-09-05 21:08:54.952+00', '1', E'\\x22c2ecadbebc696a456ea2a3ad51826a18b20707d91d0d2fd77a86ab4b9265b6', E'\\xe9352275971233107708e4afb22f37af5ddf863a901e486a35ef7206268431ad', ''),
('1000000', '60', '2026-11-19 21:08:57.502+00', '2', E'\\x9a544553da08bdccb4412dd438dd0a5bc3513a2e88611d5e60feaadfd6979653', E'\\xe68fc3a26edfdbab88c228d5a569059c9ddbc53153fe1337a8a05df77956341d', ''),
('1000000', '7', '2026-09-05 21:08:54.968+00', '1', E'\\xe445b98d1c4041db14a44ecfbfc168100dc0706887e8529edbb7062fcfb8671e', E'\\xcbbd01fa7b012d695d942269975bc0abdfd198ed261b9b9939d82938429959f0', ''),
('1000000', '8', '2026-09-05 21:08:54.977+00', '1', E'\\x355c31c529db34c7c8f9c5dfe14099fad34fcd72835500aa412fb3db0c2dd5fc', E'\\xcd929443b635cb9e57f72c1a047f9aa0e6badf291c2abf485d25aaa9579ec519', ''),
('1000000', '9', '2026-09-10 21:08:55.02+00', '1', E'\\xbbea9a444fb6035b65786bd6d62cd79a2904ef82a14f9d48a5a955c05ef83871', E'\\xf90e26095f7c2adb39f42e5195ee6adb1989c5ef36433280cf69528005ee428e', '');

insert into event_page (organisation_id, last, count, created_at, events, timed, history) overriding system value values
('1000000', '1', '1', '2026-09-05 21:08:54.691+00', 'customer.created10000021~1000002:AAAAAOM/T9NybGXcL2P7KOpCCANbM6ALAAElnlWavPkTf6G3FcV0qpyM8PM59MFkCBLGKikJzCwG/CgfsReni5VZFiVlu2DZ3g+K9iGkEQthQKDo0/oLSwyzQSWy6eKmRJMaIoU5z777n/cf4vXpd3JjxK29+UHARUqrsv3RXm+KI5PqnmEys8jI1XPl0kR8866EHQpmit6ypQFJxsIIE/KSHqhyBuB4CfqtjMbYCUUnPnZpA1VotK0ovRi7GK3SReTUKAzR67e5P7ZNcmX/NCdpNcGfcTo3ZL1ssbK/j5NO+c2gDvMQdfpEQxmnFg5ZXw1PnR9B4rcX4pOwUyBNStnr2IS80vt2Kukz7nAyeDiAz7gZXRLYeQbescUkjeMZaxki+b0uo5BclKPbjiQ9YX8XZ1RtD5hrMIKFQWIBDktb7g==demo', 'false', NULL),
('1000000', '10', '1', '2026-09-10 21:08:55.029+00', 'partnerUser.created11{"id":1,"userId":1000002,"isRemoved":false,"createdAt":"2026-09-10T21:08:55.027Z","updatedAt":null,"tags":{}}demo', 'false', NULL),
('1000000', '11', '1', '2026-09-10 21:08:55.041+00', 'partnerUserCard.created11{"id":1,"partnerUserId":1,"bankCardId":"1000009","isRemoved":false,"createdAt":"2026-09-10T21:08:55.039Z","updatedAt":null}demo', 'false', NULL),
('1000000', '13', '2', '2026-09-10 21:08:55.058+00', 'payment.created10000111demotransaction.created10000121demo', 'true', NULL),
('1000000', '14', '1', '2026-09-24 21:08:55.091+00', 'authorization.created10000141{"id":"1000014","status":"Authorized","amount":6420,"description":"Fluxandria Meals","createdAt":"2026-09-24T21:08:55.077Z","cardLast4Digits":"0483","merchant":{"name":"Fluxandria Meals","category":"Groceries","location":"Springfield, IL"}}demo', 'false', NULL),
('1000000', '2', '1', '2026-09-05 21:08:54.76+00', 'account.created10000031~1000002:AAAAAKheFHSfcn7vr2G+o/K9bYFnzSowLX2QzVP+Msx+NZ8pHAM3PwA2yXuicTOq7NXxWzYgPtArwTCyIhVHnJoc/Gts89u0xr9otXUZ8UQruHQNeimFlHmY29Z2VDvZJ4cHO7lCCO8zc9MTdpZ1J4xorHLh6F3rKctbpwNaFhZZpLI+4yaOYvarnIzJHChLtJlCjvjEDEGz4LGLvky4p+7kB8MC4/Jh846PyFR6UB279jITE5ydBBgTcYK586LKaA51xWv1ZlJIG4JoH4c++qD78pqCJlYUr2mWBp89bMvJewPgd3i65FgJJtdteKmMsDYW+yVLE/hxzrJFfrdvViLZk0Zrvtpy8URTqwv97xyAC2Q6gPePEeJQxh+gSlLvE+SATWhttPaudR9w1rs0GGUqlViJsmp7r8VRokqcdemo', 'false', NULL),
('1000000', '21', '7', '2026-09-24 21:08:55.227+00', 'authorization.completed10000142{"id":"1000014","status":"Completed","amount":6420,"description":"Fluxandria Meals","createdAt":"2026-09-24T21:08:55.077Z","cardLast4Digits":"0483","merchant":{"name":"Fluxandria Meals","category":"Groceries","location":"Springfield, IL"}}demotransaction.created10000161{"type":"bookTransaction","id":"1000016","attributes":{"createdAt":"2026-09-24T21:08:55.147Z","amount":6420,"direction":"Debit","balance":153580,"summary":"Fluxandria Meals  |  Card 0483","counterparty":{"name":"Fluxandria Meals","routingNumber":"812345678","accountNumber":"1000000004","accountType":"Checking"},"tags":{"originalType":"CARD"}},"relationships":{"account":{"data":{"type":"account","id":"1000003"}},"customer":{"data":{"type":"customer","id":"1000002"}},"customers":{"data":[{"type":"customer","id":"1000002"}]},"org":{"data":{"type":"org","id":"1000000"}}}}demorewardableTransaction.created11{"id":1,"partnerUserCardId":1,"bankTransactionId":"1000016","createdAt":"2026-09-24T21:08:55.147Z","updatedAt":null}demoreward.created11{"id":1,"partnerUserId":1,"rewardableTransactionId":1,"offerId":"1016669","merchantName":"Fluxandria Meals","amount":6420,"userAmount":625,"state":"PAID","createdAt":"2026-09-24T21:08:55.147Z","updatedAt":null}demopayment.created10000181demotransaction.created10000211demorewardPayment.created11{"id":1,"rewardId":1,"paymentId":1000018,"createdAt":"2026-09-24T21:08:55.147Z","updatedAt":null}demo', 'false', NULL),
('1000000', '23', '2', '2026-10-01 00:00:00.034+00', 'statement.created10000251{"type":"accountStatementDTO","id":"1000025","period":"2026-09","accountId":"1000004","customerId":"1000002"}statement.created10000241{"type":"accountStatementDTO","id":"1000024","period":"2026-09","accountId":"1000003","customerId":"1000002"}', 'false', NULL),
('1000000', '24', '1', '2026-10-08 21:08:55.253+00', 'transaction.created10000271{"type":"bookTransaction","id":"1000027","attributes":{"createdAt":"2026-10-08T21:08:55.251Z","amount":250000,"direction":"Credit","balance":404205,"summary":"Sample Payroll  |  Salary","counterparty":{"name":"Sample Payroll","routingNumber":"812345678","accountNumber":"1000000003","accountType":"Checking"},"tags":{"originalType":"ACH"}},"relationships":{"account":{"data":{"type":"account","id":"1000003"}},"customer":{"data":{"type":"customer","id":"1000002"}},"customers":{"data":[{"type":"customer","id":"1000002"}]},"org":{"data":{"type":"org","id":"1000000"}}}}demo', 'true', NULL),
('1000000', '26', '2', '2026-10-08 21:08:55.26+00', 'payment.created10000281demotransaction.created10000301demo', 'true', NULL),
('1000000', '28', '2', '2026-11-01 00:00:00.055+00', 'statement.created10000331{"type":"accountStatementDTO","id":"1000033","period":"2026-10","accountId":"1000004","customerId":"1000002"}statement.created10000321{"type":"accountStatementDTO","id":"1000032","period":"2026-10","accountId":"1000003","customerId":"1000002"}', 'false', NULL),
('1000000', '29', '1', '2026-11-07 21:08:55.289+00', 'transaction.created10000351{"type":"bookTransaction","id":"1000035","attributes":{"createdAt":"2026-11-07T21:08:55.287Z","amount":250000,"direction":"Credit","balance":564205,"summary":"Sample Payroll  |  Salary","counterparty":{"name":"Sample Payroll","routingNumber":"812345678","accountNumber":"1000000003","accountType":"Checking"},"tags":{"originalType":"ACH"}},"relationships":{"account":{"data":{"type":"account","id":"1000003"}},"customer":{"data":{"type":"customer","id":"1000002"}},"customers":{"data":[{"type":"customer","id":"1000002"}]},"org":{"data":{"type":"org","id":"1000000"}}}}demo', 'true', NULL),
('1000000', '3', '1', '2026-09-05 21:08:54.781+00', 'account.created10000041~1000002:AAAAAFQwzXrjgELuc5bawfdMF1RiTo7gRTTD1V5mThPQCpUgxbGNgEAeTtClDpo30TKKvbRofwi0LM3qC6XK9J8gBl7mI1r/XtJD1aBboezzhPVXWiYa3Y3tAVnXiuDD0HLH+A+sAZbllm6XGax8RAVKCsB8UVAQw8+Jd0Xu1j/SCeGjGAprlRGcFuBDWfg7JSeJVRn11tAtjoE0mD4XStYG7zXNY8fpbLtPiAtdyZc6zETGwe5iWDnT88nApKtF87lsPBJeTZxUvk/lwvcfZDZiqhSiXfeOiiaimJPX62Dd/r7csevbQzmf4bko1fMZalkMhd2keJR48TAApOZrkgUldkAXJ5p1an8M05fpWsjDLpu70/DkAzbeL8nMEI5MOU1qTqifFNlqAwS9r+xHhzxxB+9dLNdc5r0n0fnNdemo', 'false', NULL),
('1000000', '31', '2', '2026-11-07 21:08:55.305+00', 'payment.created10000361demotransaction.created10000381demo', 'true', NULL),
('1000000', '32', '1', '2026-11-19 21:08:55.77+00', 'authorization.created10000401{"id":"1000040","status":"Authorized","amount":450,"description":"Sample Coffee","createdAt":"2026-11-19T21:08:55.757Z","cardLast4Digits":"0483","merchant":{"name":"Sample Coffee","category":"Restaurants","location":"Springfield, IL"}}demo', 'false', NULL),
('1000000', '33', '1', '2026-11-19 21:08:55.821+00', 'application.created10000411~1000041:AAAAAPMqa7Rm2RzsjZ9KXLsR+kWdA4kElCvzwHlOMORHj4flg4Wws4eSPZ4d+kMu42P5YIha5vUOfIhkdp9pcbXcEJwFye6WzcAP9r4b9svX4rvc3xPJeCPDbLkVNJjAnefy5YPhDWDg+Y9DA9N1fxmo3VqMwgPeej+cywG/kkr9jk5sqbPiDIA+MlDuHhWCq6LC5JUFtICaGKZdzuZEshdmoRmxX0WfjPr0ko8Sf+g34uJ4m6aE77om/ZOPXEmjYcSuPMM0C3qaHizspl58Sp/wUyECSeJh8NoVdUlqE7vegq8Qx0JqUngqsrt36FyeZKJ5e2jBaD98pdpYckwgsu+Q0gSVvZcmuJlBuQO0zeQjTFjj7qFSXlwhY/fUXgOEE/Hg1z+CAvHhWQ==demo', 'false', NULL),
('1000000', '34', '1', '2026-11-19 21:08:56.771+00', 'customer.created10000451~1000045:AAAAABjZzPYJcYheEzqgYOq5M7ahO0N1XoQU2pck8MXE0KR343HhrqfPP+AlKwoDJx9jmMMV2t/jJkQPswIaZJtYX8w7da2l1yJl6W8XAGBjHo0h1JxbEczg3T4J51tFNpCauu9DchZ1fQcrh37ich43rxdDl46MGUIbRiL2hCPi5A2/PQpuJ2Z2fsTA984O5ApdL+pOAQwfsLVfiBJ2FglYmBCLmEYVmwhPMQyJJkahpg4GZ6FQ+tQApvAxFQxlBI1cFWzHG8Au9xOdtWhcJzS9REUd1p7MfrPXXWItaqmqeuh9KHOfUe1OZogpYupnG0XpERea647UpXAAqB7xJChL2kYaJnOh2dy9L/B09wKZk1opGXadStHDNdjIwCWuhGkcVtSflHBJ/9PxxtcMaJQgryBGJrQbFcvYmLNmymVLdg==10000010e2991bd-49a0-4784-bfbb-c5963b8f07e2', 'false', NULL),
('1000000', '35', '1', '2026-11-19 21:08:56.8+00', 'account.created10000461~1000045:AAAAAGR3mns82tHrnBKeKnWf1nsduRXsSz/mJPZG94DEJI/o6hiKz53FEzy0ighx2wt33kXpKGvnPiznPRqueu0f2jTEnmjBVRWIpT4UVh84IKCCnBhOTFzaNUGDan9dHRw1Bc3jTzASdi2sqVgeuQczrEkeHczN/tLLqALeQ9bOJokiS2TowosMNqXFuVbpUWwjttn46cb95pKZErAE9gN4f1wnKd9AADeuB+FY2O73i4HhYNaCu+FsLfDBP4IZJWIOEbweQbCNmOEl7z/IYZSVcD4sWVmMNPPxBTAJNRwcOsnGEr59piutmGB6Xz/K7rP+nn9qne2/03QUbr4dN5C6u35L57tIO2XJnFglwODCwzhnnIIz2Jp8W324Ilcd9fvpFebjjwKBjML/a7wU+CXDfIpBXg663o0NWvsl10000010e2991bd-49a0-4784-bfbb-c5963b8f07e2', 'false', NULL),
('1000000', '36', '1', '2026-11-19 21:08:56.824+00', 'account.created10000471~1000045:AAAAAI7gG945Lz+r1f1mN4boVX8b+dmXkdRwCmvJ/uT0YJ+2lgVMVxzWIowvN0JPN1ub4fBUBV2IS2RAcj4lZzWr72V/0vMzaMGlkGK47wWNVhGddZ9q2HsCThlXVecF2p+EafMkpB94Xl6+8SPtgmBGPMxTcVwC6AhNpFzgdbTMlQ+jiC6wjQpd3kEd5JmasY0UPmiUHvkoLC1mVv9EMygLxvLi2KjfW1O/YVRggoEvGSiJTbmyWRRoDhXyyjU82ZxVY+yGSCmyLzFiC5e6HT8yPBNOx/4xUisuzOyi4pgahBMxbUPCq4Nf7nAi0LULNgMHUBkda12Ge3MwUmPEfyLNVac+P8UkhXBJrr/J0XQ15r8bJ/1jbgdHoNfsLPSia1rj6o5PzZxbCZAlK/zmh9NPreygD4iQoahBoNqq10000010e2991bd-49a0-4784-bfbb-c5963b8f07e2', 'false', NULL),
('1000000', '37', '1', '2026-11-19 21:08:56.852+00', 'account.closed10000472~1000045:AAAAAARNnhQgnbnWv2QhoqkoDrmc67gwbLaj8kb6/duvHvdkwviSdPabvcq7qqV7+QUbVma4sETXnGcrgO6gMs2vKdu//F9OPspsfoBqSLDmtkC7zbQuI7WJVDd0Y2jQNxCM2QDRiHEcXzKlLFHUgucZaOlM2Mg2Rt3QXc+2Of7Gag2dgtv1/uhe0//6FQxWDklv3SKUuWQgn5oUBpyux7ZgX7AFXMCAGnDkAL5xiZifcXhJmMC7X8sO7n1xvxhJIxwf2pi4EHSbtssmKdkaWQaiigQ3/pCN2tIYz1b+DQ9ulD4mSTzsbmWlHVNxeL2jtLO995SEuJPoNjQ9VuyonXnQ9ioMtmpsENBJlsA87TygJrFmiK0wxw0DKoJxU3iSu3qXrNqKX86p2ZA81Kaw1EDJFr902PTaaIdq4vjuX3o=10000010e2991bd-49a0-4784-bfbb-c5963b8f07e2', 'false', NULL),
('1000000', '38', '1', '2026-11-19 21:08:56.871+00', 'externalAccount.created10000481~1000045:AAAAABTTUVM+8UZ6L2b8Raw/xvMszWrDVMy+gq7HDaaqLlAGqZD4XQVmaqDMm+XZT0AirLPnfHhSbVHedL0HiXNceITC41N73Weh0Lina8Sx+74HWknw2Qfkh6tj1u/9rNa9qmLzVnxozDGso7/ktX8FagSE9AuzsDzEctEwAS7Ke3w6093WU0Lm1RIYDgZx6PgkpsrewZqyYRfVtIHN+Bl35SHmQR5oKTXEFzYQCjYWMjEptWFW3Gits6w0qlPWTTA5EbWjqxt8RnOTEmIJo++uywJz5HWUYeueShKcMvpmvVFChAQPXqvGLPEootVKTYCI5t1eYKxpkE0KwguOTZthI3mPOB677ghbKRmnZJvmHoCfTRl9VzI=10000010e2991bd-49a0-4784-bfbb-c5963b8f07e2', 'false', NULL),
('1000000', '39', '1', '2026-11-19 21:08:56.888+00', 'transaction.created10000511{"type":"bookTransaction","id":"1000051","attributes":{"createdAt":"2026-11-19T21:08:56.878Z","amount":250000,"direction":"Credit","balance":250000,"summary":"Sample Payroll  |  Salary","counterparty":{"name":"Sample Payroll","routingNumber":"812345678","accountNumber":"1000000003","accountType":"Checking"},"tags":{"originalType":"ACH"}},"relationships":{"account":{"data":{"type":"account","id":"1000046"}},"customer":{"data":{"type":"customer","id":"1000045"}},"customers":{"data":[{"type":"customer","id":"1000045"}]},"org":{"data":{"type":"org","id":"1000000"}}}}10000010e2991bd-49a0-4784-bfbb-c5963b8f07e2', 'true', NULL),
('1000000', '4', '1', '2026-09-05 21:08:54.832+00', 'account.closed10000042~1000002:AAAAAMOgj5RcaofHQY776GPhFVmrAfvWfczeMSwtEpCetBAmx9D8Y2QD0T1748MIfJVk+V42JFepWLCmqhskpb+Z7DhDGVGF993CA3P4A84akoDZh0mvx6EmoG/GolheFFir41GzVrj3Qn34LuzQvAwUwDTY7f66VTHJoem/upm80KUBiIHvYpBuJhCA1PnoVqXeyDe48Mp2Q6Ezo2ubqQwqYfe8Rh+nBi5JbPdNG1dRA8ei6q3uiaKUydH4L7pXZ4AK4JCTdq3HyDUX5zkYJw/bh3TJDtDJm+FUhQf/fyrLHhFqU6U5WyT6rO6x1NfD021HvadslJTVo/CaEjRPRRGx4Zk1ey9A10RtmtXQErPHO3I74pYAuUISJEW/anEbVJhJc35Xm0pOPVCUkORFG0EOoJyiU5fNfDBO69gXp6I=demo', 'false', NULL),
('1000000', '40', '1', '2026-11-19 21:08:56.903+00', 'card.created10000521~1000045:AAAAAJhi2iblVRxocSM7JIOuH5eiRwf8phcMEZL9B7+TSuoOX2KeifR/ieULvAkXnHXlbSdWT1HX7z6ufJbyk1OkN353MbL5jzkCoxB6GLDG9Wn11IUgcQ7zIHvvyRltNP1Kml4HlGPKbXP3d3+v+uOas1CrPL7mnrBsj8ZvWecn6HHsPX4C4Br4JoE2Z9xStUmATuz/u8uJkEzqWQZwlE8jepPRI1MtWLYFvXuXO5buDc9S7Dcia+WSJ6B3pN0qNP3oiKGu2D13ktF2wTzpH9YA7gDEVtEOm6rhk4r3a+RFxIYRT8nxyLgmu4nIenq0gVXMmlyvhxkGomeUg5oojaRNlE4MDx+B+A4BloKhCaToI/JZlj7tq1cABnSCCNOVxQVBjOQ0b1ujeFgpiTprNGgwyJ/VHdap7g7aHLTnbI0/c1DMaNevYZsqpbAZlE+pkTJ1japT10000010e2991bd-49a0-4784-bfbb-c5963b8f07e2', 'false', NULL),
('1000000', '41', '1', '2026-11-19 21:08:56.935+00', 'card.created10000531~1000045:AAAAAKgn/3jzkhyfAIEksHN3fzxkI2Y3tSi8ReNeBf8FXALjeqirQu83OdwgUtypiRQbrkxDVnqPhaWgxB+NV8iPbU/AfClNEqvvhkgyvAwb2xaXbZsgyG3CeUMZlcHJP8jw31Z8TGnhYF9SFVie03aRcivCxIwH9OqLbacAefmcl1fFhpCK/udTI0zddp0oDi9WcV0DZlwk9U9xtWeGbOX7bume89YywhSU+d4cQHiZqJXu2OzxqmYyH39zVPhoMxDI2NRf98UiOrikxsoxn9/nCA==10000010e2991bd-49a0-4784-bfbb-c5963b8f07e2', 'false', NULL),
('1000000', '42', '1', '2026-11-19 21:08:56.957+00', 'card.activated10000522~1000045:AAAAAOQXv9BfyvxKToGvz+eNrcaEWPxc6wy+hi9Yot7I4YZ+8va7YpThoATz4ErSckpW+st+h0eh5o1MKURu1wFwIdDSMBCkgCXRgKJ6XazBA+fsv+jbalM7ycMnM8SzrhKRsylTTCNtiBFj9bhzHlYZkXXhwMjCdLpvjfJ5Dpj1cYx26b8lrqyTJzwb1Q1jF9oV/GIY1klEDuX0YDushDCJTfEKjlnL675ztTRFTZ7RCDTbwG67VatH3icA8PsVbBWROV0Gbft52I1FTvmlvljuD+u42RTXzkBJuyuhKzprEVuqNtOKtcjoABi54O7YP6BpB92xmoGjQgUQFiVJS7ZiJmaFiqv2s0Li12MZGl1J2b5QzFj8CjHPNHMjNDDlFwmXQwc1JDCYhQyPiM9FkUm72Xptz2nqeV8VqCZjCKCAw/h3KwrE/xBIL7VOzNvPaTqCSg==10000010e2991bd-49a0-4784-bfbb-c5963b8f07e2', 'false', NULL),
('1000000', '43', '1', '2026-11-19 21:08:56.968+00', 'partnerUser.created21{"id":2,"userId":1000045,"isRemoved":false,"createdAt":"2026-11-19T21:08:56.964Z","updatedAt":null,"tags":{}}10000010e2991bd-49a0-4784-bfbb-c5963b8f07e2', 'false', NULL),
('1000000', '44', '1', '2026-11-19 21:08:56.99+00', 'partnerUserCard.created21{"id":2,"partnerUserId":2,"bankCardId":"1000052","isRemoved":false,"createdAt":"2026-11-19T21:08:56.987Z","updatedAt":null}10000010e2991bd-49a0-4784-bfbb-c5963b8f07e2', 'false', NULL),
('1000000', '46', '2', '2026-11-19 21:08:57.007+00', 'payment.created1000054110000010e2991bd-49a0-4784-bfbb-c5963b8f07e2transaction.created1000056110000010e2991bd-49a0-4784-bfbb-c5963b8f07e2', 'true', NULL),
('1000000', '47', '1', '2026-11-19 21:08:57.028+00', 'authorization.created10000581{"id":"1000058","status":"Authorized","amount":6420,"description":"Fluxandria Meals","createdAt":"2026-11-19T21:08:57.025Z","cardLast4Digits":"9824","merchant":{"name":"Fluxandria Meals","category":"Groceries","location":"Springfield, IL"}}10000010e2991bd-49a0-4784-bfbb-c5963b8f07e2', 'false', NULL),
('1000000', '5', '1', '2026-09-05 21:08:54.874+00', 'externalAccount.created10000051~1000002:AAAAACv/rRoVIoDn21CsRqj5oAdtBXDQC8WeSt/Ielo5UzJ2eJSql43dmsjM/7D4sXd19bwOcoyG8xmHjIXUfQO7Y/IcaYe5Ig8xfYAgveVDnNR/8dKotrW4z9NZYnTC3B0uv+xIaxkaIE/EYN3BwKqn+WvJjTspShq9YyLQ80izCY8GpafMY0fWAmths2v5r2hh7gMLBQQE6T45cUujlhZK80aMUtwDPWP4ST/fpg/uCXikmxnEf/R2EsOufhhwNfaNrvpKECL+ETyTesdkE+ob53CAJKctmqgKAtpAj2bErqtzOI07QhFmvrqXCuIf+CnApSUHuUHckpunCDGpF0+EdvFcq5FdCizmpb2TXY/oUPFO8uURw/U=demo', 'false', NULL),
('1000000', '54', '7', '2026-11-19 21:08:57.068+00', 'authorization.completed10000582{"id":"1000058","status":"Completed","amount":6420,"description":"Fluxandria Meals","createdAt":"2026-11-19T21:08:57.025Z","cardLast4Digits":"9824","merchant":{"name":"Fluxandria Meals","category":"Groceries","location":"Springfield, IL"}}10000010e2991bd-49a0-4784-bfbb-c5963b8f07e2transaction.created10000601{"type":"bookTransaction","id":"1000060","attributes":{"createdAt":"2026-11-19T21:08:57.049Z","amount":6420,"direction":"Debit","balance":153580,"summary":"Fluxandria Meals  |  Card 9824","counterparty":{"name":"Fluxandria Meals","routingNumber":"812345678","accountNumber":"1000000004","accountType":"Checking"},"tags":{"originalType":"CARD"}},"relationships":{"account":{"data":{"type":"account","id":"1000046"}},"customer":{"data":{"type":"customer","id":"1000045"}},"customers":{"data":[{"type":"customer","id":"1000045"}]},"org":{"data":{"type":"org","id":"1000000"}}}}10000010e2991bd-49a0-4784-bfbb-c5963b8f07e2rewardableTransaction.created21{"id":2,"partnerUserCardId":2,"bankTransactionId":"1000060","createdAt":"2026-11-19T21:08:57.049Z","updatedAt":null}10000010e2991bd-49a0-4784-bfbb-c5963b8f07e2reward.created21{"id":2,"partnerUserId":2,"rewardableTransactionId":2,"offerId":"1016669","merchantName":"Fluxandria Meals","amount":6420,"userAmount":625,"state":"PAID","createdAt":"2026-11-19T21:08:57.049Z","updatedAt":null}10000010e2991bd-49a0-4784-bfbb-c5963b8f07e2payment.created1000062110000010e2991bd-49a0-4784-bfbb-c5963b8f07e2transaction.created1000065110000010e2991bd-49a0-4784-bfbb-c5963b8f07e2rewardPayment.created21{"id":2,"rewardId":2,"paymentId":1000062,"createdAt":"2026-11-19T21:08:57.049Z","updatedAt":null}10000010e2991bd-49a0-4784-bfbb-c5963b8f07e2', 'false', NULL),
('1000000', '55', '1', '2026-11-19 21:08:57.087+00', 'authorization.created10000661{"id":"1000066","status":"Authorized","amount":450,"description":"Sample Coffee","createdAt":"2026-11-19T21:08:57.074Z","cardLast4Digits":"9824","merchant":{"name":"Sample Coffee","category":"Restaurants","location":"Springfield, IL"}}10000010e2991bd-49a0-4784-bfbb-c5963b8f07e2', 'false', NULL),
('1000000', '56', '1', '2026-11-19 21:08:57.14+00', 'application.created10000671~1000067:AAAAAGikG4WcUuYD90sUkzRCs8QQntt0YwHNsO31j32nPi69Kb3kvzjVdoI5whDCX/wXpd355HUe23cxzqQsd9fvYsHSQkr8uIGbq9OtINUP29PtdzrqS6acYrQa3O+DfuCE/5nBuaqAnVu474VG1C4TrNM3i6sayvGAEOpwDcG2kI5TN9/qdZnkA7kicrTvecnwHAgOrPCw44PoFw9sTaEeI8DUiJY7Fed97AZNct7NbC32g7wJIE+BuRrh7Pda6BSWHggo4ngEf09G/eHMGZkB3/z/FMpPWR9i5VZqc1OpbPOKcBL7uTsnTaeZmI7f44/Hi3zWkvNeEWUD91Vnbv+5TY8tiOwypUm9z+PraxXJ2IZMLtN3+LWHOqXbBth4Q5MkJR8Uj7U2gQ==10000010e2991bd-49a0-4784-bfbb-c5963b8f07e2', 'false', NULL),
('1000000', '57', '1', '2026-11-19 21:08:57.188+00', 'statement.created10000701{"type":"accountStatementDTO","id":"1000070","period":"2026-10","accountId":"1000046","customerId":"1000045"}10000010e2991bd-49a0-4784-bfbb-c5963b8f07e2', 'false', NULL),
('1000000', '58', '1', '2026-11-19 21:08:57.399+00', 'webhookEndpoint.created10000711{"id":"1000071","url":"http://127.0.0.1:9/","events":["*"],"description":null,"status":"Enabled","disabledReason":null,"createdAt":"2026-11-19T21:08:57.368Z"}1000001ec46d518-09ec-4a3f-af6e-3aab4b4d834d', 'false', NULL),
('1000000', '6', '1', '2026-09-05 21:08:54.952+00', 'transaction.created10000071{"type":"bookTransaction","id":"1000007","attributes":{"createdAt":"2026-09-05T21:08:54.919Z","amount":250000,"direction":"Credit","balance":250000,"summary":"Sample Payroll  |  Salary","counterparty":{"name":"Sample Payroll","routingNumber":"812345678","accountNumber":"1000000003","accountType":"Checking"},"tags":{"originalType":"ACH"}},"relationships":{"account":{"data":{"type":"account","id":"1000003"}},"customer":{"data":{"type":"customer","id":"1000002"}},"customers":{"data":[{"type":"customer","id":"1000002"}]},"org":{"data":{"type":"org","id":"1000000"}}}}demo', 'true', NULL),
('1000000', '60', '2', '2026-11-19 21:08:57.502+00', 'payment.created100007211000001aeba09d3-5a51-4ca3-9080-fdc77ed93f81baseline-paymenttransaction.created100007411000001aeba09d3-5a51-4ca3-9080-fdc77ed93f81baseline-payment', 'true', NULL),
('1000000', '7', '1', '2026-09-05 21:08:54.968+00', 'card.created10000091~1000002:AAAAAClihpJvt6I3ID4/nRnDb6GfH4xP3ur8nUwUysw36RgUudeqOxcZw8Mmg6softjAz5yE5qVYbGL/P7nDyD91cVG2ilUq0vxyK4ZtYMU2Ok4Wtg8xWl4uAfd5nLcTmpoPvExwlL1PU2HkUS2GbucsgJ1buBV3NqK18kvJ1t58ts/U5A/PKvsO5+iP1N2hJmFz0hkMz7RtNUEPKJvpBy1bAR3Py6a2FetK8tddhUGLk6Kbs0bbj4ZsVkDqoOKhXzkSbQmGzEG1uVsx3bzU6W1gXdaLAXp++gLREtcQesOblMJKo/8swk5cKf6/h36CJ1CrpJ8s3WQfl6yG+J9ZDrhtkP7UloqpaJcr1j1/vVreVv6aXy5oVpkme8i0c4d7kI/sQ0GaUvxCPxyZ+La55x/JX6RdCD9N4+kkWNyNQB9Fp+8x9FNxSQe1KERvKPxiGsRMDUOTdemo', 'false', NULL),
('1000000', '8', '1', '2026-09-05 21:08:54.977+00', 'card.created10000101~1000002:AAAAAGH25oG+b3+qGsOxVN3Hwj0537CEUycRA5wu/Fz1Ssh4gtkI8PLEDtoZgJh58VtsGBO3EzNmG/G7tosoyn7DlKBJuGuMeODR2htQzdgITwU7FJyT4p7LwDXiNefdjvO0gGNmG02hKtouYGBVDLkUDDNPD4dTkVAlxNtPIZHG9Nbz+te0svWw6hD1kGEy13Yo/DwWrCINQ0gj2NFCpvxL40ldtrqgtyJsZMObFpXk/k1W+r6bhgW4QhACJhOINYKs6c7EwH7GFvJzi2ojQbcIJA==demo', 'false', NULL),
('1000000', '9', '1', '2026-09-10 21:08:55.02+00', 'card.activated10000092~1000002:AAAAAO8deYw/fMYE4G2QYXKTVMREGWs5RNpprhv/AuU36LgyRmiqJa33+yAS3ko57SopPX9dvhc9VjYec9lUs6NVdChLy726bu584NSSOVQ4N8etIuBMdEo2h3rzkmgrABiPj0Z5JTp8gQB0LO40R8chnZ0da1DLgVOqbJkO1SlmeMN6RGETwsvlGIOhrbg91bZrWbVRA87eLcropOuiTSgdnjyxcHS/UisU93l6jSskEFVK2rtXZa/fUo7VARJWLS8/olXQX0eOQ1HbWS9Oli5XQlWYZfYwJKN1oxhz2YvkUSpnYHRnPiUZkXtVN2cay2LYvXUsS0plp2UVDKyo71OlVaXBcEf9xKfT1S4u9mnw0jFGqYVOz9FmYH7ZE9SDmTkOh2CVgbuJBG4ajJDajhJR370y/ZM73ZI4kQlsS+rtAr+xXDyqHWmL7tXlH/a6OcXaEA==demo', 'false', NULL);

insert into external_account (id, organisation_id, customer_id, created_at, name, routing_number, account_number, account_type, type, bank, deleted_at, version, number_digest, last_digits, review, known, permissions, mandate, verification) overriding system value values
('1000005', '1000000', '1000002', '2026-09-05 21:08:54.845+00', 'Grace Sample', '021000021', '~RdC445+8Ndc/Bk38pSOfsyYh+tPr4RAM1tBQnDwDzs4v+SSFTsNSM+mo', 'Checking', 'Person', 'JPMorgan Chase', NULL, '1', E'\\x29d959501af32679f9a0742fcd578588ad84dab13689464ee54c4966a1795061', '3210', NULL, 'false', 'CreditOnly', NULL, NULL),
('1000048', '1000000', '1000045', '2026-11-19 21:08:56.86+00', 'Grace Sample', '021000021', '~RdC44/XZZdzMWIrDARHhD/B47GHdmrXEmoZwgHxVkXfN7+J+OLKGfsJM', 'Checking', 'Person', 'JPMorgan Chase', NULL, '1', E'\\x29d959501af32679f9a0742fcd578588ad84dab13689464ee54c4966a1795061', '3210', NULL, 'false', 'CreditOnly', NULL, NULL);

insert into first_organisation (one) overriding system value values
('true');

insert into organisation (id, name, clock_offset, created_at, version, statements_from, advancing_to, advancing_key, label, frozen_at, made, idle, ended_at, events_after, ach_company_name, ach_company_id, limits, epoch) overriding system value values
('1000000', 'default', '-4 days +95:59:59.964', '2026-09-05 21:08:50.992+00', '10', '2026-11-01', '2026-11-19 21:08:55.745+00', E'\\x4b80816c55ef4fb6f317723f25a366c334296a3330656b09491ca26d0c32ad9b0000000000000000000000000000000000000000000000000000000000000000', NULL, NULL, 'false', 'false', NULL, '0', NULL, NULL, NULL, '0');

insert into organisation_key (organisation_id, data_key, digest_key) overriding system value values
('1000000', E'\\xf594f97479689e55c7e9e674ead1f5f6fcbbcfe40069641fb9ff55d1f75a1b66a32276ae6f6280a31dd214f0c213bf1a17969fd3e44d30cbaa7bd58bf1c4a341', E'\\xf594f974f623c2520dd07f3885321b592b61e51ce124e77cc51f9424289f711bcb2baae8024394d07f501eec9dc99f339a2068a051c58eca363e1109d951e15d');

insert into partner_user (id, organisation_id, user_id, is_removed, created_at, updated_at, version, tags) overriding system value values
('1', '1000000', '1000002', 'false', '2026-09-10 21:08:55.027+00', NULL, '1', '{}'),
('2', '1000000', '1000045', 'false', '2026-11-19 21:08:56.964+00', NULL, '1', '{}');

insert into partner_user_card (id, organisation_id, partner_user_id, bank_card_id, is_removed, created_at, updated_at, version) overriding system value values
('1', '1000000', '1', '1000009', 'false', '2026-09-10 21:08:55.039+00', NULL, '1'),
('2', '1000000', '2', '1000052', 'false', '2026-11-19 21:08:56.987+00', NULL, '1');

insert into payment (id, organisation_id, account_id, customer_id, type, direction, status, amount, description, addenda, original_type, created_at, external_account_id, counterparty_name, counterparty_routing_number, counterparty_account_number, counterparty_account_type, destination_account_id, tags, return_code, version, first_status, same_day, sec_code, cutoff_at, settles_at, ach_file_id, trace_number, review_note, departures, recurring_payment_id, link) overriding system value values
('1000011', '1000000', '1000003', '1000002', 'achPayment', 'Credit', 'Sent', '90000', 'Rent', NULL, 'ACH', '2026-09-10 21:08:55.045+00', '1000005', 'Grace Sample', '021000021', '~RdC445+8Ndc/Bk38pSOfsyYh+tPr4RAM1tBQnDwDzs4v+SSFTsNSM+mo', 'Checking', NULL, NULL, NULL, '1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('1000018', '1000000', '1000003', '1000002', 'bookPayment', 'Debit', 'Sent', '625', 'Cash back', NULL, 'REWARD', '2026-09-24 21:08:55.147+00', NULL, 'Fluxandria Meals', '812345678', '1000000005', 'Checking', NULL, NULL, NULL, '1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('1000028', '1000000', '1000003', '1000002', 'achPayment', 'Credit', 'Sent', '90000', 'Rent', NULL, 'ACH', '2026-10-08 21:08:55.257+00', '1000005', 'Grace Sample', '021000021', '~RdC445+8Ndc/Bk38pSOfsyYh+tPr4RAM1tBQnDwDzs4v+SSFTsNSM+mo', 'Checking', NULL, NULL, NULL, '1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('1000036', '1000000', '1000003', '1000002', 'achPayment', 'Credit', 'Sent', '90000', 'Rent', NULL, 'ACH', '2026-11-07 21:08:55.301+00', '1000005', 'Grace Sample', '021000021', '~RdC445+8Ndc/Bk38pSOfsyYh+tPr4RAM1tBQnDwDzs4v+SSFTsNSM+mo', 'Checking', NULL, NULL, NULL, '1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('1000054', '1000000', '1000046', '1000045', 'achPayment', 'Credit', 'Sent', '90000', 'Rent', NULL, 'ACH', '2026-11-19 21:08:56.997+00', '1000048', 'Grace Sample', '021000021', '~RdC44/XZZdzMWIrDARHhD/B47GHdmrXEmoZwgHxVkXfN7+J+OLKGfsJM', 'Checking', NULL, NULL, NULL, '1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('1000062', '1000000', '1000046', '1000045', 'bookPayment', 'Debit', 'Sent', '625', 'Cash back', NULL, 'REWARD', '2026-11-19 21:08:57.049+00', NULL, 'Fluxandria Meals', '812345678', '1000000005', 'Checking', NULL, NULL, NULL, '1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
('1000072', '1000000', '1000046', '1000045', 'achPayment', 'Credit', 'Sent', '2000', 'Lunch', NULL, 'ACH', '2026-11-19 21:08:57.496+00', '1000048', 'Grace Sample', '021000021', '~RdC44/XZZdzMWIrDARHhD/B47GHdmrXEmoZwgHxVkXfN7+J+OLKGfsJM', 'Checking', NULL, NULL, NULL, '1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

insert into reseal (source, position, done) overriding system value values
('answer.sealed', '1000000/f6533a64d40f920463fdb3313ce2b238fcb2179bfddd177f2db4135f78362dd0', 'true'),
('application.sealed_ssn', '1000067', 'true'),
('document_file.sealed_content', '0/', 'true'),
('webhook_endpoint.sealed_previous_secret', '1000071', 'true'),
('webhook_endpoint.sealed_secret', '1000071', 'true');

insert into retention (kind, keep) overriding system value values
('deliveries', '720:00:00'),
('denials', '9600:00:00'),
('events', NULL);

insert into retention_mark (kind, organisation_id, marked_at, position) overriding system value values
('deliveries', '0', '2026-11-19 21:08:57.787+00', '3'),
('events', '1000000', '2026-11-19 21:08:57.787+00', '60');

insert into retention_progress (kind, block, oldest_so_far, oldest, rested_from) overriding system value values
('answers', '0', NULL, '2026-11-19 21:08:54.653+00', '2026-11-19 21:08:57.971+00'),
('attribution_days', '0', NULL, NULL, '2026-11-19 21:08:58.302+00'),
('attribution_touches', '0', NULL, NULL, '2026-11-19 21:08:58.21+00'),
('attributions', '0', NULL, NULL, '2026-11-19 21:08:58.18+00'),
('claims', '0', NULL, NULL, '2026-11-19 21:08:58.002+00'),
('deliveries', '0', NULL, '2026-11-19 21:08:57.468+00', '2026-11-19 21:08:58.063+00'),
('denials', '0', NULL, NULL, '2026-11-19 21:08:58.434+00'),
('events', '0', NULL, '2026-09-05 21:08:54.691+00', '2026-11-19 21:08:58.479+00'),
('flow_hours', '0', NULL, NULL, '2026-11-19 21:08:58.372+00'),
('inbound_events', '0', NULL, NULL, '2026-11-19 21:08:58.17+00'),
('marks', '0', NULL, NULL, '2026-11-19 21:08:57.898+00'),
('retired_secrets', '0', NULL, NULL, '2026-11-19 21:08:58.122+00'),
('verification_tokens', '0', NULL, NULL, '2026-11-19 21:08:58.102+00'),
('webhook_secrets', '0', NULL, NULL, '2026-11-19 21:08:58.456+00');

insert into reward (id, organisation_id, partner_user_id, rewardable_transaction_id, offer_id, merchant_name, commission_basis_points, total_basis_points, amount, user_amount, issuer_amount, state, payout_payment_id, created_at, updated_at, version, maximum_reward, payout_due_at, campaign_id, flat_amount, activation_id, attribution) overriding system value values
('1', '1000000', '1', '1', '1016669', 'Fluxandria Meals', '975', '1025', '6420', '625', '33', 'PAID', '1000018', '2026-09-24 21:08:55.147+00', NULL, '1', NULL, '2026-09-24 21:08:55.147+00', NULL, NULL, NULL, NULL),
('2', '1000000', '2', '2', '1016669', 'Fluxandria Meals', '975', '1025', '6420', '625', '33', 'PAID', '1000062', '2026-11-19 21:08:57.049+00', NULL, '1', NULL, '2026-11-19 21:08:57.049+00', NULL, NULL, NULL, NULL);

insert into reward_payment (id, organisation_id, reward_id, payment_id, created_at, updated_at, version) overriding system value values
('1', '1000000', '1', '1000018', '2026-09-24 21:08:55.147+00', NULL, '1'),
('2', '1000000', '2', '1000062', '2026-11-19 21:08:57.049+00', NULL, '1');

insert into rewardable_transaction (id, organisation_id, partner_user_card_id, bank_transaction_id, authorization_id, created_at, updated_at, version, amount, refunded, bank_account_id, considered, merchant_id, category_code) overriding system value values
('1', '1000000', '1', '1000016', '1000014', '2026-09-24 21:08:55.147+00', NULL, '1', '6420', '0', NULL, NULL, NULL, NULL),
('2', '1000000', '2', '1000060', '1000058', '2026-11-19 21:08:57.049+00', NULL, '1', '6420', '0', NULL, NULL, NULL, NULL);

insert into statement (id, organisation_id, account_id, customer_id, period, opening_balance, closing_balance, first_seq, last_seq, created_at, version) overriding system value values
('1000024', '1000000', '1000003', '1000002', '2026-09', '0', '154205', '1', '4', '2026-10-01 00:00:00.017+00', '1'),
('1000025', '1000000', '1000004', '1000002', '2026-09', '0', '0', '1', '0', '2026-10-01 00:00:00.017+00', '1'),
('1000032', '1000000', '1000003', '1000002', '2026-10', '154205', '314205', '5', '6', '2026-11-01 00:00:00.021+00', '1'),
('1000033', '1000000', '1000004', '1000002', '2026-10', '0', '0', '1', '0', '2026-11-01 00:00:00.021+00', '1'),
('1000070', '1000000', '1000046', '1000045', '2026-10', '0', '0', '1', '0', '2026-11-19 21:08:57.165+00', '1');

insert into transfer (id, organisation_id, debit_account_id, debit_seq, debit_balance, credit_account_id, credit_seq, credit_balance, amount, source_kind, source_id, party, description, created_at) overriding system value values
('1000006', '1000000', '-1000008', '1', '-250000', '1000003', '1', '250000', '250000', 'received_ach', NULL, 'Sample Payroll', 'Salary', '2026-09-05 21:08:54.919+00'),
('1000012', '1000000', '1000003', '2', '160000', '-1000008', '2', '-160000', '90000', 'payment', '1000011', NULL, NULL, '2026-09-10 21:08:55.045+00'),
('1000016', '1000000', '1000003', '3', '153580', '-1000022', '1', '6420', '6420', 'card_settlement', '1000014', 'Fluxandria Meals', 'Card 0483', '2026-09-24 21:08:55.147+00'),
('1000020', '1000000', '-1000023', '1', '-625', '1000003', '4', '154205', '625', 'reward', '1000018', NULL, 'Cash back', '2026-09-24 21:08:55.147+00'),
('1000026', '1000000', '-1000008', '3', '-410000', '1000003', '5', '404205', '250000', 'received_ach', NULL, 'Sample Payroll', 'Salary', '2026-10-08 21:08:55.251+00'),
('1000030', '1000000', '1000003', '6', '314205', '-1000008', '4', '-320000', '90000', 'payment', '1000028', NULL, NULL, '2026-10-08 21:08:55.257+00'),
('1000034', '1000000', '-1000008', '5', '-570000', '1000003', '7', '564205', '250000', 'received_ach', NULL, 'Sample Payroll', 'Salary', '2026-11-07 21:08:55.287+00'),
('1000038', '1000000', '1000003', '8', '474205', '-1000008', '6', '-480000', '90000', 'payment', '1000036', NULL, NULL, '2026-11-07 21:08:55.301+00'),
('1000050', '1000000', '-1000008', '7', '-730000', '1000046', '1', '250000', '250000', 'received_ach', NULL, 'Sample Payroll', 'Salary', '2026-11-19 21:08:56.878+00'),
('1000056', '1000000', '1000046', '2', '160000', '-1000008', '8', '-640000', '90000', 'payment', '1000054', NULL, NULL, '2026-11-19 21:08:56.997+00'),
('1000060', '1000000', '1000046', '3', '153580', '-1000022', '2', '12840', '6420', 'card_settlement', '1000058', 'Fluxandria Meals', 'Card 9824', '2026-11-19 21:08:57.049+00'),
('1000064', '1000000', '-1000023', '2', '-1250', '1000046', '4', '154205', '625', 'reward', '1000062', NULL, 'Cash back', '2026-11-19 21:08:57.049+00'),
('1000074', '1000000', '1000046', '5', '152205', '-1000008', '9', '-638000', '2000', 'payment', '1000072', NULL, NULL, '2026-11-19 21:08:57.496+00');

insert into webhook_cursor (endpoint_id, sequence, recover_after, recover_after_id, recover_through_id) overriding system value values
('1000071', '60', NULL, '0', '0');

insert into webhook_delivery (endpoint_id, id, organisation_id, sequence, test_id, body, entity, status, created_at, due_at, attempts, log, lease, leased_until, blocked) overriding system value values
('1000071', '1', '1000000', '58', NULL, NULL, 'webhookEndpoint/1000071', 'Pending', '2026-11-19 21:08:57.468+00', '2026-11-19 21:09:02.397+00', '1', '[{"at": "2026-11-19T21:08:57.550Z", "error": "connect ECONNREFUSED 127.0.0.1:9", "keyId": "cf913bbb0acae600", "status": "Failed", "response": null, "signature": "v1,9z7s/7aaYH8eTLm+mIC8lUr9+kK734Bf+gFZKw3t/DE=", "userAgent": "Purser/0.2.0", "durationMs": 165, "responseStatus": null}]', NULL, NULL, 'false'),
('1000071', '2', '1000000', '59', NULL, NULL, 'payment/1000072', 'Pending', '2026-11-19 21:08:57.72+00', '2026-11-19 21:09:03.097+00', '1', '[{"at": "2026-11-19T21:08:57.859Z", "error": "connect ECONNREFUSED 127.0.0.1:9", "keyId": "cf913bbb0acae600", "status": "Failed", "response": null, "signature": "v1,tBVdfisVu3Jhgk/yb68MHIkosuHKEDJ9Pmm5mwK03Pc=", "userAgent": "Purser/0.2.0", "durationMs": 33, "responseStatus": null}]', NULL, NULL, 'false'),
('1000071', '3', '1000000', '60', NULL, NULL, 'transaction/1000074', 'Pending', '2026-11-19 21:08:57.72+00', '2026-11-19 21:09:02.737+00', '1', '[{"at": "2026-11-19T21:08:57.859Z", "error": "connect ECONNREFUSED 127.0.0.1:9", "keyId": "cf913bbb0acae600", "status": "Failed", "response": null, "signature": "v1,RGi/FmP4rCyJ6Tx79ZQr5VHj3BHl5DyvSqcXsnp3KIQ=", "userAgent": "Purser/0.2.0", "durationMs": 33, "responseStatus": null}]', NULL, NULL, 'false');

insert into webhook_endpoint (id, organisation_id, created_at, url, events, description, status, disabled_reason, sealed_secret, sealed_previous_secret, previous_secret_until, failing_since, deleted_at, version) overriding system value values
('1000071', '1000000', '2026-11-19 21:08:57.368+00', 'http://127.0.0.1:9/', '{*}', NULL, 'Enabled', NULL, E'\\x45d0b8e33f0f304565c3a4b24d7c894f408854031b66f76647ed1478555532a02352b73d7b0a2c11a98c8cbc2a0f37520414b423a71f2a40ecb5320bea52d3485014a307fcb205ce4a8e1ded05f70ef249f6', NULL, NULL, '2026-11-19 21:08:57.927+00', NULL, '1');

insert into webhook_outcome_hour (endpoint_id, slot, hour, succeeded, retried, failed) overriding system value values
('1000071', '20', '498645', '0', '3', '0');

select setval('account_number', 1000000007);

select setval('partner_user_card_id_seq', 2);

select setval('partner_user_id_seq', 2);

select setval('record_id', 1019100);

select setval('reward_id_seq', 2);

select setval('reward_payment_id_seq', 2);

select setval('rewardable_transaction_id_seq', 2);

select setval('webhook_delivery_id_seq', 3);

create table migration (
  number integer primary key, name text not null, checksum text not null, contract boolean not null,
  applied_at timestamptz not null default now());

insert into migration (number, name, checksum, contract) values (1, '0001_organisations', '706967da10e157cfd5d2458ca73f2003e9802e4206907bace789abd2b040075e', 'f');

insert into migration (number, name, checksum, contract) values (2, '0002_idempotency', '0bb548be592f86aa927ad6ba2e1dee230c784c2acf302405e8f07a8a1e76b5b4', 'f');

insert into migration (number, name, checksum, contract) values (3, '0003_customers', '359396ffac697bc4f863061663925c9a1eac374b16e60106ec94b7a0137dcd9a', 'f');

insert into migration (number, name, checksum, contract) values (4, '0004_ledger', 'a0cfda827176c497e3faaf0841ec36ed3e893587ef238cc3e8619e6148da367b', 'f');

insert into migration (number, name, checksum, contract) values (5, '0005_cards', '9ed62028753e4f22db7d4a9be22e541f7c598fe7dccc4b94d62990dd6f6eeed9', 'f');

insert into migration (number, name, checksum, contract) values (6, '0006_statements', 'fbf73860baaf18a810f40185789e96f1fd79142f5660f3a197d7e3e1cb034827', 'f');

insert into migration (number, name, checksum, contract) values (7, '0007_rewards', '599eb04c5d7dae9f1d361c6bb9d6718fe8bb290b0790bca41eabe8ab37802052', 'f');

insert into migration (number, name, checksum, contract) values (8, '0008_events', '52933a77153c7f24ed578a59f1bc5b7055ac48a727a27f064bde7ec55c80f649', 'f');

insert into migration (number, name, checksum, contract) values (9, '0009_functions', '5aa96bb7c122554dca093836ecce100b32bd098a483958cadb3ea79405293c05', 'f');

insert into migration (number, name, checksum, contract) values (10, '0010_organisations', '824a6bcc1080fa9d7bfe8dc4f7c1a2f268365c04722351004a2649ce0872b2c6', 'f');

insert into migration (number, name, checksum, contract) values (11, '0011_retention', 'ff117a77aeaae4a5009df0c9542cebbf2a478fbaa822fdd522e10df26e2f8952', 'f');

insert into migration (number, name, checksum, contract) values (12, '0012_cells', 'aa190acb0b13b1d1b11168e4b5b4a0e8b69f75e991d84e7d83f10b217bc1bc42', 'f');

insert into migration (number, name, checksum, contract) values (13, '0013_people', '507be4fc16bf14fba2e0bc9ad7c70a118c309c6037deda2f663ac52c6e09754a', 'f');

insert into migration (number, name, checksum, contract) values (14, '0014_customers', 'd27261268e6ba502a4d5c73c1da39be175aecb02e05911b8b227c9a715bed18d', 'f');

insert into migration (number, name, checksum, contract) values (15, '0015_ledger', '99765157553fa43f007a5d6de1c32ad88a30d2e6142537f87869a992cb4cb378', 'f');

insert into migration (number, name, checksum, contract) values (16, '0016_payments', '156b3fe785adf6fe1eb955bfd5b0ceb00fadc021bb55689fde69f08c47682708', 't');

insert into migration (number, name, checksum, contract) values (17, '0017_ach', '4c43c15e67424f697b0fe9d89251021f75ee1e101bd9e5dd3d5612e11de3489d', 'f');

insert into migration (number, name, checksum, contract) values (18, '0018_events', '9d2cf4e060d98a7e1dd97c1661ad5b1e4d016aa579a9a8a2f5b120a974846ae1', 't');

insert into migration (number, name, checksum, contract) values (19, '0019_closed_days', 'bf7533bc54f09e03e46fe3ea228b74a7f29d15d8d03bd7ca6955bd76044ac872', 'f');

insert into migration (number, name, checksum, contract) values (20, '0020_cards', 'cfff875cbfa2dfd00c31fb43dc95b7f8fb18f83a77beef92281a3bf8158587ab', 'f');

insert into migration (number, name, checksum, contract) values (21, '0021_rewards', '9fd20536931eab5929f4e4372180776f5f9f38c7c9e80916271c02329862df2d', 't');

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
