-- expand: claims, because a write that a provider carries out elsewhere cannot commit together with its answer

-- Committed before the provider is called and deleted with the stored answer. What is left here was refused, or broke off.
create table claim (
  organisation_id bigint not null,
  key_hash bytea not null check (length(key_hash) = 32),
  fingerprint bytea not null check (length(fingerprint) = 32),
  -- Grows with every refusal: a provider that is shown the same key again repeats what it answered.
  attempt integer not null check (attempt >= 1),
  -- Who is at it: one request of one process.
  holder uuid not null,
  state text not null check (state in ('sent', 'refused', 'unknown')),
  -- Since when the provider may know the key of this attempt, which it forgets after a while.
  sent_at timestamptz(3) not null,
  -- Until then the holder is taken to be alive.
  busy_until timestamptz(3) not null,
  primary key (organisation_id, key_hash)
);
