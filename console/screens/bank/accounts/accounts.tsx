import { Link } from 'wouter'
import type { DepositAccount } from '../../../../client/src/index.ts'
import { State } from '../../../components/display/state.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Empty } from '../../../components/feedback/empty.tsx'
import { Unavailable } from '../../../components/feedback/unavailable.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { Filters } from '../../../components/lists/filters.tsx'
import { type Column, ListTable } from '../../../components/lists/table.tsx'
import { useFilters } from '../../../data/filters.ts'
import { money } from '../../../data/format.ts'
import { useList } from '../../../data/list.ts'
import { useMay } from '../../../data/purser.tsx'
import { recordPath } from '../../../routes.ts'

const statuses = ['Open', 'Frozen', 'Closed'] as const
type Status = (typeof statuses)[number]

export const accountColumns: Column<DepositAccount>[] = [
  { head: 'Holder', cell: ({ name }) => name },
  {
    head: 'Number',
    cell: ({ accountNumber }) => <span className="mono">··{accountNumber.slice(-4)}</span>,
    wide: true,
  },
  { head: 'State', cell: ({ status }) => <State of={status} /> },
  { head: 'Opened', cell: ({ createdAt }) => <Time of={createdAt} />, wide: true },
  { head: 'Available', cell: ({ available }) => money(available), number: true },
  { head: 'Balance', cell: ({ balance }) => money(balance), number: true, wide: true },
]

/** All accounts, newest first. */
export function Accounts() {
  const may = useMay('listAccounts')
  const [filters, setFilters] = useFilters(['search', 'status', 'customerId'])
  const list = useList('listAccounts', {
    query: {
      sort: '-createdAt',
      limit: 100,
      count: true,
      ...(filters.search && { search: filters.search }),
      ...(filters.status && { status: filters.status as Status }),
      ...(filters.customerId && { customerId: filters.customerId }),
    },
  })
  const filtered = Object.keys(filters).length > 0
  return (
    <>
      <PageTitle title="Accounts">{list.total && <span className="muted">{list.total}</span>}</PageTitle>
      <Filters
        values={filters}
        set={setFilters}
        fields={[
          { name: 'search', label: 'Name, e-mail, number or id' },
          { name: 'status', label: 'State', options: statuses },
          { name: 'customerId', label: 'Customer' },
        ]}
      />
      {may ? (
        <Card title="Accounts" flush bare>
          <ListTable
            label="Accounts"
            list={list}
            columns={accountColumns}
            keyOf={({ id }) => id}
            path={({ id }) => recordPath('account', id)}
            empty={filtered ? <Empty title="No account matches" /> : <NoAccount />}
          />
        </Card>
      ) : (
        <Unavailable title="Accounts" scope="banking:read">
          The provider of accounts has no list of them.
        </Unavailable>
      )}
    </>
  )
}

/** An account belongs to a customer, and is opened from there. */
function NoAccount() {
  return (
    <Empty title="No account yet">
      <p>
        Open a <Link href="/customers">customer</Link> and choose “New account”, or call createAccount.
      </p>
    </Empty>
  )
}
