-- expand: an index for the seats of persons without a session, whose sign-in was refused

create index api_key_person on api_key (person_id, organisation_id, address) where session_id is null and person_id is not null;
