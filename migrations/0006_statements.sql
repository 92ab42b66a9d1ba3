-- expand: monthly statements, created when a month of bank time ends

create table statement (
  id bigint primary key,
  organisation_id bigint not null references organisation (id),
  account_id bigint not null,
  customer_id bigint not null references customer (id),
  period text not null check (period ~ '^[1-9][0-9]{3}-(0[1-9]|1[0-2])$'),
  opening_balance bigint not null check (abs(opening_balance) <= 9007199254740991),
  closing_balance bigint not null check (abs(closing_balance) <= 9007199254740991),
  first_seq bigint not null check (first_seq >= 1),
  last_seq bigint not null check (last_seq >= first_seq - 1),
  created_at timestamptz(3) not null,
  version integer not null default 1,
  check (last_seq >= first_seq or opening_balance = closing_balance)
);
create unique index statement_of_account on statement (account_id, period);
comment on table statement is
  'One month of one account: its balances and the range of its transfers. The document is rendered from these when it is requested.';
comment on column statement.first_seq is 'Number of the month''s first transfer along the account.';
comment on column statement.last_seq is 'Number of the month''s last transfer; one less than the first in a month without transfers.';
