-- Written by `npm run baseline`. Do not edit.
-- {"path":"/v0/banking/accounts/1000046/payments","key":"baseline-payment","body":{"amount":2000,"counterpartyAccountId":"1000048","description":"Lunch","originalType":"ACH"},"answer":"{\"data\":{\"id\":\"1000072\",\"type\":\"achPayment\",\"amount\":2000,\"createdAt\":\"2026-11-16T12:18:16.178Z\",\"description\":\"Lunch\",\"direction\":\"Credit\",\"status\":\"Sent\",\"originalType\":\"ACH\",\"counterparty\":{\"name\":\"Grace Sample\",\"routingNumber\":\"021000021\",\"accountNumber\":\"9876543210\",\"accountType\":\"Checking\"}}}"}

create sequence account_number as bigint start 1000000001 increment 1 maxvalue 999999999999;

create sequence record_id as bigint start 1000000 increment 100 maxvalue 9223372036854775807;

create table account (
  id bigint not null,
  organisation_id bigint not null,
  customer_id bigint,
  created_at timestamp(3) with time zone not null,
  name text not null,
  account_number text default (nextval('account_number'::regclass))::text not null,
  status text not null,
  close_reason text,
  balance bigint default 0 not null,
  hold bigint default 0 not null,
  tags jsonb default '{}'::jsonb not null,
  version integer default 1 not null,
  kind text,
  slot integer,
  seq bigint default 0 not null,
  posted_at timestamp(3) with time zone
) with (fillfactor=70);

comment on table account is 'Deposit accounts, and the bank''s internal accounts under negative ids, which no request can name.';

comment on column account.hold is 'Amount reserved by open card authorizations.';

comment on column account.kind is 'Kind of an internal account: ach_clearing, card_settlement or rewards_funding.';

comment on column account.slot is 'Each writer uses internal accounts of its own slot, so that writers do not queue at one row.';

comment on column account.seq is 'Number of transfers that have touched the account.';

comment on column account.posted_at is 'Time of the latest transfer.';

alter table account add constraint account_account_number_key UNIQUE (account_number);

alter table account add constraint account_balance_check CHECK ((abs(balance) <= '9007199254740991'::bigint));

alter table account add constraint account_check CHECK (((status = 'Closed'::text) = (close_reason IS NOT NULL)));

alter table account add constraint account_check1 CHECK (((id < 0) = ((kind IS NOT NULL) AND (slot IS NOT NULL))));

alter table account add constraint account_check2 CHECK (((id < 0) = (customer_id IS NULL)));

alter table account add constraint account_hold_check CHECK (((hold >= 0) AND (hold <= '9007199254740991'::bigint)));

alter table account add constraint account_pkey PRIMARY KEY (id);

CREATE UNIQUE INDEX account_internal ON public.account USING btree (organisation_id, kind, slot) WHERE (id < 0);

CREATE INDEX account_newest ON public.account USING btree (organisation_id, created_at DESC, id DESC) WHERE (id > 0);

CREATE INDEX account_of_customer ON public.account USING btree (customer_id, created_at DESC, id DESC);

CREATE INDEX account_of_organisation ON public.account USING btree (organisation_id, id) WHERE (id > 0);

create table answer (
  organisation_id bigint not null,
  key_hash bytea not null,
  fingerprint bytea not null,
  status smallint not null,
  body text not null,
  created_at timestamp(3) with time zone not null,
  sealed bytea
);

comment on table answer is 'The answer to every write, committed together with its effects.';

comment on column answer.key_hash is 'SHA-256 of the idempotency key, or random bytes where the caller sent no key.';

comment on column answer.fingerprint is 'Keyed digest of method, path and body. The same key for another request is refused.';

comment on column answer.body is 'The body as it was sent; empty where the answer is encrypted.';

comment on column answer.sealed is 'The encrypted body of an answer that carries a secret.';

alter table answer add constraint answer_pkey PRIMARY KEY (organisation_id, key_hash);

create table api_key (
  id bigint not null,
  organisation_id bigint not null,
  name text not null,
  hash bytea not null,
  scopes text[],
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  version integer default 1 not null,
  last_used_at timestamp(3) with time zone,
  source text default 'request'::text not null,
  deleted boolean default false not null
);

comment on table api_key is 'API keys. The id stays, the secret can be rotated.';

comment on column api_key.hash is 'SHA-256 of the secret. The secret itself is not stored.';

comment on column api_key.scopes is 'Null: the key may do everything.';

comment on column api_key.source is 'Origin of the secret: the environment, the data folder or a request.';

comment on column api_key.deleted is 'The key was deleted on request. A later start with the same secret does not bring it back.';

alter table api_key add constraint api_key_hash_check CHECK ((length(hash) = 32));

alter table api_key add constraint api_key_hash_key UNIQUE (hash);

alter table api_key add constraint api_key_pkey PRIMARY KEY (id);

alter table api_key add constraint api_key_source_check CHECK ((source = ANY (ARRAY['configured'::text, 'generated'::text, 'request'::text])));

CREATE INDEX api_key_organisation ON public.api_key USING btree (organisation_id);

create table api_key_retired (
  hash bytea not null,
  api_key_id bigint not null,
  works_until timestamp(3) with time zone not null
);

comment on table api_key_retired is 'Former secrets of rotated keys.';

comment on column api_key_retired.works_until is 'End of the grace period, in real time.';

alter table api_key_retired add constraint api_key_retired_hash_check CHECK ((length(hash) = 32));

alter table api_key_retired add constraint api_key_retired_pkey PRIMARY KEY (hash);

CREATE INDEX api_key_retired_key ON public.api_key_retired USING btree (api_key_id);

create table application (
  id bigint not null,
  organisation_id bigint not null,
  created_at timestamp(3) with time zone not null,
  status text not null,
  name text not null,
  date_of_birth date not null,
  sealed_ssn bytea not null,
  email text not null,
  phone text not null,
  address json not null,
  customer_id bigint,
  version integer default 1 not null
);

comment on table application is 'Applications to become a customer.';

comment on column application.sealed_ssn is 'The social security number, encrypted.';

comment on column application.customer_id is 'The customer created by the approval.';

alter table application add constraint application_check CHECK (((status = 'Approved'::text) = (customer_id IS NOT NULL)));

alter table application add constraint application_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255)));

alter table application add constraint application_pkey PRIMARY KEY (id);

alter table application add constraint application_status_check CHECK ((status = ANY (ARRAY['AwaitingDocuments'::text, 'PendingReview'::text, 'Approved'::text, 'Denied'::text])));

create table card (
  id bigint not null,
  organisation_id bigint not null,
  account_id bigint not null,
  customer_id bigint not null,
  created_at timestamp(3) with time zone not null,
  last4 text not null,
  expires text not null,
  status text not null,
  type text not null,
  design text,
  shipping_address json,
  replaces_card_id bigint,
  activated_at timestamp(3) with time zone,
  tags jsonb default '{}'::jsonb not null,
  version integer default 1 not null
);

comment on table card is 'Cards of deposit accounts.';

comment on column card.last4 is 'Last four digits. The full card number is not stored.';

comment on column card.expires is 'Last month in which the card works.';

comment on column card.shipping_address is 'The address with its members in the order in which they were sent.';

comment on column card.replaces_card_id is 'The card that ends when this one is activated.';

comment on column card.activated_at is 'Bank time of the first activation. Every card that an activated card replaced has ended.';

alter table card add constraint card_check CHECK (((type = 'individualDebitCard'::text) = (design IS NOT NULL)));

alter table card add constraint card_check1 CHECK (((type = 'individualDebitCard'::text) = (shipping_address IS NOT NULL)));

alter table card add constraint card_expires_check CHECK ((expires ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'::text));

alter table card add constraint card_last4_check CHECK ((last4 ~ '^[0-9]{4}$'::text));

alter table card add constraint card_pkey PRIMARY KEY (id);

alter table card add constraint card_status_check CHECK ((status = ANY (ARRAY['Inactive'::text, 'Active'::text, 'Frozen'::text, 'Lost'::text, 'Stolen'::text, 'ClosedByCustomer'::text, 'SuspectedFraud'::text])));

alter table card add constraint card_type_check CHECK ((type = ANY (ARRAY['individualDebitCard'::text, 'individualVirtualDebitCard'::text])));

CREATE INDEX card_newest ON public.card USING btree (organisation_id, created_at DESC, id DESC);

CREATE INDEX card_of_account ON public.card USING btree (account_id, created_at DESC, id DESC);

create table card_authorization (
  id bigint not null,
  organisation_id bigint not null,
  account_id bigint not null,
  customer_id bigint not null,
  card_id bigint not null,
  card_last4 text not null,
  status text not null,
  amount bigint not null,
  settled bigint default 0 not null,
  refunded bigint default 0 not null,
  merchant_name text not null,
  merchant_category text not null,
  merchant_location text not null,
  decline_reason text,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  version integer default 1 not null
);

comment on table card_authorization is 'Card authorizations. An Authorized one holds money on its account.';

comment on column card_authorization.settled is 'Amount taken from the account so far.';

comment on column card_authorization.refunded is 'Amount given back so far.';

alter table card_authorization add constraint card_authorization_amount_check CHECK (((amount >= 1) AND (amount <= '999999999999'::bigint)));

alter table card_authorization add constraint card_authorization_check CHECK (((refunded >= 0) AND (refunded <= settled)));

alter table card_authorization add constraint card_authorization_check1 CHECK (((status = 'Declined'::text) = (decline_reason IS NOT NULL)));

alter table card_authorization add constraint card_authorization_decline_reason_check CHECK ((decline_reason = ANY (ARRAY['CardNotActive'::text, 'AccountNotOpen'::text, 'InsufficientFunds'::text])));

alter table card_authorization add constraint card_authorization_pkey PRIMARY KEY (id);

alter table card_authorization add constraint card_authorization_settled_check CHECK ((settled >= 0));

alter table card_authorization add constraint card_authorization_status_check CHECK ((status = ANY (ARRAY['Authorized'::text, 'Completed'::text, 'Canceled'::text, 'Declined'::text])));

CREATE INDEX card_authorization_of_customer ON public.card_authorization USING btree (customer_id, created_at DESC, id DESC);

CREATE INDEX card_authorization_open ON public.card_authorization USING btree (organisation_id, expires_at) WHERE (status = 'Authorized'::text);

create table claim (
  organisation_id bigint not null,
  key_hash bytea not null,
  fingerprint bytea not null,
  attempt integer not null,
  holder uuid not null,
  state text not null,
  sent_at timestamp(3) with time zone not null,
  busy_until timestamp(3) with time zone not null
);

comment on table claim is 'Writes that an upstream provider carries out. A claim is committed before the call and deleted with the stored answer. A remaining claim was refused or interrupted.';

comment on column claim.attempt is 'Number of the attempt, increased by each refusal. It is part of the key sent to the provider, which would repeat its refusal under the old key.';

comment on column claim.holder is 'The request that works on the claim.';

comment on column claim.sent_at is 'Real time since when the provider may know the key of this attempt. Providers forget keys after a while.';

comment on column claim.busy_until is 'Real time until which the holder counts as alive.';

alter table claim add constraint claim_attempt_check CHECK ((attempt >= 1));

alter table claim add constraint claim_fingerprint_check CHECK ((length(fingerprint) = 32));

alter table claim add constraint claim_key_hash_check CHECK ((length(key_hash) = 32));

alter table claim add constraint claim_pkey PRIMARY KEY (organisation_id, key_hash);

alter table claim add constraint claim_state_check CHECK ((state = ANY (ARRAY['sent'::text, 'refused'::text, 'unknown'::text])));

create table customer (
  id bigint not null,
  organisation_id bigint not null,
  created_at timestamp(3) with time zone not null,
  name text not null,
  email text,
  phone text,
  address json,
  status text not null,
  tags jsonb default '{}'::jsonb not null,
  version integer default 1 not null
);

comment on table customer is 'People who hold accounts.';

alter table customer add constraint customer_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255)));

alter table customer add constraint customer_pkey PRIMARY KEY (id);

alter table customer add constraint customer_status_check CHECK ((status = 'Active'::text));

CREATE INDEX customer_newest ON public.customer USING btree (organisation_id, created_at DESC, id DESC);

create table denied_request (
  id bigint generated always as identity not null,
  organisation_id bigint not null,
  api_key_id bigint not null,
  created_at timestamp(3) with time zone not null,
  code text not null,
  operation_id text not null,
  path text not null,
  address text not null,
  request_id text not null,
  unwritten integer not null
);

comment on table denied_request is 'Requests that were denied, for the audit log.';

comment on column denied_request.unwritten is 'How many more requests of the key were denied and not stored since the entry before.';

alter table denied_request add constraint denied_request_code_check CHECK ((code = ANY (ARRAY['unauthorized'::text, 'forbidden'::text])));

alter table denied_request add constraint denied_request_pkey PRIMARY KEY (id);

CREATE INDEX denied_request_time ON public.denied_request USING btree (organisation_id, created_at, id);

create table document (
  id bigint not null,
  organisation_id bigint not null,
  application_id bigint not null,
  document_type text not null,
  status text not null,
  reason text,
  version integer default 1 not null
);

comment on table document is 'Documents that an application asks for.';

comment on column document.reason is 'Reason of the rejection.';

alter table document add constraint document_check CHECK (((reason IS NULL) OR (status = 'Invalid'::text)));

alter table document add constraint document_document_type_check CHECK ((document_type = 'Passport'::text));

alter table document add constraint document_pkey PRIMARY KEY (id);

alter table document add constraint document_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 255)));

alter table document add constraint document_status_check CHECK ((status = ANY (ARRAY['Required'::text, 'ReceivedFront'::text, 'ReceivedBack'::text, 'PendingReview'::text, 'Approved'::text, 'Invalid'::text])));

CREATE INDEX document_of_application ON public.document USING btree (application_id, id);

create table document_file (
  document_id bigint not null,
  side text not null,
  content_type text not null,
  sealed_content bytea not null,
  uploaded_at timestamp(3) with time zone not null,
  version integer default 1 not null
);

alter table document_file alter column sealed_content set storage external;

comment on table document_file is 'Uploaded sides of documents.';

comment on column document_file.sealed_content is 'The bytes of the file, encrypted.';

alter table document_file add constraint document_file_content_type_check CHECK ((content_type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text, 'application/pdf'::text])));

alter table document_file add constraint document_file_pkey PRIMARY KEY (document_id, side);

alter table document_file add constraint document_file_side_check CHECK ((side = ANY (ARRAY['front'::text, 'back'::text])));

create table encryption_marker (
  id integer not null,
  sealed bytea not null
);

comment on table encryption_marker is 'One row, encrypted by the first start. A start with another encryption key fails to decrypt it and stops.';

