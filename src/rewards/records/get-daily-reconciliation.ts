import { type Static, Type } from 'typebox'
import { CentsValue } from '../../base/cents.ts'
import { described } from '../../base/text.ts'
import { recordsRead } from './records.ts'

const Day = Type.String({
  format: 'date',
  pattern: '^\\d{4}-\\d\\d-\\d\\d$',
  examples: ['2026-01-31'],
  description: 'A day of bank time, in UTC',
})

const PurchaseSum = Type.Object(
  {
    count: Type.Integer({ description: 'Number of purchases' }),
    amount: described(CentsValue, 'Sum of the purchases, in cents'),
  },
  { $id: 'PurchaseSum', description: 'Purchases with linked cards that settled on the day' },
)
const RewardSum = Type.Object(
  {
    count: Type.Integer({ description: 'Number of rewards' }),
    userAmount: described(CentsValue, 'Cash back of the users, in cents'),
    issuerAmount: described(CentsValue, 'Share of the issuer in the commissions, in cents'),
  },
  { $id: 'RewardSum', description: 'Rewards that were earned on the day' },
)
const PayoutSum = Type.Object(
  {
    count: Type.Integer({ description: 'Number of payouts' }),
    amount: described(CentsValue, 'Sum of the payouts, in cents'),
  },
  { $id: 'PayoutSum', description: 'Payouts of the day, by the records' },
)
const LedgerSum = Type.Object(
  {
    payouts: described(CentsValue, 'Payouts that were booked on the day, in cents'),
    clawBacks: described(CentsValue, 'Rewards that were taken back on the day, in cents'),
    fundingBalance: described(
      CentsValue,
      'Balance now of the account that pays rewards, in cents; negative by what it has paid',
    ),
  },
  { $id: 'LedgerSum', description: 'The same day, by the ledger' },
)

const DailyReconciliation = Type.Object(
  {
    date: Day,
    purchases: PurchaseSum,
    rewards: RewardSum,
    payouts: PayoutSum,
    ledger: LedgerSum,
    balanced: Type.Boolean({ description: 'Whether the payouts of the records are those of the ledger' }),
  },
  { $id: 'DailyReconciliation', description: 'The rewards of a day, by the records and by the ledger' },
)
export type DailyReconciliation = Static<typeof DailyReconciliation>

/** Extension. Sums a day of rewards, from the records and from the ledger. */
export const getDailyReconciliation = recordsRead({
  id: 'getDailyReconciliation',
  resource: 'rewards',
  verb: 'getDailyReconciliation',
  area: 'rewards',
  method: 'GET',
  path: '/v0/rewards/reconciliations/daily',
  summary: 'Get daily reconciliation',
  description:
    'Sums a day of rewards twice, from the records and from the ledger. `balanced` is false if the payouts differ; the ledger then shows why.\n\nThe day is in UTC bank time, and a day without rewards has zeros. A sum beyond the range of numbers is refused with `balance_limit`.',
  status: 200,
  scope: 'rewards:read',
  query: Type.Object({ date: Day }),
  data: DailyReconciliation,
  problems: ['balance_limit'],
  run: ({ records, caller }, { query }) => records.getDailyReconciliation(caller, query.date),
})
