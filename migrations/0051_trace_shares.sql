-- expand: the trace numbers of ACH entries can be divided among four cells

select setval('ach_trace', 1, false) from ach_trace where last_value > 9999996;
alter sequence ach_trace maxvalue 9999996;
comment on sequence ach_trace is
  'The last seven digits of trace numbers, which repeat. Its length is a multiple of four, so that no number comes twice in a row where a cell uses a quarter of them.';
