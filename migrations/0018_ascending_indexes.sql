-- expand: the busiest lists are indexed oldest first: new entries then go to the end of the index, where they cost least

-- Read backwards they serve the same lists. At the end a page is left full when the next one is begun; at the beginning
-- every page was split in halves.
drop index transfer_newest;
create index transfer_newest on transfer (organisation_id, created_at, id);
drop index payment_newest;
create index payment_newest on payment (organisation_id, created_at, id);
