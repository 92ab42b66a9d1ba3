-- expand: a database says which cell it is, and its ids and account numbers come from the range of that cell

create table cell (
  id integer primary key default 1 check (id = 1),
  name text not null check (name ~ '^[a-z0-9][a-z0-9_]{0,31}$'),
  number integer not null check (number between 0 and 63),
  bank text not null check (bank ~ '^[0-9a-f]{32}$'),
  mark text not null check (mark ~ '^[0-9a-f]{32}$'),
  claimed_at timestamptz not null
);
comment on table cell is
  'One row: the cell that this database is. The first start as that cell writes it, and a start as another cell is refused.';
comment on column cell.name is 'home, or the name of PURSER_CELL_<NAME> in lower case.';
comment on column cell.number is 'The range: 0 is the home cell, whose ids have up to 14 digits. Ids of cell n begin at n times 10^14, account numbers at n times 10^10.';
comment on column cell.bank is 'Made at random by the home cell and the same in all its cells: a database of another bank is refused.';
comment on column cell.mark is 'Made at random by the claim. The home cell has it in cell_range, so that an empty database cannot take the place of a lost one.';
comment on column cell.claimed_at is 'Real time.';

create table cell_range (
  number integer primary key check (number between 0 and 63),
  name text not null unique,
  mark text check (mark ~ '^[0-9a-f]{32}$')
);
comment on table cell_range is 'In the home cell: the ranges that were given out, each once. Empty in other cells.';
comment on column cell_range.name is 'The cell that has the range.';
comment on column cell_range.mark is 'The mark of the database that has claimed the range; null until it is claimed.';

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
