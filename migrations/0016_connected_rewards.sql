-- expand: purchases that another bank tells of earn, and are paid out there

-- Where the cash back of such a purchase goes; null where the bank is our own and its ledger knows.
alter table rewardable_transaction add column bank_account_id text collate "C";

create index reward_unpaid on reward (organisation_id, payout_due_at) where state = 'CONFIRMED';
