-- expand: an organisation ends and is renamed without waiting for the transactions that refer to it

-- A column of a unique index without a predicate counts as a key, and a change of it waits for every transaction whose
-- foreign keys refer to the row: a series of writes that never pauses would hold up a reset for ever. A predicate that
-- holds for every row keeps all names unique, also for `on conflict (name)`, and makes the name no key.
create unique index organisation_name on organisation (name) where 1 = 1;
alter table organisation drop constraint organisation_name_key;
