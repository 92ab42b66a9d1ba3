-- expand: cards get the reference of their processor, which former versions leave alone.
alter table card add column processor_reference text check (length(processor_reference) between 1 and 255);
comment on column card.processor_reference is 'The name by which the card processor knows the card.';
create unique index card_of_processor on card (organisation_id, processor_reference) where processor_reference is not null;

comment on column answer.key_hash is
  'SHA-256 of the idempotency key; 16 random bytes where the caller sent none; 33 bytes for a message of a card processor, whose answer stays.';
