-- expand: the last check of the ledger's laws in each organisation

create table ledger_verification (
  organisation_id bigint primary key references organisation (id) on delete cascade,
  checked_at timestamptz(3) not null,
  duration_ms integer not null check (duration_ms >= 0),
  laws json not null
);
comment on table ledger_verification is 'Result of the last check of the laws of the ledger, one for each organisation.';
comment on column ledger_verification.checked_at is 'Bank time of the snapshot that was checked.';
comment on column ledger_verification.laws is
  'The laws with the rows that break them, as the interface shows them; null for holds where the time was over.';
