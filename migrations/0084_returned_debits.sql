-- expand: debits know when they were returned, and when they are presented again by themselves
alter table debit add column returned_at timestamptz(3), add column retry_at timestamptz(3);
comment on column debit.returned_at is 'Time at which another bank returned it. Null for most debits, and for those that a former version returned.';
comment on column debit.retry_at is 'Time from which on it is presented again without a request. Null for nearly all debits, and once this was done or refused.';
create index debit_returned on debit (organisation_id, returned_at) where returned_at is not null;
create index debit_retried on debit (organisation_id, retry_at, id) where retry_at is not null;
