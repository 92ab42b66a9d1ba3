-- expand: a decision about a record is not proposed again while an approved one runs; former versions find the index, too

drop index proposal_waiting;
create unique index proposal_open on proposal (organisation_id, operation_id, record_id) where state in ('Waiting', 'Approved');
