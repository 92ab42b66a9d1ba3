-- expand: monthly statements, made at the month's turn of bank time

-- The first day of the oldest month whose turn has not been made; null before the first turn, which is that of the
-- month of the organisation's creation, or of its oldest account's where that lies before it.
alter table organisation add column statements_from date check (extract(day from statements_from) = 1);

-- The month's turn takes an organisation's accounts in the order of their ids.
create index account_of_organisation on account (organisation_id, id) where id > 0;

-- One account's month: its balances, and the numbers along its transfers. The document is rendered from them.
create table statement (
  id bigint primary key,
  organisation_id bigint not null references organisation (id),
  account_id bigint not null references account (id),
  customer_id bigint not null references customer (id),
  period text not null check (period ~ '^[1-9][0-9]{3}-(0[1-9]|1[0-2])$'),
  opening_balance bigint not null check (abs(opening_balance) <= 9007199254740991),
  closing_balance bigint not null check (abs(closing_balance) <= 9007199254740991),
  first_seq bigint not null check (first_seq >= 1),
  -- One less than the first in a month without movement.
  last_seq bigint not null check (last_seq >= first_seq - 1),
  created_at timestamptz(3) not null,
  version integer not null default 1,
  check (last_seq >= first_seq or opening_balance = closing_balance)
);
create unique index statement_of_account on statement (account_id, period);

-- The balance after a number along an account's transfers; 0 before the first.
create function balance_at(account bigint, seq bigint) returns bigint language sql stable as $$
  select coalesce(
    (select debit_balance from transfer where debit_account_id = account and debit_seq = seq),
    (select credit_balance from transfer where credit_account_id = account and credit_seq = seq),
    0)
$$;
