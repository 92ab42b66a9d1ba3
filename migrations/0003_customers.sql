-- expand: customers, applications with their documents, and verification tokens

create table customer (
  id bigint primary key,
  organisation_id bigint not null references organisation (id),
  created_at timestamptz(3) not null,
  name text not null check (length(name) between 1 and 255),
  email text,
  phone text,
  -- json keeps the members in the order in which they were sent; jsonb would not.
  address json,
  status text not null check (status in ('Active')),
  tags jsonb not null default '{}',
  version integer not null default 1
);
create index customer_newest on customer (organisation_id, created_at desc, id desc);
comment on table customer is 'People who hold accounts.';

create table application (
  id bigint primary key,
  organisation_id bigint not null references organisation (id),
  created_at timestamptz(3) not null,
  status text not null check (status in ('AwaitingDocuments', 'PendingReview', 'Approved', 'Denied')),
  name text not null check (length(name) between 1 and 255),
  date_of_birth date not null,
  sealed_ssn bytea not null,
  email text not null,
  phone text not null,
  address json not null,
  customer_id bigint references customer (id),
  version integer not null default 1,
  check ((status = 'Approved') = (customer_id is not null))
);
comment on table application is 'Applications to become a customer.';
comment on column application.sealed_ssn is 'The social security number, encrypted.';
comment on column application.customer_id is 'The customer created by the approval.';

create table document (
  id bigint primary key,
  organisation_id bigint not null references organisation (id),
  application_id bigint not null references application (id),
  document_type text not null check (document_type in ('Passport')),
  status text not null
    check (status in ('Required', 'ReceivedFront', 'ReceivedBack', 'PendingReview', 'Approved', 'Invalid')),
  reason text check (length(reason) between 1 and 255),
  version integer not null default 1,
  check (reason is null or status = 'Invalid')
);
create index document_of_application on document (application_id, id);
comment on table document is 'Documents that an application asks for.';
comment on column document.reason is 'Reason of the rejection.';

create table document_file (
  document_id bigint not null references document (id),
  side text not null check (side in ('front', 'back')),
  content_type text not null check (content_type in ('image/png', 'image/jpeg', 'application/pdf')),
  sealed_content bytea not null,
  uploaded_at timestamptz(3) not null,
  version integer not null default 1,
  primary key (document_id, side)
);
-- Encrypted bytes do not compress: external storage saves the attempt.
alter table document_file alter column sealed_content set storage external;
comment on table document_file is 'Uploaded sides of documents.';
comment on column document_file.sealed_content is 'The bytes of the file, encrypted.';

create table verification_token (
  id bigint primary key,
  hash bytea not null unique check (length(hash) = 32),
  organisation_id bigint not null references organisation (id),
  customer_id bigint not null references customer (id),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
comment on table verification_token is 'Short-lived tokens of customers.';
comment on column verification_token.hash is 'SHA-256 of the token. The token itself is not stored.';
comment on column verification_token.created_at is 'Real time.';
comment on column verification_token.expires_at is 'Real time.';
