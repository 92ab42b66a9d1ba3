-- expand: cards, and the authorizations that hold money and move it when they settle

-- No card number is stored anywhere: only its last four digits.
create table card (
  id bigint primary key,
  organisation_id bigint not null references organisation (id),
  account_id bigint not null references account (id),
  customer_id bigint not null references customer (id),
  created_at timestamptz(3) not null,
  last4 text not null check (last4 ~ '^[0-9]{4}$'),
  -- The last month in which it works.
  expires text not null check (expires ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  status text not null
    check (status in ('Inactive', 'Active', 'Frozen', 'Lost', 'Stolen', 'ClosedByCustomer', 'SuspectedFraud')),
  type text not null check (type in ('individualDebitCard', 'individualVirtualDebitCard')),
  design text,
  -- As it was sent, in the order in which it was sent.
  shipping_address json,
  -- The card that this one takes over from when it is activated.
  replaces_card_id bigint references card (id),
  tags jsonb not null default '{}',
  version integer not null default 1,
  check ((type = 'individualDebitCard') = (design is not null)),
  check ((type = 'individualDebitCard') = (shipping_address is not null))
);
create index card_newest on card (organisation_id, created_at desc, id desc);
create index card_of_account on card (account_id, created_at desc, id desc);

create table card_authorization (
  id bigint primary key,
  organisation_id bigint not null,
  account_id bigint not null,
  customer_id bigint not null,
  card_id bigint not null,
  card_last4 text not null,
  status text not null check (status in ('Authorized', 'Completed', 'Canceled', 'Declined')),
  amount bigint not null check (amount between 1 and 999999999999),
  -- What has been taken and given back so far.
  settled bigint not null default 0 check (settled >= 0),
  refunded bigint not null default 0 check (refunded between 0 and settled),
  merchant_name text not null,
  merchant_category text not null,
  merchant_location text not null,
  decline_reason text check (decline_reason in ('CardNotActive', 'AccountNotOpen', 'InsufficientFunds')),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  version integer not null default 1,
  check ((status = 'Declined') = (decline_reason is not null))
);
create index card_authorization_of_customer on card_authorization (customer_id, created_at desc, id desc);
create index card_authorization_open on card_authorization (organisation_id, expires_at) where status = 'Authorized';

alter table account drop constraint account_kind_check,
  add constraint account_kind_check check (kind in ('ach_clearing', 'card_settlement'));
alter table transfer drop constraint transfer_source_kind_check,
  add constraint transfer_source_kind_check
    check (source_kind in ('payment', 'payment_return', 'received_ach', 'card_settlement', 'card_refund'));

alter table customer alter column address type json;
