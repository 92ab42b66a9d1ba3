import { useLocation } from 'wouter'
import type { ListedPayment } from '../../../client/src/index.ts'
import { State } from '../../components/display/state.tsx'
import { Time } from '../../components/display/time.tsx'
import { Empty } from '../../components/feedback/empty.tsx'
import { Card } from '../../components/layout/card.tsx'
import { PageTitle } from '../../components/layout/page-title.tsx'
import { Filters } from '../../components/lists/filters.tsx'
import { type Column, ListTable } from '../../components/lists/table.tsx'
import { useFilters } from '../../data/filters.ts'
import { money } from '../../data/format.ts'
import { useList } from '../../data/list.ts'
import { useMay } from '../../data/purser.tsx'
import { recordPath } from '../../routes.ts'

const statuses = ['Pending', 'PendingReview', 'Clearing', 'Sent', 'Returned', 'Rejected', 'Canceled'] as const
type Status = (typeof statuses)[number]

export const paymentColumns: Column<ListedPayment>[] = [
  { head: 'Counterparty', cell: ({ counterparty }) => counterparty.name },
  { head: 'Description', cell: ({ description }) => description, wide: true },
  { head: 'State', cell: ({ status }) => <State of={status} /> },
  { head: 'Id', cell: ({ id }) => <span className="mono">{id}</span>, wide: true },
  { head: 'Created', cell: ({ createdAt }) => <Time of={createdAt} />, number: true, wide: true },
  { head: 'Amount', cell: ({ amount, direction }) => money(direction === 'Debit' ? -amount : amount), number: true },
]

function PayManyButton() {
  const may = useMay('createPaymentBatch')
  const [, go] = useLocation()
  if (!may) return null
  return (
    <button type="button" onClick={() => go('/payments/batch')}>
      Pay many…
    </button>
  )
}

/** All payments, newest first. */
export function Payments() {
  const [filters, setFilters] = useFilters(['status', 'accountId', 'customerId'])
  const list = useList('listPayments', {
    query: {
      sort: '-createdAt',
      limit: 100,
      count: true,
      ...(filters.status && { status: [filters.status as Status] }),
      ...(filters.accountId && { accountId: filters.accountId }),
      ...(filters.customerId && { customerId: filters.customerId }),
    },
  })
  return (
    <>
      <PageTitle title="Payments" actions={<PayManyButton />}>
        {list.total && <span className="muted">{list.total}</span>}
      </PageTitle>
      <Filters
        values={filters}
        set={setFilters}
        fields={[
          { name: 'status', label: 'State', options: statuses },
          { name: 'accountId', label: 'Account' },
          { name: 'customerId', label: 'Customer' },
        ]}
      />
      <Card title="Payments" flush bare>
        <ListTable
          label="Payments"
          list={list}
          columns={paymentColumns}
          keyOf={({ id }) => id}
          path={({ id }) => recordPath('payment', id)}
          empty={
            <Empty title="No payment yet">
              <p>Open an account and choose “Pay…”, or call createPayment.</p>
            </Empty>
          }
        />
      </Card>
    </>
  )
}
