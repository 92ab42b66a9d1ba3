-- expand: what the rewards engine needs to pay out and to claw back

alter table account drop constraint account_kind_check,
  add constraint account_kind_check check (kind in ('ach_clearing', 'card_settlement', 'rewards_funding'));
alter table transfer drop constraint transfer_source_kind_check,
  add constraint transfer_source_kind_check check (source_kind in ('payment', 'payment_return', 'received_ach',
    'card_settlement', 'card_refund', 'reward', 'reward_clawback'));

-- A payout is a payment within the bank, which reaches the account.
alter table payment drop constraint payment_type_check, drop constraint payment_direction_check,
  add constraint payment_type_check check (type in ('achPayment', 'bookPayment')),
  add constraint payment_direction_check check (direction = case type when 'achPayment' then 'Credit' else 'Debit' end);

-- What the purchase came to, and how much of it was given back.
alter table rewardable_transaction
  add column amount bigint not null default 0,
  add column refunded bigint not null default 0;

alter table reward
  add column maximum_reward bigint check (maximum_reward >= 1),
  add column payout_due_at timestamptz(3);
create index reward_due on reward (organisation_id, payout_due_at) where state = 'PENDING';
