-- expand: activations of offers by partner users; former versions know none

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
create index offer_activation_list on offer_activation (organisation_id, created_at, id);
create index offer_activation_of_user on offer_activation (partner_user_id, offer_id, expires_at);
comment on table offer_activation is 'Activations of campaign offers. Purchases within their time earn. They change under the lock of the partner user.';
comment on column offer_activation.uses is 'How many purchases may earn; null for any number.';
comment on column offer_activation.used is 'The purchases that earned and were not refunded as a whole.';

alter table reward add column activation_id bigint;
comment on column reward.activation_id is 'The activation that the purchase used; null if the offer needs none.';
create index reward_of_activation on reward (activation_id) where activation_id is not null;
