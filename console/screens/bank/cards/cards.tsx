import type { ListedCard } from '../../../../client/src/index.ts'
import { State } from '../../../components/display/state.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Empty } from '../../../components/feedback/empty.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { Filters } from '../../../components/lists/filters.tsx'
import { type Column, ListTable } from '../../../components/lists/table.tsx'
import { RecordLink } from '../../../components/records/record-link.tsx'
import { useFilters } from '../../../data/filters.ts'
import { useList } from '../../../data/list.ts'
import { recordPath } from '../../../routes.ts'

const statuses = ['Inactive', 'Active', 'Frozen', 'Lost', 'Stolen', 'ClosedByCustomer', 'SuspectedFraud'] as const
type Status = (typeof statuses)[number]
const kinds = ['Physical', 'Virtual'] as const

const columns: Column<ListedCard>[] = [
  { head: 'Card', cell: ({ last4Digits }) => <span className="mono">•••• {last4Digits}</span> },
  { head: 'Kind', cell: ({ type }) => kindOf(type) },
  { head: 'State', cell: ({ status }) => <State of={status} /> },
  { head: 'Account', cell: ({ accountId }) => <RecordLink type="account" id={accountId} />, wide: true },
  { head: 'Id', cell: ({ id }) => <span className="mono">{id}</span>, wide: true },
  { head: 'Expires', cell: ({ expirationDate }) => expiryOf(expirationDate), number: true },
  { head: 'Created', cell: ({ createdAt }) => <Time of={createdAt} />, number: true, wide: true },
]

/** All cards, newest first. */
export function Cards() {
  const [filters, setFilters] = useFilters(['status', 'kind', 'accountId', 'customerId'])
  const list = useList('listCards', {
    query: {
      sort: '-createdAt',
      limit: 100,
      ...(filters.status && { status: filters.status as Status }),
      ...(filters.kind && { type: filters.kind === 'Virtual' ? 'individualVirtualDebitCard' : 'individualDebitCard' }),
      ...(filters.accountId && { accountId: filters.accountId }),
      ...(filters.customerId && { customerId: filters.customerId }),
    },
  })
  return (
    <>
      <PageTitle title="Cards" />
      <Filters
        values={filters}
        set={setFilters}
        fields={[
          { name: 'status', label: 'State', options: statuses },
          { name: 'kind', label: 'Kind', options: kinds },
          { name: 'accountId', label: 'Account' },
          { name: 'customerId', label: 'Customer' },
        ]}
      />
      <Card title="Cards" flush bare>
        <ListTable
          label="Cards"
          list={list}
          columns={columns}
          keyOf={({ id }) => id}
          path={({ id }) => recordPath('card', id)}
          empty={
            <Empty title={Object.keys(filters).length > 0 ? 'No card matches' : 'No card yet'}>
              <p>Open an account and choose “New card…”, or call createCard.</p>
            </Empty>
          }
        />
      </Card>
    </>
  )
}

export function kindOf(type: string): string {
  return type === 'individualVirtualDebitCard' ? 'Virtual' : 'Physical'
}

/** The last month of a card as it is printed, `11/30`, of `2030-11` or a time in that month. */
export function expiryOf(month: string): string {
  return `${month.slice(5, 7)}/${month.slice(2, 4)}`
}
