-- expand: an organisation that has ended takes no further changes

create function refuse_ended(organisation_id bigint) returns timestamptz language plpgsql as $$
begin
  raise exception 'organisation % has ended', organisation_id using errcode = 'PE001';
end $$;
comment on function refuse_ended is 'Raises the error of a change in an organisation that has ended.';

create function event_time(organisation_id bigint) returns timestamptz
  language sql volatile
  return (select case when o.ended_at is not null then refuse_ended(o.id) else coalesce(o.frozen_at,
      least(date_trunc('milliseconds', clock_timestamp()) + o.clock_offset, '9999-12-31 23:59:59.999+00'::timestamptz)) end
    from organisation o where o.id = event_time.organisation_id);
comment on function event_time is
  'Bank time of an event, as bank_time has it: a call of that function would add to every payment. It is read behind the lock of the counter of events, which the end of an organisation takes, too: every change records an event, so that none is committed after the end.';
