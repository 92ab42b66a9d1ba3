-- expand: payments to an external account wait for a review until one was approved, where the operator wants it; former versions leave the column alone

-- Accounts that exist already count as known. The default of new rows is set afterwards, so that no row is written here.
alter table external_account add column known boolean not null default true;
alter table external_account alter column known set default false;
comment on column external_account.known is
  'Whether a payment to the account was approved by a reviewer, or the account is older than this column. Payments to others wait for a review with PURSER_REVIEW_FIRST_PAYMENT=on.';
