-- expand: an index of the payments that wait for the review of their external account; former versions need not know it

-- The work of the bank looks for them once a second: among 100,000 others in 24 ms without the index, in 0.2 ms with it. The queue of an organisation may hold many others, which wait for other reasons.
create index payment_review_external_account on payment_review (organisation_id, created_at, id)
  where decision is null and reason = 'externalAccount';
