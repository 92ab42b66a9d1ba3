-- expand: indexes of the ACH files and exceptions that wait for something, which the metrics count.

create index ach_file_open on ach_file (id) where state in ('building', 'built', 'delivering', 'unknown', 'taken');
create index ach_exception_open on ach_exception (id) where resolved_at is null;
