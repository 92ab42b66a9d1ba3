import type { Queryable } from '../../database/database.ts'
import { MAX_RELATED, type RelatedRecord } from '../../tools/looked-up.ts'
import type { RecordType } from '../../tools/record-types.ts'
import {
  accountsOf,
  authorizationsWith,
  column,
  externalAccountsOf,
  type Link,
  lastTransactions,
  link,
  naming,
  ofSource,
  onAccountsOf,
  own,
  paymentsToExternal,
  purchaseOf,
  purchasesOfCard,
  purchasesOfLink,
  rewardsOf,
  sides,
  transfer,
} from './links.sql.ts'

/** The proposals to change a record by some operations. */
const proposalsOf = (...operations: string[]): Link =>
  link(
    'proposal',
    `select id from proposal where organisation_id = $1::bigint and record_id = $2::bigint::text
       and operation_id in (${operations.map((id) => `'${id}'`).join(', ')})
     order by created_at desc, id desc limit $3::bigint`,
  )

/** The record that a proposal changes by an operation. */
const proposed = (type: RecordType, operation: string): Link =>
  link(
    type,
    `select record_id::bigint as id from proposal
     where id = $2::bigint and organisation_id = $1::bigint and operation_id = '${operation}'`,
  )

/** The records of a campaign's offer among the newest 1,000 of a table: neither has an index by offer alone. */
const ofOffer = (type: RecordType, table: string, among: string): Link =>
  link(
    type,
    `select n.id from (
       select id, offer_id::text from ${table} where organisation_id = $1::bigint and ${among}
       order by created_at desc, id desc limit 1000) n
     where n.offer_id = $2::bigint::text limit $3::bigint`,
  )

/** The ACH file of an id, if it is one of the organisation: files of a live bank belong to no organisation. */
const fileOf = (id: string): Link =>
  link('achFile', `select id from ach_file where id = (${id}) and organisation_id = $1::bigint`)

