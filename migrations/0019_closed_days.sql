-- expand: statements of the settlement account, the items that match them to the ledger, and the certificates of closed days

create table statement_file (
  id bigint generated always as identity primary key,
  sha256 bytea not null unique check (length(sha256) = 32),
  name text not null,
  state text not null check (state in ('taken', 'refused')),
  detail text not null,
  taken_at timestamptz(3) not null default now()
);
comment on table statement_file is 'Files with statements of the bank of the settlement account. Each is taken once; a refused one can be taken later.';
comment on column statement_file.detail is 'The reason of a refusal; of a file that was taken, what was in it.';

create table bank_statement (
  id bigint generated always as identity primary key,
  file_id bigint not null references statement_file (id),
  as_of date not null,
  page integer not null check (page > 0),
  is_last boolean not null,
  is_interim boolean not null,
  format text not null,
  reference text not null,
  names jsonb not null,
  opening bigint,
  closing bigint,
  digest bytea not null check (length(digest) = 32),
  entries integer not null,
  flags text[] not null,
  replaced_at timestamptz(3),
  replaced_because text,
  check ((replaced_at is null) = (replaced_because is null))
);
comment on table bank_statement is 'Statements of the settlement account, or pages of them. A day has one of each page; a correction replaces it.';
comment on column bank_statement.is_interim is 'Whether the day goes on behind it. No day is closed on it, and it has no items.';
comment on column bank_statement.names is 'What the bank calls the file and the statement.';
comment on column bank_statement.digest is 'SHA-256 of balances and entries, which tells a statement that was sent again from a different one.';
create unique index bank_statement_current on bank_statement (as_of, page) where replaced_at is null and not is_interim;

create table item_match (
  id bigint generated always as identity primary key,
  reason text not null,
  person text,
  made_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  ended_because text,
  check ((ended_at is null) = (ended_because is null))
);
comment on table item_match is 'Why items of the statement and movements of the ledger are the same money.';
comment on column item_match.person is 'The person who matched them; null for a rule.';

create table settlement_item (
  id bigint generated always as identity primary key,
  side text not null check (side in ('statement', 'ledger')),
  statement_id bigint references bank_statement (id),
  place integer,
  transfer_id bigint,
  parent_id bigint references settlement_item (id),
  day date not null,
  amount bigint not null,
  has_direction boolean not null default true,
  kinds text[] not null,
  keys text[] not null,
  groups text[] not null default '{}',
  description text not null,
  match_id bigint references item_match (id),
  owner text,
  note text,
  hint text,
  by_hand boolean not null default false,
  split_because text,
  withdrawn_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  check ((side = 'ledger') = (transfer_id is not null)),
  check ((side = 'statement') = (statement_id is not null and place is not null)),
  check ((owner is null) = (note is null)),
  check (match_id is null or split_because is null and withdrawn_at is null and has_direction)
);
comment on table settlement_item is
  'Lines of the statement and movements of the ledger''s settlement account. An item is in one match, which has the same sum on both sides.';
comment on column settlement_item.place is 'Number of the line in the statement; 0 for what the account held before the first statement beyond the ledger.';
comment on column settlement_item.parent_id is 'The item that this one is a part of.';
comment on column settlement_item.amount is 'Cents: positive if money came to the settlement account.';
comment on column settlement_item.has_direction is 'False if the statement does not say which way the money went. The day stays open.';
comment on column settlement_item.keys is 'References by which it is found on the other side.';
comment on column settlement_item.groups is 'Movements that a bank may show as one line.';
comment on column settlement_item.hint is 'What the item may be, for the person who looks at it.';
comment on column settlement_item.by_hand is 'Whether a person ended a match of it, so that no rule matches it again.';
comment on column settlement_item.withdrawn_at is 'Time at which a correction replaced its statement.';
create unique index settlement_item_line on settlement_item (statement_id, place) where parent_id is null;
create unique index settlement_item_transfer on settlement_item (transfer_id) where parent_id is null;
create index settlement_item_open on settlement_item (day, id)
  where match_id is null and split_because is null and withdrawn_at is null;
create index settlement_item_matched on settlement_item (match_id) where match_id is not null;
create index settlement_item_by_day on settlement_item (day, id);

create table closed_day (
  day date not null,
  version integer not null check (version > 0),
  certificate text not null,
  sha256 bytea not null check (length(sha256) = 32),
  closed_at timestamptz(3) not null default now(),
  reopened_at timestamptz(3),
  reopened_because text,
  primary key (day, version),
  check ((reopened_at is null) = (reopened_because is null))
);
comment on table closed_day is 'Certificates of closed banking days. A day that is reopened keeps its certificate and gets the next version.';
create unique index closed_day_current on closed_day (day) where reopened_at is null;

create function require_match_balances() returns trigger language plpgsql as $$
begin
  if exists (
    select from settlement_item where match_id in (new.match_id, old.match_id)
    group by match_id having sum(case side when 'statement' then amount else -amount end) <> 0) then
    raise exception 'a match of settlement items does not balance';
  end if;
  return null;
end $$;
comment on function require_match_balances is 'Refuses a match whose sums differ between the statement and the ledger.';

create constraint trigger settlement_item_balances after update on settlement_item
  deferrable initially deferred for each row when (new.match_id is distinct from old.match_id or new.amount <> old.amount)
  execute function require_match_balances();
