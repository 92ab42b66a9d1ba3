-- expand: the ledger, payments and external accounts

-- Internal accounts (where money comes from and goes to) live in the same table under negative ids, which no path can
-- name: one of each kind and slot an organisation.
alter table account
  alter column customer_id drop not null,
  add column kind text check (kind in ('ach_clearing')),
  add column slot integer,
  -- How many transfers have touched the account, and when the last one did.
  add column seq bigint not null default 0,
  add column posted_at timestamptz(3),
  add check ((id < 0) = (kind is not null and slot is not null)),
  add check ((id < 0) = (customer_id is null));
create unique index account_internal on account (organisation_id, kind, slot) where id < 0;
drop index account_newest;
create index account_newest on account (organisation_id, created_at desc, id desc) where id > 0;
-- Balances change at every posting: room on the page keeps the new version next to the old one, out of the indexes.
alter table account set (fillfactor = 70);

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

-- One row moves an amount from one account to another and carries, for both, the account's next number and the balance
-- after it. It is balanced by construction. No foreign keys: the lane has read both accounts under lock.
create table transfer (
  -- Even; the debit side is the interface's transaction of this id, the credit side of the next.
  id bigint primary key check (id % 2 = 0),
  organisation_id bigint not null,
  debit_account_id bigint not null,
  debit_seq bigint not null,
  debit_balance bigint not null,
  credit_account_id bigint not null,
  credit_seq bigint not null,
  credit_balance bigint not null,
  amount bigint not null check (amount between 1 and 9007199254740991),
  source_kind text not null check (source_kind in ('payment', 'payment_return', 'received_ach')),
  -- The payment, where there is one.
  source_id bigint,
  -- The other party and a description, where no payment holds them.
  party text,
  description text,
  created_at timestamptz(3) not null,
  check (debit_account_id <> credit_account_id)
);
create unique index transfer_debit on transfer (debit_account_id, debit_seq);
create unique index transfer_credit on transfer (credit_account_id, credit_seq);
create index transfer_newest on transfer (organisation_id, created_at desc, id desc);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger transfer_append_only before update or delete or truncate on transfer
  for each statement execute function refuse_change();

-- When a number along an account's transfers was posted.
create function posted_at(account bigint, seq bigint) returns timestamptz language sql stable as $$
  select coalesce(
    (select created_at from transfer where debit_account_id = account and debit_seq = seq),
    (select created_at from transfer where credit_account_id = account and credit_seq = seq))
$$;

-- The highest number along an account's transfers that was posted before a time; 0 when there is none, null without a
-- time.
create function seq_before(account bigint, at timestamptz) returns bigint language plpgsql stable strict as $$
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
end $$;

create table payment (
  id bigint primary key,
  organisation_id bigint not null,
  account_id bigint not null,
  customer_id bigint not null,
  type text not null check (type in ('achPayment')),
  direction text not null check (direction in ('Credit')),
  status text not null check (status in ('Sent', 'Returned')),
  amount bigint not null check (amount between 1 and 999999999999),
  description text not null check (length(description) between 1 and 10),
  addenda text check (length(addenda) between 1 and 80),
  original_type text not null,
  created_at timestamptz(3) not null,
  -- A copy of the other side as it was: external accounts can be deleted.
  external_account_id bigint,
  counterparty_name text not null,
  counterparty_routing_number text not null,
  counterparty_account_number text not null,
  counterparty_account_type text not null,
  -- The account of this bank that the money went to, where it is one.
  destination_account_id bigint,
  tags jsonb,
  return_code text,
  version integer not null default 1
);
create index payment_newest on payment (organisation_id, created_at desc, id desc);
create index payment_of_account on payment (account_id, created_at desc, id desc);
