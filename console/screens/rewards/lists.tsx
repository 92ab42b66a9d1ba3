import type { ReactNode } from 'react'
import type { PartnerUser, PartnerUserCard, RewardableTransaction, RewardPayment } from '../../../client/src/index.ts'
import { State } from '../../components/display/state.tsx'
import { Time } from '../../components/display/time.tsx'
import { Empty } from '../../components/feedback/empty.tsx'
import { Card } from '../../components/layout/card.tsx'
import { Filters } from '../../components/lists/filters.tsx'
import { type Column, ListTable } from '../../components/lists/table.tsx'
import { RecordLink } from '../../components/records/record-link.tsx'
import { useFilters } from '../../data/filters.ts'
import { type Rows, useList } from '../../data/list.ts'
import { rewardQuery } from '../../data/reward-filter.ts'
import { recordPath } from '../../routes.ts'
import { RewardsHead } from './rewards.tsx'

interface Listed {
  id: number
  createdAt: string
}

const created: Column<Listed> = {
  head: 'Created',
  cell: ({ createdAt }) => <Time of={createdAt} />,
  number: true,
}

/** The payouts of rewards, newest first. */
export function RewardPayments() {
  const [filters, setFilters] = useFilters(['rewardId'])
  const list = useList('listRewardPayments', { query: rewardQuery(filters) })
  const columns: Column<RewardPayment>[] = [
    { head: 'Payout', cell: ({ id }) => <span className="mono">{id}</span> },
    { head: 'Reward', cell: ({ rewardId }) => <RecordLink type="reward" id={rewardId} /> },
    { head: 'Payment', cell: ({ paymentId }) => <span className="mono">{paymentId}</span>, wide: true },
    created,
  ]
  return (
    <RewardList
      title="Payments"
      type="rewardPayment"
      list={list}
      columns={columns}
      filters={<Filters values={filters} set={setFilters} fields={[{ name: 'rewardId', label: 'Reward' }]} />}
      empty="Rewards are paid out when bank time reaches their day: advance the clock."
    />
  )
}

/** The users who take part in rewards, newest first. */
export function PartnerUsers() {
  const [filters, setFilters] = useFilters(['userId', 'isRemoved'])
  const list = useList('listPartnerUsers', { query: rewardQuery(filters) })
  const columns: Column<PartnerUser>[] = [
    { head: 'Partner user', cell: ({ id }) => <span className="mono">{id}</span> },
    { head: 'Your number', cell: ({ userId }) => <span className="mono">{userId}</span> },
    { head: 'State', cell: ({ isRemoved }) => <State of={isRemoved ? 'Removed' : 'Active'} /> },
    { ...created, wide: true },
  ]
  return (
    <RewardList
      title="Users"
      type="partnerUser"
      list={list}
      columns={columns}
      filters={
        <Filters
          values={filters}
          set={setFilters}
          fields={[
            { name: 'userId', label: 'Your number' },
            { name: 'isRemoved', label: 'Removed', options: ['true', 'false'], labels: { true: 'Yes', false: 'No' } },
          ]}
        />
      }
      empty="Call createPartnerUser to enrol a user."
    />
  )
}

/** The cards that earn rewards, newest first. */
export function LinkedCards() {
  const [filters, setFilters] = useFilters(['partnerUserId', 'bankCardId', 'isRemoved'])
  const list = useList('listPartnerUserCards', { query: rewardQuery(filters) })
  const columns: Column<PartnerUserCard>[] = [
    { head: 'Link', cell: ({ id }) => <span className="mono">{id}</span> },
    { head: 'Card', cell: ({ bankCardId }) => <RecordLink type="card" id={bankCardId} /> },
    {
      head: 'Partner user',
      cell: ({ partnerUserId }) => <RecordLink type="partnerUser" id={partnerUserId} />,
      wide: true,
    },
    { head: 'State', cell: ({ isRemoved }) => <State of={isRemoved ? 'Removed' : 'Active'} /> },
    { ...created, wide: true },
  ]
  return (
    <RewardList
      title="Linked cards"
      type="partnerUserCard"
      list={list}
      columns={columns}
      filters={
        <Filters
          values={filters}
          set={setFilters}
          fields={[
            { name: 'bankCardId', label: 'Card' },
            { name: 'partnerUserId', label: 'Partner user' },
            { name: 'isRemoved', label: 'Removed', options: ['true', 'false'], labels: { true: 'Yes', false: 'No' } },
          ]}
        />
      }
      empty="Open a card and choose “Simulate a purchase…” to link it, or call createPartnerUserCard."
    />
  )
}

/** The purchases with linked cards, newest first. */
export function Purchases() {
  const [filters, setFilters] = useFilters(['partnerUserCardId', 'bankTransactionId'])
  const list = useList('listRewardableTransactions', { query: rewardQuery(filters) })
  const columns: Column<RewardableTransaction>[] = [
    { head: 'Purchase', cell: ({ id }) => <span className="mono">{id}</span> },
    { head: 'Transaction', cell: ({ bankTransactionId }) => <RecordLink type="transaction" id={bankTransactionId} /> },
    {
      head: 'Linked card',
      cell: ({ partnerUserCardId }) => <RecordLink type="partnerUserCard" id={partnerUserCardId} />,
      wide: true,
    },
    created,
  ]
  return (
    <RewardList
      title="Purchases"
      type="rewardableTransaction"
      list={list}
      columns={columns}
      filters={
        <Filters
          values={filters}
          set={setFilters}
          fields={[
            { name: 'bankTransactionId', label: 'Transaction' },
            { name: 'partnerUserCardId', label: 'Linked card' },
          ]}
        />
      }
      empty="Open a linked card and choose “Simulate a purchase…”."
    />
  )
}

/** One list of rewards. */
function RewardList<Row extends Listed>({
  title,
  type,
  list,
  columns,
  filters,
  empty,
}: {
  title: string
  type: string
  list: Rows<Row>
  columns: Column<Row>[]
  filters: ReactNode
  empty: string
}) {
  return (
    <>
      <RewardsHead />
      {filters}
      <Card title={title} flush bare>
        <ListTable
          label={title}
          list={list}
          columns={columns}
          keyOf={({ id }) => id}
          path={({ id }) => recordPath(type, id)}
          empty={
            <Empty title="Nothing found">
              <p>{empty}</p>
            </Empty>
          }
        />
      </Card>
    </>
  )
}
