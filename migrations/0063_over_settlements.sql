-- expand: authorizations that settled for much more than was authorized wait for a reviewer; former versions open none

alter table card_authorization add column over_settlement text check (over_settlement in ('Open', 'Resolved'));
comment on column card_authorization.over_settlement is
  'Open while a reviewer has to look at settlements beyond the tolerance of the trade, Resolved afterwards; null where there were none.';
create index card_authorization_over_settled on card_authorization (organisation_id, created_at, id)
  where over_settlement = 'Open';