alter table encryption_marker add constraint encryption_marker_id_check CHECK ((id = 1));

alter table encryption_marker add constraint encryption_marker_pkey PRIMARY KEY (id);

create table event_counter (
  organisation_id bigint not null,
  sequence bigint not null
) with (fillfactor=50);

comment on table event_counter is 'Number of the latest event of each organisation. A table of its own, because it is locked until COMMIT and every request reads the organisation.';

alter table event_counter add constraint event_counter_pkey PRIMARY KEY (organisation_id);

create table event_page (
  organisation_id bigint not null,
  last bigint not null,
  count integer not null,
  created_at timestamp(3) with time zone not null,
  events text not null
) with (toast_tuple_target=8160);

alter table event_page alter column events set storage external;

comment on table event_page is 'Events that were committed together and follow one another. Numbers have no gaps within an organisation.';

comment on column event_page.last is 'Number of the last event of the row.';

comment on column event_page.count is 'How many events the row holds.';

comment on column event_page.events is 'The events, separated by the character 0x1e. The parts of an event are separated by 0x1f: type, entity id, entity version, data, API key id, request id, idempotency key. The data is the JSON of the record, kept to the byte because it is signed and sent. The last three parts are empty for changes that the bank made itself.';

alter table event_page add constraint event_page_check CHECK (((count > 0) AND (count <= last)));

alter table event_page add constraint event_page_pkey PRIMARY KEY (organisation_id, last);

create table external_account (
  id bigint not null,
  organisation_id bigint not null,
  customer_id bigint not null,
  created_at timestamp(3) with time zone not null,
  name text not null,
  routing_number text not null,
  account_number text not null,
  account_type text not null,
  type text not null,
  bank text not null,
  deleted_at timestamp(3) with time zone,
  version integer default 1 not null
);

comment on table external_account is 'Accounts at other banks that a customer can pay to.';

alter table external_account add constraint external_account_account_number_check CHECK ((account_number ~ '^[0-9]{1,17}$'::text));

alter table external_account add constraint external_account_account_type_check CHECK ((account_type = ANY (ARRAY['Checking'::text, 'Savings'::text, 'Loan'::text])));

alter table external_account add constraint external_account_name_check CHECK (((length(name) >= 1) AND (length(name) <= 50)));

alter table external_account add constraint external_account_pkey PRIMARY KEY (id);

alter table external_account add constraint external_account_routing_number_check CHECK ((routing_number ~ '^[0-9]{9}$'::text));

alter table external_account add constraint external_account_type_check CHECK ((type = ANY (ARRAY['Business'::text, 'Person'::text, 'Unknown'::text])));

CREATE INDEX external_account_of_customer ON public.external_account USING btree (customer_id, created_at, id);

create table inbound_event (
  provider text not null,
  upstream_id text not null,
  organisation_id bigint not null,
  type text not null,
  received_at timestamp(3) with time zone not null
);

comment on table inbound_event is 'Events received from upstream providers, so that a repeated one has no second effect. Contents are not stored: they may hold personal data.';

comment on column inbound_event.received_at is 'Real time.';

alter table inbound_event add constraint inbound_event_pkey PRIMARY KEY (provider, upstream_id);

alter table inbound_event add constraint inbound_event_upstream_id_check CHECK (((length(upstream_id) >= 1) AND (length(upstream_id) <= 255)));

create table inbound_version (
  organisation_id bigint not null,
  entity_type text not null,
  entity_id text not null,
  version integer not null
);

comment on table inbound_version is 'Number of changes received for an upstream record: the version in our events.';

alter table inbound_version add constraint inbound_version_pkey PRIMARY KEY (organisation_id, entity_type, entity_id);

create table merchant (
  id bigint not null,
  external_key text not null,
  name text not null,
  normalised_name text not null,
  description text not null,
  website_url text not null,
  img_url text not null,
  version integer default 1 not null
);

comment on table merchant is 'Merchants of the catalogue, which all organisations share.';

comment on column merchant.external_key is 'Key under which an import finds the merchant again. It is never shown.';

comment on column merchant.normalised_name is 'The name in the form that purchases are compared with.';

alter table merchant add constraint merchant_description_check CHECK ((length(description) <= 2000));

alter table merchant add constraint merchant_external_key_check CHECK (((length(external_key) >= 1) AND (length(external_key) <= 255)));

alter table merchant add constraint merchant_external_key_key UNIQUE (external_key);

alter table merchant add constraint merchant_img_url_check CHECK (((length(img_url) >= 1) AND (length(img_url) <= 2048)));

alter table merchant add constraint merchant_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255)));

alter table merchant add constraint merchant_pkey PRIMARY KEY (id);

alter table merchant add constraint merchant_website_url_check CHECK (((length(website_url) >= 1) AND (length(website_url) <= 2048)));

CREATE INDEX merchant_by_name ON public.merchant USING btree (lower(name) COLLATE "C");

CREATE INDEX merchant_by_normalised_name ON public.merchant USING btree (normalised_name);

create table offer (
  id bigint not null,
  external_key text not null,
  merchant_id bigint not null,
  offer_type text not null,
  title text not null,
  terms text not null,
  category text not null,
  redeemable_once boolean not null,
  commission_bp integer not null,
  total_bp integer not null,
  valid_from timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  minimum_spend bigint not null,
  maximum_reward bigint,
  operation_hours json,
  street text,
  city text,
  state text,
  zip text,
  lat double precision,
  long double precision,
  phone text,
  band integer generated always as ((floor((lat * (20)::double precision)))::integer) stored,
  version integer default 1 not null
);

comment on table offer is 'Offers of the catalogue.';

comment on column offer.external_key is 'Key under which an import finds the offer again. It is never shown.';

comment on column offer.commission_bp is 'The user''s share, in basis points: integers, because floats round wrongly.';

comment on column offer.total_bp is 'The whole commission, in basis points.';

comment on column offer.band is 'Strip of latitude that is a twentieth of a degree high, about 3.5 miles.';

alter table offer add constraint offer_category_check CHECK (((length(category) >= 1) AND (length(category) <= 100)));

alter table offer add constraint offer_check CHECK (((total_bp >= commission_bp) AND (total_bp <= 10000)));

alter table offer add constraint offer_check1 CHECK ((expires_at > valid_from));

alter table offer add constraint offer_check2 CHECK ((num_nulls(operation_hours, street, city, state, zip, lat, long, phone) =
CASE offer_type
    WHEN 'INSTORE'::text THEN 0
    ELSE 8
END));

alter table offer add constraint offer_commission_bp_check CHECK (((commission_bp >= 1) AND (commission_bp <= 10000)));

alter table offer add constraint offer_external_key_check CHECK (((length(external_key) >= 1) AND (length(external_key) <= 255)));

alter table offer add constraint offer_external_key_key UNIQUE (external_key);

alter table offer add constraint offer_lat_check CHECK (((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision)));

alter table offer add constraint offer_long_check CHECK (((long >= ('-180'::integer)::double precision) AND (long <= (180)::double precision)));

alter table offer add constraint offer_maximum_reward_check CHECK (((maximum_reward >= 1) AND (maximum_reward <= '999999999999'::bigint)));

alter table offer add constraint offer_minimum_spend_check CHECK (((minimum_spend >= 0) AND (minimum_spend <= '999999999999'::bigint)));

alter table offer add constraint offer_offer_type_check CHECK ((offer_type = ANY (ARRAY['INSTORE'::text, 'ONLINE'::text])));

alter table offer add constraint offer_pkey PRIMARY KEY (id);

alter table offer add constraint offer_terms_check CHECK ((length(terms) <= 5000));

alter table offer add constraint offer_title_check CHECK (((length(title) >= 1) AND (length(title) <= 255)));

CREATE INDEX offer_national ON public.offer USING btree (commission_bp DESC, id) WHERE (offer_type = 'ONLINE'::text);

CREATE INDEX offer_national_expiring ON public.offer USING btree (expires_at, id) WHERE (offer_type = 'ONLINE'::text);

CREATE INDEX offer_near ON public.offer USING btree (band, long) WHERE (offer_type = 'INSTORE'::text);

CREATE INDEX offer_of_merchant ON public.offer USING btree (merchant_id);

create table organisation (
  id bigint not null,
  name text not null,
  clock_offset interval default '00:00:00'::interval not null,
  created_at timestamp(3) with time zone not null,
  version integer default 1 not null,
  statements_from date,
  advancing_to timestamp(3) with time zone,
  advancing_key bytea
);

comment on table organisation is 'A tenant. Every other record belongs to one organisation.';

comment on column organisation.clock_offset is 'Bank time is real time plus this offset. It only grows.';

comment on column organisation.statements_from is 'First day of the oldest month without statements. Null before the first month end: then the month of the organisation''s creation, or of its oldest account, counts.';

comment on column organisation.advancing_to is 'Target of the latest advance of the clock. A repeated request that was interrupted continues to this time.';

comment on column organisation.advancing_key is 'Identifies the request of the latest advance.';

alter table organisation add constraint organisation_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255)));

alter table organisation add constraint organisation_name_key UNIQUE (name);

alter table organisation add constraint organisation_pkey PRIMARY KEY (id);

alter table organisation add constraint organisation_statements_from_check CHECK ((EXTRACT(day FROM statements_from) = (1)::numeric));

create table partner_user (
  id bigint generated by default as identity not null,
  organisation_id bigint not null,
  user_id bigint not null,
  is_removed boolean default false not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone,
  version integer default 1 not null
);

comment on table partner_user is 'People who take part in rewards.';

comment on column partner_user.user_id is 'The issuer''s own number of the user.';

alter table partner_user add constraint partner_user_organisation_id_user_id_key UNIQUE (organisation_id, user_id);

alter table partner_user add constraint partner_user_pkey PRIMARY KEY (id);

CREATE INDEX partner_user_list ON public.partner_user USING btree (organisation_id, id);

create table partner_user_card (
  id bigint generated by default as identity not null,
  organisation_id bigint not null,
  partner_user_id bigint not null,
  bank_card_id text collate "C" not null,
  is_removed boolean default false not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone,
  version integer default 1 not null
);

comment on table partner_user_card is 'Cards linked to partner users.';

comment on column partner_user_card.bank_card_id is 'Id of the card at the bank. No foreign key: the bank can be an upstream provider.';

alter table partner_user_card add constraint partner_user_card_pkey PRIMARY KEY (id);

CREATE INDEX partner_user_card_list ON public.partner_user_card USING btree (organisation_id, id);

CREATE UNIQUE INDEX partner_user_card_live ON public.partner_user_card USING btree (organisation_id, bank_card_id) WHERE (NOT is_removed);

CREATE INDEX partner_user_card_of_user ON public.partner_user_card USING btree (partner_user_id, id);

create table payment (
  id bigint not null,
  organisation_id bigint not null,
  account_id bigint not null,
  customer_id bigint not null,
  type text not null,
  direction text not null,
  status text not null,
  amount bigint not null,
  description text not null,
  addenda text,
  original_type text not null,
  created_at timestamp(3) with time zone not null,
  external_account_id bigint,
  counterparty_name text not null,
  counterparty_routing_number text not null,
  counterparty_account_number text not null,
  counterparty_account_type text not null,
  destination_account_id bigint,
  tags jsonb,
  return_code text,
  version integer default 1 not null
);

comment on table payment is 'ACH payments, and book payments of rewards.';

comment on column payment.external_account_id is 'The external account that was named. The counterparty columns copy it, because it can be deleted.';

comment on column payment.destination_account_id is 'The receiving account, where it is at this bank.';

alter table payment add constraint payment_amount_check CHECK (((amount >= 1) AND (amount <= '999999999999'::bigint)));

alter table payment add constraint payment_pkey PRIMARY KEY (id);

CREATE INDEX payment_newest ON public.payment USING btree (organisation_id, created_at, id);

CREATE INDEX payment_of_account ON public.payment USING btree (account_id, created_at DESC, id DESC);

create table reward (
  id bigint generated by default as identity not null,
  organisation_id bigint not null,
  partner_user_id bigint not null,
  rewardable_transaction_id bigint not null,
  offer_id text collate "C" not null,
  merchant_name text collate "C" not null,
  commission_basis_points integer not null,
  total_basis_points integer not null,
  amount bigint not null,
  user_amount bigint not null,
  issuer_amount bigint not null,
  state text collate "C" not null,
  payout_payment_id bigint,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone,
  version integer default 1 not null,
  maximum_reward bigint,
  payout_due_at timestamp(3) with time zone
);

comment on table reward is 'Cash back earned by purchases. The terms of the offer are copied, because offers change and end.';

comment on column reward.amount is 'Amount of the purchase.';

comment on column reward.user_amount is 'The user''s share of the commission.';

comment on column reward.issuer_amount is 'The rest of the commission.';

alter table reward add constraint reward_amount_check CHECK (((amount >= 1) AND (amount <= '9007199254740991'::bigint)));

alter table reward add constraint reward_check CHECK (((total_basis_points >= commission_basis_points) AND (total_basis_points <= 10000)));

alter table reward add constraint reward_check1 CHECK (((user_amount >= 0) AND (user_amount <= amount)));

alter table reward add constraint reward_check2 CHECK (((issuer_amount >= 0) AND (issuer_amount <= amount)));

alter table reward add constraint reward_commission_basis_points_check CHECK (((commission_basis_points >= 0) AND (commission_basis_points <= 10000)));

alter table reward add constraint reward_maximum_reward_check CHECK ((maximum_reward >= 1));

alter table reward add constraint reward_pkey PRIMARY KEY (id);

alter table reward add constraint reward_state_check CHECK ((state = ANY (ARRAY['PENDING'::text, 'CONFIRMED'::text, 'PAID'::text, 'REJECTED'::text, 'REVERSED'::text, 'CLAWED_BACK'::text])));

CREATE INDEX reward_due ON public.reward USING btree (organisation_id, payout_due_at) WHERE (state = 'PENDING'::text);

CREATE INDEX reward_list ON public.reward USING btree (organisation_id, id);

CREATE UNIQUE INDEX reward_live ON public.reward USING btree (rewardable_transaction_id) WHERE (state = ANY (ARRAY['PENDING'::text, 'CONFIRMED'::text, 'PAID'::text]));

CREATE INDEX reward_of_day ON public.reward USING btree (organisation_id, created_at);

CREATE INDEX reward_of_purchase ON public.reward USING btree (rewardable_transaction_id);

CREATE INDEX reward_of_user ON public.reward USING btree (partner_user_id, offer_id);

CREATE INDEX reward_unpaid ON public.reward USING btree (organisation_id, payout_due_at) WHERE (state = 'CONFIRMED'::text);

create table reward_payment (
  id bigint generated by default as identity not null,
  organisation_id bigint not null,
  reward_id bigint not null,
  payment_id bigint not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone,
  version integer default 1 not null
);

