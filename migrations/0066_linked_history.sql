-- expand: links cover the history of their events; former versions leave it out, which a check takes for a change after a restore

alter table event_link add column history text;
comment on column event_link.history is
  'Mark of the history in which the events were written, as their pages have it; null for ids without one. The link covers it.';
comment on column event_link.link is 'SHA-256 of the link before, the numbers, the time, the digest and the mark of the history, by link_after.';
