-- expand: what refunds took off rewards and when, for the bills of merchants; refunds at a former version are not listed apart

create table reward_reduction (
  organisation_id bigint not null references organisation (id),
  reward_id bigint not null references reward (id),
  version integer not null,
  created_at timestamptz(3) not null,
  user_amount bigint not null check (user_amount >= 0),
  issuer_amount bigint not null,
  primary key (reward_id, version)
);
create index reward_reduction_of_time on reward_reduction (organisation_id, created_at);
comment on table reward_reduction is 'What refunds took off the shares of rewards.';
comment on column reward_reduction.version is 'The version of the reward after it.';
comment on column reward_reduction.issuer_amount is 'Negative if the issuer gets more, because the maximum of the offer no longer holds.';
