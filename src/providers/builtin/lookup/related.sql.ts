import type { Queryable } from '../../../database/database.ts'
import { MAX_RELATED, type RelatedRecord } from '../../../tools/looked-up.ts'
import type { RecordType } from '../../../tools/record-types.ts'

/** A link from a record to others: its name, their type, and a query of their ids, the newest first. */
type Link = [relation: string, type: RecordType, ids: string]

/** A link that a column of the record's own row holds; null where there is none. */
const column = (relation: string, type: RecordType, table: string, name: string): Link => [
  relation,
  type,
  `select ${name} as id from ${table} where id = $2::bigint and organisation_id = $1::bigint and ${name} is not null`,
]
const own = (table: string, name: string) =>
  `(select ${name} from ${table} where id = $2::bigint and organisation_id = $1::bigint)`
const newest = 'order by created_at desc, id desc limit $3::bigint'

/** Authorizations have an index by customer only: of a card or account, those among the customer's newest 1,000. */
const authorizationsWith = (table: string, name: string): Link => [
  'authorization',
  'authorization',
  `select n.id from (
     select id, account_id, card_id from card_authorization
     where customer_id = ${own(table, 'customer_id')} and organisation_id = $1
     order by created_at desc, id desc limit 1000) n
   where n.${name} = $2::bigint limit $3::bigint`,
]
const externalAccountsOf = (customer: string): Link => [
  'externalAccount',
  'externalAccount',
  `select id from external_account
   where customer_id = ${customer} and organisation_id = $1::bigint and deleted_at is null ${newest}`,
]
const accountsOf = (customer: string): Link => [
  'account',
  'account',
  `select id from account where customer_id = ${customer} and organisation_id = $1::bigint ${newest}`,
]

/** Payments have no index by external account: those among the newest 200 of each of the customer's newest accounts. */
const paymentsToExternal = `
  select p.id, p.created_at from (
    select id from account where customer_id = ${own('external_account', 'customer_id')} and organisation_id = $1
    ${newest}) a
  cross join lateral (
    select id, created_at, external_account_id from payment where account_id = a.id
    order by created_at desc, id desc limit 200) p
  where p.external_account_id = $2::bigint order by p.created_at desc, p.id desc limit $3`

/** The sides of transfers that are customers' accounts. */
const sides = (transfers: string) => `
  select s.id from (${transfers}) t
  cross join lateral (values (t.id, t.debit_account_id), (t.id + 1, t.credit_account_id)) s (id, account_id)
  where s.account_id > 0 order by s.id desc limit $3::bigint`
const ofSource = (kinds: string) => `
  select * from transfer where source_id = $2::bigint and source_kind <> 'payment' and source_kind in (${kinds})
    and organisation_id = $1::bigint`

/** The transactions of an account up to a sequence number. */
const lastTransactions = (account: string, first: string, last: string) => `
  select s.id from (select ${account} as id, ${first} as first, ${last} as last) a
  cross join lateral (
    select t.id, t.debit_seq as seq from transfer t
    where t.debit_account_id = a.id and t.debit_seq between greatest(a.first, a.last - $3::bigint + 1) and a.last
    union all
    select t.id + 1, t.credit_seq from transfer t
    where t.credit_account_id = a.id and t.credit_seq between greatest(a.first, a.last - $3::bigint + 1) and a.last) s
  order by s.seq desc`

/** Rewards of purchases that a query finds. */
const rewardsOf = (purchases: string): Link => [
  'reward',
  'reward',
  `select r.id from (${purchases}) p join reward r on r.rewardable_transaction_id = p.id order by r.id desc limit $3::bigint`,
]
const purchasesOfLink = `
  select id from rewardable_transaction where partner_user_card_id = $2::bigint and organisation_id = $1::bigint
  order by id desc limit $3::bigint`
const purchasesOfCard = `
  select t.id from partner_user_card c cross join lateral (
    select id from rewardable_transaction where partner_user_card_id = c.id order by id desc limit $3::bigint) t
  where c.organisation_id = $1::bigint and c.bank_card_id = $2::bigint::text and not c.is_removed`
const purchaseOf = (name: string) => `
  select p.${name} as id from reward r join rewardable_transaction p on p.id = r.rewardable_transaction_id
  where r.id = $2::bigint and r.organisation_id = $1::bigint and p.${name} is not null`

