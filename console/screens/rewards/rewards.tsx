import type { Reward } from '../../../client/src/index.ts'
import { State } from '../../components/display/state.tsx'
import { Time } from '../../components/display/time.tsx'
import { Empty } from '../../components/feedback/empty.tsx'
import { Card } from '../../components/layout/card.tsx'
import { LinkTabs } from '../../components/layout/link-tabs.tsx'
import { PageTitle } from '../../components/layout/page-title.tsx'
import { Filters } from '../../components/lists/filters.tsx'
import { type Column, ListTable } from '../../components/lists/table.tsx'
import { useFilters } from '../../data/filters.ts'
import { money } from '../../data/format.ts'
import { useList } from '../../data/list.ts'
import { rewardQuery } from '../../data/reward-filter.ts'
import { recordPath } from '../../routes.ts'

const tabs = [
  { name: 'Rewards', path: '/rewards' },
  { name: 'Payments', path: '/rewards/payments' },
  { name: 'Users', path: '/rewards/users' },
  { name: 'Linked cards', path: '/rewards/cards' },
  { name: 'Purchases', path: '/rewards/purchases' },
  { name: 'Reconciliation', path: '/rewards/reconciliation' },
]

/** The head of every screen of rewards. */
export function RewardsHead() {
  return (
    <>
      <PageTitle title="Rewards" />
      <LinkTabs label="Rewards" tabs={tabs} />
    </>
  )
}

const states = ['PENDING', 'CONFIRMED', 'PAID', 'REJECTED', 'REVERSED', 'CLAWED_BACK'] as const

const columns: Column<Reward>[] = [
  { head: 'Merchant', cell: ({ merchantName }) => merchantName },
  { head: 'State', cell: ({ state }) => <State of={state} /> },
  { head: 'Id', cell: ({ id }) => <span className="mono">{id}</span>, wide: true },
  { head: 'Created', cell: ({ createdAt }) => <Time of={createdAt} />, number: true, wide: true },
  { head: 'Purchase', cell: ({ amount }) => money(amount), number: true, wide: true },
  { head: 'Cash back', cell: ({ userAmount }) => money(userAmount), number: true },
]

/** All rewards, newest first. */
export function Rewards() {
  const [filters, setFilters] = useFilters(['state', 'partnerUserId', 'merchantName'])
  const list = useList('listRewards', { query: rewardQuery(filters) })
  return (
    <>
      <RewardsHead />
      <Filters
        values={filters}
        set={setFilters}
        fields={[
          { name: 'state', label: 'State', options: states },
          { name: 'merchantName', label: 'Merchant' },
          { name: 'partnerUserId', label: 'Partner user' },
        ]}
      />
      <Card title="Rewards" flush bare>
        <ListTable
          label="Rewards"
          list={list}
          columns={columns}
          keyOf={({ id }) => id}
          path={({ id }) => recordPath('reward', id)}
          empty={
            <Empty title={Object.keys(filters).length > 0 ? 'No reward matches' : 'No reward yet'}>
              <p>Open a card and choose “Simulate a purchase…” at a merchant with an offer.</p>
            </Empty>
          }
        />
      </Card>
    </>
  )
}
