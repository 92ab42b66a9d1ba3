import { type Static, Type } from 'typebox'
import { CentsValue } from '../../base/cents.ts'
import { pageQuery } from '../../base/page.ts'
import { described } from '../../base/text.ts'
import { recordsRead } from './records.ts'

const Month = Type.String({
  pattern: '^[1-9]\\d{3}-(0[1-9]|1[0-2])$',
  examples: ['2026-01'],
  description: 'A month of bank time, in UTC',
})

const MerchantBill = Type.Object(
  {
    month: Month,
    merchantId: Type.Union([Type.String({ examples: ['1000042'] }), Type.Null()], {
      description: 'The merchant of the catalogue; null if the catalogue does not have the offers',
    }),
    merchantName: Type.String({ description: 'Name of the merchant', examples: ['Sample Coffee'] }),
    purchases: Type.Integer({ description: 'How many purchases earned in the month', examples: [12] }),
    purchaseAmount: described(CentsValue, 'Sum of these purchases, in cents'),
    earned: described(CentsValue, 'Commission that they earned, of users and issuer, in cents'),
    clawedBack: described(
      CentsValue,
      'Commission that refunds of the month took back, also of earlier purchases, in cents',
    ),
    due: Type.Integer({ description: '`earned` less `clawedBack`, in cents; negative for a credit', examples: [1200] }),
    paid: described(CentsValue, 'Cash back that users were paid in the month, in cents'),
  },
  { $id: 'MerchantBill', description: 'The amounts that a merchant owes for the rewards of a month' },
)
export type MerchantBill = Static<typeof MerchantBill>

const { limit, offset } = pageQuery
const ListMerchantBillsQuery = Type.Object({ month: Month, limit, offset })
export type ListMerchantBillsQuery = Static<typeof ListMerchantBillsQuery>

/** Extension. Sums the rewards of a month by merchant. */
export const listMerchantBills = recordsRead({
  id: 'listMerchantBills',
  resource: 'merchantBills',
  verb: 'list',
  area: 'rewards',
  method: 'GET',
  path: '/v0/rewards/merchant-bills',
  summary: 'List merchant bills',
  description: `Sums the rewards of a month by merchant, by name: what purchases earned, what refunds took back, what users were paid, and
what the merchant owes. A refund counts in its own month, so that the bill of a past month stays as it is.
\`GET /v0/exports/merchant-bills\` exports them.`,
  status: 200,
  scope: 'rewards:read',
  query: ListMerchantBillsQuery,
  data: Type.Array(MerchantBill),
  problems: ['balance_limit'],
  run: ({ records, caller }, { query }) => records.listMerchantBills(caller, query),
})
