import type { AccountStatus } from '../../banking/accounts/account.ts'
import type { Queryable } from '../../database/database.ts'
import { rankOf } from '../../tools/tools.ts'
import { beginsWith, firstWord, hasNumber, haveText, lastWord, words } from '../customers/matches.sql.ts'

/** A text to search for, and the ranges of the ids that begin with it. */
export interface Sought {
  organisationId: number
  text: string
  idsFrom: string[]
  idsTo: string[]
  /** The digest of the text as an account number. */
  numberDigest: Buffer
  /** The text as an amount in cents; null if it is none. One of digits alone may as well be a part of a number. */
  amount: number | null
  isAmount: boolean
}

/** The most rows that a condition finds. */
const MOST = 20

/** The newest payments and authorizations of an organisation, which are searched: neither pays for an index. */
const NEWEST = 5_000

interface Found {
  id: number
  rank: number
}

/** The rows of a table if an expression begins with the text; one that equals it ranks higher. */
function beginning(table: string, columns: string, expression: string, own = ''): string {
  return `(select id, ${columns}, case when lower(${expression}) = lower($2::text) then ${rankOf.exact} else ${rankOf.prefix} end as rank
    from ${table} where organisation_id = $1::bigint ${own} and ${beginsWith(expression, '$2::text')}
    order by lower(${expression}) collate "C", id limit ${MOST})`
}

/** The rows of a table if the last word of the name begins with the text. */
function named(table: string, columns: string): string {
  return `(select id, ${columns}, ${rankOf.word} as rank
    from ${table} where organisation_id = $1::bigint and ${beginsWith(lastWord, '$2::text')}
    order by lower(${lastWord}) collate "C", id limit ${MOST})`
}

/** The rows of a table whose account number is the text, or ends with it if it has four digits. */
function numbered(table: string, columns: string, positive = ''): string {
  return `(select id, ${columns}, ${rankOf.exact} as rank from ${table}
    where organisation_id = $1::bigint ${positive} and ${hasNumber('$2::text')} order by id limit ${MOST})`
}

/** The rows of a table whose id begins with the text: is in one of the ranges of two parameters. */
function identified(table: string, columns: string, positive = '', ranges = '$3::bigint[], $4::bigint[]'): string {
  return `(select t.*, ${rankOf.prefix} as rank from unnest(${ranges}) r (low, high)
    cross join lateral (
      select id, ${columns} from ${table} where organisation_id = $1::bigint ${positive} and id between r.low and r.high
      order by id limit ${MOST}) t
    order by t.id limit ${MOST})`
}

const valuesOf = ({ organisationId, text, idsFrom, idsTo }: Sought) => [organisationId, text, idsFrom, idsTo]

const customers = [
  beginning('customer', 'name', 'name'),
  beginning('customer', 'name', 'email'),
  named('customer', 'name'),
  identified('customer', 'name'),
].join(' union all ')

export function searchCustomers(database: Queryable, sought: Sought): Promise<(Found & { name: string })[]> {
  return database.query(customers, valuesOf(sought))
}

const applications = [
  beginning('application', 'name', 'name'),
  beginning('application', 'name', 'email'),
  named('application', 'name'),
  identified('application', 'name'),
].join(' union all ')

export function searchApplications(database: Queryable, sought: Sought): Promise<(Found & { name: string })[]> {
  return database.query(applications, valuesOf(sought))
}

const externalColumns = `name, last_digits as "accountNumber", deleted_at is not null as deleted`
const ofNumber = (condition: string) => `(select id, ${externalColumns}, ${rankOf.exact} as rank from external_account
    where organisation_id = $1::bigint and ${condition} order by id limit ${MOST})`
/** The external accounts whose number ends with the text, if it has four digits, or is the text and not sealed yet. */
const ending = ofNumber(`last_digits = right($2::text, 4) and (length($2::text) = 4 or account_number = $2::text)`)
/** Those whose number is the text. One of four digits or fewer has no last digits apart from it. */
const byDigest = ofNumber(`number_digest = $5::bytea`)
const externalAccounts = [
  beginning('external_account', externalColumns, 'name'),
  ending,
  byDigest,
  named('external_account', externalColumns),
  identified('external_account', externalColumns),
].join(' union all ')

