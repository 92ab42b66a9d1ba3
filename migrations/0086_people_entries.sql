-- expand: changes of persons, until the audit logs of their organisations have them; a former version notes none

create table people_entry (
  id bigint generated always as identity primary key,
  person_id bigint not null references people (id),
  version integer not null,
  organisation text not null,
  type text not null,
  role text,
  former_role text,
  cause text,
  session_id bigint,
  actor_id bigint references people (id),
  actor_session_id bigint,
  actor_address text
);
comment on table people_entry is
  'In the home cell: changes of persons that are not yet events of their organisations, which may be in other cells.';
comment on column people_entry.organisation is 'The name of the organisation whose audit log gets the entry.';
comment on column people_entry.session_id is 'The session that began or ended; null for none or all.';
comment on column people_entry.actor_id is 'The person who did it; null for the command line of the operator.';
