import { State } from '../../../components/display/state.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Empty } from '../../../components/feedback/empty.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { mono } from '../../../components/layout/details.tsx'
import { ListTable } from '../../../components/lists/table.tsx'
import { link } from '../../../components/records/record-link.tsx'
import { recordScreen, relatedId } from '../../../components/records/record-page.tsx'
import { counted, date, money } from '../../../data/format.ts'
import { useList } from '../../../data/list.ts'
import { recordPath } from '../../../routes.ts'

/** One batch: its state, its entries and its totals. */
export const AchBatchScreen = recordScreen('achBatch', ({ id, record: batch, related }) => ({
  name: `Batch ${id}`,
  title: money(batch.amount),
  beside: (
    <>
      {counted(batch.entryCount, 'entry', 'entries')} ·{' '}
      <b>{batch.type === 'returns' ? 'Returns' : batch.description}</b>
    </>
  ),
  state: batch.status,
  way: wayOf(batch.status),
  main: <Entries id={id} />,
  details: {
    // A file of a live bank belongs to its operator.
    File: link('achFile', relatedId(related, 'achFile')) || mono(batch.fileId),
    Direction: batch.direction,
    'SEC code': mono(batch.secCode),
    Company: batch.companyName,
    'Company identification': mono(batch.companyId),
    'Effective entry date': date(batch.effectiveDate),
    'Settlement day': date(batch.settlementDate),
    Settled: batch.settledAt && <Time of={batch.settledAt} />,
    Rejected: batch.rejectedAt && <Time of={batch.rejectedAt} />,
  },
  without: 'all',
}))

function Entries({ id }: { id: string }) {
  const list = useList('listAchEntries', { params: { achBatchId: id }, query: { limit: 100 } })
  return (
    <Card title="Entries" flush>
      <ListTable
        label="Entries"
        list={list}
        keyOf={({ traceNumber }) => traceNumber}
        columns={[
          {
            head: 'Payment',
            cell: ({ paymentId, receivedPaymentId }) => mono(paymentId ?? receivedPaymentId ?? 'Without an account'),
          },
          { head: 'State', cell: ({ status }) => <State of={status} /> },
          { head: 'Trace number', cell: ({ traceNumber }) => mono(traceNumber), wide: true },
          { head: 'Return', cell: ({ returnCode }) => returnCode, wide: true },
          { head: 'Amount', cell: ({ amount }) => money(amount), number: true },
        ]}
        path={({ paymentId, receivedPaymentId }) => {
          if (paymentId) return recordPath('payment', paymentId)
          return receivedPaymentId ? recordPath('receivedPayment', receivedPaymentId) : undefined
        }}
        empty={<Empty title="The entries have left with another file" />}
      />
    </Card>
  )
}

function wayOf(status: string) {
  const tone = status === 'Settled' ? 'good' : status === 'Rejected' ? 'bad' : 'warn'
  return { way: ['Clearing', status === 'Rejected' ? 'Rejected' : 'Settled'], present: status, tone } as const
}
