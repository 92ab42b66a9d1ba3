-- expand: a block of the payments of an account stops those that have not left
alter table payment_review drop constraint payment_review_reason_check;
alter table payment_review add constraint payment_review_reason_check check (reason in (
  'accountLimit', 'organisationLimit', 'firstPayment', 'externalAccount', 'screening', 'accountFrozen', 'paymentsBlocked', 'legalHold',
  'stopped')) not valid;
alter table payment_review validate constraint payment_review_reason_check;
