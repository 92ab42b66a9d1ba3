import type { DailyReconciliation } from '../../../client/src/index.ts'
import { State } from '../../components/display/state.tsx'
import { Reading } from '../../components/feedback/empty.tsx'
import { ProblemNote } from '../../components/feedback/problem.tsx'
import { Unavailable } from '../../components/feedback/unavailable.tsx'
import { Card } from '../../components/layout/card.tsx'
import { Details } from '../../components/layout/details.tsx'
import { Filters } from '../../components/lists/filters.tsx'
import { ByApi } from '../../components/records/by-api.tsx'
import { useFilters } from '../../data/filters.ts'
import { date, money } from '../../data/format.ts'
import { useCall, useMay } from '../../data/purser.tsx'
import { RewardsHead } from './rewards.tsx'

/** The rewards of a day, by the records and by the ledger. */
export function Reconciliation() {
  const [filters, setFilters] = useFilters(['date'])
  const may = useMay('getDailyReconciliation')
  const mayClock = useMay('getClock')
  const { data: clock } = useCall('getClock', {})
  // Without a sandbox bank time is real time.
  const today = mayClock ? clock?.now : new Date().toISOString()
  const day = filters.date ?? today?.slice(0, 10)
  return (
    <>
      <RewardsHead />
      <Filters
        values={filters}
        set={setFilters}
        fields={[{ name: 'date', label: 'Day', kind: 'date', standard: day }]}
      />
      {!may ? (
        <Unavailable title="Reconciliation" scope="rewards:read">
          This service has no rewards.
        </Unavailable>
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
    <>
      <div className="halves">
        <ByRecords sums={data} />
        <ByLedger sums={data} />
      </div>
      <ByApi title="This day by API" operation="getDailyReconciliation" input={{ query: { date: day } }} />
    </>
  )
}

function ByRecords({ sums: { date: day, purchases, rewards, payouts } }: { sums: DailyReconciliation }) {
  return (
    <Card title="By the records" aside={<span>{date(day)}</span>}>
      <Details
        items={[
          ['Purchases', counted(purchases.count, purchases.amount)],
          ['Rewards, share of users', counted(rewards.count, rewards.userAmount)],
          ['Rewards, share of the issuer', money(rewards.issuerAmount)],
          ['Payouts', counted(payouts.count, payouts.amount)],
        ]}
      />
    </Card>
  )
}

function ByLedger({ sums: { ledger, balanced } }: { sums: DailyReconciliation }) {
  return (
    <Card title="By the ledger" aside={<State of={balanced ? 'Balanced' : 'Not balanced'} />}>
      <Details
        items={[
          ['Payouts', money(ledger.payouts)],
          ['Taken back', money(ledger.clawBacks)],
          ['Rewards funding, now', money(ledger.fundingBalance)],
        ]}
      />
    </Card>
  )
}

function counted(count: number, cents: number): string {
  return `${count.toLocaleString('en-US')} · ${money(cents)}`
}
