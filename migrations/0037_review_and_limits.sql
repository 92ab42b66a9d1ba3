-- expand: payments that wait for a review, and limits of accounts; former versions make none and leave them alone

alter table payment add column review_note text;
comment on column payment.review_note is
  'The reason that the reviewer gave for the approval or the rejection; null before the decision, and for a payment that needed none.';
comment on column payment.first_status is
  'Status with which the payment was created, which its first event and its answer show; null for Sent. Status, return_code and version change; ach_file_id and trace_number are set once. The decision about a payment that began as PendingReview sets same_day, sec_code, cutoff_at, settles_at, destination_account_id and review_note.';
comment on column transfer.source_kind is
  'payment, payment_return, payment_release, ach_settlement, ach_return, ach_exception, ach_resolution, received_ach, received_ach_return, card_settlement, card_refund, reward or reward_clawback.';

create table payment_review (
  id bigint primary key,
  organisation_id bigint not null,
  created_at timestamptz not null,
  reason text not null
    check (reason in ('accountLimit', 'organisationLimit', 'firstPayment', 'externalAccount', 'screening')),
  decision text check (decision in ('Approved', 'Rejected', 'Canceled')),
  decided_at timestamptz,
  check ((decision is null) = (decided_at is null))
);
comment on table payment_review is 'Reviews of payments that began as PendingReview.';
comment on column payment_review.id is 'Id of the payment.';
comment on column payment_review.reason is 'Why the payment has to be reviewed.';
comment on column payment_review.decision is
  'Approved or Rejected by a reviewer, or Canceled by the sender; null while the payment waits.';
create index payment_review_of_organisation on payment_review (organisation_id, created_at, id);
create index payment_review_queue on payment_review (organisation_id, created_at, id) where decision is null;

alter table account add column limits jsonb;
comment on column account.limits is
  'Limits of the payments of the account in cents, its own overdraft, and the first day of which payment_usage is kept; null for an account without limits.';

create table payment_usage (
  account_id bigint not null,
  organisation_id bigint not null,
  day date not null,
  amount bigint not null,
  primary key (account_id, day)
);
comment on table payment_usage is
  'Amounts of the payments of accounts with limits, by the UTC day of their creation in bank time, without those that were canceled or rejected.';
create index payment_usage_of_organisation on payment_usage (organisation_id, account_id, day);
