import type { Caller } from '../../base/operation.ts'
import { type Page, pageWindow, toPage } from '../../base/page.ts'
import type { Queryable } from '../../database/database.ts'
import type { ListMerchantBillsQuery, MerchantBill } from '../../rewards/records/list-merchant-bills.ts'
import { safeCents } from '../offers/attributions.ts'
import { listBillRows } from './merchant-bills.sql.ts'

export async function listMerchantBills(
  database: Queryable,
  { organisationId }: Caller,
  { month, ...page }: ListMerchantBillsQuery,
): Promise<Page<MerchantBill>> {
  const { limit, take, offset } = pageWindow(page)
  const rows = await listBillRows(database, organisationId, { month, take, offset })
  return toPage(rows, limit, ({ purchaseAmount, earned, clawedBack, due, paid, ...row }) => ({
    month,
    ...row,
    purchaseAmount: safeCents(purchaseAmount),
    earned: safeCents(earned),
    clawedBack: safeCents(clawedBack),
    due: safeCents(due),
    paid: safeCents(paid),
  }))
}
