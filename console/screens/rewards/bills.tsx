import { defineList, ListBody, useInput } from '../../components/lists/list-screen.tsx'
import { useBankDay } from '../../data/bank-time.ts'
import { count, money, month } from '../../data/format.ts'
import { useList } from '../../data/list.ts'
import { useSession } from '../../data/purser.tsx'
import { RewardsHead } from './lists.tsx'

/** The bills of a month; that of the day if none is chosen. */
const billsOf = (day: string) =>
  defineList({
    title: 'Bills of merchants',
    operation: 'listMerchantBills',
    scope: 'rewards:read',
    absent: 'This service has no rewards.',
    write: ({ month = day.slice(0, 7) }) => ({ month, limit: 1000 }),
    filters: [{ name: 'month', label: 'Month', kind: 'month', standard: day.slice(0, 7) }],
    keyOf: ({ merchantId, merchantName }) => `${merchantId} ${merchantName}`,
    columns: [
      { head: 'Merchant', cell: ({ merchantName }) => merchantName },
      { head: 'Purchases', cell: ({ purchases }) => count(purchases), number: true, wide: true },
      { head: 'Amount', cell: ({ purchaseAmount }) => money(purchaseAmount), number: true, wide: true },
      { head: 'Earned', cell: ({ earned }) => money(earned), number: true, wide: true },
      { head: 'Taken back', cell: ({ clawedBack }) => money(clawedBack), number: true, wide: true },
      { head: 'Paid to users', cell: ({ paid }) => money(paid), number: true, wide: true },
      { head: 'Due', cell: ({ due }) => money(due), number: true },
    ],
    none: ['No merchant owes anything for this month'],
  })

/** The amounts that merchants owe for the rewards of a month, to print. */
export function Bills() {
  // A key that may not read the clock of a sandbox sees the real month.
  const today = useBankDay()
  const day = today ?? new Date().toISOString().slice(0, 10)
  const list = billsOf(day)
  const { values, set, input } = useInput(list)
  const rows = useList(list.operation, input, { enabled: today !== undefined })
  const { me } = useSession()
  const due = rows.rows.reduce((sum, row) => sum + row.due, 0)
  return (
    <>
      <RewardsHead />
      <ListBody
        of={list}
        rows={rows}
        input={input}
        values={values}
        set={set}
        titled
        aside={
          <span>
            {me.organisation.name}, {month(values.month ?? day.slice(0, 7))}: {money(due)} due{' '}
            <button type="button" onClick={() => print()}>
              Print
            </button>
          </span>
        }
      />
    </>
  )
}
