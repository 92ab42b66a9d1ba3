-- expand: rules by which a sandbox injects faults into requests and webhook deliveries

create table fault_rule (
  id bigint primary key,
  organisation_id bigint not null references organisation (id),
  match json not null,
  effect json not null,
  probability double precision not null check (probability between 0 and 1),
  times integer check (times >= 1),
  seed bigint,
  draws bigint not null default 0,
  fired integer not null default 0 check (fired <= times),
  created_at timestamptz(3) not null
);
comment on table fault_rule is 'Rules by which a sandbox injects faults into the requests and webhook deliveries of an organisation.';
comment on column fault_rule.match is 'The requests or deliveries that the rule applies to, as the interface shows it.';
comment on column fault_rule.effect is 'The effect on them, as the interface shows it.';
comment on column fault_rule.times is 'The rule is used up after so many effects; null for no limit.';
comment on column fault_rule.seed is 'With a seed, the draws of the probability repeat.';
comment on column fault_rule.draws is 'Number of draws so far. Counted only for rules with a seed or a number of times.';
comment on column fault_rule.fired is 'Number of effects so far. Counted as the draws are.';
create index fault_rule_list on fault_rule (organisation_id, created_at, id);
create index fault_rule_active on fault_rule (organisation_id, id) where times is null or fired < times;
