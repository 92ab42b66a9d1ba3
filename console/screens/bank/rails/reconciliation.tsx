import type { AchReconciliation, AchSum } from '../../../../client/src/index.ts'
import { State } from '../../../components/display/state.tsx'
import { Reading } from '../../../components/feedback/empty.tsx'
import { ProblemNote } from '../../../components/feedback/problem.tsx'
import { Unavailable } from '../../../components/feedback/unavailable.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { Details } from '../../../components/layout/details.tsx'
import { Filters } from '../../../components/lists/filters.tsx'
import { type Column, Table } from '../../../components/lists/table.tsx'
import { useSettlementDay } from '../../../data/bank-time.ts'
import { useFilters } from '../../../data/filters.ts'
import { count, date, money } from '../../../data/format.ts'
import { useCall, useMay } from '../../../data/purser.tsx'
import { RailsHead } from './lists.tsx'

/** The ACH entries that settle on a day, by the files and by the ledger. */
export function AchReconciliationScreen() {
  const [filters, setFilters] = useFilters(['date'])
  const may = useMay('getAchReconciliation')
  const today = useSettlementDay()
  const day = filters.date ?? today
  return (
    <>
      <RailsHead />
      <Filters
        values={filters}
        set={setFilters}
        fields={[{ name: 'date', label: 'Settlement day', kind: 'date', standard: day ?? undefined }]}
      />
      {!may ? (
        <Unavailable title="Reconciliation" scope="banking:read" absent="Only the built-in bank has ACH files." />
      ) : (
        day && <Day day={day} />
      )}
    </>
  )
}

function Day({ day }: { day: string }) {
  const { data, error } = useCall('getAchReconciliation', { query: { date: day } }, { keep: true })
  if (error) return <ProblemNote error={error} />
  if (!data) return <Reading lines={5} />
  return (
    <div className="halves">
      <ByFiles sums={data} />
      <ByLedger sums={data} />
    </div>
  )
}

type Line = AchSum & { name: string }

const columns: Column<Line>[] = [
  { head: 'Entries', cell: ({ name }) => name },
  { head: 'Count', cell: (line) => count(line.count), number: true, wide: true },
  { head: 'Credits', cell: ({ credits }) => money(credits), number: true },
  { head: 'Debits', cell: ({ debits }) => money(debits), number: true },
]

function ByFiles({ sums }: { sums: AchReconciliation }) {
  const lines: Line[] = [
    { name: 'Sent payments', ...sums.originated },
    { name: 'Received payments', ...sums.received },
    { name: 'Returns sent', ...sums.returnsSent },
    { name: 'Returns received', ...sums.returnsReceived },
  ]
  return (
    <Card title="By the files" aside={<span>{date(sums.date)}</span>} flush>
      <Table label="Entries that settle on the day" rows={lines} columns={columns} keyOf={({ name }) => name} />
    </Card>
  )
}

function ByLedger({ sums: { net, pending, ledgerNet, difference } }: { sums: AchReconciliation }) {
  return (
    <Card title="By the ledger" aside={<State of={difference === 0 ? 'Balanced' : 'Not balanced'} />}>
      <Details
        of={{
          'Net of the files': money(net),
          'Not booked yet': money(pending),
          Booked: money(ledgerNet),
          Difference: money(difference),
        }}
      />
    </Card>
  )
}
