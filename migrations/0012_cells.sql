-- expand: a database says which cell of a bank it is, its ids and account numbers come from the range of that cell, and an organisation can move to another one

create table cell (
  id integer primary key default 1 check (id = 1),
  name text not null check (name ~ '^[a-z0-9][a-z0-9_]{0,31}$'),
  number integer not null check (number between 0 and 63),
  bank text not null check (bank ~ '^[0-9a-f]{32}$'),
  mark text not null check (mark ~ '^[0-9a-f]{32}$'),
  claimed_at timestamptz not null,
  retired_at timestamptz,
  mode text check (mode in ('sandbox', 'live'))
);
comment on table cell is
  'One row: the cell that this database is. The first start as that cell writes it, and a start as another cell is refused.';
comment on column cell.name is 'home, or the name of PURSER_CELL_<NAME> in lower case.';
comment on column cell.number is 'The range: 0 is the home cell, whose ids have up to 14 digits. Ids of cell n begin at n times 10^14, account numbers at n times 10^10.';
comment on column cell.bank is 'Made at random by the home cell and the same in all its cells: a database of another bank is refused.';
comment on column cell.mark is 'Made at random by the claim. The home cell has it in cell_range, so that an empty database cannot take the place of a lost one.';
comment on column cell.claimed_at is 'Real time.';
comment on column cell.retired_at is
  'Real time at which purser cells retire has begun to retire this cell; null before. It takes no new organisations from then on.';
comment on column cell.mode is
  'The mode of the bank. The first start of the service writes it, and a start in the other mode is refused; null before.';

create table cell_range (
  number integer primary key check (number between 0 and 63),
  name text not null unique,
  mark text check (mark ~ '^[0-9a-f]{32}$'),
  retired_at timestamptz
);
comment on table cell_range is 'In the home cell: the ranges that were given out, each once. Empty in other cells.';
comment on column cell_range.name is 'The cell that has the range.';
comment on column cell_range.mark is 'The mark of the database that has claimed the range; null until it is claimed.';
comment on column cell_range.retired_at is
  'Real time at which the cell was retired; null before. Its number and its name are never given out again.';

create table organisation_move (
  id bigint primary key,
  name text not null,
  cell text not null,
  epoch integer not null,
  state text not null check (state in ('copying', 'pausing', 'switching', 'switched', 'moved', 'arriving')),
  run uuid not null,
  identities text[] not null default '{}',
  started_at timestamptz not null default clock_timestamp()
);
comment on table organisation_move is
  'Moves of organisations between cells: one that leaves or arrives, and those that have left. Written by purser organisations move alone.';
comment on column organisation_move.id is 'Id of the organisation.';
comment on column organisation_move.cell is 'The other cell: the one that it moves to, or comes from.';
comment on column organisation_move.epoch is 'Epoch of the organisation after the move.';
comment on column organisation_move.state is
  'Of an organisation that leaves: copying, pausing (writes are about to be refused), switching (writes are refused for good, and the other cell may own it), switched (the other cell owns it) or moved (nothing of the move is left but this row). arriving in the other cell, until it owns the organisation.';
comment on column organisation_move.run is 'The run of the command that works on the move. A former one changes nothing any more.';
comment on column organisation_move.identities is 'The tables whose replica identity the move has changed.';
comment on column organisation_move.started_at is 'Real time.';

create table organisation_move_mark (
  id bigint primary key,
  mark bigint not null
);
comment on table organisation_move_mark is
  'A number that the move of an organisation raises in the cell that it leaves. All earlier changes have arrived where the number has.';

create function keep_cell_range() returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  own integer := (select c.number from cell c);
  each record;
begin
  for each in
    select s.sequencename as name, s.increment_by as step, s.last_value as used, s.max_value,
      case when own = 0 then s.min_value else own * r.size end as low, (own + 1) * r.size - s.increment_by as high
    from pg_sequences s
    cross join lateral (
      select case s.sequencename when 'account_number' then 10000000000 else 100000000000000 end as size
    ) r
    -- Trace numbers have seven digits, and repeat.
    where s.schemaname = 'public' and s.sequencename <> 'ach_trace'
  loop
    continue when each.max_value = each.high;
    if own > 0 and each.used is not null then
      raise exception 'the sequence % has given out numbers of another range', each.name using errcode = '22000';
    end if;
    if own > 0 then
      execute format('alter sequence %I minvalue %s maxvalue %s start %s restart', each.name, each.low, each.high, each.low);
    else
      execute format('alter sequence %I maxvalue %s', each.name, each.high);
    end if;
  end loop;
