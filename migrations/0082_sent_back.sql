-- expand: the operator can send the entry of an exception back with the next file, as a dishonored return or a contested dishonor
alter table ach_exception drop constraint ach_exception_resolution_check;
alter table ach_exception add constraint ach_exception_resolution_check
  check (resolution in ('Noted', 'Account', 'WrittenOff', 'Dishonored', 'Contested')) not valid;
alter table ach_exception validate constraint ach_exception_resolution_check;
comment on column ach_exception.resolution is
  'Noted without money, Account where the money went to or came from an account of a customer, WrittenOff to the internal account ach_write_off, Dishonored or Contested where a received payment without an account takes the entry back to the other bank.';

create index received_payment_returned on received_payment (return_trace) where return_trace is not null;
