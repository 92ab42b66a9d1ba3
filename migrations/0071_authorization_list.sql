-- expand: indexes for GET /v0/authorizations, which lists the authorizations of an organisation by time

-- In place of the index of the organisation alone, so that an authorization has as many entries as before.
create index card_authorization_newest on card_authorization (organisation_id, created_at, id);
drop index card_authorization_of_organisation;

-- Declined authorizations are sought for themselves, and are few among all.
create index card_authorization_declined on card_authorization (organisation_id, created_at, id) where status = 'Declined';
