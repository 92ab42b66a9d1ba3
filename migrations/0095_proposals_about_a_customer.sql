-- expand: proposals know the customer whose record they are about; those of a former version do not

alter table proposal add column customer_id bigint;
comment on column proposal.customer_id is
  'The customer of the record, whose erasure clears the texts. Null for none, for an erased one, and for proposals of a former version.';
create index proposal_of_customer on proposal (customer_id) where customer_id is not null;
