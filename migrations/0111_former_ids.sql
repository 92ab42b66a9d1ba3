-- expand: keeps the ids of the former system for records that came from files

create table former_id (
  organisation_id bigint not null,
  kind text not null check (kind in ('customer', 'account', 'externalAccount', 'card', 'transaction')),
  former text not null check (length(former) between 1 and 255),
  id bigint not null,
  primary key (organisation_id, kind, former)
);
comment on table former_id is 'Ids that records had in the former system of an organisation. Written once, by purser import.';
comment on column former_id.former is 'The id there.';
comment on column former_id.id is 'The id here.';

alter table organisation_import alter column record_id drop not null;
comment on table organisation_import is 'Organisations that purser import has read, from an archive of another bank or from files.';
comment on column organisation_import.archive is 'The number that the export gave the archive, or one made of the contents of the files.';
comment on column organisation_import.record_id is 'Where the sequence record_id stood after the import of an archive; null for files. While it stands there, this bank has given out no ids of its own.';

comment on column account.kind is
  'Kind of an internal account: ach_clearing, ach_settlement, ach_suspense, ach_write_off, bank_fees, bank_funding, bank_suspense, card_settlement, moved_in or rewards_funding.';
comment on column transfer.source_kind is
  'payment, payment_return, payment_release, debit, debit_return, ach_settlement, ach_return, ach_exception, ach_resolution, statement_booking, received_ach, received_ach_return, card_settlement, card_refund, reward, reward_clawback or moved_in.';
