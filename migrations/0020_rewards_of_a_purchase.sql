-- expand: a purchase is read with all its rewards, whatever became of them, and no index led to those that are over

create index reward_of_purchase on reward (rewardable_transaction_id);
