-- expand: a statement can refuse its own outcome, so that COMMIT may be sent right behind it

create function require(condition boolean, complaint text) returns boolean language plpgsql as $$
begin
  if not condition then
    raise exception '%', complaint;
  end if;
  return true;
end $$;
