-- expand: organisations, API keys, customers, accounts and the stored answers that make writes idempotent

-- One sequence for every banking id, so that an id of one kind never names a record of another.
-- Processes take blocks of a hundred: an id costs no round trip.
create sequence record_id as bigint start 1000000 increment 100;

create table organisation (
  id bigint primary key,
  name text not null unique check (length(name) between 1 and 255),
  -- Bank time is real time plus this; it only grows.
  clock_offset interval not null default '0',
  created_at timestamptz(3) not null,
  version integer not null default 1
);

-- The organisation's bank time, at the millisecond the interface shows.
create function bank_time(organisation_id bigint) returns timestamptz
  language sql volatile
  return (select date_trunc('milliseconds', clock_timestamp()) + o.clock_offset
          from organisation o where o.id = organisation_id);

create table api_key (
  id bigint primary key,
  organisation_id bigint not null references organisation (id),
  name text not null,
  -- SHA-256 of the key; the key itself is nowhere in the database.
  hash bytea not null unique check (length(hash) = 32),
  -- Null is a key without restriction.
  scopes text[],
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  version integer not null default 1
);
create index api_key_organisation on api_key (organisation_id);

create table customer (
  id bigint primary key,
  organisation_id bigint not null references organisation (id),
  created_at timestamptz(3) not null,
  name text not null check (length(name) between 1 and 255),
  email text,
  phone text,
  address jsonb,
  status text not null check (status in ('Active')),
  tags jsonb not null default '{}',
  version integer not null default 1
);
create index customer_newest on customer (organisation_id, created_at desc, id desc);

create sequence account_number as bigint start 1000000001 maxvalue 999999999999;

create table account (
  id bigint primary key,
  organisation_id bigint not null references organisation (id),
  customer_id bigint not null references customer (id),
  created_at timestamptz(3) not null,
  name text not null,
  account_number text not null unique default nextval('account_number')::text
    check (account_number ~ '^[0-9]{10,12}$'),
  status text not null check (status in ('Open', 'Frozen', 'Closed')),
  close_reason text check (close_reason in ('ByCustomer', 'Fraud', 'NegativeBalance')),
  balance bigint not null default 0 check (abs(balance) <= 9007199254740991),
  hold bigint not null default 0 check (hold between 0 and 9007199254740991),
  tags jsonb not null default '{}',
  version integer not null default 1,
  check ((status = 'Closed') = (close_reason is not null))
);
create index account_newest on account (organisation_id, created_at desc, id desc);
create index account_of_customer on account (customer_id, created_at desc, id desc);

-- The answer to every write, committed with its effects under the key of the request.
create table answer (
  organisation_id bigint not null,
  key_hash bytea not null check (length(key_hash) = 32),
  fingerprint bytea not null check (length(fingerprint) = 32),
  status smallint not null,
  body text not null,
  created_at timestamptz(3) not null,
  primary key (organisation_id, key_hash)
);
