import type { SettlementItem } from '../../../client/src/index.ts'
import { defineList, ListBody, useInput } from '../../components/lists/list-screen.tsx'
import { counted, date, money } from '../../data/format.ts'
import { useList } from '../../data/list.ts'
import { Decide } from './decide.tsx'
import { ClosingScreen } from './head.tsx'

/** The amount of an item. The sign of some lines is not known. */
export function amountOf({ amount }: Pick<SettlementItem, 'amount'>): string {
  return amount === null ? 'Direction not known' : money(amount)
}

const items = defineList({
  title: 'Open items',
  operation: 'listSettlementItems',
  query: { limit: 100 },
  columns: [
    { head: 'Item', cell: ({ description }) => description },
    { head: 'Side', cell: ({ side }) => (side === 'statement' ? 'Statement' : 'Ledger'), wide: true },
    { head: 'Day', cell: ({ day }) => date(day), number: true, wide: true },
    { head: 'Age', cell: ({ ageDays }) => counted(ageDays, 'day'), number: true, wide: true },
    { head: 'May be', cell: ({ hint }) => hint, wide: true },
    { head: 'Owner', cell: ({ owner, note }) => owner && `${owner}: ${note}`, wide: true },
    { head: 'Amount', cell: amountOf, number: true },
    { head: 'Decision', cell: (item) => <Decide item={item} /> },
  ],
  none: ['No open item', 'Every line of the statements has its movement in the ledger.'],
})

/** Lines and movements that are in no match, the oldest first. */
export function OpenItems() {
  const { values, set, input } = useInput(items)
  return (
    <ClosingScreen>
      <ListBody of={items} rows={useList('listSettlementItems', input)} input={input} values={values} set={set} />
    </ClosingScreen>
  )
}
