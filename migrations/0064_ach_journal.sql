-- expand: the database knows the lines of the journal beside the outgoing ACH files, which tells a database that is older than the world

create table ach_journal (
  line integer primary key check (line > 0),
  entry text not null,
  file_id bigint,
  created_at timestamptz(3) not null default clock_timestamp()
);
comment on table ach_journal is
  'Lines of the journal in the folder of outgoing ACH files, in live mode. Each is written here before it is written there, and there before its file gets its final name: if the folder has lines that this table lacks, the database is older than the world.';
comment on column ach_journal.entry is 'The line as the journal has it: JSON.';
comment on column ach_journal.file_id is 'The file that was delivered; null for the move of an organisation to another cell, and for a file that is known by the journal alone.';
comment on column ach_journal.created_at is 'Real time.';

alter table ach_received_entry drop constraint ach_received_entry_kind_check, add constraint ach_received_entry_kind_check
  check (kind in ('payment', 'prenote', 'return', 'change', 'refusedChange', 'dishonour', 'contest', 'other', 'lostPayment', 'lostReturn'));
comment on table ach_received_entry is
  'The entries of incoming ACH files, and their outcomes. Of outgoing files, those entries whose payment or return a restored database has lost.';
