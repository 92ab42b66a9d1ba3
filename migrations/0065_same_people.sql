-- expand: a former version writes no digests, and they are made later

alter table application add column ssn_digest bytea check (length(ssn_digest) = 32);
comment on column application.ssn_digest is
  'Keyed digest of the social security number, by which equal numbers are found. Null before it is made, and after an erasure.';

create index application_by_ssn on application (organisation_id, ssn_digest) where ssn_digest is not null;
create index application_by_phone on application (organisation_id, phone);
create index application_by_address on application (organisation_id, lower(address ->> 'street') collate "C", (address ->> 'postalCode'));
create index application_without_digest on application (id) where ssn_digest is null and sealed_ssn <> '';
create index customer_by_phone on customer (organisation_id, phone) where phone is not null;
create index customer_by_address on customer (organisation_id, lower(address ->> 'street') collate "C", (address ->> 'postalCode'))
  where address is not null;
