import { Link } from 'wouter'
import type { SettlementItem } from '../../../client/src/index.ts'
import { defineList, ListBody, useInput } from '../../components/lists/list-screen.tsx'
import { counted, date, money, sentence } from '../../data/format.ts'
import { useList } from '../../data/list.ts'
import { recordPath } from '../../routes.ts'
import { Decide } from './decide.tsx'
import { ClosingScreen } from './head.tsx'

/** The amount of an item. The sign of some lines is not known. */
export function amountOf({ amount }: Pick<SettlementItem, 'amount'>): string {
  return amount === null ? 'Direction not known' : money(amount)
}

/** The records behind movements, by the words that their descriptions begin with. */
const records: readonly (readonly [start: RegExp, type: string])[] = [
  [/^ACH return (\d+)/, 'payment'],
  [/^received ACH (\d+)/, 'receivedPayment'],
  [/^ACH settlement (\d+)/, 'achBatch'],
]

/** The text of an item. A movement of the ledger leads to its record. */
export function Description({ of: { side, description } }: { of: Pick<SettlementItem, 'side' | 'description'> }) {
  for (const [start, type] of side === 'ledger' ? records : []) {
    const [words, id] = start.exec(description) ?? []
    if (words && id) {
      return (
        <>
          <Link href={recordPath(type, id)}>{sentence(words)}</Link>
          {description.slice(words.length)}
        </>
      )
    }
  }
  return sentence(description)
}

const items = defineList({
  title: 'Open items',
  operation: 'listSettlementItems',
  query: { limit: 100 },
  columns: [
    { head: 'Item', cell: (item) => <Description of={item} /> },
    { head: 'Side', cell: ({ side }) => (side === 'statement' ? 'Statement' : 'Ledger'), wide: 'widest' },
    { head: 'Day', cell: ({ day }) => date(day), number: true, wide: true, card: 'when' },
    { head: 'Age', cell: ({ ageDays }) => counted(ageDays, 'day'), number: true, wide: 'widest' },
    {
      head: 'Note',
      cell: ({ hint, owner, note }) => (owner ? `${owner}: ${note}` : hint && sentence(hint)),
      wide: true,
      card: 'note',
    },
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
