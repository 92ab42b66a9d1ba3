-- expand: applications are listed, newest first

create index application_newest on application (organisation_id, created_at desc, id desc);
