-- expand: entries that can be neither booked nor returned are exceptions, and no longer let a file be refused
alter table ach_received_entry drop constraint ach_received_entry_kind_check;
alter table ach_received_entry add constraint ach_received_entry_kind_check
  check (kind in ('payment', 'prenote', 'return', 'change', 'refusedChange', 'dishonour', 'contest', 'other')) not valid;
alter table ach_received_entry validate constraint ach_received_entry_kind_check;
comment on column ach_received_entry.kind is
  'What the entry is; other is one whose SEC code is not supported or that has a fault, which is an exception.';
