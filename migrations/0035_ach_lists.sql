-- expand: batches have the cut-off of their file, by which they are listed

alter table ach_batch add column created_at timestamptz(3) not null default clock_timestamp();
update ach_batch b set created_at = f.window_at from ach_file f where f.id = b.file_id;
comment on column ach_batch.created_at is
  'Cut-off of the file.';
create index ach_batch_list on ach_batch (organisation_id, created_at, id);
create index ach_file_list on ach_file (organisation_id, window_at, id) where organisation_id is not null;
