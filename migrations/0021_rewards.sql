-- contract: campaigns with offers of their own, budgets and attributions; the table of ZIP codes is gone, which 0.1.0 fills and reads

alter table reward
  add column campaign_id bigint,
  add column flat_amount bigint check (flat_amount between 1 and amount),
  add column activation_id bigint,
  add column attribution text check (attribution in ('Impression', 'View', 'Click'));
comment on column reward.campaign_id is 'The campaign of the offer; null for an offer of the catalogue.';
comment on column reward.flat_amount is 'The cash back of the whole purchase, for an offer of an amount; null for a share of the purchase.';
comment on column reward.activation_id is 'The activation that the purchase used; null if the offer needs none.';
comment on column reward.attribution is 'What the partner user did with the offer within 30 days before the reward: the click counts more than the view, and that more than the impression. Null for nothing.';
create index reward_of_payout on reward (payout_payment_id) where payout_payment_id is not null;
create index reward_of_campaign on reward (campaign_id, created_at) where campaign_id is not null;
create index reward_of_activation on reward (activation_id) where activation_id is not null;

alter table partner_user add column tags jsonb not null default '{}';
comment on column partner_user.tags is 'Names and values of the app, which conditions of campaign offers refer to.';

create table campaign (
  id bigint primary key,
  organisation_id bigint not null references organisation (id),
  name text not null,
  status text not null check (status in ('Active', 'Paused', 'Ended')),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3),
  version integer not null default 1,
  budget jsonb,
  user_budget jsonb,
  budgeted boolean not null default false
);
comment on table campaign is 'Campaigns of organisations. A merchant pays for the cash back of their offers.';
comment on column campaign.budget is 'The most that all users together earn by its offers.';
comment on column campaign.user_budget is 'The most that each user earns by its offers.';
comment on column campaign.budgeted is
  'Whether it or one of its offers has or had a budget. Purchases of one that has not do not wait for each other.';
create index campaign_list on campaign (organisation_id, created_at, id);

create table campaign_offer (
  id bigint primary key,
  organisation_id bigint not null references organisation (id),
  campaign_id bigint not null references campaign (id),
  status text not null check (status in ('Active', 'Paused', 'Ended')),
  merchant_name text not null,
  normalised_name text not null,
  terms jsonb not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3),
  version integer not null default 1
);
comment on table campaign_offer is 'Offers of campaigns, beside the catalogue.';
comment on column campaign_offer.normalised_name is 'The name of the merchant in the form that purchases are compared with.';
comment on column campaign_offer.terms is 'The terms as the interface shows them. Rewards copy those that they are computed by.';
create index campaign_offer_list on campaign_offer (organisation_id, created_at, id);
create index campaign_offer_of_campaign on campaign_offer (campaign_id, created_at, id);
create index campaign_offer_of_merchant on campaign_offer (organisation_id, normalised_name) where status <> 'Ended';

create table offer_activation (
  id bigint primary key,
  organisation_id bigint not null references organisation (id),
  offer_id bigint not null references campaign_offer (id),
  partner_user_id bigint not null references partner_user (id),
  status text not null check (status in ('Active', 'Canceled')),
  expires_at timestamptz(3) not null,
  uses integer check (uses >= 1),
  used integer not null default 0 check (used >= 0 and (uses is null or used <= uses)),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3),
  version integer not null default 1
);
comment on table offer_activation is 'Activations of campaign offers. Purchases within their time earn. They change under the lock of the partner user.';
comment on column offer_activation.uses is 'How many purchases may earn; null for any number.';
comment on column offer_activation.used is 'The purchases that earned and were not refunded as a whole.';
create index offer_activation_list on offer_activation (organisation_id, created_at, id);
create index offer_activation_of_user on offer_activation (partner_user_id, offer_id, expires_at);

create table campaign_usage (
  organisation_id bigint not null references organisation (id),
  campaign_id bigint not null references campaign (id),
  offer_id bigint not null,
  partner_user_id bigint not null,
  period text collate "C" not null check (period ~ '^(\d{4}-\d\d(-\d\d)?|total)$'),
  amount bigint not null,
  count bigint not null,
  primary key (campaign_id, offer_id, partner_user_id, period)
);
comment on table campaign_usage is 'What rewards of campaigns use of budgets. It changes with the rewards, behind the lock of the campaign.';
comment on column campaign_usage.offer_id is 'The offer; 0 for all offers of the campaign.';
comment on column campaign_usage.partner_user_id is 'The user; 0 for all users.';
comment on column campaign_usage.period is 'A UTC day or month in bank time, or total.';
comment on column campaign_usage.amount is 'The cash back of the rewards of the period, without what was taken back.';
comment on column campaign_usage.count is 'The rewards of the period that were not taken back as a whole.';
create index campaign_usage_of_organisation on campaign_usage (organisation_id);

alter table rewardable_transaction
  add column considered jsonb,
  add column merchant_id text,
  add column category_code text;
comment on column rewardable_transaction.considered is
  'The offers that were considered, with their cash back and outcomes, if one of a campaign was among them.';
comment on column rewardable_transaction.merchant_id is 'Id of the merchant by which offers were looked for; null if it was not known.';
comment on column rewardable_transaction.category_code is 'Merchant category code by which offers were looked for; null if it was not known.';

alter table offer
  add column merchant_ids text[],
  add column category_codes text[];
comment on column offer.merchant_ids is 'The only merchant ids at which the offer earns, for purchases that have one; null for those of the merchant.';
comment on column offer.category_codes is 'The only merchant category codes with which the offer earns, for purchases that have one; null for all.';
create index offer_of_merchant_id on offer using gin (merchant_ids) where merchant_ids is not null;

create table attribution_id (
  organisation_id bigint not null references organisation (id),
  id_hash bytea not null check (length(id_hash) = 16),
  counted_at timestamptz(3) not null default clock_timestamp(),
  primary key (organisation_id, id_hash)
);
comment on table attribution_id is 'Attributions that were counted, so that none counts twice.';
comment on column attribution_id.id_hash is 'The first half of the SHA-256 of the id that the app gave.';

create table attribution_touch (
  organisation_id bigint not null references organisation (id),
  partner_user_id bigint not null references partner_user (id),
  offer_id text collate "C" not null,
  impression_at timestamptz(3),
  view_at timestamptz(3),
  click_at timestamptz(3),
  last_at timestamptz(3) not null,
  primary key (partner_user_id, offer_id)
);
comment on table attribution_touch is 'When a partner user last saw, viewed and clicked an offer, in bank time. Rewards are joined with it.';

create table attribution_day (
  organisation_id bigint not null references organisation (id),
  day date not null,
  offer_id text collate "C" not null,
  impressions bigint not null,
  views bigint not null,
  clicks bigint not null,
  primary key (organisation_id, day, offer_id)
);
comment on table attribution_day is 'Attributions by day of bank time and offer.';

create table reward_reduction (
  organisation_id bigint not null references organisation (id),
  reward_id bigint not null references reward (id),
  version integer not null,
  created_at timestamptz(3) not null,
  user_amount bigint not null check (user_amount >= 0),
  issuer_amount bigint not null,
  primary key (reward_id, version)
);
comment on table reward_reduction is 'What refunds took off the shares of rewards.';
comment on column reward_reduction.version is 'The version of the reward after it.';
comment on column reward_reduction.issuer_amount is 'Negative if the issuer gets more, because the maximum of the offer no longer holds.';
create index reward_reduction_of_time on reward_reduction (organisation_id, created_at);

drop table zip_code;
