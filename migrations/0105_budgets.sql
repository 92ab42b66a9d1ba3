-- expand: budgets of campaigns and what is used of them; former versions use none, and are stopped before a budget is set

alter table campaign add column budget jsonb, add column user_budget jsonb, add column budgeted boolean not null default false;
comment on column campaign.budget is 'The most that all users together earn by its offers.';
comment on column campaign.user_budget is 'The most that each user earns by its offers.';
comment on column campaign.budgeted is
  'Whether it or one of its offers has or had a budget. Purchases of one that has not do not wait for each other.';

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
create index campaign_usage_of_organisation on campaign_usage (organisation_id);
comment on table campaign_usage is 'What rewards of campaigns use of budgets. It changes with the rewards, behind the lock of the campaign.';
comment on column campaign_usage.offer_id is 'The offer; 0 for all offers of the campaign.';
comment on column campaign_usage.partner_user_id is 'The user; 0 for all users.';
comment on column campaign_usage.period is 'A UTC day or month in bank time, or total.';
comment on column campaign_usage.amount is 'The cash back of the rewards of the period, without what was taken back.';
comment on column campaign_usage.count is 'The rewards of the period that were not taken back as a whole.';

insert into campaign_usage (organisation_id, campaign_id, offer_id, partner_user_id, period, amount, count)
select r.organisation_id, r.campaign_id, h.offer_id, h.partner_user_id, p.period, sum(r.user_amount),
  count(*) filter (where r.state in ('PENDING', 'CONFIRMED', 'PAID'))
from reward r
cross join lateral (values (0::bigint, 0::bigint), (r.offer_id::bigint, 0), (0, r.partner_user_id),
  (r.offer_id::bigint, r.partner_user_id)) h (offer_id, partner_user_id)
cross join lateral (values (to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD')),
  (to_char(r.created_at at time zone 'UTC', 'YYYY-MM')), ('total')) p (period)
where r.campaign_id is not null
group by 1, 2, 3, 4, 5;
