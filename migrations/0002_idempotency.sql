-- expand: stored answers and claims, so that one idempotency key has one effect

-- No foreign keys on tables that every write touches: each one costs a look-up for every row.
create table answer (
  organisation_id bigint not null,
  key_hash bytea not null,
  fingerprint bytea not null,
  status smallint not null,
  body text not null,
  created_at timestamptz(3) not null,
  sealed bytea,
  primary key (organisation_id, key_hash)
);
comment on table answer is 'The answer to every write, committed together with its effects.';
comment on column answer.key_hash is 'SHA-256 of the idempotency key, or random bytes where the caller sent no key.';
comment on column answer.fingerprint is 'Keyed digest of method, path and body. The same key for another request is refused.';
comment on column answer.body is 'The body as it was sent; empty where the answer is encrypted.';
comment on column answer.sealed is 'The encrypted body of an answer that carries a secret.';

create table claim (
  organisation_id bigint not null,
  key_hash bytea not null check (length(key_hash) = 32),
  fingerprint bytea not null check (length(fingerprint) = 32),
  attempt integer not null check (attempt >= 1),
  holder uuid not null,
  state text not null check (state in ('sent', 'refused', 'unknown')),
  sent_at timestamptz(3) not null,
  busy_until timestamptz(3) not null,
  primary key (organisation_id, key_hash)
);
comment on table claim is
  'Writes that an upstream provider carries out. A claim is committed before the call and deleted with the stored answer. A remaining claim was refused or interrupted.';
comment on column claim.attempt is
  'Number of the attempt, increased by each refusal. It is part of the key sent to the provider, which would repeat its refusal under the old key.';
comment on column claim.holder is 'The request that works on the claim.';
comment on column claim.sent_at is
  'Real time since when the provider may know the key of this attempt. Providers forget keys after a while.';
comment on column claim.busy_until is 'Real time until which the holder counts as alive.';
