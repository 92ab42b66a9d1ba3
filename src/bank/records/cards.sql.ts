import { arrayOf, recordColumns } from '../../database/arrays.ts'
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

const columns = recordColumns<LedgerAuthorization>({
  id: 'bigint',
  organisationId: 'bigint',
  accountId: 'bigint',
  customerId: 'bigint',
  cardId: 'bigint',
  cardLast4: 'text',
  status: 'text',
  amount: 'bigint',
  settled: 'bigint',
  refunded: 'bigint',
  merchantName: 'text',
  merchantCategory: 'text',
  merchantLocation: 'text',
  merchantId: 'text',
  merchantCategoryCode: 'text',
  declineReason: 'text',
  overSettlement: 'text',
  createdAt: 'timestamptz',
  expiresAt: 'timestamptz',
  version: 'integer',
})
export const authorizationColumns = columns.selected

export function readAuthorizations(transaction: Queryable, ids: number[]): Promise<LedgerAuthorization[]> {
  return transaction.query(`select ${authorizationColumns} from card_authorization where id = any($1::bigint[])`, [
    arrayOf('bigint', ids),
  ])
}

const authorizationRows = columns.rows()
const insertAuthorizations = `
  insert into card_authorization (${authorizationRows.names}) ${authorizationRows.select}`

const changedAuthorizations = columns.rows('id', 'status', 'amount', 'settled', 'refunded', 'overSettlement', 'version')
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
