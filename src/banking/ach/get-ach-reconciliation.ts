import { type Static, Type } from 'typebox'
import { CentsValue } from '../../base/cents.ts'
import { described } from '../../base/text.ts'
import { bankingRead } from '../provider.ts'
import { SettlementDay } from './settlement-day.ts'

const AchSum = Type.Object(
  {
    count: Type.Integer({ description: 'Number of entries' }),
    credits: described(CentsValue, 'Sum of the credits, in cents'),
    debits: described(CentsValue, 'Sum of the debits, in cents'),
  },
  { $id: 'AchSum', description: 'Entries of ACH files that settle on the day' },
)

export const AchReconciliation = Type.Object(
  {
    date: SettlementDay,
    originated: AchSum,
    received: AchSum,
    returnsSent: AchSum,
    returnsReceived: AchSum,
    net: described(CentsValue, 'Money that the files bring, in cents; negative if more leaves'),
    pending: described(CentsValue, 'The part of it that is not booked yet, in cents'),
    ledgerNet: described(CentsValue, 'Money that the ledger has booked for the day, in cents'),
    difference: described(CentsValue, '`net` less `pending` less `ledgerNet`, in cents; always 0'),
  },
  { $id: 'AchReconciliation', description: 'The ACH entries of a settlement day, by files and by the ledger' },
)
export type AchReconciliation = Static<typeof AchReconciliation>

/** Extension. Sums the ACH entries of a settlement day, from the files and from the ledger. */
export const getAchReconciliation = bankingRead({
  id: 'getAchReconciliation',
  resource: 'achReconciliations',
  verb: 'get',
  path: '/v0/banking/ach-reconciliation',
  summary: 'Get ACH reconciliation',
  description:
    'Sums the organisation’s ACH entries that settle on a day, once from the files and once from the ledger. `originated` and `returnsSent` left with outgoing files; `received` and `returnsReceived` came with incoming ones. An entry that came twice counts once. A day without entries has zeros.',
  query: Type.Object({ date: SettlementDay }),
  data: AchReconciliation,
  problems: [],
  run: ({ bank, caller }, { query }) => bank.getAchReconciliation(caller, query.date),
})
