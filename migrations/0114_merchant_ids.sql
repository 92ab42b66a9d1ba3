-- expand: merchant ids and category codes of purchases and offers; a former version matches offers by names alone

alter table card_authorization add column merchant_id text, add column merchant_category_code text;
comment on column card_authorization.merchant_id is 'Id of the merchant at the card network; null if it was not sent.';
comment on column card_authorization.merchant_category_code is 'Merchant category code (MCC); null if it was not sent.';

alter table rewardable_transaction add column merchant_id text, add column category_code text;
comment on column rewardable_transaction.merchant_id is 'Id of the merchant by which offers were looked for; null if it was not known.';
comment on column rewardable_transaction.category_code is 'Merchant category code by which offers were looked for; null if it was not known.';

alter table offer add column merchant_ids text[], add column category_codes text[];
comment on column offer.merchant_ids is 'The only merchant ids at which the offer earns, for purchases that have one; null for those of the merchant.';
comment on column offer.category_codes is 'The only merchant category codes with which the offer earns, for purchases that have one; null for all.';
create index offer_of_merchant_id on offer using gin (merchant_ids) where merchant_ids is not null;
