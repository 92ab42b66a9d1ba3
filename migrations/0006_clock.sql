-- expand: an advance of the virtual clock that was interrupted goes on to the same end when it is repeated

alter table organisation
  add column advancing_to timestamptz(3),
  add column advancing_key bytea;
