import type { LedgerPosition } from '../../accounting/list-ledger-position.ts'
import type { Caller } from '../../base/operation.ts'
import { Page } from '../../base/page.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { readPosition } from './position.sql.ts'

export async function listLedgerPosition(
  { database }: Pick<BankParts, 'database'>,
  { organisationId }: Caller,
): Promise<Page<LedgerPosition>> {
  return new Page(await readPosition(database, organisationId), false)
}