export function searchExternalAccounts(
  database: Queryable,
  sought: Sought,
): Promise<(Found & { name: string; accountNumber: string; deleted: boolean })[]> {
  return database.query(externalAccounts, [...valuesOf(sought), sought.numberDigest])
}

const accountColumns = `name, account_number as "accountNumber", status`
const accounts = `
  (select a.id, a.name, a."accountNumber", a.status, c.rank
   from unnest($5::bigint[], $6::int[]) with ordinality c (id, rank, place)
   cross join lateral (
     select id, created_at, ${accountColumns} from account where customer_id = c.id and organisation_id = $1::bigint
     order by created_at desc, id desc limit ${MOST}) a
   order by c.place, a.created_at desc, a.id desc limit ${MOST})
  union all ${numbered('account', accountColumns, 'and id > 0')}
  union all ${identified('account', accountColumns, 'and id > 0')}`

/** Accounts by their numbers and ids, and those of customers that were found, whose names they have. */
export function searchAccounts(
  database: Queryable,
  sought: Sought,
  customersFound: Found[],
): Promise<(Found & { name: string; accountNumber: string; status: AccountStatus })[]> {
  const { ids, ranks } = { ids: customersFound.map(({ id }) => id), ranks: customersFound.map(({ rank }) => rank) }
  return database.query(accounts, [...valuesOf(sought), ids, ranks])
}

const cardColumns = 'type, last4 as "last4Digits"'
const cards = `${identified('card', cardColumns)} union all
  (select id, ${cardColumns}, ${rankOf.exact} as rank from card
   where organisation_id = $1::bigint and last4 = $2::text order by id desc limit ${MOST})`

/** Cards by their ids and their last four digits. */
export function searchCards(
  database: Queryable,
  sought: Sought,
): Promise<(Found & { type: string; last4Digits: string })[]> {
  return database.query(cards, valuesOf(sought))
}

export interface FoundPayment extends Found {
  description: string
  amount: number
  direction: string
  counterpartyName: string
}

/** The rank of a row with some texts: one is the text sought, begins with it, or has a word that does. Null if there is no such text. */
const ranked = (texts: string[], more: string, isPrefix: string) => {
  const some = (condition: (text: string) => string) => texts.map(condition).join(' or ')
  return `case
      when ${some((text) => `lower(${text}) = sought.text`)} or ${more} or $4::boolean and amount = $3::bigint then ${rankOf.exact}
      when ${some((text) => `starts_with(lower(${text}), sought.text)`)} or ${isPrefix} then ${rankOf.prefix}
      when sought.words <> '' and (${some((text) => `strpos(${words(text)}, sought.words) > 0`)}) or amount = $3
        then ${rankOf.word}
    end`
}

/** Those of the newest rows of a table that have a rank. Most rows have neither the first word in a text nor what else counts. */
const newest = (table: string, columns: string, texts: string[], more: string, isPrefix = 'false', own = '') => `
  select id, ${columns}, amount, rank
  from (select lower($2::text) as text, rtrim(${words('$2::text')}) as words, ${firstWord(words('$2::text'))} as first
    offset 0) sought
  cross join (
    select * from ${table} where organisation_id = $1::bigint ${own} order by created_at desc, id desc limit ${NEWEST}) newest
  cross join lateral (select ${ranked(texts, more, isPrefix)} as rank offset 0) r
  where (${haveText(texts, 'sought.first')} or amount = $3::bigint or ${more} or ${isPrefix}) and rank is not null order by rank, created_at desc, id desc limit ${MOST}`

const paymentColumns = 'description, direction, counterparty_name as "counterpartyName"'
const payments = `(${newest(
  'payment',
  paymentColumns,
  ['description', 'counterparty_name'],
  'lower(return_code) = sought.text',
  '$5::boolean and starts_with(id::text, sought.text)',
)}) union all
  (select id, ${paymentColumns}, amount, ${rankOf.exact} from payment
   where trace_number = $2 and organisation_id = $1 limit ${MOST})`

