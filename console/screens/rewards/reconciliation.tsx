import type { DailyReconciliation } from '../../../client/src/index.ts'
import { State } from '../../components/display/state.tsx'
import { Reading } from '../../components/feedback/empty.tsx'
import { ProblemNote } from '../../components/feedback/problem.tsx'
import { Unavailable } from '../../components/feedback/unavailable.tsx'
import { Card } from '../../components/layout/card.tsx'
import { Details } from '../../components/layout/details.tsx'
import { Filters } from '../../components/lists/filters.tsx'
import { useBankDay } from '../../data/bank-time.ts'
import { useFilters } from '../../data/filters.ts'
import { count, date, money } from '../../data/format.ts'
import { useCall, useMay } from '../../data/purser.tsx'
import { RewardsHead } from './lists.tsx'

/** The rewards of a day, by the records and by the ledger. */
export function Reconciliation() {
  const [filters, setFilters] = useFilters(['date'])
  const may = useMay('getDailyReconciliation')
  const today = useBankDay()
  // A key that may not read the clock of a sandbox sees the real day.
  const day = filters.date ?? (today === null ? new Date().toISOString().slice(0, 10) : today)
  return (
    <>
      <RewardsHead />
      <Filters
        values={filters}
        set={setFilters}
        fields={[{ name: 'date', label: 'Day', kind: 'date', standard: day }]}
      />
      {!may ? (
        <Unavailable title="Reconciliation" scope="rewards:read" absent="This service has no rewards." />
      ) : (
        day && <Day day={day} />
      )}
    </>
  )
}

function Day({ day }: { day: string }) {
  const { data, error } = useCall('getDailyReconciliation', { query: { date: day } }, { keep: true })
  if (error) return <ProblemNote error={error} />
  if (!data) return <Reading lines={5} />
  return (
    <div className="halves">
      <ByRecords sums={data} />
      <ByLedger sums={data} />
    </div>
  )
}

function ByRecords({ sums: { date: day, purchases, rewards, payouts } }: { sums: DailyReconciliation }) {
  return (
    <Card title="By the records" aside={<span>{date(day)}</span>}>
      <Details
        of={{
          Purchases: summed(purchases.count, purchases.amount),
          'Rewards, share of users': summed(rewards.count, rewards.userAmount),
          'Rewards, share of the issuer': money(rewards.issuerAmount),
          Payouts: summed(payouts.count, payouts.amount),
        }}
      />
    </Card>
  )
}

function ByLedger({ sums: { ledger, balanced } }: { sums: DailyReconciliation }) {
  return (
    <Card title="By the ledger" aside={<State of={balanced ? 'Balanced' : 'Not balanced'} />}>
      <Details
        of={{
          Payouts: money(ledger.payouts),
          'Taken back': money(ledger.clawBacks),
          'Rewards funding, now': money(ledger.fundingBalance),
        }}
      />
    </Card>
  )
}

function summed(number: number, cents: number): string {
  return `${count(number)} · ${money(cents)}`
}
