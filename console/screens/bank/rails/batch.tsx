import type { AchBatch, AchEntry } from '../../../../client/src/index.ts'
import { State } from '../../../components/display/state.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Empty, Reading } from '../../../components/feedback/empty.tsx'
import { ProblemNote } from '../../../components/feedback/problem.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { Details } from '../../../components/layout/details.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { type Column, ListTable } from '../../../components/lists/table.tsx'
import { ByApi } from '../../../components/records/by-api.tsx'
import { RecordLink } from '../../../components/records/record-link.tsx'
import { date, money } from '../../../data/format.ts'
import { useList } from '../../../data/list.ts'
import { useCall } from '../../../data/purser.tsx'
import { StateMachine } from '../../../pictures/state-machine.tsx'
import { recordPath } from '../../../routes.ts'

/** One batch: its state, its entries and its totals. */
export function AchBatchScreen({ id }: { id: string }) {
  const { data: batch, error } = useCall('getAchBatch', { params: { achBatchId: id } })
  if (!batch) {
    return (
      <>
        <PageTitle title={`Batch ${id}`} parent={{ name: 'Rails', path: '/rails' }} id={id} />
        {error ? <ProblemNote error={error} /> : <Reading lines={8} />}
      </>
    )
  }
  return (
    <>
      <PageTitle name={`Batch ${id}`} title={money(batch.amount)} parent={{ name: 'Rails', path: '/rails' }} id={id}>
        <span>
          {entries(batch.entryCount)} · <b>{batch.type === 'returns' ? 'Returns' : batch.description}</b>
        </span>
        <State of={batch.status} />
      </PageTitle>
      <ProblemNote error={error} />
      <div className="columns">
        <div>
          <Card title="State">
            <StateMachine {...machineOf(batch.status)} />
          </Card>
          <Entries id={id} />
          <ByApi title="This batch by API" operation="getAchBatch" input={{ params: { achBatchId: id } }} />
        </div>
        <Facts batch={batch} />
      </div>
    </>
  )
}

function Facts({ batch }: { batch: AchBatch }) {
  const { direction, secCode, companyName, companyId, effectiveDate, settlementDate, createdAt } = batch
  return (
    <Card title="Details">
      <Details
        items={[
          ['File', <RecordLink key="file" type="achFile" id={batch.fileId} />],
          ['Direction', direction],
          [
            'SEC code',
            <span key="sec" className="mono">
              {secCode}
            </span>,
          ],
          ['Company', companyName],
          [
            'Company identification',
            <span key="company" className="mono">
              {companyId}
            </span>,
          ],
          ['Cut-off', <Time key="cut-off" of={createdAt} />],
          ['Effective entry date', date(effectiveDate)],
          ['Settlement day', date(settlementDate)],
          ['Settled', batch.settledAt && <Time key="settled" of={batch.settledAt} />],
          ['Rejected', batch.rejectedAt && <Time key="rejected" of={batch.rejectedAt} />],
        ]}
      />
    </Card>
  )
}

const entryColumns: Column<AchEntry>[] = [
  {
    head: 'Payment',
    cell: ({ paymentId, receivedPaymentId }) => (
      <span className="mono">{paymentId ?? receivedPaymentId ?? 'Without an account'}</span>
    ),
  },
  { head: 'State', cell: ({ status }) => <State of={status} /> },
  { head: 'Trace number', cell: ({ traceNumber }) => <span className="mono">{traceNumber}</span>, wide: true },
  { head: 'Return', cell: ({ returnCode }) => returnCode, wide: true },
  { head: 'Amount', cell: ({ amount }) => money(amount), number: true },
]

function Entries({ id }: { id: string }) {
  const list = useList('listAchEntries', { params: { achBatchId: id }, query: { limit: 100 } })
  return (
    <Card title="Entries" flush>
      <ListTable
        label="Entries"
        list={list}
        columns={entryColumns}
        keyOf={({ traceNumber }) => traceNumber}
        path={({ paymentId, receivedPaymentId }) => {
          if (paymentId) return recordPath('payment', paymentId)
          return receivedPaymentId && recordPath('receivedPayment', receivedPaymentId)
        }}
        empty={<Empty title="The entries have left with another file" />}
      />
    </Card>
  )
}

function entries(count: number): string {
  return count === 1 ? 'One entry' : `${count.toLocaleString('en-US')} entries`
}

function machineOf(status: string) {
  const tone = status === 'Settled' ? 'good' : status === 'Rejected' ? 'bad' : 'warn'
  return { way: ['Clearing', status === 'Rejected' ? 'Rejected' : 'Settled'], present: status, tone } as const
}
