-- expand: returns of debits can block accounts, debits can be presented again, and payments can be reversed
alter table account add column payment_block jsonb;
comment on column account.payment_block is
  'Why and since when outgoing payments of the account are refused, and the returned payment if a return of a debit blocked them. Null for nearly all accounts.';

alter table payment add column link jsonb;
comment on column payment.link is
  'The payment that it presents again (Retry) or takes back (Reversal), and the reason of a reversal. Null for nearly all payments.';
create index payment_linked on payment (((link ->> 'paymentId')::bigint)) where link is not null;
alter table debit alter column mandate drop not null;
comment on column debit.mandate is 'The mandate with which it was made. Null for the reversal of a payment, which needs none.';
create index debit_made on debit (organisation_id, created_at);
