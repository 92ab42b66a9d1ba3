-- expand: accounts have foreign keys no more, neither their own nor those of others to them, as every hot table

-- For each of them PostgreSQL compares the keys of every account that a posting changes, and reads its row once more.
-- Organisations, customers and accounts are never deleted, and what belongs to one is made with it at hand; `verify` looks.
alter table account drop constraint account_organisation_id_fkey, drop constraint account_customer_id_fkey;
alter table card drop constraint card_account_id_fkey;
alter table statement drop constraint statement_account_id_fkey;
