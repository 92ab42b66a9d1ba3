-- expand: the fault of an upstream's event that could not be applied

alter table inbound_event add column fault text;
comment on column inbound_event.fault is
  'The problem for which the event was not applied, as JSON; null for an event that was applied. The event is tried again when the provider repeats it.';
