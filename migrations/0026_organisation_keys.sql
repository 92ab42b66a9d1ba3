-- expand: each organisation seals values with a key of its own, which the operator's key wraps

create table organisation_key (
  organisation_id bigint primary key references organisation (id),
  data_key bytea,
  digest_key bytea,
  check ((data_key is null) = (digest_key is null))
);
comment on table organisation_key is
  'Keys of organisations, encrypted with the operator''s key. A change of the operator''s key encrypts these anew and nothing else.';
comment on column organisation_key.data_key is
  'Key that encrypts the values of the organisation. Null for an organisation that existed before keys, until a process has made them.';
comment on column organisation_key.digest_key is
  'Key of the digests of the organisation. One that existed before keys has the digest key that was derived from the operator''s key, so that its stored fingerprints stay valid.';

insert into organisation_key (organisation_id) select id from organisation;

alter table encryption_marker add next bytea;
comment on table encryption_marker is
  'One row, encrypted with the operator''s key by the first start. A start with another key fails to decrypt it and stops.';
comment on column encryption_marker.next is
  'The same under the next key, while a change of the operator''s key is under way.';

create table reseal (
  source text primary key,
  position text not null,
  done boolean not null default false
);
comment on table reseal is
  'How far values that were encrypted with the operator''s key itself have been encrypted anew with the keys of their organisations.';
comment on column reseal.source is 'Table and column.';
comment on column reseal.position is 'The last row that was looked at, as text.';

insert into reseal (source, position) values
  ('application.sealed_ssn', '0'),
  ('document_file.sealed_content', '0/'),
  ('webhook_endpoint.sealed_secret', '0'),
  ('webhook_endpoint.sealed_previous_secret', '0'),
  ('answer.sealed', '0/');
