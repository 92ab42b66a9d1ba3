-- expand: applications, their documents and verification tokens, and secrets that are sealed at rest

-- One row, sealed by the first start: a start with another key fails before it writes what the others cannot read.
create table encryption_marker (
  id integer primary key check (id = 1),
  sealed bytea not null
);

-- An answer that carries a secret is here, sealed, and its body is empty.
alter table answer add column sealed bytea;

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

create table document (
  id bigint primary key,
  organisation_id bigint not null references organisation (id),
  application_id bigint not null references application (id),
  document_type text not null check (document_type in ('Passport')),
  status text not null
    check (status in ('Required', 'ReceivedFront', 'ReceivedBack', 'PendingReview', 'Approved', 'Invalid')),
  -- Why it was rejected.
  reason text check (length(reason) between 1 and 255),
  version integer not null default 1,
  check (reason is null or status = 'Invalid')
);
create index document_of_application on document (application_id, id);

create table document_file (
  document_id bigint not null references document (id),
  side text not null check (side in ('front', 'back')),
  content_type text not null check (content_type in ('image/png', 'image/jpeg', 'application/pdf')),
  sealed_content bytea not null,
  uploaded_at timestamptz(3) not null,
  version integer not null default 1,
  primary key (document_id, side)
);
-- What is sealed does not compress.
alter table document_file alter column sealed_content set storage external;

create table verification_token (
  -- SHA-256 of the token; the token itself is nowhere in the database.
  hash bytea primary key check (length(hash) = 32),
  organisation_id bigint not null references organisation (id),
  customer_id bigint not null references customer (id),
  -- Real time, both.
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
