-- expand: notes the organisations that came as an archive, so that the same archive is imported once

create table organisation_import (
  id bigint primary key,
  archive uuid not null unique,
  head bigint not null,
  link bytea,
  record_id bigint not null,
  imported_at timestamptz(3) not null default clock_timestamp()
);
comment on table organisation_import is 'Organisations that purser import has read from an archive of another bank.';
comment on column organisation_import.id is 'The organisation.';
comment on column organisation_import.archive is 'The number that the export gave the archive.';
comment on column organisation_import.head is 'Number of the last event in the archive.';
comment on column organisation_import.link is 'Link of that event in the chain of hashes; null if the archive has no links.';
comment on column organisation_import.record_id is 'Where the sequence record_id stood after the import. While it stands there, this bank has given out no ids of its own.';
