-- expand: cards have limits and the reference of their processor, and authorizations the merchant and reviews

alter table card
  add column processor_reference text check (length(processor_reference) between 1 and 255),
  add column limits jsonb check (jsonb_typeof(limits) = 'object');
comment on column card.processor_reference is 'The name by which the card processor knows the card.';
comment on column card.limits is
  'Limits of purchases: amounts in cents and numbers of purchases, lists of merchant categories. Null where there are none.';
create index card_of_customer on card (customer_id);
create index card_replacing on card (replaces_card_id) where replaces_card_id is not null;
create index card_of_organisation on card (organisation_id, id);
create unique index card_of_processor on card (organisation_id, processor_reference) where processor_reference is not null;
create index card_by_last_four on card (organisation_id, last4, id);

alter table card_authorization
  drop constraint card_authorization_decline_reason_check,
  add column over_settlement text check (over_settlement in ('Open', 'Resolved')),
  add column merchant_id text,
  add column merchant_category_code text,
  add constraint card_authorization_decline_reason_check check (decline_reason ~ '^[A-Z][A-Za-z0-9]{0,63}$');
comment on column card_authorization.over_settlement is
  'Open while a reviewer has to look at settlements beyond the tolerance of the trade, Resolved afterwards; null where there were none.';
comment on column card_authorization.merchant_id is 'Id of the merchant at the card network; null if it was not sent.';
comment on column card_authorization.merchant_category_code is 'Merchant category code (MCC); null if it was not sent.';
comment on column card_authorization.decline_reason is
  'The reason of a declined authorization: one of the bank, or one of the app that was asked. Null for the others.';
create index card_authorization_over_settled on card_authorization (organisation_id, created_at, id)
  where over_settlement = 'Open';
-- In place of the index of the organisation alone, so that an authorization has as many entries as before.
create index card_authorization_newest on card_authorization (organisation_id, created_at, id);
-- Declined authorizations are sought for themselves, and are few among all.
create index card_authorization_declined on card_authorization (organisation_id, created_at, id) where status = 'Declined';
