-- expand: cards, and the authorizations that hold money until they settle

create table card (
  id bigint primary key,
  organisation_id bigint not null references organisation (id),
  account_id bigint not null,
  customer_id bigint not null references customer (id),
  created_at timestamptz(3) not null,
  last4 text not null check (last4 ~ '^[0-9]{4}$'),
  expires text not null check (expires ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  status text not null
    check (status in ('Inactive', 'Active', 'Frozen', 'Lost', 'Stolen', 'ClosedByCustomer', 'SuspectedFraud')),
  type text not null check (type in ('individualDebitCard', 'individualVirtualDebitCard')),
  design text,
  shipping_address json,
  replaces_card_id bigint references card (id),
  activated_at timestamptz(3),
  tags jsonb not null default '{}',
  version integer not null default 1,
  check ((type = 'individualDebitCard') = (design is not null)),
  check ((type = 'individualDebitCard') = (shipping_address is not null))
);
create index card_newest on card (organisation_id, created_at desc, id desc);
create index card_of_account on card (account_id, created_at desc, id desc);
comment on table card is 'Cards of deposit accounts.';
comment on column card.last4 is 'Last four digits. The full card number is not stored.';
comment on column card.expires is 'Last month in which the card works.';
comment on column card.shipping_address is 'The address with its members in the order in which they were sent.';
comment on column card.replaces_card_id is 'The card that ends when this one is activated.';
comment on column card.activated_at is 'Bank time of the first activation. Every card that an activated card replaced has ended.';

create table card_authorization (
  id bigint primary key,
  organisation_id bigint not null,
  account_id bigint not null,
  customer_id bigint not null,
  card_id bigint not null,
  card_last4 text not null,
  status text not null check (status in ('Authorized', 'Completed', 'Canceled', 'Declined')),
  amount bigint not null check (amount between 1 and 999999999999),
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
comment on table card_authorization is 'Card authorizations. An Authorized one holds money on its account.';
comment on column card_authorization.settled is 'Amount taken from the account so far.';
comment on column card_authorization.refunded is 'Amount given back so far.';
