-- expand: campaigns of an organisation with offers of their own; former versions know the offers of the catalogue alone

alter table partner_user add column tags jsonb not null default '{}';
comment on column partner_user.tags is 'Names and values of the app, which conditions of campaign offers refer to.';

create table campaign (
  id bigint primary key,
  organisation_id bigint not null references organisation (id),
  name text not null,
  status text not null check (status in ('Active', 'Paused', 'Ended')),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3),
  version integer not null default 1
);
create index campaign_list on campaign (organisation_id, created_at, id);
comment on table campaign is 'Campaigns of organisations. A merchant pays for the cash back of their offers.';

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
create index campaign_offer_list on campaign_offer (organisation_id, created_at, id);
create index campaign_offer_of_campaign on campaign_offer (campaign_id, created_at, id);
create index campaign_offer_of_merchant on campaign_offer (organisation_id, normalised_name) where status <> 'Ended';
comment on table campaign_offer is 'Offers of campaigns, beside the catalogue.';
comment on column campaign_offer.normalised_name is 'The name of the merchant in the form that purchases are compared with.';
comment on column campaign_offer.terms is 'The terms as the interface shows them. Rewards copy those that they are computed by.';

alter table reward add column campaign_id bigint,
  add column flat_amount bigint check (flat_amount between 1 and amount);
create index reward_of_campaign on reward (campaign_id, created_at) where campaign_id is not null;
comment on column reward.campaign_id is 'The campaign of the offer; null for an offer of the catalogue.';
comment on column reward.flat_amount is 'The cash back of the whole purchase, for an offer of an amount; null for a share of the purchase.';

alter table rewardable_transaction add column considered jsonb;
comment on column rewardable_transaction.considered is
  'The offers that were considered, with their cash back and outcomes, if one of a campaign was among them.';
