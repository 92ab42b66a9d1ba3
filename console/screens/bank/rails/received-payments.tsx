import type { ReceivedPayment } from '../../../../client/src/index.ts'
import { State } from '../../../components/display/state.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Empty } from '../../../components/feedback/empty.tsx'
import type { Column } from '../../../components/lists/table.tsx'
import { useFilters } from '../../../data/filters.ts'
import { date, money } from '../../../data/format.ts'
import { useList } from '../../../data/list.ts'
import { RailsList } from './rails-list.tsx'

const statuses = ['Pending', 'Completed', 'MarkedForReturn', 'Returned'] as const
const directions = ['Credit', 'Debit'] as const

const columns: Column<ReceivedPayment>[] = [
  { head: 'Sender', cell: ({ counterparty }) => counterparty.name },
  { head: 'Description', cell: ({ description }) => description, wide: true },
  { head: 'State', cell: ({ status }) => <State of={status} /> },
  {
    head: 'Completes',
    cell: ({ expectedCompletionDate }) => expectedCompletionDate && date(expectedCompletionDate),
    number: true,
    wide: true,
  },
  { head: 'Received', cell: ({ createdAt }) => <Time of={createdAt} />, number: true, wide: true },
  { head: 'Amount', cell: ({ amount, direction }) => money(direction === 'Debit' ? -amount : amount), number: true },
]

/** The payments that other banks sent, newest first. */
export function ReceivedPayments() {
  const [filters, setFilters] = useFilters(['status', 'direction', 'accountId'])
  const list = useList('listReceivedPayments', {
    query: {
      limit: 100,
      ...(filters.status && { status: [filters.status as (typeof statuses)[number]] }),
      ...(filters.direction && { direction: [filters.direction as (typeof directions)[number]] }),
      ...(filters.accountId && { accountId: filters.accountId }),
    },
  })
  const fields = [
    { name: 'status', label: 'State', options: statuses },
    { name: 'direction', label: 'Direction', options: directions },
    { name: 'accountId', label: 'Account' },
  ]
  return (
    <RailsList
      title="Received payments"
      type="receivedPayment"
      list={list}
      columns={columns}
      filters={{ values: filters, set: setFilters, fields }}
      empty={
        <Empty title={Object.keys(filters).length > 0 ? 'No received payment matches' : 'No received payment yet'}>
          <p>Credits and debits of other banks arrive with ACH files. Open an account and choose “Receive money…”.</p>
        </Empty>
      }
    />
  )
}
