-- expand: the organisation of the first key can move to another cell; a former version that starts afterwards would make it again

create table first_organisation (
  one boolean primary key default true check (one)
);
comment on table first_organisation is
  'Has a row once this database has had the organisation "default", whose key a start makes or is given. A home cell that has had it and has it no more looks for it in the other cells, and does not make it again.';
insert into first_organisation select where exists (select from organisation o where o.name = 'default');

create function note_first_organisation() returns trigger language plpgsql as $$
begin
  insert into first_organisation default values on conflict do nothing;
  return null;
end $$;
comment on function note_first_organisation is 'Notes that this database has had the organisation of the first key.';

create trigger note_first_organisation after insert or update of name on organisation
  for each row when (new.name = 'default') execute function note_first_organisation();
