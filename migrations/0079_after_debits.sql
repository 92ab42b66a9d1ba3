-- expand: a return of a debit can block the outgoing payments of its account
alter table account add column payment_block jsonb;
comment on column account.payment_block is
  'Why and since when outgoing payments of the account are refused, and the returned payment if a return of a debit blocked them. Null for nearly all accounts.';