comment on table reward_payment is 'Payouts of rewards. A reward is paid out once.';

alter table reward_payment add constraint reward_payment_payment_id_key UNIQUE (payment_id);

alter table reward_payment add constraint reward_payment_pkey PRIMARY KEY (id);

alter table reward_payment add constraint reward_payment_reward_id_key UNIQUE (reward_id);

CREATE INDEX reward_payment_list ON public.reward_payment USING btree (organisation_id, id);

create table rewardable_transaction (
  id bigint generated by default as identity not null,
  organisation_id bigint not null,
  partner_user_card_id bigint not null,
  bank_transaction_id text collate "C" not null,
  authorization_id bigint,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone,
  version integer default 1 not null,
  amount bigint default 0 not null,
  refunded bigint default 0 not null,
  bank_account_id text collate "C"
);

comment on table rewardable_transaction is 'Purchases by linked cards.';

comment on column rewardable_transaction.bank_transaction_id is 'Id of the transaction at the bank. It is rewardable once.';

comment on column rewardable_transaction.authorization_id is 'The settled authorization, where it is known.';

comment on column rewardable_transaction.amount is 'Amount of the purchase.';

comment on column rewardable_transaction.refunded is 'Refunded part of the amount.';

comment on column rewardable_transaction.bank_account_id is 'Account that receives the cash back at an upstream bank; null with the built-in bank.';

alter table rewardable_transaction add constraint rewardable_transaction_organisation_id_bank_transaction_id_key UNIQUE (organisation_id, bank_transaction_id);

alter table rewardable_transaction add constraint rewardable_transaction_pkey PRIMARY KEY (id);

CREATE INDEX rewardable_transaction_list ON public.rewardable_transaction USING btree (organisation_id, id);

CREATE INDEX rewardable_transaction_of_authorization ON public.rewardable_transaction USING btree (authorization_id) WHERE (authorization_id IS NOT NULL);

CREATE INDEX rewardable_transaction_of_card ON public.rewardable_transaction USING btree (partner_user_card_id, id);

create table statement (
  id bigint not null,
  organisation_id bigint not null,
  account_id bigint not null,
  customer_id bigint not null,
  period text not null,
  opening_balance bigint not null,
  closing_balance bigint not null,
  first_seq bigint not null,
  last_seq bigint not null,
  created_at timestamp(3) with time zone not null,
  version integer default 1 not null
);

comment on table statement is 'One month of one account: its balances and the range of its transfers. The document is rendered from these when it is requested.';

comment on column statement.first_seq is 'Number of the month''s first transfer along the account.';

comment on column statement.last_seq is 'Number of the month''s last transfer; one less than the first in a month without transfers.';

alter table statement add constraint statement_check CHECK ((last_seq >= (first_seq - 1)));

alter table statement add constraint statement_check1 CHECK (((last_seq >= first_seq) OR (opening_balance = closing_balance)));

alter table statement add constraint statement_closing_balance_check CHECK ((abs(closing_balance) <= '9007199254740991'::bigint));

alter table statement add constraint statement_first_seq_check CHECK ((first_seq >= 1));

alter table statement add constraint statement_opening_balance_check CHECK ((abs(opening_balance) <= '9007199254740991'::bigint));

alter table statement add constraint statement_period_check CHECK ((period ~ '^[1-9][0-9]{3}-(0[1-9]|1[0-2])$'::text));

alter table statement add constraint statement_pkey PRIMARY KEY (id);

CREATE UNIQUE INDEX statement_of_account ON public.statement USING btree (account_id, period);

create table transfer (
  id bigint not null,
  organisation_id bigint not null,
  debit_account_id bigint not null,
  debit_seq bigint not null,
  debit_balance bigint not null,
  credit_account_id bigint not null,
  credit_seq bigint not null,
  credit_balance bigint not null,
  amount bigint not null,
  source_kind text not null,
  source_id bigint,
  party text,
  description text,
  created_at timestamp(3) with time zone not null
);

comment on table transfer is 'Movements of money, append-only. One row takes an amount from one account and gives it to another, so that it is balanced by construction.';

comment on column transfer.id is 'Even. The debit side is the interface''s transaction of this id, the credit side that of the next.';

comment on column transfer.debit_seq is 'Number of the transfer along the debited account, without gaps.';

comment on column transfer.debit_balance is 'Balance of the debited account after the transfer.';

comment on column transfer.credit_seq is 'Number of the transfer along the credited account, without gaps.';

comment on column transfer.credit_balance is 'Balance of the credited account after the transfer.';

comment on column transfer.source_kind is 'payment, payment_return, received_ach, card_settlement, card_refund, reward or reward_clawback.';

comment on column transfer.source_id is 'The payment, authorization or reward behind the transfer, where there is one.';

comment on column transfer.party is 'Name of the other party, where no payment has it.';

comment on column transfer.description is 'Description, where no payment has it.';

alter table transfer add constraint transfer_amount_check CHECK (((amount >= 1) AND (amount <= '9007199254740991'::bigint)));

alter table transfer add constraint transfer_check CHECK ((debit_account_id <> credit_account_id));

alter table transfer add constraint transfer_id_check CHECK (((id % (2)::bigint) = 0));

alter table transfer add constraint transfer_pkey PRIMARY KEY (id);

CREATE UNIQUE INDEX transfer_credit ON public.transfer USING btree (credit_account_id, credit_seq);

CREATE UNIQUE INDEX transfer_debit ON public.transfer USING btree (debit_account_id, debit_seq);

CREATE INDEX transfer_newest ON public.transfer USING btree (organisation_id, created_at, id);

create table verification_token (
  id bigint not null,
  hash bytea not null,
  organisation_id bigint not null,
  customer_id bigint not null,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null
);

comment on table verification_token is 'Short-lived tokens of customers.';

comment on column verification_token.hash is 'SHA-256 of the token. The token itself is not stored.';

comment on column verification_token.created_at is 'Real time.';

comment on column verification_token.expires_at is 'Real time.';

alter table verification_token add constraint verification_token_hash_check CHECK ((length(hash) = 32));

alter table verification_token add constraint verification_token_hash_key UNIQUE (hash);

alter table verification_token add constraint verification_token_pkey PRIMARY KEY (id);

create table webhook_cursor (
  endpoint_id bigint not null,
  sequence bigint not null,
  recover_after timestamp(3) with time zone,
  recover_after_id bigint default 0 not null,
  recover_through_id bigint default 0 not null
) with (fillfactor=50);

comment on table webhook_cursor is 'Number of the latest event that was turned into a delivery for an endpoint. A table of its own, because it moves often and its lock is taken by every transaction that changes which deliveries of the endpoint are pending.';

comment on column webhook_cursor.recover_after is 'Position of a recovery that a worker carries on: failed deliveries created after this time, and after recover_after_id where the time is the same. Null where there is none.';

comment on column webhook_cursor.recover_through_id is 'Latest delivery that the recovery takes, so that one which fails again is not taken twice.';

alter table webhook_cursor add constraint webhook_cursor_pkey PRIMARY KEY (endpoint_id);

CREATE INDEX webhook_cursor_recovering ON public.webhook_cursor USING btree (endpoint_id) WHERE (recover_after IS NOT NULL);

create table webhook_delivery (
  endpoint_id bigint not null,
  id bigint generated always as identity not null,
  organisation_id bigint not null,
  sequence bigint,
  test_id text,
  body text,
  entity text not null,
  status text not null,
  created_at timestamp(3) with time zone not null,
  due_at timestamp(3) with time zone not null,
  attempts integer default 0 not null,
  log jsonb default '[]'::jsonb not null,
  lease uuid,
  leased_until timestamp(3) with time zone,
  blocked boolean default false not null
) with (fillfactor=70);

comment on table webhook_delivery is 'One event to one endpoint.';

comment on column webhook_delivery.sequence is 'Number of the event; null for a test.';

comment on column webhook_delivery.test_id is 'Id of a test delivery.';

comment on column webhook_delivery.body is 'Body of a test delivery, which is no event.';

comment on column webhook_delivery.entity is 'Record that the event is about. Deliveries of one record keep their order.';

comment on column webhook_delivery.attempts is 'Attempts since the delivery was last started; decides the next delay.';

comment on column webhook_delivery.log is 'Outcomes of the latest attempts.';

comment on column webhook_delivery.lease is 'The worker that sends the delivery.';

comment on column webhook_delivery.leased_until is 'Real time until which no other worker takes the delivery.';

comment on column webhook_delivery.blocked is 'Whether an earlier delivery of the same record to the same endpoint is pending.';

alter table webhook_delivery add constraint webhook_delivery_check CHECK (((NOT blocked) OR (status = 'Pending'::text)));

alter table webhook_delivery add constraint webhook_delivery_check1 CHECK ((((sequence IS NULL) = (test_id IS NOT NULL)) AND ((sequence IS NULL) = (body IS NOT NULL))));

alter table webhook_delivery add constraint webhook_delivery_pkey PRIMARY KEY (endpoint_id, id);

alter table webhook_delivery add constraint webhook_delivery_status_check CHECK ((status = ANY (ARRAY['Pending'::text, 'Succeeded'::text, 'Failed'::text])));

CREATE INDEX webhook_delivery_blocked ON public.webhook_delivery USING btree (endpoint_id, entity, id) WHERE blocked;

CREATE INDEX webhook_delivery_due ON public.webhook_delivery USING btree (endpoint_id, due_at, id) WHERE ((status = 'Pending'::text) AND (NOT blocked));

CREATE UNIQUE INDEX webhook_delivery_event ON public.webhook_delivery USING btree (endpoint_id, sequence);

CREATE INDEX webhook_delivery_failed ON public.webhook_delivery USING btree (endpoint_id, created_at, id) WHERE ((status = 'Failed'::text) AND (sequence IS NOT NULL));

CREATE UNIQUE INDEX webhook_delivery_first ON public.webhook_delivery USING btree (endpoint_id, entity) WHERE ((status = 'Pending'::text) AND (NOT blocked));

create table webhook_endpoint (
  id bigint not null,
  organisation_id bigint not null,
  created_at timestamp(3) with time zone not null,
  url text not null,
  events text[] not null,
  description text,
  status text not null,
  disabled_reason text,
  sealed_secret bytea not null,
  sealed_previous_secret bytea,
  previous_secret_until timestamp(3) with time zone,
  failing_since timestamp(3) with time zone,
  deleted_at timestamp(3) with time zone,
  version integer default 1 not null
);

comment on table webhook_endpoint is 'Addresses that events are sent to.';

comment on column webhook_endpoint.sealed_secret is 'Signing secret, encrypted.';

comment on column webhook_endpoint.sealed_previous_secret is 'The secret before the latest rotation, which also signs for a while.';

comment on column webhook_endpoint.previous_secret_until is 'Real time until which the previous secret signs.';

comment on column webhook_endpoint.failing_since is 'Real time of the first failure since the latest success; null without one.';

alter table webhook_endpoint add constraint webhook_endpoint_check CHECK (((status = 'Disabled'::text) = (disabled_reason IS NOT NULL)));

alter table webhook_endpoint add constraint webhook_endpoint_check1 CHECK (((sealed_previous_secret IS NULL) = (previous_secret_until IS NULL)));

alter table webhook_endpoint add constraint webhook_endpoint_description_check CHECK (((length(description) >= 1) AND (length(description) <= 255)));

alter table webhook_endpoint add constraint webhook_endpoint_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['Requested'::text, 'Gone'::text, 'Failing'::text])));

alter table webhook_endpoint add constraint webhook_endpoint_events_check CHECK ((cardinality(events) > 0));

alter table webhook_endpoint add constraint webhook_endpoint_pkey PRIMARY KEY (id);

alter table webhook_endpoint add constraint webhook_endpoint_status_check CHECK ((status = ANY (ARRAY['Enabled'::text, 'Disabled'::text])));

alter table webhook_endpoint add constraint webhook_endpoint_url_check CHECK (((length(url) >= 1) AND (length(url) <= 2048)));

CREATE INDEX webhook_endpoint_enabled ON public.webhook_endpoint USING btree (organisation_id, id) WHERE ((status = 'Enabled'::text) AND (deleted_at IS NULL));

CREATE INDEX webhook_endpoint_newest ON public.webhook_endpoint USING btree (organisation_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);

create table zip_code (
  zip text not null,
  lat double precision not null,
  long double precision not null,
  city text not null,
  state text not null
);

comment on table zip_code is 'Centres of ZIP codes.';

alter table zip_code add constraint zip_code_lat_check CHECK (((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision)));

alter table zip_code add constraint zip_code_long_check CHECK (((long >= ('-180'::integer)::double precision) AND (long <= (180)::double precision)));

alter table zip_code add constraint zip_code_pkey PRIMARY KEY (zip);

alter table zip_code add constraint zip_code_zip_check CHECK ((zip ~ '^[0-9]{5}$'::text));

create view event as
 SELECT p.organisation_id,
    p.last AS page,
    ((p.last - p.count) + e.place) AS sequence,
    split_part(e.text, ''::text, 1) AS type,
    split_part(e.text, ''::text, 2) AS entity_id,
    (split_part(e.text, ''::text, 3))::integer AS entity_version,
    p.created_at,
    split_part(e.text, ''::text, 4) AS data,
    (NULLIF(split_part(e.text, ''::text, 5), ''::text))::bigint AS api_key_id,
    NULLIF(split_part(e.text, ''::text, 6), ''::text) AS request_id,
    NULLIF(split_part(e.text, ''::text, 7), ''::text) AS idempotency_key
   FROM (event_page p
     CROSS JOIN LATERAL unnest(string_to_array(p.events, ''::text)) WITH ORDINALITY e(text, place));

comment on view event is 'One event a row. Only the column page can use the index: a query by event numbers must also name their pages, as the functions do.';

CREATE OR REPLACE FUNCTION public.balance_at(account bigint, seq bigint)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(
    (select debit_balance from transfer where debit_account_id = account and debit_seq = seq),
    (select credit_balance from transfer where credit_account_id = account and credit_seq = seq),
    0)
$function$;

comment on function balance_at is 'Balance of an account after its transfer of this number; 0 before the first.';

CREATE OR REPLACE FUNCTION public.bank_time(organisation_id bigint)
 RETURNS timestamp with time zone
 LANGUAGE sql
RETURN (SELECT LEAST((date_trunc('milliseconds'::text, clock_timestamp()) + o.clock_offset), '9999-12-31 23:59:59.999+00'::timestamp with time zone) AS "least" FROM organisation o WHERE (o.id = bank_time.organisation_id));

comment on function bank_time is 'Bank time of an organisation, in whole milliseconds. It stops at the last instant that the interface can write.';

