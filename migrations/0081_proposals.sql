-- expand: decisions that wait for a second person; former versions ask nobody

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
comment on column proposal.decided_at is 'Bank time of the approval, rejection, withdrawal or expiry.';
comment on column proposal.changed_at is 'Real time of the last change.';
comment on column proposal.problem is 'Why the operation was refused after the approval.';
create index proposal_of_organisation on proposal (organisation_id, created_at desc, id desc);
create index proposal_of_state on proposal (organisation_id, state, created_at desc, id desc);
create unique index proposal_waiting on proposal (organisation_id, operation_id, record_id) where state = 'Waiting';
create index proposal_expiring on proposal (organisation_id, expires_at, id) where state = 'Waiting';
create index proposal_approved on proposal (changed_at, id) where state = 'Approved';
