-- expand: a former version does not look at the mode

alter table cell add column mode text check (mode in ('sandbox', 'live'));
comment on column cell.mode is
  'The mode of the bank. The first start of the service writes it, and a start in the other mode is refused; null before.';

create function keep_cell_mode(wanted text) returns text
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update cell c set mode = wanted where c.mode is null;
  return (select c.mode from cell c);
end $$;
comment on function keep_cell_mode is 'Writes the mode of the bank where it has none yet, and returns the mode that it has.';
