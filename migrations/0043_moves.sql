-- expand: an organisation can move to another cell

alter table organisation add column epoch integer not null default 0;
comment on column organisation.epoch is
  'How often the organisation has moved between cells. Where two cells have it, the one with the larger number owns it.';

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

create function is_moving(organisation bigint) returns boolean
  language sql stable
  return exists (select from organisation_move m where m.id = organisation and m.state <> 'copying');
comment on function is_moving is
  'Whether background work leaves an organisation alone: its writes are refused because it moves, or it is in another cell.';

create function refuse_moving(organisation bigint) returns timestamptz language plpgsql as $$
begin
  raise exception 'organisation % is being moved to another cell', organisation using errcode = 'PE002';
end $$;
comment on function refuse_moving is 'Raises the error of a change in an organisation that moves or has moved to another cell.';

create or replace function refuse_ended(organisation_id bigint) returns timestamptz language plpgsql as $$
begin
  if exists (select from organisation_move m where m.id = refuse_ended.organisation_id) then
    return refuse_moving(organisation_id);
  end if;
  raise exception 'organisation % has ended', organisation_id using errcode = 'PE001';
end $$;

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

alter table document_file add column organisation_id bigint;
comment on column document_file.organisation_id is 'The organisation of the document: a move copies rows by this column.';
update document_file f set organisation_id = d.organisation_id from document d where d.id = f.document_id;

create function set_document_organisation() returns trigger language plpgsql as $$
begin
  new.organisation_id := (select d.organisation_id from document d where d.id = new.document_id);
  return new;
end $$;
comment on function set_document_organisation is
  'Trigger of document_file: sets the organisation of a row that a former version of the service writes.';
create trigger document_file_organisation before insert on document_file
  for each row when (new.organisation_id is null) execute function set_document_organisation();
