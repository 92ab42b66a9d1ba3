-- expand: an index for the search of cards by their last four digits

create index card_by_last_four on card (organisation_id, last4, id);
