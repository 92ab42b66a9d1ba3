-- expand: a former version does not look at these columns, and lets an app release what the bank has stopped

alter table account add column stopped_by_bank boolean not null default false;
comment on column account.stopped_by_bank is
  'A key with the scope risk:write froze the account. Only such a key unfreezes, closes or reopens it.';

alter table account_hold add column by_bank boolean not null default false;
comment on column account_hold.by_bank is
  'A key with the scope risk:write made the hold. Only such a key releases it, or one for a LegalOrder.';
