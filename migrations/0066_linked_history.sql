-- expand: links cover the history of their events; those of former versions have null and do not

alter table event_link add column history text;
comment on column event_link.history is
  'Mark of the history in which the events were written, as their pages have it; empty for ids without one. The link covers it. Null for links of 0.1.0, which cover none.';
comment on column event_link.link is 'SHA-256 of the link before, the numbers, the time, the digest and the mark of the history, by link_after.';
