-- expand: accounts, external accounts, payments and the transfers between accounts

create sequence account_number as bigint start 1000000001 maxvalue 999999999999;

-- Accounts, transfers and payments are written by every posting. Two things were left out because of their cost there:
-- checks of words and lengths (a tenth of the database's time for a payment), which the interface's schemas make; and
-- foreign keys of accounts (3 %), because PostgreSQL compares the keys of every account that a posting changes. The
-- checks of money stay, and `npm run verify` looks for accounts without an organisation or a customer.
create table account (
  id bigint primary key,
  organisation_id bigint not null,
  customer_id bigint,
  created_at timestamptz(3) not null,
  name text not null,
  account_number text not null unique default nextval('account_number')::text,
  status text not null,
  close_reason text,
  balance bigint not null default 0 check (abs(balance) <= 9007199254740991),
  hold bigint not null default 0 check (hold between 0 and 9007199254740991),
  tags jsonb not null default '{}',
  version integer not null default 1,
  kind text,
  slot integer,
  seq bigint not null default 0,
  posted_at timestamptz(3),
  check ((status = 'Closed') = (close_reason is not null)),
  check ((id < 0) = (kind is not null and slot is not null)),
  check ((id < 0) = (customer_id is null))
)
-- Balances change at every posting. Free room on the page keeps the new row version beside the old one, so that no index
-- entry is written.
with (fillfactor = 70);
create unique index account_internal on account (organisation_id, kind, slot) where id < 0;
create index account_newest on account (organisation_id, created_at desc, id desc) where id > 0;
create index account_of_customer on account (customer_id, created_at desc, id desc);
create index account_of_organisation on account (organisation_id, id) where id > 0;
comment on table account is
  'Deposit accounts, and the bank''s internal accounts under negative ids, which no request can name.';
comment on column account.hold is 'Amount reserved by open card authorizations.';
comment on column account.kind is 'Kind of an internal account: ach_clearing, card_settlement or rewards_funding.';
comment on column account.slot is 'Each writer uses internal accounts of its own slot, so that writers do not queue at one row.';
comment on column account.seq is 'Number of transfers that have touched the account.';
comment on column account.posted_at is 'Time of the latest transfer.';

create table external_account (
  id bigint primary key,
  organisation_id bigint not null references organisation (id),
  customer_id bigint not null references customer (id),
  created_at timestamptz(3) not null,
  name text not null check (length(name) between 1 and 50),
  routing_number text not null check (routing_number ~ '^[0-9]{9}$'),
  account_number text not null check (account_number ~ '^[0-9]{1,17}$'),
  account_type text not null check (account_type in ('Checking', 'Savings', 'Loan')),
  type text not null check (type in ('Business', 'Person', 'Unknown')),
  bank text not null,
  deleted_at timestamptz(3),
  version integer not null default 1
);
create index external_account_of_customer on external_account (customer_id, created_at, id);
comment on table external_account is 'Accounts at other banks that a customer can pay to.';

create table transfer (
  id bigint primary key check (id % 2 = 0),
  organisation_id bigint not null,
  debit_account_id bigint not null,
  debit_seq bigint not null,
  debit_balance bigint not null,
  credit_account_id bigint not null,
  credit_seq bigint not null,
  credit_balance bigint not null,
  amount bigint not null check (amount between 1 and 9007199254740991),
  source_kind text not null,
  source_id bigint,
  party text,
  description text,
  created_at timestamptz(3) not null,
  check (debit_account_id <> credit_account_id)
);
create unique index transfer_debit on transfer (debit_account_id, debit_seq);
create unique index transfer_credit on transfer (credit_account_id, credit_seq);
-- Ascending, although lists show the newest first: entries then go to the end of the index, where a full page is left full.
-- In a descending index every page was split in halves.
create index transfer_newest on transfer (organisation_id, created_at, id);
comment on table transfer is
  'Movements of money, append-only. One row takes an amount from one account and gives it to another, so that it is balanced by construction.';
comment on column transfer.id is
  'Even. The debit side is the interface''s transaction of this id, the credit side that of the next.';
comment on column transfer.debit_seq is 'Number of the transfer along the debited account, without gaps.';
comment on column transfer.debit_balance is 'Balance of the debited account after the transfer.';
comment on column transfer.credit_seq is 'Number of the transfer along the credited account, without gaps.';
comment on column transfer.credit_balance is 'Balance of the credited account after the transfer.';
comment on column transfer.source_kind is
  'payment, payment_return, received_ach, card_settlement, card_refund, reward or reward_clawback.';
comment on column transfer.source_id is 'The payment, authorization or reward behind the transfer, where there is one.';
comment on column transfer.party is 'Name of the other party, where no payment has it.';
comment on column transfer.description is 'Description, where no payment has it.';

create table payment (
  id bigint primary key,
  organisation_id bigint not null,
  account_id bigint not null,
  customer_id bigint not null,
  type text not null,
  direction text not null,
  status text not null,
  amount bigint not null check (amount between 1 and 999999999999),
  description text not null,
  addenda text,
  original_type text not null,
  created_at timestamptz(3) not null,
  external_account_id bigint,
  counterparty_name text not null,
  counterparty_routing_number text not null,
  counterparty_account_number text not null,
  counterparty_account_type text not null,
  destination_account_id bigint,
  tags jsonb,
  return_code text,
  version integer not null default 1
);
create index payment_newest on payment (organisation_id, created_at, id);
create index payment_of_account on payment (account_id, created_at desc, id desc);
comment on table payment is 'ACH payments, and book payments of rewards.';
comment on column payment.external_account_id is
  'The external account that was named. The counterparty columns copy it, because it can be deleted.';
comment on column payment.destination_account_id is 'The receiving account, where it is at this bank.';
