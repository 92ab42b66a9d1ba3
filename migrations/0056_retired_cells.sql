-- expand: a further cell can be retired; a former version waits for it with ACH files, as for a cell that is away

alter table cell add column retired_at timestamptz;
comment on column cell.retired_at is
  'Real time at which purser cells retire has begun to retire this cell; null before. It takes no new organisations from then on.';

alter table cell_range add column retired_at timestamptz;
comment on column cell_range.retired_at is
  'Real time at which the cell was retired; null before. Its number and its name are never given out again.';

comment on column ach_file.arrived is
  'Whether the file was made or taken by another cell. The row then stands for the entries of organisations that have moved here, with their totals. It has the bytes only where that cell is retired.';

create function refuse_retired() returns trigger language plpgsql as $$
begin
  if exists (select from cell c where c.retired_at is not null) then
    raise exception 'the cell is retired and takes no new organisations' using errcode = '55000';
  end if;
  return null;
end $$;
comment on function refuse_retired is 'Refuses new organisations in a cell that is retired.';

create trigger refuse_retired before insert on organisation for each statement execute function refuse_retired();

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
