import { type Static, Type } from 'typebox'
import { CentsValue } from '../../base/cents.ts'
import { recordsRead } from './records.ts'

const Day = Type.String({
  format: 'date',
  pattern: '^\\d{4}-\\d\\d-\\d\\d$',
  examples: ['2026-01-31'],
  description: 'A day of bank time, in UTC',
})

const PurchaseSum = Type.Object({ count: Type.Integer(), amount: CentsValue }, { $id: 'PurchaseSum' })
const RewardSum = Type.Object(
  { count: Type.Integer(), userAmount: CentsValue, issuerAmount: CentsValue },
  { $id: 'RewardSum' },
)
const PayoutSum = Type.Object({ count: Type.Integer(), amount: CentsValue }, { $id: 'PayoutSum' })
const LedgerSum = Type.Object(
  { payouts: CentsValue, clawBacks: CentsValue, fundingBalance: CentsValue },
  { $id: 'LedgerSum' },
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
  { $id: 'DailyReconciliation' },
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
  status: 200,
  scope: 'rewards:read',
  query: Type.Object({ date: Day }),
  data: DailyReconciliation,
  problems: ['balance_limit'],
  run: ({ records, caller }, { query }) => records.getDailyReconciliation(caller, query.date),
})
