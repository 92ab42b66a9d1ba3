import type { RecordType } from '../../tools/record-types.ts'

/**
 * A link from a record to others: its name, their type, and a query of their ids, the newest first. In a query `$1` is the
 * organisation, `$2` the id of the record and `$3` how many ids it finds at most.
 */
export type Link = [relation: string, type: RecordType, ids: string]

export const link = (type: RecordType, ids: string): Link => [type, type, ids]

/** A link that a column of the record's own row holds; null if there is none. Its name is the type unless it is given. */
export const column = (type: RecordType, table: string, name: string, relation: string = type): Link => [
  relation,
  type,
  `select ${name} as id from ${table} where id = $2::bigint and organisation_id = $1::bigint and ${name} is not null`,
]

/** A column of the record. */
export const own = (table: string, name: string) =>
  `(select ${name} from ${table} where id = $2::bigint and organisation_id = $1::bigint)`
const newest = 'order by created_at desc, id desc limit $3::bigint'

/** The newest rows of a table with a column that holds the id of the record. */
export const naming = (type: RecordType, table: string, name: string): Link =>
  link(type, `select id from ${table} where ${name} = $2::bigint and organisation_id = $1::bigint ${newest}`)

/** The newest rows of a table among those on the newest accounts of the customer. */
export const onAccountsOf = (type: RecordType, table: string): Link =>
  link(
    type,
    `select r.id from (
         select id from account where customer_id = $2::bigint and organisation_id = $1::bigint ${newest}) a
       cross join lateral (select id, created_at from ${table} where account_id = a.id ${newest}) r
       order by r.created_at desc, r.id desc limit $3`,
  )

/** Authorizations have an index by customer only: of a card or account, those among the customer's newest 1,000. */
export const authorizationsWith = (table: string, name: string): Link =>
  link(
    'authorization',
    `select n.id from (
     select id, account_id, card_id from card_authorization
     where customer_id = ${own(table, 'customer_id')} and organisation_id = $1
     order by created_at desc, id desc limit 1000) n
   where n.${name} = $2::bigint limit $3::bigint`,
  )
export const externalAccountsOf = (customer: string): Link =>
  link(
    'externalAccount',
    `select id from external_account
   where customer_id = ${customer} and organisation_id = $1::bigint and deleted_at is null ${newest}`,
  )
export const accountsOf = (customer: string): Link =>
  link('account', `select id from account where customer_id = ${customer} and organisation_id = $1::bigint ${newest}`)

/** Payments have no index by external account: those among the newest 200 of each of the customer's newest accounts. */
export const paymentsToExternal = `
  select p.id, p.created_at from (
    select id from account where customer_id = ${own('external_account', 'customer_id')} and organisation_id = $1
    ${newest}) a
  cross join lateral (
    select id, created_at, external_account_id from payment where account_id = a.id
    order by created_at desc, id desc limit 200) p
  where p.external_account_id = $2::bigint order by p.created_at desc, p.id desc limit $3`

/** The sides of transfers that are customers' accounts. */
export const sides = (transfers: string) => `
  select s.id from (${transfers}) t
  cross join lateral (values (t.id, t.debit_account_id), (t.id + 1, t.credit_account_id)) s (id, account_id)
  where s.account_id > 0 order by s.id desc limit $3::bigint`
export const ofSource = (kinds: string) => `
  select * from transfer where source_id = $2::bigint and source_kind <> 'payment' and source_kind in (${kinds})
    and organisation_id = $1::bigint`

/** The transactions of an account up to a sequence number. */
export const lastTransactions = (account: string, first: string, last: string) => `
  select s.id from (select ${account} as id, ${first} as first, ${last} as last) a
  cross join lateral (
    select t.id, t.debit_seq as seq from transfer t
    where t.debit_account_id = a.id and t.debit_seq between greatest(a.first, a.last - $3::bigint + 1) and a.last
    union all
    select t.id + 1, t.credit_seq from transfer t
    where t.credit_account_id = a.id and t.credit_seq between greatest(a.first, a.last - $3::bigint + 1) and a.last) s
  order by s.seq desc`

/** Rewards of purchases that a query finds. */
export const rewardsOf = (purchases: string): Link =>
  link(
    'reward',
    `select r.id from (${purchases}) p join reward r on r.rewardable_transaction_id = p.id order by r.id desc limit $3::bigint`,
  )
export const purchasesOfLink = `
  select id from rewardable_transaction where partner_user_card_id = $2::bigint and organisation_id = $1::bigint
  order by id desc limit $3::bigint`
export const purchasesOfCard = `
  select t.id from partner_user_card c cross join lateral (
    select id from rewardable_transaction where partner_user_card_id = c.id order by id desc limit $3::bigint) t
  where c.organisation_id = $1::bigint and c.bank_card_id = $2::bigint::text and not c.is_removed`
export const purchaseOf = (name: string) => `
  select p.${name} as id from reward r join rewardable_transaction p on p.id = r.rewardable_transaction_id
  where r.id = $2::bigint and r.organisation_id = $1::bigint and p.${name} is not null`

/** The transfer of a transaction, with the account of its own side and that of the other one. */
export const transfer = `(
  select t.*, case when $2::bigint % 2 = 0 then debit_account_id else credit_account_id end as own_id,
    case when $2 % 2 = 0 then debit_seq else credit_seq end as own_seq,
    case when $2 % 2 = 0 then credit_account_id else debit_account_id end as other_id
  from transfer t where t.id = $2 - $2 % 2 and t.organisation_id = $1::bigint) t`
