import { State } from '../../components/display/state.tsx'
import { Time } from '../../components/display/time.tsx'
import { defineList, ListBody, useInput } from '../../components/lists/list-screen.tsx'
import { count, date, money, sentence, words } from '../../data/format.ts'
import { useList } from '../../data/list.ts'
import { ClosingScreen } from './head.tsx'

const orNothing = (cents: number | null) => cents !== null && money(cents)

const statements = defineList({
  title: 'Bank statements',
  operation: 'listBankStatements',
  query: { limit: 100 },
  keyOf: ({ file, takenAt, asOf, page }) => [file, takenAt, asOf, page].join(' '),
  path: ({ asOf, standing }) => (asOf && standing === 'current' ? `/closing/days/${asOf}` : undefined),
  columns: [
    { head: 'Day', cell: ({ asOf }) => (asOf ? date(asOf) : '–') },
    {
      head: 'State',
      cell: ({ state, standing }) => <State of={state === 'refused' ? 'Refused' : (standing ?? 'Applied')} />,
    },
    { head: 'File', cell: ({ file }) => file, wide: 'widest' },
    { head: 'Detail', cell: ({ detail, flags }) => [sentence(detail), ...(flags ?? []).map(words)].join(', ') },
    { head: 'Lines', cell: ({ entries }) => entries !== null && count(entries), number: true, wide: 'widest' },
    { head: 'Opening', cell: ({ opening }) => orNothing(opening), number: true, wide: 'widest' },
    { head: 'Closing', cell: ({ closing }) => orNothing(closing), number: true, wide: true },
    { head: 'Taken', cell: ({ takenAt }) => <Time of={takenAt} />, number: true, wide: true, card: 'when' },
  ],
  none: ['No bank statement yet', 'The service takes them from a folder, or you take one here.'],
})

export function BankStatements() {
  const { values, set, input } = useInput(statements)
  return (
    <ClosingScreen>
      <ListBody of={statements} rows={useList('listBankStatements', input)} input={input} values={values} set={set} />
    </ClosingScreen>
  )
}