end $$;
comment on function keep_cell_range is
  'Gives every sequence the range of the cell. Runs at every start, because a migration may bring a sequence.';

create function claim_cell(name text, number integer, bank text, mark text) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into cell (name, number, bank, mark, claimed_at)
  values (claim_cell.name, claim_cell.number, claim_cell.bank, claim_cell.mark, clock_timestamp())
  on conflict do nothing;
  if found then
    perform keep_cell_range();
  end if;
end $$;
comment on function claim_cell is 'Makes this database a cell of the bank, where it is none yet. It never becomes another one.';

create function is_moving(organisation bigint) returns boolean
  language sql stable
  return exists (select from organisation_move m where m.id = organisation and m.state <> 'copying');
comment on function is_moving is
  'Whether background work leaves an organisation alone: its writes are refused because it moves, or it is in another cell.';

create function guard_move() returns trigger language plpgsql as $$
declare
  moving bigint := tg_argv[0]::bigint;
  changed record;
  found_state text;
begin
  if tg_op = 'DELETE' then changed := old; else changed := new; end if;
  if tg_table_name in ('webhook_cursor', 'webhook_outcome_hour') then
    if not exists (select from webhook_endpoint e where e.id = changed.endpoint_id and e.organisation_id = moving) then
      return changed;
    end if;
  elsif tg_table_name = 'api_key_retired' then
    if not exists (select from api_key k where k.id = changed.api_key_id and k.organisation_id = moving) then
      return changed;
    end if;
  end if;
  if current_setting('purser.mover', true) = 'on' then
    return changed;
  end if;
  -- The move waits for this lock before it looks at the rows, and holds it until the organisation is elsewhere. Nobody waits
  -- for the move: a lock that is not free is a refusal.
  if pg_try_advisory_xact_lock_shared(7275760) then
    select m.state into found_state from organisation_move m where m.id = moving;
    -- A transaction of which a change was left out makes no other one.
    if coalesce(found_state in ('copying', 'pausing'), true)
      and current_setting('purser.move_left_out', true) is distinct from 'on' then
      return changed;
    end if;
  end if;
  -- Changes that come with reads or with work for several organisations are left out; the work is done after the move.
  if tg_table_name in ('webhook_outcome_hour', 'ledger_flow_hour') or tg_op = 'UPDATE' and (
      tg_table_name in ('webhook_delivery', 'fault_rule')
      or tg_table_name = 'api_key' and to_jsonb(new) - 'last_used_at' = to_jsonb(old) - 'last_used_at'
      or tg_table_name = 'organisation' and to_jsonb(new) - 'idle' = to_jsonb(old) - 'idle'
      or tg_table_name = 'webhook_endpoint' and to_jsonb(new) - 'failing_since' = to_jsonb(old) - 'failing_since') then
    perform set_config('purser.move_left_out', 'on', true);
    return null;
  end if;
  perform refuse_moving(moving);
  return null;
end $$;
comment on function guard_move is
  'Trigger that a move sets on the tables, for the rows of its organisation: refuses changes while it is paused, after it has left, and before it has arrived.';

create function refuse_retired() returns trigger language plpgsql as $$
begin
  if exists (select from cell c where c.retired_at is not null) then
    raise exception 'the cell is retired and takes no new organisations' using errcode = '55000';
  end if;
  return null;
end $$;
comment on function refuse_retired is 'Refuses new organisations in a cell that is retired.';

create function retire_cell() returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Waits for transactions that create an organisation; later ones see that the cell is retired.
  lock table organisation in share row exclusive mode;
  if exists (select from organisation o where o.ended_at is null) then
    return false;
  end if;
  update cell c set retired_at = clock_timestamp() where c.number > 0 and c.retired_at is null;
  return true;
end $$;
comment on function retire_cell is 'Begins to retire this cell. False where it has organisations.';

create function keep_cell_mode(wanted text) returns text
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update cell c set mode = wanted where c.mode is null;
  return (select c.mode from cell c);
end $$;
comment on function keep_cell_mode is 'Writes the mode of the bank where it has none yet, and returns the mode that it has.';

create trigger refuse_retired before insert on organisation for each statement execute function refuse_retired();
