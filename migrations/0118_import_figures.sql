-- expand: imports keep their counts before and after; those of a former version have none

alter table organisation_import add column figures jsonb not null default '[]';
comment on column organisation_import.figures is 'The counts in the archive or the files, and in this bank after the import: a list of what, before and after.';
