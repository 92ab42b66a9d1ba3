-- expand: batches have the cut-off of their file, by which they are listed, and exceptions a resolution

alter table ach_batch add column created_at timestamptz(3) not null default clock_timestamp();
update ach_batch b set created_at = f.window_at from ach_file f where f.id = b.file_id;
comment on column ach_batch.created_at is
  'Cut-off of the file.';
create index ach_batch_list on ach_batch (organisation_id, created_at, id);
create index ach_file_list on ach_file (organisation_id, window_at, id) where organisation_id is not null;

alter table ach_exception
  add column resolution text check (resolution in ('Noted', 'Account', 'WrittenOff')),
  add column reason text check (length(reason) between 1 and 500),
  add column account_id bigint,
  add column version integer not null default 1,
  add constraint ach_exception_resolved_check check (
    (resolution is null) = (reason is null) and (resolution is null or resolved_at is not null)
    and (coalesce(resolution, '') = 'Account') = (account_id is not null));
comment on column ach_exception.resolution is
  'Noted without money, Account where the money went to or came from an account of a customer, or WrittenOff to the internal account ach_write_off.';
comment on column ach_exception.reason is 'The reason that the operator gave.';
comment on column ach_exception.account_id is 'The account of the customer.';

comment on column account.kind is
  'Kind of an internal account: ach_clearing, ach_settlement, ach_suspense, ach_write_off, card_settlement or rewards_funding.';
