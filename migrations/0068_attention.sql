-- expand: indexes for GET /v0/attention, which counts the returns of a day and the accounts that paid on it

-- Transfers that give the money of a payment back. Few do, so most transfers have no entry.
create index transfer_giving_back on transfer (organisation_id, created_at) where source_kind = 'payment_return';

-- A payment changes the amount of a row, which is in no index.
create index payment_usage_of_day on payment_usage (organisation_id, day, account_id);
