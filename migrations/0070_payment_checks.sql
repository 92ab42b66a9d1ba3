-- expand: a payment has one of the known types, directions and states
alter table payment add constraint payment_type_check check (type in ('achPayment', 'bookPayment')) not valid;
alter table payment add constraint payment_direction_check check (direction in ('Credit', 'Debit')) not valid;
alter table payment add constraint payment_status_check check (
  status in ('Pending', 'PendingReview', 'Clearing', 'Sent', 'Rejected', 'Canceled', 'Returned')) not valid;
