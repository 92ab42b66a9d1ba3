import { arrayOf, bigint, integer, rowSet, text, timestamptz } from '../../database/arrays.ts'
import type { Queryable } from '../../database/database.ts'
import { byId, type RecordBook } from '../../ledger/kinds.ts'
import type { LedgerAuthorization, LedgerCard } from './records.ts'

export function readCards(transaction: Queryable, ids: number[]): Promise<LedgerCard[]> {
  return transaction.query(
    `select id, organisation_id as "organisationId", customer_id as "customerId", account_id as "accountId", last4, expires,
       status, limits
     from card where id = any($1::bigint[])`,
    [arrayOf('bigint', ids)],
  )
}

export function readAuthorizations(transaction: Queryable, ids: number[]): Promise<LedgerAuthorization[]> {
  return transaction.query(
    `select id, organisation_id as "organisationId", account_id as "accountId", customer_id as "customerId",
       card_id as "cardId", card_last4 as "cardLast4", status, amount, settled, refunded, merchant_name as "merchantName",
       merchant_category as "merchantCategory", merchant_location as "merchantLocation",
       decline_reason as "declineReason", over_settlement as "overSettlement", created_at as "createdAt", expires_at as "expiresAt", version
     from card_authorization where id = any($1::bigint[])`,
    [arrayOf('bigint', ids)],
  )
}

const authorizationRows = rowSet<LedgerAuthorization>({
  id: bigint(({ id }) => id),
  organisation_id: bigint(({ organisationId }) => organisationId),
  account_id: bigint(({ accountId }) => accountId),
  customer_id: bigint(({ customerId }) => customerId),
  card_id: bigint(({ cardId }) => cardId),
  card_last4: text(({ cardLast4 }) => cardLast4),
  status: text(({ status }) => status),
  amount: bigint(({ amount }) => amount),
  merchant_name: text(({ merchantName }) => merchantName),
  merchant_category: text(({ merchantCategory }) => merchantCategory),
  merchant_location: text(({ merchantLocation }) => merchantLocation),
  decline_reason: text(({ declineReason }) => declineReason),
  created_at: timestamptz(({ createdAt }) => createdAt),
  expires_at: timestamptz(({ expiresAt }) => expiresAt),
})
const insertAuthorizations = `
  insert into card_authorization (${authorizationRows.names}) ${authorizationRows.select}`

const changedAuthorizations = rowSet<LedgerAuthorization>({
  id: bigint(({ id }) => id),
  status: text(({ status }) => status),
  amount: bigint(({ amount }) => amount),
  settled: bigint(({ settled }) => settled),
  refunded: bigint(({ refunded }) => refunded),
  over_settlement: text(({ overSettlement }) => overSettlement),
  version: integer(({ version }) => version),
})
const updateAuthorizations = `
  update card_authorization a
  set status = n.status, amount = n.amount, settled = n.settled, refunded = n.refunded,
    over_settlement = n.over_settlement, version = n.version
  from (${changedAuthorizations.select}) n
  where a.id = n.id and a.id = any($1::bigint[])`

export async function writeAuthorizations(
  transaction: Queryable,
  { inserted, updated }: Pick<RecordBook<LedgerAuthorization>, 'inserted' | 'updated'>,
): Promise<void> {
  if (inserted.length > 0) {
    await transaction.query(insertAuthorizations, authorizationRows.values(inserted))
  }
  // An authorization that changed twice in a batch is written once, in its last state.
  const last = [...byId(updated).values()]
  if (last.length > 0) await transaction.query(updateAuthorizations, changedAuthorizations.values(last))
}