/**
 * Payments by the words of their descriptions and counterparties, their amounts, return codes and ids, among the newest; by
 * their trace numbers among all.
 */
export function searchPayments(
  database: Queryable,
  { organisationId, text, amount, isAmount, idsFrom }: Sought,
): Promise<FoundPayment[]> {
  return database.query(payments, [organisationId, text, amount, isAmount, idsFrom.length > 0])
}

const receivedPayments = newest(
  'received_payment',
  'description, direction, company_name as "counterpartyName"',
  ['description', 'company_name'],
  'lower(return_code) = sought.text or trace_number = $2',
  'false',
  'and account_id is not null',
)

/** Received payments by the words of their descriptions and senders, their amounts, return codes and trace numbers, among the newest. */
export function searchReceivedPayments(
  database: Queryable,
  { organisationId, text, amount, isAmount }: Sought,
): Promise<FoundPayment[]> {
  return database.query(receivedPayments, [organisationId, text, amount, isAmount])
}

/** ACH files by the beginnings of their names, among the newest. */
export function searchAchFiles(
  database: Queryable,
  { organisationId, text }: Sought,
): Promise<(Found & { name: string })[]> {
  return database.query(
    `select id, name, case when lower(name) = lower($2::text) then ${rankOf.exact} else ${rankOf.prefix} end as rank
     from (
       select id, name, window_at from ach_file where organisation_id = $1::bigint
       order by window_at desc, id desc limit ${NEWEST}) newest
     where starts_with(lower(name), lower($2)) order by rank, window_at desc, id desc limit ${MOST}`,
    [organisationId, text],
  )
}

const authorizations = newest(
  'card_authorization',
  'merchant_name as "merchantName"',
  ['merchant_name'],
  'lower(decline_reason) = sought.text',
)

/** Authorizations by the words of their merchants, their amounts and the reasons of declines, among the newest. */
export function searchAuthorizations(
  database: Queryable,
  { organisationId, text, amount, isAmount }: Sought,
): Promise<(Found & { merchantName: string; amount: number })[]> {
  return database.query(authorizations, [organisationId, text, amount, isAmount])
}

/** A table whose rows have no amount. */
const withoutAmount = (table: string) => `(select *, null::bigint as amount from ${table}) ${table}`
const campaigns = newest(withoutAmount('campaign'), 'name, status', ['name'], 'false')
const title = `(terms ->> 'title')`
const campaignOffers = newest(
  withoutAmount('campaign_offer'),
  `${title} as title, status`,
  [title, 'merchant_name'],
  'false',
)

/** Campaigns by the words of their names, among the newest. */
export function searchCampaigns(
  database: Queryable,
  { organisationId, text }: Sought,
): Promise<(Found & { name: string; status: string })[]> {
  return database.query(campaigns, [organisationId, text, null, false])
}

/** Offers of campaigns by the words of their titles and merchants, among the newest. */
export function searchCampaignOffers(
  database: Queryable,
  { organisationId, text }: Sought,
): Promise<(Found & { title: string; status: string })[]> {
  return database.query(campaignOffers, [organisationId, text, null, false])
}

// The seats of persons are rows of this table, too.
const keys = beginning('api_key', 'name, revoked_at is not null as deleted', 'name', 'and person_id is null')

export function searchKeys(
  database: Queryable,
  { organisationId, text }: Sought,
): Promise<(Found & { name: string; deleted: boolean })[]> {
  return database.query(keys, [organisationId, text])
}

/** The partner user with a number of the issuer. */
export function searchPartnerUsers(
  database: Queryable,
  organisationId: number,
  userId: number,
): Promise<(Found & { userId: number })[]> {
  return database.query(
    `select id, user_id as "userId", ${rankOf.exact} as rank from partner_user
     where organisation_id = $1::bigint and user_id = $2::bigint`,
    [organisationId, userId],
  )
}
