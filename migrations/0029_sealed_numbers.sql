-- contract: account numbers at other banks are stored encrypted, which a former version cannot read

alter table external_account drop constraint external_account_account_number_check;
alter table external_account add constraint external_account_account_number_check
  check (account_number ~ '^([0-9]{1,17}|~[A-Za-z0-9+/]+=*)$');
alter table external_account add number_digest bytea, add last_digits text not null default '';
update external_account set last_digits = right(account_number, 4) where length(account_number) > 4;
comment on column external_account.account_number is
  'The number, encrypted: ~ and Base64. Digits where a former version has written them, until they are encrypted in the background.';
comment on column external_account.number_digest is
  'HMAC of the number under the digest key of the organisation; null while the number is not encrypted.';
comment on column external_account.last_digits is 'The last four digits; empty for a number that has no more than four.';
drop index external_account_by_last_digits;
create index external_account_by_last_digits on external_account (organisation_id, last_digits, id);
create index external_account_by_digest on external_account (organisation_id, number_digest, id);

comment on column payment.counterparty_account_number is
  'The number as the external account stores it: encrypted, ~ and Base64. In clear for payments without an external account, which name accounts of this bank.';

alter table answer add column payment_status text;
comment on column answer.payment_status is
  'The status with which the answer shows its payment; null for the first one.';
comment on column answer.body is
  'The body as it was sent; empty where the answer is encrypted or shows a payment. Beside an encrypted answer with an account number, the id of its record.';
comment on column answer.sealed is 'The encrypted body of an answer that contains a secret or an account number at another bank.';

comment on column event_page.events is
  'The events, separated by the character 0x1e. The parts of an event are separated by 0x1f: type, entity id, entity version, data, API key id, request id, idempotency key. The data is the JSON of the record, kept to the byte because it is signed and sent. It is empty for events of payments and of the transactions of their accounts: these are rendered from columns that never change. It is encrypted, ~ and Base64, where it has an account number at another bank. The last three parts are empty for changes that the bank made itself.';

-- Copies in events and answers of former versions are removed or encrypted; the rows themselves follow.
alter table copy_move drop constraint copy_move_source_check;
alter table copy_move add constraint copy_move_source_check
  check (source in ('event_page', 'answer', 'external_account', 'payment'));
insert into copy_move (source) select 'event_page' where exists (select from event_page) on conflict do nothing;
insert into copy_move (source) select 'answer' where exists (select from answer) on conflict do nothing;
insert into copy_move (source) select 'external_account' where exists (select from external_account);
insert into copy_move (source) select 'payment' where exists (select from payment where external_account_id is not null);
update copy_move set after_organisation = 0, after_last = 0, after_key = '';

create or replace function refuse_other_changes() returns trigger language plpgsql as $$
begin
  if tg_level = 'STATEMENT' then
    if not exists (select from copy_move where source = 'event_page') then
      raise exception '% is append-only', tg_table_name;
    end if;
    return null;
  end if;
  if (new.organisation_id, new.last, new.count, new.created_at, new.timed)
      is distinct from (old.organisation_id, old.last, old.count, old.created_at, old.timed)
    or exists (
      select from unnest(string_to_array(old.events, e'\x1e'), string_to_array(new.events, e'\x1e')) e (before, after)
      where before is distinct from after and (
        split_part(before, e'\x1f', 1) !~ '^(payment|transaction|externalAccount)\.'
        or split_part(before, e'\x1f', 4) !~ '^\{'
        or split_part(after, e'\x1f', 4) !~ '^(~[A-Za-z0-9+/]+=*)?$'
        or after is distinct from concat_ws(e'\x1f', split_part(before, e'\x1f', 1), split_part(before, e'\x1f', 2),
          split_part(before, e'\x1f', 3), split_part(after, e'\x1f', 4), split_part(before, e'\x1f', 5),
          split_part(before, e'\x1f', 6), split_part(before, e'\x1f', 7)))) then
    raise exception '% is append-only', tg_table_name;
  end if;
  return new;
end $$;
comment on function refuse_other_changes is
  'Trigger of event_page: while copies are removed, an update may empty or encrypt the data of events of payments, transactions and external accounts. Any other update is refused.';
