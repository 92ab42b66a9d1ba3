-- expand: an index for the proposals about a record, which its screen shows

create index proposal_of_record on proposal (organisation_id, record_id, created_at desc, id desc);
