import type { PaymentBlock } from '../../../banking/accounts/payment-block.ts'
import { arrayOf, bigint, jsonb, rowSet } from '../../../database/arrays.ts'
import type { Queryable } from '../../../database/database.ts'

export interface AccountVersion {
  id: number
  version: number
}

export function readAccountVersions(transaction: Queryable, ids: number[]): Promise<AccountVersion[]> {
  return transaction.query(`select id, version from account where id = any($1::bigint[])`, [arrayOf('bigint', ids)])
}

/** The block of an account; null to release it. */
export interface BlockedAccount {
  id: number
  block: PaymentBlock | null
}

const changed = rowSet<BlockedAccount>({
  id: bigint(({ id }) => id),
  block: jsonb(({ block }) => block && JSON.stringify(block)),
})

/** Blocks the outgoing payments of locked accounts, or releases them: a new version of each account. */
export async function storePaymentBlocks(transaction: Queryable, accounts: BlockedAccount[]): Promise<void> {
  await transaction.query(
    `update account a set payment_block = n.block, version = version + 1
     from (${changed.select}) n where a.id = n.id and a.id = any($1::bigint[])`,
    changed.values(accounts),
  )
}
