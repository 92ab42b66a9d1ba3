-- expand: payments that have not left can be stopped, and wait for a review then
alter table payment add column departures jsonb;
comment on column payment.departures is
  'By the version in which the payment was Pending: cut-off, time of settlement and reason of the reviewer that it had before it was stopped. Earlier events and answers show them. Null for a payment that was never stopped.';
comment on column payment.cutoff_at is
  'Cut-off with which the payment leaves. Null where it does not leave with a file: a payment within the bank, with PURSER_ACH=instant, or one that waits for a review.';

alter table payment_review drop constraint payment_review_reason_check;
alter table payment_review add constraint payment_review_reason_check check (reason in (
  'accountLimit', 'organisationLimit', 'firstPayment', 'externalAccount', 'screening', 'accountFrozen', 'legalHold', 'stopped'));
comment on table payment_review is 'Reviews of payments that began as PendingReview, or were stopped before they left.';
comment on column payment_review.decision is
  'Approved or Rejected by a reviewer, or Canceled by the sender; null while the payment waits, also one that was stopped after an approval.';

comment on column answer.body is
  'The body as it was sent; empty where the answer is encrypted or shows a payment: of one that is Pending or PendingReview, its version. Beside an encrypted answer with an account number, the id of its record.';
