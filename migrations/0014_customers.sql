-- expand: customers have keys, which an erasure destroys; customers and applications are searched, and wait for a person

alter table customer
  drop constraint customer_status_check,
  add constraint customer_status_check check (status in ('Active', 'Erased'));
-- Byte order ("C") serves ranges of prefixes, whatever the locale of the database. The last word is the family name of most
-- people. Accounts have the name of their customer and are found through it, so that payments pay for no index by name.
create index customer_by_name on customer (organisation_id, lower(name) collate "C", id);
create index customer_by_last_word on customer (organisation_id, lower(substring(name from '[^ ]+$')) collate "C", id);
create index customer_by_email on customer (organisation_id, lower(email) collate "C", id) where email is not null;
create index customer_of_organisation on customer (organisation_id, id);
create index customer_by_phone on customer (organisation_id, phone) where phone is not null;
create index customer_by_address on customer (organisation_id, lower(address ->> 'street') collate "C", (address ->> 'postalCode'))
  where address is not null;

create table customer_key (
  id bigint primary key,
  organisation_id bigint not null references organisation (id),
  data_key bytea,
  erased_at timestamptz(3),
  check ((data_key is null) = (erased_at is not null))
);
comment on table customer_key is
  'Keys of customers and of applications, encrypted with the data key of the organisation. They encrypt the data of events. An erasure destroys the key.';
comment on column customer_key.id is 'Id of the customer or of the application.';
comment on column customer_key.data_key is 'Null after the erasure: the data of the events cannot be read any more.';
comment on column customer_key.erased_at is 'Bank time of the erasure.';
create index customer_key_organisation on customer_key (organisation_id);

alter table application
  add column needs_decision boolean not null default false,
  add column screening text check (screening in ('pass', 'review', 'refuse')),
  add column ssn_digest bytea check (length(ssn_digest) = 32);
comment on column application.needs_decision is
  'Whether a person has to decide about the application itself: its documents alone do not approve it.';
comment on column application.screening is 'The answer of the screening about the person; null where it was not asked.';
comment on column application.ssn_digest is
  'Keyed digest of the social security number, by which equal numbers are found. Null before it is made, and after an erasure.';
create index application_of_customer on application (customer_id) where customer_id is not null;
create index application_by_name on application (organisation_id, lower(name) collate "C", id);
create index application_by_last_word on application
  (organisation_id, lower(substring(name from '[^ ]+$')) collate "C", id);
create index application_by_email on application (organisation_id, lower(email) collate "C", id);
create index application_of_organisation on application (organisation_id, id);
create index application_newest on application (organisation_id, created_at desc, id desc);
create index application_queue on application (organisation_id, created_at, id)
  where status in ('AwaitingDocuments', 'PendingReview');
create index application_by_ssn on application (organisation_id, ssn_digest) where ssn_digest is not null;
create index application_by_phone on application (organisation_id, phone);
create index application_by_address on application (organisation_id, lower(address ->> 'street') collate "C", (address ->> 'postalCode'));
create index application_without_digest on application (id) where ssn_digest is null and sealed_ssn <> '';

create index document_of_organisation on document (organisation_id);

alter table document_file add column organisation_id bigint;
comment on column document_file.organisation_id is 'The organisation of the document: a move copies rows by this column.';
update document_file f set organisation_id = d.organisation_id from document d where d.id = f.document_id;

create index verification_token_of_customer on verification_token (customer_id);
create index verification_token_of_organisation on verification_token (organisation_id);

create table decision_reason (
  id bigint generated always as identity primary key,
  organisation_id bigint not null references organisation (id),
  request_id text not null,
  action text not null,
  record_id bigint not null,
  subject_id bigint not null,
  reason text not null
);
comment on table decision_reason is
  'Reasons that reviewers gave for decisions, which the audit log shows beside the event of the decision. An erasure deletes those about its customer.';
comment on column decision_reason.request_id is 'X-Request-Id of the decision.';
comment on column decision_reason.action is 'Type of the event of the decision.';
comment on column decision_reason.record_id is 'Id of the record that was decided about.';
comment on column decision_reason.subject_id is 'Id of the customer or of the application that the record belongs to.';
create index decision_reason_of_request on decision_reason (organisation_id, request_id);
create index decision_reason_of_subject on decision_reason (subject_id);

create function set_document_organisation() returns trigger language plpgsql as $$
begin
  new.organisation_id := (select d.organisation_id from document d where d.id = new.document_id);
  return new;
end $$;
comment on function set_document_organisation is
  'Trigger of document_file: sets the organisation of a row that a former version of the service writes.';

create trigger document_file_organisation before insert on document_file
  for each row when (new.organisation_id is null) execute function set_document_organisation();
