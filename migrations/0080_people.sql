-- expand: persons with roles and sessions, and the seats from which they act in organisations

create table people (
  id bigint primary key,
  name text not null check (length(name) between 1 and 255),
  subject text unique,
  roles jsonb not null default '{}' check (jsonb_typeof(roles) = 'object'),
  created_at timestamptz(3) not null,
  removed_at timestamptz(3),
  version integer not null default 1
);
comment on table people is 'In the home cell: persons who sign in. They belong to the bank and have a role in each of some organisations.';
comment on column people.subject is 'The person at the identity provider; null for one who signs in with a passkey.';
comment on column people.roles is 'The names of organisations, each with the name of the role there. A name outlives a reset and a move.';

create table people_session (
  id bigint primary key,
  person_id bigint not null references people (id),
  hash bytea not null unique check (length(hash) = 32),
  kind text not null check (kind in ('browser', 'command')),
  address text not null,
  agent text,
  created_at timestamptz(3) not null,
  used_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3)
);
create index people_session_person on people_session (person_id, id);
comment on table people_session is 'In the home cell: sessions of persons who have signed in.';
comment on column people_session.hash is 'SHA-256 of the secret, which the cookie or the command line has.';
comment on column people_session.address is 'The address from which the person signed in.';
comment on column people_session.agent is 'What the browser calls itself.';
comment on column people_session.used_at is 'The latest use, to the minute. The session ends when it has been idle.';

create table people_passkey (
  id text primary key,
  person_id bigint not null references people (id),
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  created_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index people_passkey_person on people_passkey (person_id);
comment on table people_passkey is 'In the home cell: the passkeys of persons. The private keys stay in their devices.';
comment on column people_passkey.id is 'The id of the credential, as the browser sends it.';

create table people_ticket (
  hash bytea primary key check (length(hash) = 32),
  kind text not null check (kind in ('invitation', 'registration', 'passkey', 'provider', 'command')),
  person_id bigint references people (id),
  content jsonb,
  expires_at timestamptz(3) not null
);
create index people_ticket_expiry on people_ticket (expires_at);
comment on table people_ticket is 'In the home cell: secrets that work once, such as those of invitations and of sign-ins that are under way.';
comment on column people_ticket.hash is 'SHA-256 of the secret.';

alter table api_key add column person_id bigint, add column session_id bigint, add column address text;
create unique index api_key_seat on api_key (session_id, organisation_id, address) where session_id is not null;
comment on column api_key.person_id is
  'Set for a seat: a person who acts in the organisation, with the name of the person and no secret that works.';
comment on column api_key.session_id is 'The session of a seat.';
comment on column api_key.address is 'The network address of a seat.';
