-- expand: recurring payments, which make payments by themselves; former versions make none of them

create table recurring_payment (
  id bigint primary key,
  organisation_id bigint not null,
  account_id bigint not null,
  customer_id bigint not null,
  status text not null check (status in ('Active', 'Paused', 'Completed', 'Canceled', 'Stopped')),
  reason text,
  type text not null check (type in ('achPayment', 'bookPayment')),
  direction text not null check (direction in ('Credit', 'Debit')),
  external_account_id bigint,
  to_account_id bigint,
  amount bigint not null check (amount between 1 and 999999999999),
  details jsonb not null,
  schedule jsonb not null,
  rules jsonb not null,
  changes jsonb not null,
  run_count integer not null check (run_count >= 0),
  tries integer not null check (tries >= 0),
  next_due_date text check (next_due_date ~ '^\d{4}-\d\d-\d\d$'),
  next_at timestamp(3) with time zone,
  last_run jsonb,
  created_at timestamp(3) with time zone not null,
  ended_at timestamp(3) with time zone,
  version integer not null,
  check ((external_account_id is null) <> (to_account_id is null)),
  check ((type = 'bookPayment') = (to_account_id is not null)),
  check ((status in ('Active', 'Paused')) = (ended_at is null)),
  check ((ended_at is null) = (next_at is not null)),
  check ((next_at is null) = (next_due_date is null)),
  check ((status = 'Stopped') = (reason is not null))
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
create index recurring_payment_of_organisation on recurring_payment (organisation_id, created_at, id);
create index recurring_payment_of_account on recurring_payment (account_id, created_at desc, id desc);
create index recurring_payment_of_customer on recurring_payment (customer_id, id);
create index recurring_payment_due on recurring_payment (organisation_id, next_at, id) where next_at is not null;
create index recurring_payment_planned on recurring_payment (account_id, next_at, id) where next_at is not null;

create table recurring_payment_run (
  id bigint primary key,
  organisation_id bigint not null,
  recurring_payment_id bigint not null,
  due_date text not null check (due_date ~ '^\d{4}-\d\d-\d\d$'),
  status text not null check (status in ('Succeeded', 'Waiting', 'Skipped', 'Failed')),
  reason text,
  amount bigint not null,
  payment_id bigint,
  tries integer not null,
  created_at timestamp(3) with time zone not null,
  at timestamp(3) with time zone not null,
  unique (recurring_payment_id, due_date),
  check ((status = 'Succeeded') = (reason is null)),
  check ((status = 'Succeeded') = (payment_id is not null))
);
comment on table recurring_payment_run is 'What became of the due dates of recurring payments: one row for each that has come.';
comment on column recurring_payment_run.reason is 'Why there is no payment. Null if there is one.';
comment on column recurring_payment_run.at is 'Bank time of the last try.';
create index recurring_payment_run_of_organisation on recurring_payment_run (organisation_id, id);
create index recurring_payment_run_newest on recurring_payment_run (recurring_payment_id, created_at desc, id desc);

alter table payment add column recurring_payment_id bigint;
comment on column payment.recurring_payment_id is 'The recurring payment whose run made it. Null for other payments.';
create index payment_recurring on payment (organisation_id, created_at, id) where recurring_payment_id is not null;
create index payment_of_recurring on payment (recurring_payment_id, created_at desc, id desc)
  where recurring_payment_id is not null;
