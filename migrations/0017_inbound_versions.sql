-- expand: how often a provider has told of a change of a record, which numbers the versions in our events

create table inbound_version (
  organisation_id bigint not null references organisation (id),
  entity_type text not null,
  entity_id text not null,
  version integer not null,
  primary key (organisation_id, entity_type, entity_id)
);
