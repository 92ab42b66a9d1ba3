-- expand: cards get spending limits, and the reason of a decline may come from the app

alter table card add column limits jsonb check (jsonb_typeof(limits) = 'object');
comment on column card.limits is
  'Limits of purchases: amounts in cents and numbers of purchases, lists of merchant categories. Null where there are none.';

alter table card_authorization drop constraint card_authorization_decline_reason_check;
alter table card_authorization
  add constraint card_authorization_decline_reason_check check (decline_reason ~ '^[A-Z][A-Za-z0-9]{0,63}$');
comment on column card_authorization.decline_reason is
  'The reason of a declined authorization: one of the bank, or one of the app that was asked. Null for the others.';
