-- expand: who invited a person, who is no second person for them; a former version notes nobody

alter table people add column invited_by bigint references people (id);
comment on column people.invited_by is
  'The person who made the latest invitation; null for the command line of the operator and an identity provider.';

alter table proposal add column proposer_inviters bigint[] not null default '{}';
comment on column proposal.proposer_inviters is 'The persons who invited the proposer, and do not sign for them.';
