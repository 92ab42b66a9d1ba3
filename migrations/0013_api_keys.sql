-- expand: keys that are made, rotated and revoked by request, and when each was last used

alter table api_key
  add column last_used_at timestamptz(3),
  -- Where its secret comes from: the environment, the data folder, or a request for a key.
  add column source text not null default 'request' check (source in ('configured', 'generated', 'request')),
  -- Revoked because somebody asked for it: no later start with the same secret brings it back.
  add column deleted boolean not null default false;
update api_key set source = name where name in ('configured', 'generated');

-- The secrets that a key had before, each until it stops working.
create table api_key_retired (
  hash bytea primary key check (length(hash) = 32),
  api_key_id bigint not null references api_key (id),
  works_until timestamptz(3) not null
);
create index api_key_retired_key on api_key_retired (api_key_id);