/** The links of each type of record, in the order of an answer. */
const links: Partial<Record<RecordType, Link[]>> = {
  account: [
    column('customer', 'account', 'customer_id'),
    naming('card', 'card', 'account_id'),
    naming('payment', 'payment', 'account_id'),
    link('transaction', lastTransactions(own('account', 'id'), '1', own('account', 'seq'))),
    authorizationsWith('account', 'account_id'),
    link(
      'statement',
      `select id from statement where account_id = $2::bigint and organisation_id = $1::bigint
       order by period desc limit $3::bigint`,
    ),
    externalAccountsOf(own('account', 'customer_id')),
    naming('receivedPayment', 'received_payment', 'account_id'),
    naming('accountHold', 'account_hold', 'account_id'),
    naming('recurringPayment', 'recurring_payment', 'account_id'),
    link(
      'reward',
      `select r.id from (
         select id from payment where account_id = $2::bigint and organisation_id = $1::bigint
         order by created_at desc, id desc limit 1000) p
       join reward r on r.payout_payment_id = p.id order by r.id desc limit $3::bigint`,
    ),
    proposalsOf('setAccountLimits'),
  ],
  accountHold: [
    column('account', 'account_hold', 'account_id'),
    column('customer', 'account_hold', 'customer_id'),
    proposalsOf('releaseAccountHold'),
  ],
  achBatch: [
    fileOf('select file_id from ach_batch where id = $2::bigint and organisation_id = $1::bigint'),
    link(
      'payment',
      `select payment_id as id from ach_entry where batch_id = $2::bigint and organisation_id = $1::bigint
       order by payment_id desc limit $3::bigint`,
    ),
    link(
      'receivedPayment',
      `select id from received_payment
       where return_batch_id = $2::bigint and organisation_id = $1::bigint and account_id is not null
       order by id desc limit $3::bigint`,
    ),
  ],
  achFile: [
    link(
      'achBatch',
      `select id from ach_batch where file_id = $2::bigint and organisation_id = $1::bigint order by id desc limit $3::bigint`,
    ),
    link(
      'receivedPayment',
      `select r.id from ach_received_entry e join received_payment r on r.id = e.received_payment_id
       where e.file_id = $2::bigint and e.organisation_id = $1::bigint and r.account_id is not null
       order by e.line limit $3::bigint`,
    ),
    link(
      'payment',
      `select id from payment where ach_file_id = $2::bigint and organisation_id = $1::bigint order by id desc limit $3::bigint`,
    ),
    [
      'returnedPayment',
      'payment',
      `select payment_id as id from ach_received_entry
       where file_id = $2::bigint and organisation_id = $1::bigint and kind = 'return' and outcome = 'applied'
         and payment_id is not null order by line limit $3::bigint`,
    ],
  ],
  application: [
    column('customer', 'application', 'customer_id'),
    link(
      'document',
      `select id from document where application_id = $2::bigint and organisation_id = $1::bigint order by id limit $3::bigint`,
    ),
  ],
  authorization: [
    column('card', 'card_authorization', 'card_id'),
    column('account', 'card_authorization', 'account_id'),
    column('customer', 'card_authorization', 'customer_id'),
    link('transaction', sides(ofSource(`'card_settlement', 'card_refund'`))),
    link(
      'rewardableTransaction',
      `select id from rewardable_transaction where authorization_id = $2::bigint and organisation_id = $1::bigint
       order by id desc limit $3::bigint`,
    ),
    rewardsOf(
      `select id from rewardable_transaction where authorization_id = $2::bigint and organisation_id = $1::bigint`,
    ),
  ],
  campaign: [naming('campaignOffer', 'campaign_offer', 'campaign_id'), naming('reward', 'reward', 'campaign_id')],
  campaignOffer: [
    column('campaign', 'campaign_offer', 'campaign_id'),
    ofOffer('offerActivation', 'offer_activation', 'true'),
    ofOffer('reward', 'reward', `campaign_id = ${own('campaign_offer', 'campaign_id')}`),
  ],
  card: [
    column('account', 'card', 'account_id'),
    column('customer', 'card', 'customer_id'),
    column('card', 'card', 'replaces_card_id', 'replacedCard'),
    [
      'replacement',
      'card',
      `select n.id from (
         select id, replaces_card_id from card where account_id = ${own('card', 'account_id')} and organisation_id = $1
         order by created_at desc, id desc limit 1000) n
       where n.replaces_card_id = $2::bigint limit $3::bigint`,
    ],
    authorizationsWith('card', 'card_id'),
    link(
      'partnerUserCard',
      `select id from partner_user_card
       where organisation_id = $1::bigint and bank_card_id = $2::bigint::text and not is_removed limit $3::bigint`,
    ),
    link('rewardableTransaction', purchasesOfCard),
    rewardsOf(purchasesOfCard),
  ],
  customer: [
    accountsOf('$2::bigint'),
    onAccountsOf('card', 'card'),
    onAccountsOf('payment', 'payment'),
    onAccountsOf('receivedPayment', 'received_payment'),
    onAccountsOf('accountHold', 'account_hold'),
    onAccountsOf('recurringPayment', 'recurring_payment'),
    externalAccountsOf('$2::bigint'),
    link(
      'application',
      `select id from application where customer_id = $2::bigint and organisation_id = $1::bigint
       order by id desc limit $3::bigint`,
    ),
    naming('authorization', 'card_authorization', 'customer_id'),
  ],
  document: [column('application', 'document', 'application_id')],
  externalAccount: [
    column('customer', 'external_account', 'customer_id'),
    accountsOf(own('external_account', 'customer_id')),
    link('payment', `select p.id from (${paymentsToExternal}) p`),
    link(
      'recurringPayment',
      `select id from recurring_payment where customer_id = ${own('external_account', 'customer_id')}
         and organisation_id = $1::bigint and external_account_id = $2::bigint order by id desc limit $3::bigint`,
    ),
    link(
      'transaction',
      `select t.id from (${paymentsToExternal}) p
       join transfer t on t.organisation_id = $1 and t.created_at = p.created_at and t.source_id = p.id
       where t.source_kind = 'payment'`,
    ),
  ],
  offerActivation: [
    column('campaignOffer', 'offer_activation', 'offer_id'),
    column('partnerUser', 'offer_activation', 'partner_user_id'),
    naming('reward', 'reward', 'activation_id'),
  ],
  partnerUser: [
    link(
      'partnerUserCard',
      `select id from partner_user_card where partner_user_id = $2::bigint and organisation_id = $1::bigint
       order by id desc limit $3::bigint`,
    ),
    rewardsOf(
      `select t.id from (
         select id from partner_user_card where partner_user_id = $2::bigint and organisation_id = $1::bigint
         order by id desc limit $3::bigint) c
       cross join lateral (
         select id from rewardable_transaction where partner_user_card_id = c.id order by id desc limit $3) t`,
    ),
    naming('offerActivation', 'offer_activation', 'partner_user_id'),
  ],
  partnerUserCard: [
    column('partnerUser', 'partner_user_card', 'partner_user_id'),
    column('card', 'partner_user_card', 'bank_card_id'),
    link('rewardableTransaction', purchasesOfLink),
    rewardsOf(purchasesOfLink),
  ],
  recurringPayment: [
    column('account', 'recurring_payment', 'account_id'),
    column('customer', 'recurring_payment', 'customer_id'),
    column('externalAccount', 'recurring_payment', 'external_account_id'),
    naming('payment', 'payment', 'recurring_payment_id'),
  ],
  payment: [
    column('account', 'payment', 'account_id'),
    column('recurringPayment', 'payment', 'recurring_payment_id'),
    column('customer', 'payment', 'customer_id'),
    link(
      'externalAccount',
      `select id from external_account where id = ${own('payment', 'external_account_id')} and deleted_at is null`,
    ),
    column('account', 'payment', 'destination_account_id', 'destinationAccount'),
    link(
      'transaction',
      sides(`
        select o.* from payment p
        join transfer o on o.organisation_id = p.organisation_id and o.created_at = p.created_at and o.source_id = p.id
        where p.id = $2::bigint and p.organisation_id = $1::bigint and o.source_kind = 'payment'
        union
        ${ofSource(`'payment_return', 'payment_release', 'debit', 'debit_return', 'reward', 'reward_clawback'`)}`),
    ),
    link(
      'reward',
      `select id from reward where payout_payment_id = $2::bigint and organisation_id = $1::bigint limit $3::bigint`,
    ),
    link(
      'rewardPayment',
      `select id from reward_payment where payment_id = $2::bigint and organisation_id = $1::bigint`,
    ),
    link(
      'achBatch',
      `select batch_id as id from ach_entry where payment_id = $2::bigint and organisation_id = $1::bigint`,
    ),
    fileOf('select ach_file_id from payment where id = $2::bigint and organisation_id = $1::bigint'),
    [
      'returnFile',
      'achFile',
      `select f.id from ach_received_entry e join ach_file f on f.id = e.file_id and f.organisation_id = $1::bigint
       where e.payment_id = $2::bigint and e.organisation_id = $1 and e.kind = 'return' and e.outcome = 'applied'`,
    ],
    proposalsOf('approvePayment'),
  ],
  proposal: [
    proposed('payment', 'approvePayment'),
    proposed('account', 'setAccountLimits'),
    proposed('accountHold', 'releaseAccountHold'),
  ],
  receivedPayment: [
    column('account', 'received_payment', 'account_id'),
    column('customer', 'received_payment', 'customer_id'),
    link('transaction', sides(ofSource(`'received_ach', 'received_ach_return'`))),
    fileOf('select file_id from received_payment where id = $2::bigint and organisation_id = $1::bigint'),
    column('achBatch', 'received_payment', 'return_batch_id', 'returnBatch'),
  ],
  reward: [
    column('partnerUser', 'reward', 'partner_user_id'),
    column('campaign', 'reward', 'campaign_id'),
    link(
      'campaignOffer',
      `select offer_id as id from reward
       where id = $2::bigint and organisation_id = $1::bigint and campaign_id is not null`,
    ),
    column('offerActivation', 'reward', 'activation_id'),
    column('rewardableTransaction', 'reward', 'rewardable_transaction_id'),
    link('partnerUserCard', purchaseOf('partner_user_card_id')),
    link('transaction', purchaseOf('bank_transaction_id')),
    link('authorization', purchaseOf('authorization_id')),
    link(
      'card',
      `select c.bank_card_id as id from (${purchaseOf('partner_user_card_id')}) p join partner_user_card c on c.id = p.id`,
    ),
    column('payment', 'reward', 'payout_payment_id'),
    link(
      'account',
      `select p.account_id as id from payment p
       where p.id = ${own('reward', 'payout_payment_id')} and p.organisation_id = $1`,
    ),
    link(
      'rewardPayment',
      `select id from reward_payment where reward_id = $2::bigint and organisation_id = $1::bigint`,
    ),
  ],
  rewardableTransaction: [
    column('partnerUserCard', 'rewardable_transaction', 'partner_user_card_id'),
    column('transaction', 'rewardable_transaction', 'bank_transaction_id'),
    column('authorization', 'rewardable_transaction', 'authorization_id'),
    link(
      'card',
      `select bank_card_id as id from partner_user_card
       where id = ${own('rewardable_transaction', 'partner_user_card_id')} and organisation_id = $1`,
    ),
    rewardsOf(`select ${own('rewardable_transaction', 'id')} as id`),
  ],
  rewardPayment: [column('reward', 'reward_payment', 'reward_id'), column('payment', 'reward_payment', 'payment_id')],
  statement: [
    column('account', 'statement', 'account_id'),
    link(
      'transaction',
      lastTransactions(own('statement', 'account_id'), own('statement', 'first_seq'), own('statement', 'last_seq')),
    ),
  ],
  transaction: [
    link('account', `select t.own_id as id from ${transfer} where t.own_id > 0`),
    ['otherAccount', 'account', `select t.other_id as id from ${transfer} where t.other_id > 0`],
    ['otherTransaction', 'transaction', `select t.id + 1 - $2 % 2 as id from ${transfer} where t.other_id > 0`],
    link(
      'payment',
      `select t.source_id as id from ${transfer}
       where t.source_kind in ('payment', 'payment_return', 'payment_release', 'debit', 'debit_return', 'reward', 'reward_clawback')`,
    ),
    link(
      'externalAccount',
      `select e.id from ${transfer} join payment p on p.id = t.source_id and p.account_id = t.own_id
       join external_account e on e.id = p.external_account_id and e.deleted_at is null
       where t.source_kind in ('payment', 'payment_return', 'debit', 'debit_return')`,
    ),
    link(
      'receivedPayment',
      `select r.id from ${transfer} join received_payment r on r.id = t.source_id
       where t.source_kind in ('received_ach', 'received_ach_return')`,
    ),
    link(
      'authorization',
      `select t.source_id as id from ${transfer} where t.source_kind in ('card_settlement', 'card_refund')`,
    ),
    link(
      'statement',
      `select s.id from ${transfer} join statement s on s.account_id = t.own_id
       where s.first_seq <= t.own_seq and s.last_seq >= t.own_seq`,
    ),
    link(
      'rewardableTransaction',
      `select id from rewardable_transaction where organisation_id = $1::bigint and bank_transaction_id = $2::bigint::text`,
    ),
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
    link(
      'delivery',
      `select 'dlv_' || d.endpoint_id || '_' || d.id as id
       from webhook_endpoint e join webhook_delivery d on d.endpoint_id = e.id
       where e.id = $2::bigint and e.organisation_id = $1::bigint order by d.id desc limit $3::bigint`,
    ),
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