/** The transfer of a transaction, with the account of its own side and that of the other one. */
const transfer = `(
  select t.*, case when $2::bigint % 2 = 0 then debit_account_id else credit_account_id end as own_id,
    case when $2 % 2 = 0 then debit_seq else credit_seq end as own_seq,
    case when $2 % 2 = 0 then credit_account_id else debit_account_id end as other_id
  from transfer t where t.id = $2 - $2 % 2 and t.organisation_id = $1::bigint) t`

const links: Partial<Record<RecordType, Link[]>> = {
  account: [
    column('customer', 'customer', 'account', 'customer_id'),
    ['card', 'card', `select id from card where account_id = $2::bigint and organisation_id = $1::bigint ${newest}`],
    [
      'payment',
      'payment',
      `select id from payment where account_id = $2::bigint and organisation_id = $1::bigint ${newest}`,
    ],
    ['transaction', 'transaction', lastTransactions(own('account', 'id'), '1', own('account', 'seq'))],
    authorizationsWith('account', 'account_id'),
    [
      'statement',
      'statement',
      `select id from statement where account_id = $2::bigint and organisation_id = $1::bigint
       order by period desc limit $3::bigint`,
    ],
    externalAccountsOf(own('account', 'customer_id')),
    [
      'accountHold',
      'accountHold',
      `select id from account_hold where account_id = $2::bigint and organisation_id = $1::bigint ${newest}`,
    ],
    [
      'reward',
      'reward',
      `select r.id from (
         select id from payment where account_id = $2::bigint and organisation_id = $1::bigint
         order by created_at desc, id desc limit 1000) p
       join reward r on r.payout_payment_id = p.id order by r.id desc limit $3::bigint`,
    ],
  ],
  accountHold: [
    column('account', 'account', 'account_hold', 'account_id'),
    column('customer', 'customer', 'account_hold', 'customer_id'),
  ],
  application: [
    column('customer', 'customer', 'application', 'customer_id'),
    [
      'document',
      'document',
      `select id from document where application_id = $2::bigint and organisation_id = $1::bigint order by id limit $3::bigint`,
    ],
  ],
  authorization: [
    column('card', 'card', 'card_authorization', 'card_id'),
    column('account', 'account', 'card_authorization', 'account_id'),
    column('customer', 'customer', 'card_authorization', 'customer_id'),
    ['transaction', 'transaction', sides(ofSource(`'card_settlement', 'card_refund'`))],
    [
      'rewardableTransaction',
      'rewardableTransaction',
      `select id from rewardable_transaction where authorization_id = $2::bigint and organisation_id = $1::bigint
       order by id desc limit $3::bigint`,
    ],
    rewardsOf(
      `select id from rewardable_transaction where authorization_id = $2::bigint and organisation_id = $1::bigint`,
    ),
  ],
  card: [
    column('account', 'account', 'card', 'account_id'),
    column('customer', 'customer', 'card', 'customer_id'),
    column('replacedCard', 'card', 'card', 'replaces_card_id'),
    [
      'replacement',
      'card',
      `select n.id from (
         select id, replaces_card_id from card where account_id = ${own('card', 'account_id')} and organisation_id = $1
         order by created_at desc, id desc limit 1000) n
       where n.replaces_card_id = $2::bigint limit $3::bigint`,
    ],
    authorizationsWith('card', 'card_id'),
    [
      'partnerUserCard',
      'partnerUserCard',
      `select id from partner_user_card
       where organisation_id = $1::bigint and bank_card_id = $2::bigint::text and not is_removed limit $3::bigint`,
    ],
    ['rewardableTransaction', 'rewardableTransaction', purchasesOfCard],
    rewardsOf(purchasesOfCard),
  ],
  customer: [
    accountsOf('$2::bigint'),
    [
      'card',
      'card',
      `select c.id from (
         select id from account where customer_id = $2::bigint and organisation_id = $1::bigint ${newest}) a
       cross join lateral (select id, created_at from card where account_id = a.id ${newest}) c
       order by c.created_at desc, c.id desc limit $3`,
    ],
    [
      'payment',
      'payment',
      `select p.id from (
         select id from account where customer_id = $2::bigint and organisation_id = $1::bigint ${newest}) a
       cross join lateral (select id, created_at from payment where account_id = a.id ${newest}) p
       order by p.created_at desc, p.id desc limit $3`,
    ],
    [
      'accountHold',
      'accountHold',
      `select h.id from (
         select id from account where customer_id = $2::bigint and organisation_id = $1::bigint ${newest}) a
       cross join lateral (select id, created_at from account_hold where account_id = a.id ${newest}) h
       order by h.created_at desc, h.id desc limit $3`,
    ],
    externalAccountsOf('$2::bigint'),
    [
      'application',
      'application',
      `select id from application where customer_id = $2::bigint and organisation_id = $1::bigint
       order by id desc limit $3::bigint`,
    ],
    [
      'authorization',
      'authorization',
      `select id from card_authorization where customer_id = $2::bigint and organisation_id = $1::bigint ${newest}`,
    ],
  ],
  document: [column('application', 'application', 'document', 'application_id')],
  externalAccount: [
    column('customer', 'customer', 'external_account', 'customer_id'),
    accountsOf(own('external_account', 'customer_id')),
    ['payment', 'payment', `select p.id from (${paymentsToExternal}) p`],
    [
      'transaction',
      'transaction',
      `select t.id from (${paymentsToExternal}) p
       join transfer t on t.organisation_id = $1 and t.created_at = p.created_at and t.source_id = p.id
       where t.source_kind = 'payment'`,
    ],
  ],
  partnerUser: [
    [
      'partnerUserCard',
      'partnerUserCard',
      `select id from partner_user_card where partner_user_id = $2::bigint and organisation_id = $1::bigint
       order by id desc limit $3::bigint`,
    ],
    rewardsOf(
      `select t.id from (
         select id from partner_user_card where partner_user_id = $2::bigint and organisation_id = $1::bigint
         order by id desc limit $3::bigint) c
       cross join lateral (
         select id from rewardable_transaction where partner_user_card_id = c.id order by id desc limit $3) t`,
    ),
  ],
  partnerUserCard: [
    column('partnerUser', 'partnerUser', 'partner_user_card', 'partner_user_id'),
    column('card', 'card', 'partner_user_card', 'bank_card_id'),
    ['rewardableTransaction', 'rewardableTransaction', purchasesOfLink],
    rewardsOf(purchasesOfLink),
  ],
  payment: [
    column('account', 'account', 'payment', 'account_id'),
    column('customer', 'customer', 'payment', 'customer_id'),
    [
      'externalAccount',
      'externalAccount',
      `select id from external_account where id = ${own('payment', 'external_account_id')} and deleted_at is null`,
    ],
    column('destinationAccount', 'account', 'payment', 'destination_account_id'),
    [
      'transaction',
      'transaction',
      sides(`
        select o.* from payment p
        join transfer o on o.organisation_id = p.organisation_id and o.created_at = p.created_at and o.source_id = p.id
        where p.id = $2::bigint and p.organisation_id = $1::bigint and o.source_kind = 'payment'
        union
        ${ofSource(`'payment_return', 'payment_release', 'reward', 'reward_clawback'`)}`),
    ],
    [
      'reward',
      'reward',
      `select id from reward where payout_payment_id = $2::bigint and organisation_id = $1::bigint limit $3::bigint`,
    ],
    [
      'rewardPayment',
      'rewardPayment',
      `select id from reward_payment where payment_id = $2::bigint and organisation_id = $1::bigint`,
    ],
  ],
  reward: [
    column('partnerUser', 'partnerUser', 'reward', 'partner_user_id'),
    column('rewardableTransaction', 'rewardableTransaction', 'reward', 'rewardable_transaction_id'),
    ['partnerUserCard', 'partnerUserCard', purchaseOf('partner_user_card_id')],
    ['transaction', 'transaction', purchaseOf('bank_transaction_id')],
    ['authorization', 'authorization', purchaseOf('authorization_id')],
    [
      'card',
      'card',
      `select c.bank_card_id as id from (${purchaseOf('partner_user_card_id')}) p join partner_user_card c on c.id = p.id`,
    ],
    column('payment', 'payment', 'reward', 'payout_payment_id'),
    [
      'account',
      'account',
      `select p.account_id as id from payment p
       where p.id = ${own('reward', 'payout_payment_id')} and p.organisation_id = $1`,
    ],
    [
      'rewardPayment',
      'rewardPayment',
      `select id from reward_payment where reward_id = $2::bigint and organisation_id = $1::bigint`,
    ],
  ],
  rewardableTransaction: [
    column('partnerUserCard', 'partnerUserCard', 'rewardable_transaction', 'partner_user_card_id'),
    column('transaction', 'transaction', 'rewardable_transaction', 'bank_transaction_id'),
    column('authorization', 'authorization', 'rewardable_transaction', 'authorization_id'),
    [
      'card',
      'card',
      `select bank_card_id as id from partner_user_card
       where id = ${own('rewardable_transaction', 'partner_user_card_id')} and organisation_id = $1`,
    ],
    rewardsOf(`select ${own('rewardable_transaction', 'id')} as id`),
  ],
  rewardPayment: [
    column('reward', 'reward', 'reward_payment', 'reward_id'),
    column('payment', 'payment', 'reward_payment', 'payment_id'),
  ],
  statement: [
    column('account', 'account', 'statement', 'account_id'),
    [
      'transaction',
      'transaction',
      lastTransactions(own('statement', 'account_id'), own('statement', 'first_seq'), own('statement', 'last_seq')),
    ],
  ],
  transaction: [
    ['account', 'account', `select t.own_id as id from ${transfer} where t.own_id > 0`],
    ['otherAccount', 'account', `select t.other_id as id from ${transfer} where t.other_id > 0`],
    ['otherTransaction', 'transaction', `select t.id + 1 - $2 % 2 as id from ${transfer} where t.other_id > 0`],
    [
      'payment',
      'payment',
      `select t.source_id as id from ${transfer}
       where t.source_kind in ('payment', 'payment_return', 'payment_release', 'reward', 'reward_clawback')`,
    ],
    [
      'externalAccount',
      'externalAccount',
      `select e.id from ${transfer} join payment p on p.id = t.source_id and p.account_id = t.own_id
       join external_account e on e.id = p.external_account_id and e.deleted_at is null
       where t.source_kind in ('payment', 'payment_return')`,
    ],
    [
      'authorization',
      'authorization',
      `select t.source_id as id from ${transfer} where t.source_kind in ('card_settlement', 'card_refund')`,
    ],
    [
      'statement',
      'statement',
      `select s.id from ${transfer} join statement s on s.account_id = t.own_id
       where s.first_seq <= t.own_seq and s.last_seq >= t.own_seq`,
    ],
    [
      'rewardableTransaction',
      'rewardableTransaction',
      `select id from rewardable_transaction where organisation_id = $1::bigint and bank_transaction_id = $2::bigint::text`,
    ],
    rewardsOf(
      `select id from rewardable_transaction where organisation_id = $1::bigint and bank_transaction_id = $2::bigint::text`,
    ),
    [
      'paidReward',
      'reward',
      `select r.id from ${transfer} join reward r on r.payout_payment_id = t.source_id
       where t.source_kind in ('reward', 'reward_clawback') limit $3::bigint`,
    ],
  ],
  webhookEndpoint: [
    [
      'delivery',
      'delivery',
      `select 'dlv_' || d.endpoint_id || '_' || d.id as id
       from webhook_endpoint e join webhook_delivery d on d.endpoint_id = e.id
       where e.id = $2::bigint and e.organisation_id = $1::bigint order by d.id desc limit $3::bigint`,
    ],
  ],
}

/** One statement for each type: every link numbered, and the ids of a link in their order. */
const statements = new Map(
  Object.entries(links).map(([type, parts]) => [
    type,
    `select relation, type, id from (${parts
      .map(
        ([relation, to, ids], part) =>
          `select ${part} as part, row_number() over () as place, '${relation}' as relation, '${to}' as type, x.id::text as id
           from (${ids}) x`,
      )
      .join(' union all ')}) links
     where id is not null and $3::bigint > 0 order by part, place`,
  ]),
)

/** The newest records of each link of a record; none for a type without links. */
export async function listRelated(
  database: Queryable,
  type: RecordType,
  organisationId: number,
  id: number,
): Promise<RelatedRecord[]> {
  const text = statements.get(type)
  return text ? database.query(text, [organisationId, id, MAX_RELATED]) : []
}
