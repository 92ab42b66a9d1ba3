-- expand: the other banks of a sandbox answer delivered ACH files

alter table ach_file add column answer_at timestamptz(3);
create index ach_file_to_answer on ach_file (organisation_id, answer_at, id) where answer_at is not null;
comment on column ach_file.answer_at is
  'Time at which the other banks of a sandbox answer the file next; its cut-off until they have read it. Null without answers to come, and in live mode.';
