-- expand: what providers have told us, so that nothing that is told twice happens twice

-- Real time. What was told is not kept: it may hold personal data, and its event has what an app may know.
create table inbound_event (
  provider text not null,
  upstream_id text not null check (length(upstream_id) between 1 and 255),
  organisation_id bigint not null references organisation (id),
  type text not null,
  received_at timestamptz(3) not null,
  primary key (provider, upstream_id)
);
