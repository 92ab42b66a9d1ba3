-- expand: merchants, offers and ZIP centres, so that offers can be listed near a place and nationwide

-- The catalogue is shared by all organisations.
create table merchant (
  id bigint primary key,
  -- The name under which an import finds the merchant again; never shown.
  external_key text not null unique check (length(external_key) between 1 and 255),
  name text not null check (length(name) between 1 and 255),
  -- The name as purchases are compared with it.
  normalised_name text not null,
  description text not null check (length(description) <= 2000),
  website_url text not null check (length(website_url) between 1 and 2048),
  img_url text not null check (length(img_url) between 1 and 2048),
  version integer not null default 1
);
create index merchant_by_name on merchant ((lower(name) collate "C"));
create index merchant_by_normalised_name on merchant (normalised_name);

create table offer (
  id bigint primary key,
  external_key text not null unique check (length(external_key) between 1 and 255),
  merchant_id bigint not null references merchant (id),
  offer_type text not null check (offer_type in ('INSTORE', 'ONLINE')),
  title text not null check (length(title) between 1 and 255),
  terms text not null check (length(terms) <= 5000),
  category text not null check (length(category) between 1 and 100),
  redeemable_once boolean not null,
  -- The user's share and the whole commission, in basis points: floats round wrongly.
  commission_bp integer not null check (commission_bp between 1 and 10000),
  total_bp integer not null check (total_bp between commission_bp and 10000),
  valid_from timestamptz(3) not null,
  expires_at timestamptz(3) not null check (expires_at > valid_from),
  minimum_spend bigint not null check (minimum_spend between 0 and 999999999999),
  maximum_reward bigint check (maximum_reward between 1 and 999999999999),
  -- The place of a local offer.
  operation_hours json,
  street text,
  city text,
  state text,
  zip text,
  lat double precision check (lat between -90 and 90),
  long double precision check (long between -180 and 180),
  phone text,
  -- A strip of latitude three and a half miles high.
  band integer generated always as (floor(lat * 20)::integer) stored,
  version integer not null default 1,
  check (num_nulls(operation_hours, street, city, state, zip, lat, long, phone) =
    case offer_type when 'INSTORE' then 0 else 8 end)
);
-- A circle is a few bands and a stretch of each: what lies outside is never read, however large the catalogue.
create index offer_near on offer (band, long) where offer_type = 'INSTORE';
create index offer_national on offer (commission_bp desc, id) where offer_type = 'ONLINE';
create index offer_national_expiring on offer (expires_at, id) where offer_type = 'ONLINE';
create index offer_of_merchant on offer (merchant_id);

create table zip_code (
  zip text primary key check (zip ~ '^[0-9]{5}$'),
  lat double precision not null check (lat between -90 and 90),
  long double precision not null check (long between -180 and 180),
  city text not null,
  state text not null
);

-- On the sphere, by the haversine formula, which keeps its precision over short distances.
create function miles_between(lat1 double precision, long1 double precision, lat2 double precision, long2 double precision)
  returns double precision language sql immutable parallel safe
  return 2 * 3958.7613 * asin(least(1, sqrt(
    sin(radians(lat2 - lat1) / 2) ^ 2 + cos(radians(lat1)) * cos(radians(lat2)) * sin(radians(long2 - long1) / 2) ^ 2)));
