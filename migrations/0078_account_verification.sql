-- expand: external accounts can be verified by micro-entries and prenotes

create table account_verification (
  id bigint primary key,
  organisation_id bigint not null,
  external_account_id bigint not null,
  created_at timestamp(3) with time zone not null,
  method text not null check (method in ('MicroEntries', 'Prenote')),
  status text not null check (status in ('Pending', 'Sent', 'Verified', 'Failed')),
  number_digest bytea,
  amounts integer[] not null,
  attempts integer not null default 0 check (attempts between 0 and 3),
  wrong_amounts integer[] not null default '{}',
  ends_at timestamp(3) with time zone,
  cutoff_at timestamp(3) with time zone,
  settles_at timestamp(3) with time zone,
  ach_file_id bigint,
  ach_batch_id bigint,
  trace_numbers text[] not null default '{}'
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
create unique index account_verification_open on account_verification (organisation_id, number_digest) where status in ('Pending', 'Sent');
create index account_verification_of_number on account_verification (organisation_id, number_digest);
create index account_verification_of_external_account on account_verification (external_account_id, id);
create index account_verification_ending on account_verification (organisation_id, ends_at, id) where status = 'Sent';
create index account_verification_leaving on account_verification (organisation_id, cutoff_at, id) where status = 'Pending' and ach_file_id is null;
create index account_verification_of_batch on account_verification (ach_batch_id);
create index account_verification_traces on account_verification using gin (trace_numbers);
