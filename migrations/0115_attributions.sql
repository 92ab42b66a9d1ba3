-- expand: attributions of offers, counted by day; a former version counts none

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

alter table reward add column attribution text check (attribution in ('Impression', 'View', 'Click'));
comment on column reward.attribution is 'What the partner user did with the offer within 30 days before the reward: the click counts more than the view, and that more than the impression. Null for nothing.';
