-- expand: an organisation can move to another cell with its entries in ACH files of a live bank; former versions need not know it

alter table ach_file add column arrived boolean not null default false;
comment on column ach_file.arrived is
  'Whether the file is of another cell. The row then stands for the entries of organisations that have moved here, with their totals and without the bytes.';
comment on column ach_file.entry_count is
  'Number of the entries in the file, and with it debits and credits their totals: of the organisations of this cell, where others have entries in the file, too.';

alter table ach_file drop constraint ach_file_content_check;
alter table ach_file add constraint ach_file_content_check check (
  (state = 'building') = (sha256 is null) and (arrived or state in ('building', 'refused') or sealed_content is not null));

-- Names and hashes tell the cell's own files apart.
drop index ach_file_part, ach_file_modifier, ach_file_taken, ach_file_header;
create unique index ach_file_part on ach_file (coalesce(organisation_id, 0), window_at, part)
  where direction = 'out' and not arrived;
create unique index ach_file_modifier on ach_file (coalesce(organisation_id, 0), created_on, modifier)
  where direction = 'out' and not arrived;
create unique index ach_file_taken on ach_file (coalesce(organisation_id, 0), sha256) where direction = 'in' and not arrived;
create unique index ach_file_header on ach_file (coalesce(organisation_id, 0), header)
  where direction = 'in' and state <> 'refused' and not arrived;
create index ach_file_arrived on ach_file (sha256) where arrived;
create index ach_file_by_key on ach_file (key_organisation_id) where organisation_id is null;

alter table received_payment add column sealed_entry bytea;
comment on column received_payment.sealed_entry is
  'What a return needs of the entry, as sealed JSON. A move of the organisation writes it, because the file stays in the cell that took it; null before.';
