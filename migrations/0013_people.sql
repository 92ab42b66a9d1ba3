-- expand: persons with roles and sessions, the seats from which they act, and decisions that wait for a second person

alter table api_key
  add column person_id bigint,
  add column session_id bigint,
  add column address text,
  add column makers bigint[] not null default '{}',
  add column maker_inviters bigint[] not null default '{}';
comment on column api_key.person_id is
  'Set for a seat: a person who acts in the organisation, with the name of the person and no secret that works.';
comment on column api_key.session_id is 'The session of a seat.';
comment on column api_key.address is 'The network address of a seat.';
comment on column api_key.makers is 'The persons who made or rotated the key, or a key that did.';
comment on column api_key.maker_inviters is 'The persons who had invited the makers.';
create index api_key_by_name on api_key (organisation_id, lower(name) collate "C", id);
create unique index api_key_seat on api_key (session_id, organisation_id, address) where session_id is not null;
create index api_key_person on api_key (person_id, organisation_id, address) where session_id is null and person_id is not null;

create table people (
  id bigint primary key,
  name text not null check (length(name) between 1 and 255),
  subject text unique,
  roles jsonb not null default '{}' check (jsonb_typeof(roles) = 'object'),
  created_at timestamptz(3) not null,
  removed_at timestamptz(3),
  version integer not null default 1,
  invited_by bigint references people (id)
);
comment on table people is 'In the home cell: persons who sign in. They belong to the bank and have a role in each of some organisations.';
comment on column people.subject is 'The person at the identity provider; null for one who signs in with a passkey.';
comment on column people.roles is 'The names of organisations, each with the name of the role there. A name outlives a reset and a move.';
comment on column people.invited_by is
  'The person who made the latest invitation; null for the command line of the operator and an identity provider.';

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
comment on table people_session is 'In the home cell: sessions of persons who have signed in.';
comment on column people_session.hash is 'SHA-256 of the secret, which the cookie or the command line has.';
comment on column people_session.address is 'The address from which the person signed in.';
comment on column people_session.agent is 'What the browser calls itself.';
comment on column people_session.used_at is 'The latest use, to the minute. The session ends when it has been idle.';
create index people_session_person on people_session (person_id, id);

create table people_passkey (
  id text primary key,
  person_id bigint not null references people (id),
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  created_at timestamptz(3) not null,
  used_at timestamptz(3)
);
comment on table people_passkey is 'In the home cell: the passkeys of persons. The private keys stay in their devices.';
comment on column people_passkey.id is 'The id of the credential, as the browser sends it.';
create index people_passkey_person on people_passkey (person_id);

create table people_ticket (
  hash bytea primary key check (length(hash) = 32),
  kind text not null check (kind in ('invitation', 'registration', 'passkey', 'provider', 'command')),
  person_id bigint references people (id),
  content jsonb,
  expires_at timestamptz(3) not null
);
comment on table people_ticket is 'In the home cell: secrets that work once, such as those of invitations and of sign-ins that are under way.';
comment on column people_ticket.hash is 'SHA-256 of the secret.';
create index people_ticket_expiry on people_ticket (expires_at);

create table people_entry (
  id bigint generated always as identity primary key,
  person_id bigint not null references people (id),
  version integer not null,
  organisation text not null,
  type text not null,
  role text,
  former_role text,
  cause text,
  session_id bigint,
  actor_id bigint references people (id),
  actor_session_id bigint,
  actor_address text
);
comment on table people_entry is
  'In the home cell: changes of persons that are not yet events of their organisations, which may be in other cells.';
comment on column people_entry.organisation is 'The name of the organisation whose audit log gets the entry.';
comment on column people_entry.session_id is 'The session that began or ended; null for none or all.';
comment on column people_entry.actor_id is 'The person who did it; null for the command line of the operator.';

create table proposal (
  id bigint primary key,
  organisation_id bigint not null,
  state text not null check (state in ('Waiting', 'Approved', 'Executed', 'Failed', 'Rejected', 'Withdrawn', 'Expired')),
  decision text not null,
  operation_id text not null,
  params jsonb not null,
  body jsonb not null,
  record_id text not null,
  amount bigint,
  reason text,
  proposer_key_id bigint not null,
  proposer_person_id bigint,
  proposer_name text,
  signer_key_id bigint,
  signer_person_id bigint,
  signer_name text,
  signer_decides_risk boolean,
  decision_reason text,
  problem jsonb,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  decided_at timestamp(3) with time zone,
  changed_at timestamp(3) with time zone not null default now(),
  version integer not null,
  proposer_inviters bigint[] not null default '{}',
  customer_id bigint,
  proposer_makers bigint[] not null default '{}',
  check ((state in ('Waiting', 'Withdrawn', 'Expired')) = (signer_key_id is null)),
  check (state not in ('Approved', 'Executed', 'Failed') or signer_person_id is not null),
  check (signer_person_id <> proposer_person_id or state = 'Rejected'),
  check ((state = 'Waiting') = (decided_at is null)),
  check ((state = 'Failed') = (problem is not null))
);
comment on table proposal is 'Decisions that a rule of the operator asks a second person for. An Approved one runs, or runs again after a crash.';
comment on column proposal.operation_id is 'The operation that an approval runs, with params and body.';
comment on column proposal.proposer_person_id is 'The person who proposed; null for an API key.';
comment on column proposal.signer_key_id is 'The key, or the session of the person, that approved or rejected.';
comment on column proposal.problem is 'Why the operation was refused after the approval.';
comment on column proposal.decided_at is 'Bank time of the approval, rejection, withdrawal or expiry.';
comment on column proposal.changed_at is 'Real time of the last change.';
comment on column proposal.proposer_inviters is 'The persons who invited the proposer or the makers of the key, and do not sign for them.';
comment on column proposal.customer_id is
  'The customer of the record, whose erasure clears the texts. Null for none, for an erased one, and for proposals of a former version.';
comment on column proposal.proposer_makers is 'The persons who had made the key that proposed, and do not sign for it.';
create index proposal_of_organisation on proposal (organisation_id, created_at desc, id desc);
create index proposal_of_state on proposal (organisation_id, state, created_at desc, id desc);
create index proposal_expiring on proposal (organisation_id, expires_at, id) where state = 'Waiting';
create index proposal_approved on proposal (changed_at, id) where state = 'Approved';
create index proposal_of_record on proposal (organisation_id, record_id, created_at desc, id desc);
create unique index proposal_open on proposal (organisation_id, operation_id, record_id) where state in ('Waiting', 'Approved');
create index proposal_of_customer on proposal (customer_id) where customer_id is not null;