CREATE OR REPLACE FUNCTION public.denied_requests_back_from(organisation bigint, instant timestamp with time zone, denial bigint, since timestamp with time zone, most bigint)
 RETURNS SETOF denied_request
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
  select * from denied_request
  where organisation_id = organisation and (created_at, id) < (instant, denial) and created_at > since
  order by created_at desc, id desc limit most
$function$;

comment on function denied_requests_back_from is 'Denied requests before a time, or before one of that time, newest first.';

CREATE OR REPLACE FUNCTION public.event_at(organisation bigint, number bigint)
 RETURNS SETOF event
 LANGUAGE sql
 STABLE ROWS 1
 SET enable_seqscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
  select * from event
  where organisation_id = organisation and sequence = number
    and page = (select last from event_page where organisation_id = organisation and last >= number order by last limit 1)
$function$;

comment on function event_at is 'One event by its number.';

CREATE OR REPLACE FUNCTION public.event_page_of(organisation bigint, number bigint)
 RETURNS bigint
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
  select coalesce((select last from event_page where organisation_id = organisation and last >= number order by last limit 1),
    number)
$function$;

comment on function event_page_of is 'Page that holds an event; the event''s own number where there is no such page yet.';

CREATE OR REPLACE FUNCTION public.event_sequence_at(organisation bigint, instant timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
declare
  low bigint := 0;
  high bigint := coalesce((select sequence from event_counter where organisation_id = organisation), 0);
  middle bigint;
begin
  while low < high loop
    middle := (low + high + 1) / 2;
    if (select created_at <= instant from event_page
        where organisation_id = organisation and last >= middle order by last limit 1) then
      low := middle;
    else
      high := middle - 1;
    end if;
  end loop;
  return low;
end $function$;

comment on function event_sequence_at is 'Number of the last event that is not after a time. A binary search, because times never fall along the numbers.';

CREATE OR REPLACE FUNCTION public.event_types_between(organisation bigint, number bigint, up_to bigint)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
  select distinct type from event
  where organisation_id = organisation and page > number and page <= event_page_of(organisation, up_to)
    and sequence > number and sequence <= up_to
$function$;

comment on function event_types_between is 'Types of the events after a number and up to another.';

CREATE OR REPLACE FUNCTION public.events_after(organisation bigint, number bigint, up_to bigint, types text[], entities text[], most bigint)
 RETURNS SETOF event
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
  select * from event
  where organisation_id = organisation and page > number and page <= event_page_of(organisation, up_to)
    and sequence > number and sequence <= up_to
    and (types is null or type = any(types) or split_part(type, '.', 1) = any(entities))
  order by page, sequence limit most
$function$;

comment on function events_after is 'The next events after a number and up to another, of some types or of all.';

CREATE OR REPLACE FUNCTION public.events_back_from(organisation bigint, number bigint, down_to bigint, most bigint)
 RETURNS SETOF event
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
  select * from event
  where organisation_id = organisation and page > down_to and page <= event_page_of(organisation, number)
    and sequence > down_to and sequence <= number
  order by page desc, sequence desc limit most
$function$;

comment on function events_back_from is 'Events from a number down to another, newest first.';

CREATE OR REPLACE FUNCTION public.miles_between(lat1 double precision, long1 double precision, lat2 double precision, long2 double precision)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((((2)::numeric * 3958.7613))::double precision * asin(LEAST((1)::double precision, sqrt(((sin((radians((lat2 - lat1)) / (2)::double precision)) ^ (2)::double precision) + ((cos(radians(lat1)) * cos(radians(lat2))) * (sin((radians((long2 - long1)) / (2)::double precision)) ^ (2)::double precision)))))));

comment on function miles_between is 'Distance on the sphere by the haversine formula, which is precise over short distances.';

CREATE OR REPLACE FUNCTION public.posted_at(account bigint, seq bigint)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(
    (select created_at from transfer where debit_account_id = account and debit_seq = seq),
    (select created_at from transfer where credit_account_id = account and credit_seq = seq))
$function$;

comment on function posted_at is 'Time of a transfer, given its number along an account.';

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append-only', tg_table_name;
end $function$;

comment on function refuse_change is 'Trigger of append-only tables.';

CREATE OR REPLACE FUNCTION public.require(condition boolean, complaint text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  if not condition then
    raise exception '%', complaint;
  end if;
  return true;
end $function$;

comment on function require is 'Fails unless the condition holds. A statement can so refuse its own outcome, and COMMIT may be sent right behind it.';

CREATE OR REPLACE FUNCTION public.seq_before(account bigint, at timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE STRICT
AS $function$
declare
  low bigint := 0;
  high bigint := (select seq from account a where a.id = account);
  middle bigint;
begin
  while low < high loop
    middle := (low + high + 1) / 2;
    if posted_at(account, middle) < at then low := middle; else high := middle - 1; end if;
  end loop;
  return low;
end $function$;

comment on function seq_before is 'Number of an account''s last transfer before a time: 0 where there is none, null without a time. A binary search, because times never fall along an account.';

CREATE OR REPLACE FUNCTION public.webhook_delivery_at(endpoint bigint, instant timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
declare
  low bigint := 0;
  high bigint := coalesce((select max(id) from webhook_delivery where endpoint_id = endpoint), 0);
  middle bigint;
  next record;
begin
  while low < high loop
    middle := (low + high + 1) / 2;
    select id, created_at into next from webhook_delivery
    where endpoint_id = endpoint and id >= middle order by id limit 1;
    if next.created_at <= instant then
      low := next.id;
    else
      high := middle - 1;
    end if;
  end loop;
  return low;
end $function$;

comment on function webhook_delivery_at is 'Id of the last delivery to an endpoint that was not created after a time. A binary search: deliveries are inserted under a lock of the endpoint, so that their times never fall along the ids.';

insert into account (id, organisation_id, customer_id, created_at, name, account_number, status, close_reason, balance, hold, tags, version, kind, slot, seq, posted_at) overriding system value values
('-1000008', '1000000', NULL, '2026-09-02 12:18:15.151+00', 'ACH clearing', '1000000003', 'Open', NULL, '-638000', '0', '{}', '10', 'ach_clearing', '0', '9', '2026-11-16 12:18:16.178+00'),
('-1000022', '1000000', NULL, '2026-09-21 12:18:15.295+00', 'Card settlement', '1000000004', 'Open', NULL, '12840', '0', '{}', '3', 'card_settlement', '0', '2', '2026-11-16 12:18:16.038+00'),
('-1000023', '1000000', NULL, '2026-09-21 12:18:15.307+00', 'Rewards funding', '1000000005', 'Open', NULL, '0', '0', '{}', '1', 'rewards_funding', '0', '0', NULL),
('1000003', '1000000', '1000002', '2026-09-02 12:18:15.064+00', 'Ada Example', '1000000001', 'Open', NULL, '473580', '450', '{}', '10', NULL, NULL, '7', '2026-11-04 12:18:15.359+00'),
('1000004', '1000000', '1000002', '2026-09-02 12:18:15.071+00', 'Ada Example', '1000000002', 'Closed', 'ByCustomer', '0', '0', '{}', '2', NULL, NULL, '0', NULL),
('1000046', '1000000', '1000045', '2026-10-15 12:00:00+00', 'Ada Example', '1000000006', 'Open', NULL, '151580', '450', '{}', '7', NULL, NULL, '4', '2026-11-16 12:18:16.178+00'),
('1000047', '1000000', '1000045', '2026-11-16 12:18:15.926+00', 'Ada Example', '1000000007', 'Closed', 'ByCustomer', '0', '0', '{}', '2', NULL, NULL, '0', NULL);

insert into answer (organisation_id, key_hash, fingerprint, status, body, created_at, sealed) overriding system value values
('1000000', E'\\x03262ec6803112dd2a9db95872e87f075fe8ed002943c65e1958dc16a77fd6e4', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":2,"partnerUserId":2,"bankCardId":"1000052","isRemoved":false,"createdAt":"2026-11-16T12:18:15.997Z","updatedAt":null}}', '2026-11-16 12:18:16.01+00', NULL),
('1000000', E'\\x08ac8ec8109323dd8dcd0a35d790bfd430a65b48d18f0ea32189130993c0718f', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":1,"userId":1000002,"isRemoved":false,"createdAt":"2026-09-07T12:18:15.247Z","updatedAt":null}}', '2026-11-16 12:18:15.265+00', NULL),
('1000000', E'\\x09fed61ba1974444e5579ae62d3d541d1195ea82a8786c7d7299ba27d299212e', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000052","accountId":"1000046","createdAt":"2026-11-16T12:18:15.961Z","last4Digits":"7880","expirationDate":"2030-11","status":"Inactive","type":"individualDebitCard","design":"default","shippingAddress":{"street":"1 Sample Street","city":"Springfield","state":"IL","postalCode":"62701","country":"US"}}}', '2026-11-16 12:18:15.973+00', NULL),
('1000000', E'\\x0c665f200f0b92bde678a6c07e5967ea585ba1d97a9a9e465861e63efe73c91b', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000009","accountId":"1000003","createdAt":"2026-09-02T12:18:15.191Z","last4Digits":"3594","expirationDate":"2030-09","status":"Active","type":"individualDebitCard","design":"default","shippingAddress":{"street":"1 Sample Street","city":"Springfield","state":"IL","postalCode":"62701","country":"US"}}}', '2026-11-16 12:18:15.259+00', NULL),
('1000000', E'\\x0ff9d7c99295d95f2a4e5aaa39a350f6892a908fa2abc8ec332551cde38490c2', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000041","status":"AwaitingDocuments","createdAt":"2026-11-16T12:18:15.470Z","name":"Grace Sample","email":"grace@example.com","documents":[{"id":"1000043","documentType":"Passport","status":"Required","description":"Upload the photo page of the passport."}]}}', '2026-11-16 12:18:15.484+00', NULL),
('1000000', E'\\x1310e365c6c47f44ddb237747d1a8461a2e06f0b88ce0c20ae2457b7341ea9bb', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000053","accountId":"1000046","createdAt":"2026-11-16T12:18:15.968Z","last4Digits":"4222","expirationDate":"2030-11","status":"Active","type":"individualVirtualDebitCard"}}', '2026-11-16 12:18:15.98+00', NULL),
('1000000', E'\\x18d9c90cba3c0414023eaa5ece9863648cb2ce104b77a22b03a7661ec8596e56', E'\\x9898bf683aaf6fd973aec762a19a7732825ceb6a8586d4d576db01061ad03d19', '201', '{"data":{"id":"1000072","type":"achPayment","amount":2000,"createdAt":"2026-11-16T12:18:16.178Z","description":"Lunch","direction":"Credit","status":"Sent","originalType":"ACH","counterparty":{"name":"Grace Sample","routingNumber":"021000021","accountNumber":"9876543210","accountType":"Checking"}}}', '2026-11-16 12:18:16.194+00', NULL),
('1000000', E'\\x1beef8bf510438cc9b85ff067f2f502a9fe9b82279a830d9ace8f591beba668a', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"type":"bookTransaction","id":"1000027","createdAt":"2026-10-05T12:18:15.334Z","amount":250000,"direction":"Credit","balance":403580,"summary":"Sample Payroll  |  Salary","counterparty":{"name":"Sample Payroll","routingNumber":"812345678","accountNumber":"1000000003","accountType":"Checking"},"tags":{"originalType":"ACH"}}}', '2026-11-16 12:18:15.401+00', NULL),
('1000000', E'\\x1eb562c1fddf7206d491734913628c191e0a5db77901a869680d820a29aa1198', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000052","accountId":"1000046","createdAt":"2026-11-16T12:18:15.961Z","last4Digits":"7880","expirationDate":"2030-11","status":"Active","type":"individualDebitCard","design":"default","shippingAddress":{"street":"1 Sample Street","city":"Springfield","state":"IL","postalCode":"62701","country":"US"}}}', '2026-11-16 12:18:15.985+00', NULL),
('1000000', E'\\x329bf2e9573c4a43b988bf13cedbd1e46ad9a6aa867aa18e399c657a3eb0876a', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000028","type":"achPayment","amount":90000,"createdAt":"2026-10-05T12:18:15.339Z","description":"Rent","direction":"Credit","status":"Sent","originalType":"ACH","counterparty":{"name":"Grace Sample","routingNumber":"021000021","accountNumber":"9876543210","accountType":"Checking"}}}', '2026-11-16 12:18:15.406+00', NULL),
('1000000', E'\\x33d562ced6df0bbfb3484bc04bc499bdab097f56a8e2083b1e46d6dec2bcfc38', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"now":"2026-09-07T12:18:15.231Z","happened":[],"total":0}}', '2026-11-16 12:18:15.248+00', NULL),
('1000000', E'\\x3916decb5e3e2bae5c8f2f61ba4fb19ab1ce70351367d582d13f2838f303e9eb', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000046","type":"depositAccount","customerId":"1000045","createdAt":"2026-10-15T12:00:00.000Z","name":"Ada Example","depositProduct":"checking","routingNumber":"812345678","accountNumber":"1000000006","currency":"USD","available":0,"balance":0,"hold":0,"status":"Open","tags":{}}}', '2026-11-16 12:18:15.933+00', NULL),
('1000000', E'\\x3a21a1ac21eb634141797774108c4546ca51a043c3aea4b3e5b5367e20adeda7', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000054","type":"achPayment","amount":90000,"createdAt":"2026-11-16T12:18:16.006Z","description":"Rent","direction":"Credit","status":"Sent","originalType":"ACH","counterparty":{"name":"Grace Sample","routingNumber":"021000021","accountNumber":"9876543210","accountType":"Checking"}}}', '2026-11-16 12:18:16.024+00', NULL),
('1000000', E'\\x3ccba868b316a0bf95cc7eeda96701fbf3217ce504aae73c9afa38d0491cf5b2', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000048","createdAt":"2026-11-16T12:18:15.946Z","name":"Grace Sample","routingNumber":"021000021","bank":"JPMorgan Chase","accountNumber":"9876543210","accountType":"Checking","type":"Person","permissions":"CreditOnly","customerId":"1000045"}}', '2026-11-16 12:18:15.958+00', NULL),
('1000000', E'\\x409a38c5f96047a6e451822d9552eb1827feeda5926fc3a723f4da2b8cc27ea4', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"type":"bookTransaction","id":"1000035","createdAt":"2026-11-04T12:18:15.352Z","amount":250000,"direction":"Credit","balance":563580,"summary":"Sample Payroll  |  Salary","counterparty":{"name":"Sample Payroll","routingNumber":"812345678","accountNumber":"1000000003","accountType":"Checking"},"tags":{"originalType":"ACH"}}}', '2026-11-16 12:18:15.448+00', NULL),
('1000000', E'\\x42572333e048c66c2b8a4374508afd4cf5bd61a8a1c1f11457009f9ffe893762', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000047","type":"depositAccount","customerId":"1000045","createdAt":"2026-11-16T12:18:15.926Z","name":"Ada Example","depositProduct":"checking","routingNumber":"812345678","accountNumber":"1000000007","currency":"USD","available":0,"balance":0,"hold":0,"status":"Closed","tags":{}}}', '2026-11-16 12:18:15.944+00', NULL),
('1000000', E'\\x429db2fc3730ea7fd018d075539f46d4cde8ed99710d5211ea2eb69c8c442026', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"type":"bookTransaction","id":"1000060","createdAt":"2026-11-16T12:18:16.038Z","amount":6420,"direction":"Debit","balance":153580,"summary":"Sample Market  |  Card 7880","counterparty":{"name":"Sample Market","routingNumber":"812345678","accountNumber":"1000000004","accountType":"Checking"},"tags":{"originalType":"CARD"}}}', '2026-11-16 12:18:16.055+00', NULL),
('1000000', E'\\x4b80816c55ef4fb6f317723f25a366c334296a3330656b09491ca26d0c32ad9b', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"now":"2026-11-16T12:18:15.461Z","happened":[],"total":0}}', '2026-11-16 12:18:15.472+00', NULL),
('1000000', E'\\x4eb7588f3c6cead256b95ece56f96a14e7f7e24245b1d48702f9aa1a2b9d2656', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000005","createdAt":"2026-09-02T12:18:15.092Z","name":"Grace Sample","routingNumber":"021000021","bank":"JPMorgan Chase","accountNumber":"9876543210","accountType":"Checking","type":"Person","permissions":"CreditOnly","customerId":"1000002"}}', '2026-11-16 12:18:15.094+00', NULL),
('1000000', E'\\x575c9a4936c6b13d1601d7ddc7ad1a12cbc5a85a2b8e50073e9042300017900c', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"type":"accountStatementDTO","id":"1000070","period":"2026-10","accountId":"1000046","customerId":"1000045"}}', '2026-11-16 12:18:16.089+00', NULL),
('1000000', E'\\x5857eaac2e4d954811340ccd66307668ab16b871ded3a21a0856d14ca5727251', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000040","status":"Authorized","amount":450,"description":"Sample Coffee","createdAt":"2026-11-16T12:18:15.463Z","cardLast4Digits":"3594","merchant":{"name":"Sample Coffee","category":"Restaurants","location":"Springfield, IL"}}}', '2026-11-16 12:18:15.477+00', NULL),
('1000000', E'\\x5a77fef8d8f01a93bdc17e89dd42077e81ccb85be2aa6e0076c40a48d5d3d4d0', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000003","type":"depositAccount","customerId":"1000002","createdAt":"2026-09-02T12:18:15.064Z","name":"Ada Example","depositProduct":"checking","routingNumber":"812345678","accountNumber":"1000000001","currency":"USD","available":0,"balance":0,"hold":0,"status":"Open","tags":{}}}', '2026-11-16 12:18:15.067+00', NULL),
('1000000', E'\\x5d7d63ded630cc7e219d8e3c455e03a0d120871de0abb8cd247f4c3882fcb075', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000004","type":"depositAccount","customerId":"1000002","createdAt":"2026-09-02T12:18:15.071Z","name":"Ada Example","depositProduct":"checking","routingNumber":"812345678","accountNumber":"1000000002","currency":"USD","available":0,"balance":0,"hold":0,"status":"Closed","tags":{}}}', '2026-11-16 12:18:15.08+00', NULL),
('1000000', E'\\x5fd19165b39ac89588e21fec7ecf55b29d372a79def9ede5edd88cd0e7644f0e', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '201', '{"data":{"customerId":"1000045","accountId":"1000046","closedAccountId":"1000047","cardId":"1000052","virtualCardId":"1000053","externalAccountId":"1000048","paymentId":"1000054","transactionId":"1000051","authorizationId":"1000066","statementId":"1000070","applicationId":"1000067","documentId":"1000069","partnerUserId":2}}', '2026-11-16 12:18:16.098+00', NULL),
('1000000', E'\\x60132ce2f17404fd6535cb5c459e3650f05d57f26c74216a36551b3ce71a1db1', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000002","type":"individualCustomer","createdAt":"2026-09-02T12:18:15.047Z","name":"Ada Example","email":"ada@example.com","phone":"+12125550123","address":{"street":"1 Sample Street","city":"Springfield","state":"IL","postalCode":"62701","country":"US"},"status":"Active","tags":{}}}', '2026-11-16 12:18:15.053+00', NULL),
('1000000', E'\\x61568f2077697699b63e5dcb64db41f17f01c3cfde4f1fd63a1540444e4b6cc3', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000010","accountId":"1000003","createdAt":"2026-09-02T12:18:15.220Z","last4Digits":"4438","expirationDate":"2030-09","status":"Active","type":"individualVirtualDebitCard"}}', '2026-11-16 12:18:15.222+00', NULL),
('1000000', E'\\x75f5f20fb44106094c2a26dc768583903d0428081a034b014a9a56aaf36dbc94', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":1,"partnerUserId":1,"bankCardId":"1000009","isRemoved":false,"createdAt":"2026-09-07T12:18:15.254Z","updatedAt":null}}', '2026-11-16 12:18:15.272+00', NULL),
('1000000', E'\\x76402e3b6bd23a6f43a83cd5c59f0244e6ce574e99704f2bb668623dcfdd2191', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"type":"bookTransaction","id":"1000016","createdAt":"2026-09-21T12:18:15.309Z","amount":6420,"direction":"Debit","balance":153580,"summary":"Sample Market  |  Card 3594","counterparty":{"name":"Sample Market","routingNumber":"812345678","accountNumber":"1000000004","accountType":"Checking"},"tags":{"originalType":"CARD"}}}', '2026-11-16 12:18:15.351+00', NULL),
('1000000', E'\\x804a12e99fee1967265bc749f4124351e2d281ce5c1a5957cadc1a83de1fe0f9', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000047","type":"depositAccount","customerId":"1000045","createdAt":"2026-11-16T12:18:15.926Z","name":"Ada Example","depositProduct":"checking","routingNumber":"812345678","accountNumber":"1000000007","currency":"USD","available":0,"balance":0,"hold":0,"status":"Open","tags":{}}}', '2026-11-16 12:18:15.937+00', NULL),
('1000000', E'\\x864cb63d3daf604efa805ce5d6f56a53b3d6daaea8186b5c3d149ca3f3da8864', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '201', '', '2026-11-16 12:18:16.135+00', E'\\xf594f974575b0bb1cd4cb2075d4a93850341d6880f107f0ab71803c3853411d8b9202242515dad8d16379821597ea5182013fc07a42e956298305cd7429170c3b87a0f28451c353dd7d64a24538ec265c551e4775de8336220d14177b5c695d9f32c2a8e0366af75730079b66fbbfc5e331af36aa2f4a213ee302573b40adc2a05501ded13da6d70794163a91b032ae3a23d74b48ca3c45dcf270133feb1fd064ce360ba7483397a1889b78e61f9be1a314d752195948556dd8cb75017fe8967f643fe5dc14ae117f7e5af6fcab3e8f558ad0f84775b7888c3a05975a4f0131000d5743f8bc74119c24d8aad9df62ef62fce8dfba3a5fad091a5d23ff92361dc53b06fd20c'),
('1000000', E'\\x8a7f3592a4551958ef0b3c2e81b8f9e56be3bbf2a2bded7af739d88dab962fce', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"type":"accountStatementDTO","id":"1000032","period":"2026-10","accountId":"1000003","customerId":"1000002"}}', '2026-11-16 12:18:15.5+00', NULL),
('1000000', E'\\x8f277d7c868cf426097ceca6e2d4970c9dbe923f69b6a27b95683d8d93b5eb3a', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000009","accountId":"1000003","createdAt":"2026-09-02T12:18:15.191Z","last4Digits":"3594","expirationDate":"2030-09","status":"Inactive","type":"individualDebitCard","design":"default","shippingAddress":{"street":"1 Sample Street","city":"Springfield","state":"IL","postalCode":"62701","country":"US"}}}', '2026-11-16 12:18:15.193+00', NULL),
('1000000', E'\\xa0a7c3a03521466b711b2b915e862bdc9ed1282fd3d7593fef6b62ff28900b87', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":2,"userId":1000045,"isRemoved":false,"createdAt":"2026-11-16T12:18:15.978Z","updatedAt":null}}', '2026-11-16 12:18:15.991+00', NULL),
('1000000', E'\\xa742d2be0378bb9f17cacece494618737857068dfc7af5e7aa783ef3b6a79682', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000011","type":"achPayment","amount":90000,"createdAt":"2026-09-07T12:18:15.259Z","description":"Rent","direction":"Credit","status":"Sent","originalType":"ACH","counterparty":{"name":"Grace Sample","routingNumber":"021000021","accountNumber":"9876543210","accountType":"Checking"}}}', '2026-11-16 12:18:15.28+00', NULL),
('1000000', E'\\xa9f9254414a3aa766aa7690d110548e2977456f7b06a52c3ca89c65b76bdb019', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000004","type":"depositAccount","customerId":"1000002","createdAt":"2026-09-02T12:18:15.071Z","name":"Ada Example","depositProduct":"checking","routingNumber":"812345678","accountNumber":"1000000002","currency":"USD","available":0,"balance":0,"hold":0,"status":"Open","tags":{}}}', '2026-11-16 12:18:15.072+00', NULL),
('1000000', E'\\xb56887d8f56505b17664b354915e4a083daf6789428e7d593ddcb9411555a5e6', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"now":"2026-11-04T12:18:15.349Z","happened":[{"at":"2026-11-01T00:00:00.000Z","type":"statement.created","id":"1000033"},{"at":"2026-11-01T00:00:00.000Z","type":"statement.created","id":"1000032"}],"total":2}}', '2026-11-16 12:18:15.444+00', NULL),
('1000000', E'\\xbc14046a1759d3326f2fc3e672836e400409c3d15212d5d0273609476c84f4ce', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"now":"2026-09-21T12:18:15.271Z","happened":[],"total":0}}', '2026-11-16 12:18:15.297+00', NULL),
('1000000', E'\\xbd57a9672b7fb950f21550c93f0ab80585414d887a10eaf4b9e5f3bd549eddf0', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"type":"bookTransaction","id":"1000007","createdAt":"2026-09-02T12:18:15.163Z","amount":250000,"direction":"Credit","balance":250000,"summary":"Sample Payroll  |  Salary","counterparty":{"name":"Sample Payroll","routingNumber":"812345678","accountNumber":"1000000003","accountType":"Checking"},"tags":{"originalType":"ACH"}}}', '2026-11-16 12:18:15.181+00', NULL),
('1000000', E'\\xbe3cdc9b124b00c90fb6497de503807f167401cf503fa5a001a904cca445298f', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '201', '{"data":{"customerId":"1000002","accountId":"1000003","closedAccountId":"1000004","cardId":"1000009","virtualCardId":"1000010","externalAccountId":"1000005","paymentId":"1000011","transactionId":"1000007","authorizationId":"1000040","statementId":"1000032","applicationId":"1000041","documentId":"1000043","partnerUserId":1}}', '2026-11-16 12:18:15.502+00', NULL),
('1000000', E'\\xcd571565cc9d8da26e601a6526cb6bd40861881ee0130bac680d35ff43f2baf3', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"now":"2026-10-05T12:18:15.332Z","happened":[{"at":"2026-10-01T00:00:00.000Z","type":"statement.created","id":"1000025"},{"at":"2026-10-01T00:00:00.000Z","type":"statement.created","id":"1000024"}],"total":2}}', '2026-11-16 12:18:15.398+00', NULL),
('1000000', E'\\xce76c7782873a8f96277449a5ee7e2949a0dac51fbc9bc4fc48a3b5de0d224e0', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000066","status":"Authorized","amount":450,"description":"Sample Coffee","createdAt":"2026-11-16T12:18:16.048Z","cardLast4Digits":"7880","merchant":{"name":"Sample Coffee","category":"Restaurants","location":"Springfield, IL"}}}', '2026-11-16 12:18:16.061+00', NULL),
('1000000', E'\\xd96092e3a9b399e08edeaa0900f82230c9c791ad5e9c119b2453c0ac6878624c', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000014","status":"Authorized","amount":6420,"description":"Sample Market","createdAt":"2026-09-21T12:18:15.276Z","cardLast4Digits":"3594","merchant":{"name":"Sample Market","category":"Groceries","location":"Springfield, IL"}}}', '2026-11-16 12:18:15.307+00', NULL),
('1000000', E'\\xeb5dd0b9dff2ed221aa1c9d44da16f321984aaeeb9134bbe595ffa6dff3a1c32', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000067","status":"AwaitingDocuments","createdAt":"2026-11-16T12:18:16.058Z","name":"Grace Sample","email":"grace@example.com","documents":[{"id":"1000069","documentType":"Passport","status":"Required","description":"Upload the photo page of the passport."}]}}', '2026-11-16 12:18:16.075+00', NULL),
('1000000', E'\\xf147b989bd9c263d5f14a3505dcd128287f55dfb6d7cb172f0f8bb113fd4e8d4', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000045","type":"individualCustomer","createdAt":"2026-10-15T12:00:00.000Z","name":"Ada Example","email":"ada@example.com","phone":"+12125550123","address":{"street":"1 Sample Street","city":"Springfield","state":"IL","postalCode":"62701","country":"US"},"status":"Active","tags":{}}}', '2026-11-16 12:18:15.926+00', NULL),
('1000000', E'\\xf6533a64d40f920463fdb3313ce2b238fcb2179bfddd177f2db4135f78362dd0', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000036","type":"achPayment","amount":90000,"createdAt":"2026-11-04T12:18:15.359Z","description":"Rent","direction":"Credit","status":"Sent","originalType":"ACH","counterparty":{"name":"Grace Sample","routingNumber":"021000021","accountNumber":"9876543210","accountType":"Checking"}}}', '2026-11-16 12:18:15.456+00', NULL),
('1000000', E'\\xf7e71e305baf720ae733f60cdb7cca56c411a3700246442f849a35b36bf80d91', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"id":"1000058","status":"Authorized","amount":6420,"description":"Sample Market","createdAt":"2026-11-16T12:18:16.019Z","cardLast4Digits":"7880","merchant":{"name":"Sample Market","category":"Groceries","location":"Springfield, IL"}}}', '2026-11-16 12:18:16.033+00', NULL),
('1000000', E'\\xfff4a60a881e6c573d00f12a5f0e4a40627f496cf4542c4ddfed5d950b9923c0', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '200', '{"data":{"type":"bookTransaction","id":"1000051","createdAt":"2026-11-16T12:18:15.951Z","amount":250000,"direction":"Credit","balance":250000,"summary":"Sample Payroll  |  Salary","counterparty":{"name":"Sample Payroll","routingNumber":"812345678","accountNumber":"1000000003","accountType":"Checking"},"tags":{"originalType":"ACH"}}}', '2026-11-16 12:18:15.964+00', NULL);

insert into api_key (id, organisation_id, name, hash, scopes, created_at, expires_at, revoked_at, version, last_used_at, source, deleted) overriding system value values
('1000001', '1000000', 'configured', E'\\x35831a5414704a685557cdc307bf038543ac03dba536bdc0394c30ad0a40c9d1', NULL, '2026-11-16 12:18:10.915+00', NULL, NULL, '1', '2026-11-16 12:18:15.919+00', 'configured', 'false');

insert into application (id, organisation_id, created_at, status, name, date_of_birth, sealed_ssn, email, phone, address, customer_id, version) overriding system value values
('1000041', '1000000', '2026-11-16 12:18:15.47+00', 'AwaitingDocuments', 'Grace Sample', '1990-01-31', E'\\xf594f97446c69313493d3c4de78e5214112a18763f1ac79a7ede5a9898ad7d39222dc0fd28df813682', 'grace@example.com', '+12125550124', '{"street":"1 Sample Street","city":"Springfield","state":"IL","postalCode":"62701","country":"US"}', NULL, '1'),
('1000067', '1000000', '2026-11-16 12:18:16.058+00', 'AwaitingDocuments', 'Grace Sample', '1990-01-31', E'\\xf594f974024cdb987f7fb92692ac85b40cc5d883c6b6a1da0a6538096b9481b75f91ec8b52dd8f6e5c', 'grace@example.com', '+12125550124', '{"street":"1 Sample Street","city":"Springfield","state":"IL","postalCode":"62701","country":"US"}', NULL, '1');

insert into card (id, organisation_id, account_id, customer_id, created_at, last4, expires, status, type, design, shipping_address, replaces_card_id, activated_at, tags, version) overriding system value values
('1000009', '1000000', '1000003', '1000002', '2026-09-02 12:18:15.191+00', '3594', '2030-09', 'Active', 'individualDebitCard', 'default', '{"street":"1 Sample Street","city":"Springfield","state":"IL","postalCode":"62701","country":"US"}', NULL, '2026-09-07 12:18:15.242+00', '{}', '2'),
('1000010', '1000000', '1000003', '1000002', '2026-09-02 12:18:15.22+00', '4438', '2030-09', 'Active', 'individualVirtualDebitCard', NULL, NULL, NULL, '2026-09-02 12:18:15.22+00', '{}', '1'),
('1000052', '1000000', '1000046', '1000045', '2026-11-16 12:18:15.961+00', '7880', '2030-11', 'Active', 'individualDebitCard', 'default', '{"street":"1 Sample Street","city":"Springfield","state":"IL","postalCode":"62701","country":"US"}', NULL, '2026-11-16 12:18:15.974+00', '{}', '2'),
('1000053', '1000000', '1000046', '1000045', '2026-11-16 12:18:15.968+00', '4222', '2030-11', 'Active', 'individualVirtualDebitCard', NULL, NULL, NULL, '2026-11-16 12:18:15.968+00', '{}', '1');

insert into card_authorization (id, organisation_id, account_id, customer_id, card_id, card_last4, status, amount, settled, refunded, merchant_name, merchant_category, merchant_location, decline_reason, created_at, expires_at, version) overriding system value values
('1000014', '1000000', '1000003', '1000002', '1000009', '3594', 'Completed', '6420', '6420', '0', 'Sample Market', 'Groceries', 'Springfield, IL', NULL, '2026-09-21 12:18:15.276+00', '2026-09-28 12:18:15.276+00', '2'),
('1000040', '1000000', '1000003', '1000002', '1000009', '3594', 'Authorized', '450', '0', '0', 'Sample Coffee', 'Restaurants', 'Springfield, IL', NULL, '2026-11-16 12:18:15.463+00', '2026-11-23 12:18:15.463+00', '1'),
('1000058', '1000000', '1000046', '1000045', '1000052', '7880', 'Completed', '6420', '6420', '0', 'Sample Market', 'Groceries', 'Springfield, IL', NULL, '2026-11-16 12:18:16.019+00', '2026-11-23 12:18:16.019+00', '2'),
('1000066', '1000000', '1000046', '1000045', '1000052', '7880', 'Authorized', '450', '0', '0', 'Sample Coffee', 'Restaurants', 'Springfield, IL', NULL, '2026-11-16 12:18:16.048+00', '2026-11-23 12:18:16.048+00', '1');

insert into customer (id, organisation_id, created_at, name, email, phone, address, status, tags, version) overriding system value values
('1000002', '1000000', '2026-09-02 12:18:15.047+00', 'Ada Example', 'ada@example.com', '+12125550123', '{"street":"1 Sample Street","city":"Springfield","state":"IL","postalCode":"62701","country":"US"}', 'Active', '{}', '1'),
('1000045', '1000000', '2026-10-15 12:00:00+00', 'Ada Example', 'ada@example.com', '+12125550123', '{"street":"1 Sample Street","city":"Springfield","state":"IL","postalCode":"62701","country":"US"}', 'Active', '{}', '1');

insert into document (id, organisation_id, application_id, document_type, status, reason, version) overriding system value values
('1000043', '1000000', '1000041', 'Passport', 'Required', NULL, '1'),
('1000069', '1000000', '1000067', 'Passport', 'Required', NULL, '1');

insert into encryption_marker (id, sealed) overriding system value values
('1', E'\\xf594f97456e5a881675053220eaa07e1f7db80ed6bec3f465622cff9d44bbfa11c3ddaa67637');

insert into event_counter (organisation_id, sequence) overriding system value values
('1000000', '52');

insert into event_page (organisation_id, last, count, created_at, events) overriding system value values
('1000000', '1', '1', '2026-09-02 12:18:15.058+00', 'customer.created10000021{"id":"1000002","type":"individualCustomer","createdAt":"2026-09-02T12:18:15.047Z","name":"Ada Example","email":"ada@example.com","phone":"+12125550123","address":{"street":"1 Sample Street","city":"Springfield","state":"IL","postalCode":"62701","country":"US"},"status":"Active","tags":{}}demo'),
('1000000', '10', '1', '2026-09-07 12:18:15.249+00', 'partnerUser.created11{"id":1,"userId":1000002,"isRemoved":false,"createdAt":"2026-09-07T12:18:15.247Z","updatedAt":null}demo'),
('1000000', '11', '1', '2026-09-07 12:18:15.256+00', 'partnerUserCard.created11{"id":1,"partnerUserId":1,"bankCardId":"1000009","isRemoved":false,"createdAt":"2026-09-07T12:18:15.254Z","updatedAt":null}demo'),
('1000000', '13', '2', '2026-09-07 12:18:15.265+00', 'payment.created10000111{"id":"1000011","type":"achPayment","amount":90000,"createdAt":"2026-09-07T12:18:15.259Z","description":"Rent","direction":"Credit","status":"Sent","originalType":"ACH","counterparty":{"name":"Grace Sample","routingNumber":"021000021","accountNumber":"9876543210","accountType":"Checking"}}demotransaction.created10000121{"type":"bookTransaction","id":"1000012","attributes":{"createdAt":"2026-09-07T12:18:15.259Z","amount":90000,"direction":"Debit","balance":160000,"summary":"Grace Sample  |  Rent","counterparty":{"name":"Grace Sample","routingNumber":"021000021","accountNumber":"9876543210","accountType":"Checking"},"tags":{"originalType":"ACH","paymentId":"1000011"}},"relationships":{"account":{"data":{"type":"account","id":"1000003"}},"customer":{"data":{"type":"customer","id":"1000002"}},"customers":{"data":[{"type":"customer","id":"1000002"}]},"payment":{"data":{"type":"payment","id":"1000011"}},"counterpartyAccount":{"data":{"type":"counterparty","id":"1000005"}},"org":{"data":{"type":"org","id":"1000000"}}}}demo'),
('1000000', '14', '1', '2026-09-21 12:18:15.282+00', 'authorization.created10000141{"id":"1000014","status":"Authorized","amount":6420,"description":"Sample Market","createdAt":"2026-09-21T12:18:15.276Z","cardLast4Digits":"3594","merchant":{"name":"Sample Market","category":"Groceries","location":"Springfield, IL"}}demo'),
('1000000', '17', '3', '2026-09-21 12:18:15.326+00', 'authorization.completed10000142{"id":"1000014","status":"Completed","amount":6420,"description":"Sample Market","createdAt":"2026-09-21T12:18:15.276Z","cardLast4Digits":"3594","merchant":{"name":"Sample Market","category":"Groceries","location":"Springfield, IL"}}demotransaction.created10000161{"type":"bookTransaction","id":"1000016","attributes":{"createdAt":"2026-09-21T12:18:15.309Z","amount":6420,"direction":"Debit","balance":153580,"summary":"Sample Market  |  Card 3594","counterparty":{"name":"Sample Market","routingNumber":"812345678","accountNumber":"1000000004","accountType":"Checking"},"tags":{"originalType":"CARD"}},"relationships":{"account":{"data":{"type":"account","id":"1000003"}},"customer":{"data":{"type":"customer","id":"1000002"}},"customers":{"data":[{"type":"customer","id":"1000002"}]},"org":{"data":{"type":"org","id":"1000000"}}}}demorewardableTransaction.created11{"id":1,"partnerUserCardId":1,"bankTransactionId":"1000016","createdAt":"2026-09-21T12:18:15.309Z","updatedAt":null}demo'),
('1000000', '19', '2', '2026-10-01 00:00:00.024+00', 'statement.created10000251{"type":"accountStatementDTO","id":"1000025","period":"2026-09","accountId":"1000004","customerId":"1000002"}statement.created10000241{"type":"accountStatementDTO","id":"1000024","period":"2026-09","accountId":"1000003","customerId":"1000002"}'),
('1000000', '2', '1', '2026-09-02 12:18:15.068+00', 'account.created10000031{"id":"1000003","type":"depositAccount","customerId":"1000002","createdAt":"2026-09-02T12:18:15.064Z","name":"Ada Example","depositProduct":"checking","routingNumber":"812345678","accountNumber":"1000000001","currency":"USD","available":0,"balance":0,"hold":0,"status":"Open","tags":{}}demo'),
('1000000', '20', '1', '2026-10-05 12:18:15.336+00', 'transaction.created10000271{"type":"bookTransaction","id":"1000027","attributes":{"createdAt":"2026-10-05T12:18:15.334Z","amount":250000,"direction":"Credit","balance":403580,"summary":"Sample Payroll  |  Salary","counterparty":{"name":"Sample Payroll","routingNumber":"812345678","accountNumber":"1000000003","accountType":"Checking"},"tags":{"originalType":"ACH"}},"relationships":{"account":{"data":{"type":"account","id":"1000003"}},"customer":{"data":{"type":"customer","id":"1000002"}},"customers":{"data":[{"type":"customer","id":"1000002"}]},"org":{"data":{"type":"org","id":"1000000"}}}}demo'),
('1000000', '22', '2', '2026-10-05 12:18:15.342+00', 'payment.created10000281{"id":"1000028","type":"achPayment","amount":90000,"createdAt":"2026-10-05T12:18:15.339Z","description":"Rent","direction":"Credit","status":"Sent","originalType":"ACH","counterparty":{"name":"Grace Sample","routingNumber":"021000021","accountNumber":"9876543210","accountType":"Checking"}}demotransaction.created10000301{"type":"bookTransaction","id":"1000030","attributes":{"createdAt":"2026-10-05T12:18:15.339Z","amount":90000,"direction":"Debit","balance":313580,"summary":"Grace Sample  |  Rent","counterparty":{"name":"Grace Sample","routingNumber":"021000021","accountNumber":"9876543210","accountType":"Checking"},"tags":{"originalType":"ACH","paymentId":"1000028"}},"relationships":{"account":{"data":{"type":"account","id":"1000003"}},"customer":{"data":{"type":"customer","id":"1000002"}},"customers":{"data":[{"type":"customer","id":"1000002"}]},"payment":{"data":{"type":"payment","id":"1000028"}},"counterpartyAccount":{"data":{"type":"counterparty","id":"1000005"}},"org":{"data":{"type":"org","id":"1000000"}}}}demo'),
('1000000', '24', '2', '2026-11-01 00:00:00.007+00', 'statement.created10000331{"type":"accountStatementDTO","id":"1000033","period":"2026-10","accountId":"1000004","customerId":"1000002"}statement.created10000321{"type":"accountStatementDTO","id":"1000032","period":"2026-10","accountId":"1000003","customerId":"1000002"}'),
('1000000', '25', '1', '2026-11-04 12:18:15.354+00', 'transaction.created10000351{"type":"bookTransaction","id":"1000035","attributes":{"createdAt":"2026-11-04T12:18:15.352Z","amount":250000,"direction":"Credit","balance":563580,"summary":"Sample Payroll  |  Salary","counterparty":{"name":"Sample Payroll","routingNumber":"812345678","accountNumber":"1000000003","accountType":"Checking"},"tags":{"originalType":"ACH"}},"relationships":{"account":{"data":{"type":"account","id":"1000003"}},"customer":{"data":{"type":"customer","id":"1000002"}},"customers":{"data":[{"type":"customer","id":"1000002"}]},"org":{"data":{"type":"org","id":"1000000"}}}}demo'),
('1000000', '27', '2', '2026-11-04 12:18:15.363+00', 'payment.created10000361{"id":"1000036","type":"achPayment","amount":90000,"createdAt":"2026-11-04T12:18:15.359Z","description":"Rent","direction":"Credit","status":"Sent","originalType":"ACH","counterparty":{"name":"Grace Sample","routingNumber":"021000021","accountNumber":"9876543210","accountType":"Checking"}}demotransaction.created10000381{"type":"bookTransaction","id":"1000038","attributes":{"createdAt":"2026-11-04T12:18:15.359Z","amount":90000,"direction":"Debit","balance":473580,"summary":"Grace Sample  |  Rent","counterparty":{"name":"Grace Sample","routingNumber":"021000021","accountNumber":"9876543210","accountType":"Checking"},"tags":{"originalType":"ACH","paymentId":"1000036"}},"relationships":{"account":{"data":{"type":"account","id":"1000003"}},"customer":{"data":{"type":"customer","id":"1000002"}},"customers":{"data":[{"type":"customer","id":"1000002"}]},"payment":{"data":{"type":"payment","id":"1000036"}},"counterpartyAccount":{"data":{"type":"counterparty","id":"1000005"}},"org":{"data":{"type":"org","id":"1000000"}}}}demo'),
('1000000', '28', '1', '2026-11-16 12:18:15.466+00', 'authorization.created10000401{"id":"1000040","status":"Authorized","amount":450,"description":"Sample Coffee","createdAt":"2026-11-16T12:18:15.463Z","cardLast4Digits":"3594","merchant":{"name":"Sample Coffee","category":"Restaurants","location":"Springfield, IL"}}demo'),
('1000000', '29', '1', '2026-11-16 12:18:15.475+00', 'application.created10000411{"id":"1000041","status":"AwaitingDocuments","createdAt":"2026-11-16T12:18:15.470Z","name":"Grace Sample","email":"grace@example.com","documents":[{"id":"1000043","documentType":"Passport","status":"Required","description":"Upload the photo page of the passport."}]}demo'),
('1000000', '3', '1', '2026-09-02 12:18:15.072+00', 'account.created10000041{"id":"1000004","type":"depositAccount","customerId":"1000002","createdAt":"2026-09-02T12:18:15.071Z","name":"Ada Example","depositProduct":"checking","routingNumber":"812345678","accountNumber":"1000000002","currency":"USD","available":0,"balance":0,"hold":0,"status":"Open","tags":{}}demo'),
('1000000', '30', '1', '2026-11-16 12:18:15.916+00', 'customer.created10000451{"id":"1000045","type":"individualCustomer","createdAt":"2026-10-15T12:00:00.000Z","name":"Ada Example","email":"ada@example.com","phone":"+12125550123","address":{"street":"1 Sample Street","city":"Springfield","state":"IL","postalCode":"62701","country":"US"},"status":"Active","tags":{}}1000001ac81e640-9f4f-4e79-b3e7-4e1a1d07c2d3'),
('1000000', '31', '1', '2026-11-16 12:18:15.924+00', 'account.created10000461{"id":"1000046","type":"depositAccount","customerId":"1000045","createdAt":"2026-10-15T12:00:00.000Z","name":"Ada Example","depositProduct":"checking","routingNumber":"812345678","accountNumber":"1000000006","currency":"USD","available":0,"balance":0,"hold":0,"status":"Open","tags":{}}1000001ac81e640-9f4f-4e79-b3e7-4e1a1d07c2d3'),
('1000000', '32', '1', '2026-11-16 12:18:15.927+00', 'account.created10000471{"id":"1000047","type":"depositAccount","customerId":"1000045","createdAt":"2026-11-16T12:18:15.926Z","name":"Ada Example","depositProduct":"checking","routingNumber":"812345678","accountNumber":"1000000007","currency":"USD","available":0,"balance":0,"hold":0,"status":"Open","tags":{}}1000001ac81e640-9f4f-4e79-b3e7-4e1a1d07c2d3'),
('1000000', '33', '1', '2026-11-16 12:18:15.935+00', 'account.closed10000472{"id":"1000047","type":"depositAccount","customerId":"1000045","createdAt":"2026-11-16T12:18:15.926Z","name":"Ada Example","depositProduct":"checking","routingNumber":"812345678","accountNumber":"1000000007","currency":"USD","available":0,"balance":0,"hold":0,"status":"Closed","tags":{}}1000001ac81e640-9f4f-4e79-b3e7-4e1a1d07c2d3'),
('1000000', '34', '1', '2026-11-16 12:18:15.948+00', 'externalAccount.created10000481{"id":"1000048","createdAt":"2026-11-16T12:18:15.946Z","name":"Grace Sample","routingNumber":"021000021","bank":"JPMorgan Chase","accountNumber":"9876543210","accountType":"Checking","type":"Person","permissions":"CreditOnly","customerId":"1000045"}1000001ac81e640-9f4f-4e79-b3e7-4e1a1d07c2d3'),
('1000000', '35', '1', '2026-11-16 12:18:15.954+00', 'transaction.created10000511{"type":"bookTransaction","id":"1000051","attributes":{"createdAt":"2026-11-16T12:18:15.951Z","amount":250000,"direction":"Credit","balance":250000,"summary":"Sample Payroll  |  Salary","counterparty":{"name":"Sample Payroll","routingNumber":"812345678","accountNumber":"1000000003","accountType":"Checking"},"tags":{"originalType":"ACH"}},"relationships":{"account":{"data":{"type":"account","id":"1000046"}},"customer":{"data":{"type":"customer","id":"1000045"}},"customers":{"data":[{"type":"customer","id":"1000045"}]},"org":{"data":{"type":"org","id":"1000000"}}}}1000001ac81e640-9f4f-4e79-b3e7-4e1a1d07c2d3'),
('1000000', '36', '1', '2026-11-16 12:18:15.963+00', 'card.created10000521{"id":"1000052","accountId":"1000046","createdAt":"2026-11-16T12:18:15.961Z","last4Digits":"7880","expirationDate":"2030-11","status":"Inactive","type":"individualDebitCard","design":"default","shippingAddress":{"street":"1 Sample Street","city":"Springfield","state":"IL","postalCode":"62701","country":"US"}}1000001ac81e640-9f4f-4e79-b3e7-4e1a1d07c2d3'),
('1000000', '37', '1', '2026-11-16 12:18:15.969+00', 'card.created10000531{"id":"1000053","accountId":"1000046","createdAt":"2026-11-16T12:18:15.968Z","last4Digits":"4222","expirationDate":"2030-11","status":"Active","type":"individualVirtualDebitCard"}1000001ac81e640-9f4f-4e79-b3e7-4e1a1d07c2d3'),
('1000000', '38', '1', '2026-11-16 12:18:15.974+00', 'card.activated10000522{"id":"1000052","accountId":"1000046","createdAt":"2026-11-16T12:18:15.961Z","last4Digits":"7880","expirationDate":"2030-11","status":"Active","type":"individualDebitCard","design":"default","shippingAddress":{"street":"1 Sample Street","city":"Springfield","state":"IL","postalCode":"62701","country":"US"}}1000001ac81e640-9f4f-4e79-b3e7-4e1a1d07c2d3'),
('1000000', '39', '1', '2026-11-16 12:18:15.981+00', 'partnerUser.created21{"id":2,"userId":1000045,"isRemoved":false,"createdAt":"2026-11-16T12:18:15.978Z","updatedAt":null}1000001ac81e640-9f4f-4e79-b3e7-4e1a1d07c2d3'),
('1000000', '4', '1', '2026-09-02 12:18:15.081+00', 'account.closed10000042{"id":"1000004","type":"depositAccount","customerId":"1000002","createdAt":"2026-09-02T12:18:15.071Z","name":"Ada Example","depositProduct":"checking","routingNumber":"812345678","accountNumber":"1000000002","currency":"USD","available":0,"balance":0,"hold":0,"status":"Closed","tags":{}}demo'),
('1000000', '40', '1', '2026-11-16 12:18:16+00', 'partnerUserCard.created21{"id":2,"partnerUserId":2,"bankCardId":"1000052","isRemoved":false,"createdAt":"2026-11-16T12:18:15.997Z","updatedAt":null}1000001ac81e640-9f4f-4e79-b3e7-4e1a1d07c2d3'),
('1000000', '42', '2', '2026-11-16 12:18:16.014+00', 'payment.created10000541{"id":"1000054","type":"achPayment","amount":90000,"createdAt":"2026-11-16T12:18:16.006Z","description":"Rent","direction":"Credit","status":"Sent","originalType":"ACH","counterparty":{"name":"Grace Sample","routingNumber":"021000021","accountNumber":"9876543210","accountType":"Checking"}}1000001ac81e640-9f4f-4e79-b3e7-4e1a1d07c2d3transaction.created10000561{"type":"bookTransaction","id":"1000056","attributes":{"createdAt":"2026-11-16T12:18:16.006Z","amount":90000,"direction":"Debit","balance":160000,"summary":"Grace Sample  |  Rent","counterparty":{"name":"Grace Sample","routingNumber":"021000021","accountNumber":"9876543210","accountType":"Checking"},"tags":{"originalType":"ACH","paymentId":"1000054"}},"relationships":{"account":{"data":{"type":"account","id":"1000046"}},"customer":{"data":{"type":"customer","id":"1000045"}},"customers":{"data":[{"type":"customer","id":"1000045"}]},"payment":{"data":{"type":"payment","id":"1000054"}},"counterpartyAccount":{"data":{"type":"counterparty","id":"1000048"}},"org":{"data":{"type":"org","id":"1000000"}}}}1000001ac81e640-9f4f-4e79-b3e7-4e1a1d07c2d3'),
('1000000', '43', '1', '2026-11-16 12:18:16.024+00', 'authorization.created10000581{"id":"1000058","status":"Authorized","amount":6420,"description":"Sample Market","createdAt":"2026-11-16T12:18:16.019Z","cardLast4Digits":"7880","merchant":{"name":"Sample Market","category":"Groceries","location":"Springfield, IL"}}1000001ac81e640-9f4f-4e79-b3e7-4e1a1d07c2d3'),
('1000000', '46', '3', '2026-11-16 12:18:16.045+00', 'authorization.completed10000582{"id":"1000058","status":"Completed","amount":6420,"description":"Sample Market","createdAt":"2026-11-16T12:18:16.019Z","cardLast4Digits":"7880","merchant":{"name":"Sample Market","category":"Groceries","location":"Springfield, IL"}}1000001ac81e640-9f4f-4e79-b3e7-4e1a1d07c2d3transaction.created10000601{"type":"bookTransaction","id":"1000060","attributes":{"createdAt":"2026-11-16T12:18:16.038Z","amount":6420,"direction":"Debit","balance":153580,"summary":"Sample Market  |  Card 7880","counterparty":{"name":"Sample Market","routingNumber":"812345678","accountNumber":"1000000004","accountType":"Checking"},"tags":{"originalType":"CARD"}},"relationships":{"account":{"data":{"type":"account","id":"1000046"}},"customer":{"data":{"type":"customer","id":"1000045"}},"customers":{"data":[{"type":"customer","id":"1000045"}]},"org":{"data":{"type":"org","id":"1000000"}}}}1000001ac81e640-9f4f-4e79-b3e7-4e1a1d07c2d3rewardableTransaction.created21{"id":2,"partnerUserCardId":2,"bankTransactionId":"1000060","createdAt":"2026-11-16T12:18:16.038Z","updatedAt":null}1000001ac81e640-9f4f-4e79-b3e7-4e1a1d07c2d3'),
('1000000', '47', '1', '2026-11-16 12:18:16.053+00', 'authorization.created10000661{"id":"1000066","status":"Authorized","amount":450,"description":"Sample Coffee","createdAt":"2026-11-16T12:18:16.048Z","cardLast4Digits":"7880","merchant":{"name":"Sample Coffee","category":"Restaurants","location":"Springfield, IL"}}1000001ac81e640-9f4f-4e79-b3e7-4e1a1d07c2d3'),
('1000000', '48', '1', '2026-11-16 12:18:16.065+00', 'application.created10000671{"id":"1000067","status":"AwaitingDocuments","createdAt":"2026-11-16T12:18:16.058Z","name":"Grace Sample","email":"grace@example.com","documents":[{"id":"1000069","documentType":"Passport","status":"Required","description":"Upload the photo page of the passport."}]}1000001ac81e640-9f4f-4e79-b3e7-4e1a1d07c2d3'),
('1000000', '49', '1', '2026-11-16 12:18:16.08+00', 'statement.created10000701{"type":"accountStatementDTO","id":"1000070","period":"2026-10","accountId":"1000046","customerId":"1000045"}1000001ac81e640-9f4f-4e79-b3e7-4e1a1d07c2d3'),
('1000000', '5', '1', '2026-09-02 12:18:15.099+00', 'externalAccount.created10000051{"id":"1000005","createdAt":"2026-09-02T12:18:15.092Z","name":"Grace Sample","routingNumber":"021000021","bank":"JPMorgan Chase","accountNumber":"9876543210","accountType":"Checking","type":"Person","permissions":"CreditOnly","customerId":"1000002"}demo'),
('1000000', '50', '1', '2026-11-16 12:18:16.128+00', 'webhookEndpoint.created10000711{"id":"1000071","url":"http://127.0.0.1:9/","events":["*"],"description":null,"status":"Enabled","disabledReason":null,"createdAt":"2026-11-16T12:18:16.122Z"}1000001fde34971-bf11-4dc2-8c82-5f869733bbc7'),
('1000000', '52', '2', '2026-11-16 12:18:16.185+00', 'payment.created10000721{"id":"1000072","type":"achPayment","amount":2000,"createdAt":"2026-11-16T12:18:16.178Z","description":"Lunch","direction":"Credit","status":"Sent","originalType":"ACH","counterparty":{"name":"Grace Sample","routingNumber":"021000021","accountNumber":"9876543210","accountType":"Checking"}}1000001859cede2-fc44-41a4-bcc6-0a569d48d388baseline-paymenttransaction.created10000741{"type":"bookTransaction","id":"1000074","attributes":{"createdAt":"2026-11-16T12:18:16.178Z","amount":2000,"direction":"Debit","balance":151580,"summary":"Grace Sample  |  Lunch","counterparty":{"name":"Grace Sample","routingNumber":"021000021","accountNumber":"9876543210","accountType":"Checking"},"tags":{"originalType":"ACH","paymentId":"1000072"}},"relationships":{"account":{"data":{"type":"account","id":"1000046"}},"customer":{"data":{"type":"customer","id":"1000045"}},"customers":{"data":[{"type":"customer","id":"1000045"}]},"payment":{"data":{"type":"payment","id":"1000072"}},"counterpartyAccount":{"data":{"type":"counterparty","id":"1000048"}},"org":{"data":{"type":"org","id":"1000000"}}}}1000001859cede2-fc44-41a4-bcc6-0a569d48d388baseline-payment'),
('1000000', '6', '1', '2026-09-02 12:18:15.182+00', 'transaction.created10000071{"type":"bookTransaction","id":"1000007","attributes":{"createdAt":"2026-09-02T12:18:15.163Z","amount":250000,"direction":"Credit","balance":250000,"summary":"Sample Payroll  |  Salary","counterparty":{"name":"Sample Payroll","routingNumber":"812345678","accountNumber":"1000000003","accountType":"Checking"},"tags":{"originalType":"ACH"}},"relationships":{"account":{"data":{"type":"account","id":"1000003"}},"customer":{"data":{"type":"customer","id":"1000002"}},"customers":{"data":[{"type":"customer","id":"1000002"}]},"org":{"data":{"type":"org","id":"1000000"}}}}demo'),
('1000000', '7', '1', '2026-09-02 12:18:15.193+00', 'card.created10000091{"id":"1000009","accountId":"1000003","createdAt":"2026-09-02T12:18:15.191Z","last4Digits":"3594","expirationDate":"2030-09","status":"Inactive","type":"individualDebitCard","design":"default","shippingAddress":{"street":"1 Sample Street","city":"Springfield","state":"IL","postalCode":"62701","country":"US"}}demo'),
('1000000', '8', '1', '2026-09-02 12:18:15.222+00', 'card.created10000101{"id":"1000010","accountId":"1000003","createdAt":"2026-09-02T12:18:15.220Z","last4Digits":"4438","expirationDate":"2030-09","status":"Active","type":"individualVirtualDebitCard"}demo'),
('1000000', '9', '1', '2026-09-07 12:18:15.243+00', 'card.activated10000092{"id":"1000009","accountId":"1000003","createdAt":"2026-09-02T12:18:15.191Z","last4Digits":"3594","expirationDate":"2030-09","status":"Active","type":"individualDebitCard","design":"default","shippingAddress":{"street":"1 Sample Street","city":"Springfield","state":"IL","postalCode":"62701","country":"US"}}demo');

insert into external_account (id, organisation_id, customer_id, created_at, name, routing_number, account_number, account_type, type, bank, deleted_at, version) overriding system value values
('1000005', '1000000', '1000002', '2026-09-02 12:18:15.092+00', 'Grace Sample', '021000021', '9876543210', 'Checking', 'Person', 'JPMorgan Chase', NULL, '1'),
('1000048', '1000000', '1000045', '2026-11-16 12:18:15.946+00', 'Grace Sample', '021000021', '9876543210', 'Checking', 'Person', 'JPMorgan Chase', NULL, '1');

insert into organisation (id, name, clock_offset, created_at, version, statements_from, advancing_to, advancing_key) overriding system value values
('1000000', 'default', '-4 days +95:59:59.99', '2026-09-02 12:18:10.904+00', '10', '2026-11-01', '2026-11-16 12:18:15.459+00', E'\\x4b80816c55ef4fb6f317723f25a366c334296a3330656b09491ca26d0c32ad9b0000000000000000000000000000000000000000000000000000000000000000');

insert into partner_user (id, organisation_id, user_id, is_removed, created_at, updated_at, version) overriding system value values
('1', '1000000', '1000002', 'false', '2026-09-07 12:18:15.247+00', NULL, '1'),
('2', '1000000', '1000045', 'false', '2026-11-16 12:18:15.978+00', NULL, '1');

insert into partner_user_card (id, organisation_id, partner_user_id, bank_card_id, is_removed, created_at, updated_at, version) overriding system value values
('1', '1000000', '1', '1000009', 'false', '2026-09-07 12:18:15.254+00', NULL, '1'),
('2', '1000000', '2', '1000052', 'false', '2026-11-16 12:18:15.997+00', NULL, '1');

insert into payment (id, organisation_id, account_id, customer_id, type, direction, status, amount, description, addenda, original_type, created_at, external_account_id, counterparty_name, counterparty_routing_number, counterparty_account_number, counterparty_account_type, destination_account_id, tags, return_code, version) overriding system value values
('1000011', '1000000', '1000003', '1000002', 'achPayment', 'Credit', 'Sent', '90000', 'Rent', NULL, 'ACH', '2026-09-07 12:18:15.259+00', '1000005', 'Grace Sample', '021000021', '9876543210', 'Checking', NULL, NULL, NULL, '1'),
('1000028', '1000000', '1000003', '1000002', 'achPayment', 'Credit', 'Sent', '90000', 'Rent', NULL, 'ACH', '2026-10-05 12:18:15.339+00', '1000005', 'Grace Sample', '021000021', '9876543210', 'Checking', NULL, NULL, NULL, '1'),
('1000036', '1000000', '1000003', '1000002', 'achPayment', 'Credit', 'Sent', '90000', 'Rent', NULL, 'ACH', '2026-11-04 12:18:15.359+00', '1000005', 'Grace Sample', '021000021', '9876543210', 'Checking', NULL, NULL, NULL, '1'),
('1000054', '1000000', '1000046', '1000045', 'achPayment', 'Credit', 'Sent', '90000', 'Rent', NULL, 'ACH', '2026-11-16 12:18:16.006+00', '1000048', 'Grace Sample', '021000021', '9876543210', 'Checking', NULL, NULL, NULL, '1'),
('1000072', '1000000', '1000046', '1000045', 'achPayment', 'Credit', 'Sent', '2000', 'Lunch', NULL, 'ACH', '2026-11-16 12:18:16.178+00', '1000048', 'Grace Sample', '021000021', '9876543210', 'Checking', NULL, NULL, NULL, '1');

insert into rewardable_transaction (id, organisation_id, partner_user_card_id, bank_transaction_id, authorization_id, created_at, updated_at, version, amount, refunded, bank_account_id) overriding system value values
('1', '1000000', '1', '1000016', '1000014', '2026-09-21 12:18:15.309+00', NULL, '1', '6420', '0', NULL),
('2', '1000000', '2', '1000060', '1000058', '2026-11-16 12:18:16.038+00', NULL, '1', '6420', '0', NULL);

insert into statement (id, organisation_id, account_id, customer_id, period, opening_balance, closing_balance, first_seq, last_seq, created_at, version) overriding system value values
('1000024', '1000000', '1000003', '1000002', '2026-09', '0', '153580', '1', '3', '2026-10-01 00:00:00.018+00', '1'),
('1000025', '1000000', '1000004', '1000002', '2026-09', '0', '0', '1', '0', '2026-10-01 00:00:00.018+00', '1'),
('1000032', '1000000', '1000003', '1000002', '2026-10', '153580', '313580', '4', '5', '2026-11-01 00:00:00.005+00', '1'),
('1000033', '1000000', '1000004', '1000002', '2026-10', '0', '0', '1', '0', '2026-11-01 00:00:00.005+00', '1'),
('1000070', '1000000', '1000046', '1000045', '2026-10', '0', '0', '1', '0', '2026-11-16 12:18:16.076+00', '1');

insert into transfer (id, organisation_id, debit_account_id, debit_seq, debit_balance, credit_account_id, credit_seq, credit_balance, amount, source_kind, source_id, party, description, created_at) overriding system value values
('1000006', '1000000', '-1000008', '1', '-250000', '1000003', '1', '250000', '250000', 'received_ach', NULL, 'Sample Payroll', 'Salary', '2026-09-02 12:18:15.163+00'),
('1000012', '1000000', '1000003', '2', '160000', '-1000008', '2', '-160000', '90000', 'payment', '1000011', NULL, NULL, '2026-09-07 12:18:15.259+00'),
('1000016', '1000000', '1000003', '3', '153580', '-1000022', '1', '6420', '6420', 'card_settlement', '1000014', 'Sample Market', 'Card 3594', '2026-09-21 12:18:15.309+00'),
('1000026', '1000000', '-1000008', '3', '-410000', '1000003', '4', '403580', '250000', 'received_ach', NULL, 'Sample Payroll', 'Salary', '2026-10-05 12:18:15.334+00'),
('1000030', '1000000', '1000003', '5', '313580', '-1000008', '4', '-320000', '90000', 'payment', '1000028', NULL, NULL, '2026-10-05 12:18:15.339+00'),
('1000034', '1000000', '-1000008', '5', '-570000', '1000003', '6', '563580', '250000', 'received_ach', NULL, 'Sample Payroll', 'Salary', '2026-11-04 12:18:15.352+00'),
('1000038', '1000000', '1000003', '7', '473580', '-1000008', '6', '-480000', '90000', 'payment', '1000036', NULL, NULL, '2026-11-04 12:18:15.359+00'),
('1000050', '1000000', '-1000008', '7', '-730000', '1000046', '1', '250000', '250000', 'received_ach', NULL, 'Sample Payroll', 'Salary', '2026-11-16 12:18:15.951+00'),
('1000056', '1000000', '1000046', '2', '160000', '-1000008', '8', '-640000', '90000', 'payment', '1000054', NULL, NULL, '2026-11-16 12:18:16.006+00'),
('1000060', '1000000', '1000046', '3', '153580', '-1000022', '2', '12840', '6420', 'card_settlement', '1000058', 'Sample Market', 'Card 7880', '2026-11-16 12:18:16.038+00'),
('1000074', '1000000', '1000046', '4', '151580', '-1000008', '9', '-638000', '2000', 'payment', '1000072', NULL, NULL, '2026-11-16 12:18:16.178+00');

insert into webhook_cursor (endpoint_id, sequence, recover_after, recover_after_id, recover_through_id) overriding system value values
('1000071', '52', NULL, '0', '0');

insert into webhook_delivery (endpoint_id, id, organisation_id, sequence, test_id, body, entity, status, created_at, due_at, attempts, log, lease, leased_until, blocked) overriding system value values
('1000071', '1', '1000000', '50', NULL, NULL, 'webhookEndpoint/1000071', 'Pending', '2026-11-16 12:18:16.156+00', '2026-11-16 12:18:21.121+00', '1', '[{"at": "2026-11-16T12:18:16.200Z", "error": "connect ECONNREFUSED 127.0.0.1:9", "status": "Failed", "response": null, "durationMs": 21, "responseStatus": null}]', NULL, NULL, 'false'),
('1000071', '2', '1000000', '51', NULL, NULL, 'payment/1000072', 'Pending', '2026-11-16 12:18:16.233+00', '2026-11-16 12:18:21.48+00', '1', '[{"at": "2026-11-16T12:18:16.268Z", "error": "connect ECONNREFUSED 127.0.0.1:9", "status": "Failed", "response": null, "durationMs": 5, "responseStatus": null}]', NULL, NULL, 'false'),
('1000071', '3', '1000000', '52', NULL, NULL, 'transaction/1000074', 'Pending', '2026-11-16 12:18:16.233+00', '2026-11-16 12:18:21.679+00', '1', '[{"at": "2026-11-16T12:18:16.269Z", "error": "connect ECONNREFUSED 127.0.0.1:9", "status": "Failed", "response": null, "durationMs": 4, "responseStatus": null}]', NULL, NULL, 'false');

insert into webhook_endpoint (id, organisation_id, created_at, url, events, description, status, disabled_reason, sealed_secret, sealed_previous_secret, previous_secret_until, failing_since, deleted_at, version) overriding system value values
('1000071', '1000000', '2026-11-16 12:18:16.122+00', 'http://127.0.0.1:9/', '{*}', NULL, 'Enabled', NULL, E'\\xf594f974239dbad53cbb68b22b0113146e563c4633e8743d149e3aa2a5930d0e7a643f22085f1b623e347c77dc34d8dec79d9c955646041daffce6bf571d8d90454d82fd8300db6982b370bd20157ec983bd', NULL, NULL, '2026-11-16 12:18:16.286+00', NULL, '1');

select setval('account_number', 1000000007);

select setval('partner_user_card_id_seq', 2);

select setval('partner_user_id_seq', 2);

select setval('record_id', 1019100);

select setval('reward_id_seq', 2);

select setval('reward_payment_id_seq', 2);

select setval('rewardable_transaction_id_seq', 2);

select setval('webhook_delivery_id_seq', 3);

create table migration (
  number integer primary key, name text not null, checksum text not null, contract boolean not null,
  applied_at timestamptz not null default now());

insert into migration (number, name, checksum, contract) values (1, '0001_organisations', '706967da10e157cfd5d2458ca73f2003e9802e4206907bace789abd2b040075e', 'f');

insert into migration (number, name, checksum, contract) values (2, '0002_idempotency', '0bb548be592f86aa927ad6ba2e1dee230c784c2acf302405e8f07a8a1e76b5b4', 'f');

insert into migration (number, name, checksum, contract) values (3, '0003_customers', '359396ffac697bc4f863061663925c9a1eac374b16e60106ec94b7a0137dcd9a', 'f');

insert into migration (number, name, checksum, contract) values (4, '0004_ledger', 'a0cfda827176c497e3faaf0841ec36ed3e893587ef238cc3e8619e6148da367b', 'f');

insert into migration (number, name, checksum, contract) values (5, '0005_cards', '9ed62028753e4f22db7d4a9be22e541f7c598fe7dccc4b94d62990dd6f6eeed9', 'f');

insert into migration (number, name, checksum, contract) values (6, '0006_statements', 'fbf73860baaf18a810f40185789e96f1fd79142f5660f3a197d7e3e1cb034827', 'f');

insert into migration (number, name, checksum, contract) values (7, '0007_rewards', '599eb04c5d7dae9f1d361c6bb9d6718fe8bb290b0790bca41eabe8ab37802052', 'f');

insert into migration (number, name, checksum, contract) values (8, '0008_events', '52933a77153c7f24ed578a59f1bc5b7055ac48a727a27f064bde7ec55c80f649', 'f');

insert into migration (number, name, checksum, contract) values (9, '0009_functions', '5aa96bb7c122554dca093836ecce100b32bd098a483958cadb3ea79405293c05', 'f');

alter table api_key add constraint api_key_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table api_key_retired add constraint api_key_retired_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_key(id);

alter table application add constraint application_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id);

alter table application add constraint application_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table card add constraint card_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id);

alter table card add constraint card_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table card add constraint card_replaces_card_id_fkey FOREIGN KEY (replaces_card_id) REFERENCES card(id);

alter table customer add constraint customer_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

CREATE TRIGGER denied_request_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.denied_request FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

alter table document add constraint document_application_id_fkey FOREIGN KEY (application_id) REFERENCES application(id);

alter table document add constraint document_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table document_file add constraint document_file_document_id_fkey FOREIGN KEY (document_id) REFERENCES document(id);

CREATE TRIGGER event_page_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.event_page FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

alter table external_account add constraint external_account_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id);

alter table external_account add constraint external_account_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table inbound_event add constraint inbound_event_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table inbound_version add constraint inbound_version_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table offer add constraint offer_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant(id);

alter table partner_user add constraint partner_user_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table partner_user_card add constraint partner_user_card_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table partner_user_card add constraint partner_user_card_partner_user_id_fkey FOREIGN KEY (partner_user_id) REFERENCES partner_user(id);

alter table reward add constraint reward_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table reward add constraint reward_partner_user_id_fkey FOREIGN KEY (partner_user_id) REFERENCES partner_user(id);

alter table reward add constraint reward_rewardable_transaction_id_fkey FOREIGN KEY (rewardable_transaction_id) REFERENCES rewardable_transaction(id);

alter table reward_payment add constraint reward_payment_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table reward_payment add constraint reward_payment_reward_id_fkey FOREIGN KEY (reward_id) REFERENCES reward(id);

alter table rewardable_transaction add constraint rewardable_transaction_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table rewardable_transaction add constraint rewardable_transaction_partner_user_card_id_fkey FOREIGN KEY (partner_user_card_id) REFERENCES partner_user_card(id);

alter table statement add constraint statement_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id);

alter table statement add constraint statement_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

CREATE TRIGGER transfer_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.transfer FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

alter table verification_token add constraint verification_token_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id);

alter table verification_token add constraint verification_token_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);

alter table webhook_cursor add constraint webhook_cursor_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoint(id);

alter table webhook_endpoint add constraint webhook_endpoint_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id);
