-- expand: customers, accounts, applications, external accounts, cards and API keys are found by the beginning of their
-- names, e-mail addresses and ids, and by the last digits of account numbers

-- Byte order ("C") serves ranges of prefixes, whatever the locale of the database. The last word is the family name of most
-- people. Accounts have the name of their customer and are found through it, so that payments pay for no index by name.
create index customer_by_name on customer (organisation_id, lower(name) collate "C", id);
create index customer_by_last_word on customer (organisation_id, lower(substring(name from '[^ ]+$')) collate "C", id);
create index customer_by_email on customer (organisation_id, lower(email) collate "C", id) where email is not null;
create index customer_of_organisation on customer (organisation_id, id);

create index application_by_name on application (organisation_id, lower(name) collate "C", id);
create index application_by_last_word on application
  (organisation_id, lower(substring(name from '[^ ]+$')) collate "C", id);
create index application_by_email on application (organisation_id, lower(email) collate "C", id);
drop index application_of_organisation;
create index application_of_organisation on application (organisation_id, id);

create index external_account_by_name on external_account (organisation_id, lower(name) collate "C", id);
create index external_account_by_last_word on external_account
  (organisation_id, lower(substring(name from '[^ ]+$')) collate "C", id);
create index external_account_by_last_digits on external_account (organisation_id, right(account_number, 4), id);
drop index external_account_of_organisation;
create index external_account_of_organisation on external_account (organisation_id, id);

create index account_by_last_digits on account (organisation_id, right(account_number, 4), id) where id > 0;
create index card_of_organisation on card (organisation_id, id);
create index api_key_by_name on api_key (organisation_id, lower(name) collate "C", id);
