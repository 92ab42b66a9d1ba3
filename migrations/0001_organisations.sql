-- expand: organisations, their API keys and the marker of the encryption key

-- One sequence numbers every banking record, so that an id of one kind never names a record of another. Processes take
-- blocks of 100, so that an id costs no round trip.
create sequence record_id as bigint start 1000000 increment 100;

create table organisation (
  id bigint primary key,
  name text not null unique check (length(name) between 1 and 255),
  clock_offset interval not null default '0',
  created_at timestamptz(3) not null,
  version integer not null default 1,
  statements_from date check (extract(day from statements_from) = 1),
  advancing_to timestamptz(3),
  advancing_key bytea
);
comment on table organisation is 'A tenant. Every other record belongs to one organisation.';
comment on column organisation.clock_offset is 'Bank time is real time plus this offset. It only grows.';
comment on column organisation.statements_from is
  'First day of the oldest month without statements. Null before the first month end: then the month of the organisation''s creation, or of its oldest account, counts.';
comment on column organisation.advancing_to is
  'Target of the latest advance of the clock. A repeated request that was interrupted continues to this time.';
comment on column organisation.advancing_key is 'Identifies the request of the latest advance.';

create table api_key (
  id bigint primary key,
  organisation_id bigint not null references organisation (id),
  name text not null,
  hash bytea not null unique check (length(hash) = 32),
  scopes text[],
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  version integer not null default 1,
  last_used_at timestamptz(3),
  source text not null default 'request' check (source in ('configured', 'generated', 'request')),
  deleted boolean not null default false
);
create index api_key_organisation on api_key (organisation_id);
comment on table api_key is 'API keys. The id stays, the secret can be rotated.';
comment on column api_key.hash is 'SHA-256 of the secret. The secret itself is not stored.';
comment on column api_key.scopes is 'Null: the key may do everything.';
comment on column api_key.source is 'Origin of the secret: the environment, the data folder or a request.';
comment on column api_key.deleted is
  'The key was deleted on request. A later start with the same secret does not bring it back.';

create table api_key_retired (
  hash bytea primary key check (length(hash) = 32),
  api_key_id bigint not null references api_key (id),
  works_until timestamptz(3) not null
);
create index api_key_retired_key on api_key_retired (api_key_id);
comment on table api_key_retired is 'Former secrets of rotated keys.';
comment on column api_key_retired.works_until is 'End of the grace period, in real time.';

create table encryption_marker (
  id integer primary key check (id = 1),
  sealed bytea not null
);
comment on table encryption_marker is
  'One row, encrypted by the first start. A start with another encryption key fails to decrypt it and stops.';
