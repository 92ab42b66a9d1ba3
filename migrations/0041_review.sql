-- expand: applications and external accounts wait for a person, and decisions have reasons; former versions leave them alone

alter table application add column needs_decision boolean not null default false;
alter table application add column screening text check (screening in ('pass', 'review', 'refuse'));
comment on column application.needs_decision is
  'Whether a person has to decide about the application itself: its documents alone do not approve it.';
comment on column application.screening is 'The answer of the screening about the person; null where it was not asked.';
create index application_queue on application (organisation_id, created_at, id)
  where status in ('AwaitingDocuments', 'PendingReview');

alter table external_account add column review text check (review in ('PendingReview', 'Approved', 'Rejected'));
comment on column external_account.review is
  'PendingReview while payments to it wait for a reviewer, and the decision afterwards; null for an account that needed no review.';
create index external_account_queue on external_account (organisation_id, created_at, id) where review = 'PendingReview';

create table decision_reason (
  id bigint generated always as identity primary key,
  organisation_id bigint not null references organisation (id),
  request_id text not null,
  action text not null,
  record_id bigint not null,
  subject_id bigint not null,
  reason text not null
);
create index decision_reason_of_request on decision_reason (organisation_id, request_id);
create index decision_reason_of_subject on decision_reason (subject_id);
comment on table decision_reason is
  'Reasons that reviewers gave for decisions, which the audit log shows beside the event of the decision. An erasure deletes those about its customer.';
comment on column decision_reason.request_id is 'X-Request-Id of the decision.';
comment on column decision_reason.action is 'Type of the event of the decision.';
comment on column decision_reason.record_id is 'Id of the record that was decided about.';
comment on column decision_reason.subject_id is 'Id of the customer or of the application that the record belongs to.';
