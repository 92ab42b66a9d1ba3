import { State } from '../../components/display/state.tsx'
import { Time } from '../../components/display/time.tsx'
import { mono } from '../../components/layout/details.tsx'
import { PageTitle } from '../../components/layout/page-title.tsx'
import { defineList, ListScreen } from '../../components/lists/list-screen.tsx'
import { link } from '../../components/records/record-link.tsx'
import { type Filter, pick } from '../../data/filters.ts'
import { money } from '../../data/format.ts'
import { rewardQuery } from '../../data/reward-filter.ts'
import { CardName, LinkedCardName, RewardName, TransactionName, UserName } from './names.tsx'

const tabs = [
  { name: 'Rewards', path: '/rewards' },
  { name: 'Payments', path: '/rewards/payments' },
  { name: 'Users', path: '/rewards/users' },
  { name: 'Linked cards', path: '/rewards/cards' },
  { name: 'Purchases', path: '/rewards/purchases' },
  { name: 'Funnel', path: '/rewards/funnel' },
  { name: 'Bills', path: '/rewards/bills' },
  { name: 'Campaigns', path: '/rewards/campaigns' },
  { name: 'Campaign offers', path: '/rewards/campaign-offers' },
  { name: 'Activations', path: '/rewards/activations' },
  { name: 'Reconciliation', path: '/rewards/reconciliation' },
]

/** The head of every screen of rewards. */
export function RewardsHead() {
  return <PageTitle title="Rewards" tabs={tabs} />
}

/** The members that all lists of rewards share. */
const common = { write: rewardQuery, scope: 'rewards:read', absent: 'This service has no rewards.' } as const
const removed: Filter = {
  ...{ name: 'isRemoved', label: 'Removed', options: ['true', 'false'], labels: { true: 'Yes', false: 'No' } },
}
const created = {
  head: 'Created',
  cell: (row: { createdAt: string }) => <Time of={row.createdAt} />,
  number: true,
  card: 'when' as const,
}

const partnerUser = {
  head: 'Partner user',
  cell: ({ partnerUserId: id }: { partnerUserId: number }) => link('partnerUser', id, <UserName id={id} />),
  wide: true,
} as const

const rewards = defineList({
  ...common,
  title: 'Rewards',
  operation: 'listRewards',
  type: 'reward',
  filters: [
    {
      name: 'state',
      label: 'State',
      options: ['PENDING', 'CONFIRMED', 'PAID', 'REJECTED', 'REVERSED', 'CLAWED_BACK'],
    },
    { name: 'merchantName', label: 'Merchant' },
    pick('partnerUser', 'Partner user'),
  ],
  columns: [
    { head: 'Merchant', cell: ({ merchantName }) => merchantName },
    { head: 'State', cell: ({ state }) => <State of={state} /> },
    partnerUser,
    { head: 'Id', cell: ({ id }) => mono(id), wide: true, optional: true },
    { ...created, wide: true },
    { head: 'Purchase', cell: ({ amount }) => money(amount), number: true, wide: true },
    { head: 'Cash back', cell: ({ userAmount }) => money(userAmount), number: true },
  ],
  none: ['No reward yet', 'Open a card and choose “Simulate a purchase…” at a merchant with an offer.'],
})

export const Rewards = () => <ListScreen of={rewards} head={<RewardsHead />} />

const payouts = defineList({
  ...common,
  title: 'Payments',
  operation: 'listRewardPayments',
  type: 'rewardPayment',
  filters: [pick('reward', 'Reward')],
  columns: [
    { head: 'Payout', cell: ({ id }) => mono(id) },
    { head: 'Reward', cell: ({ rewardId: id }) => link('reward', id, <RewardName id={id} />) },
    { head: 'Payment', cell: ({ paymentId }) => mono(paymentId), wide: true },
    created,
  ],
  none: ['No payout yet', 'Rewards are paid out when bank time reaches their day: advance the clock.'],
})

export const RewardPayments = () => <ListScreen of={payouts} head={<RewardsHead />} />

const users = defineList({
  ...common,
  title: 'Users',
  operation: 'listPartnerUsers',
  type: 'partnerUser',
  filters: [{ name: 'userId', label: 'Your number' }, removed],
  columns: [
    { head: 'Partner user', cell: ({ id }) => <UserName id={id} /> },
    { head: 'Id', cell: ({ id }) => mono(id), wide: true, optional: true },
    { head: 'Your number', cell: ({ userId }) => mono(userId) },
    { head: 'State', cell: ({ isRemoved }) => <State of={isRemoved ? 'Removed' : 'Active'} /> },
    { ...created, wide: true },
  ],
  none: ['No user takes part yet', 'Call createPartnerUser to enrol a user.'],
})

export const PartnerUsers = () => <ListScreen of={users} head={<RewardsHead />} />

export const linkedCards = defineList({
  ...common,
  title: 'Linked cards',
  operation: 'listPartnerUserCards',
  type: 'partnerUserCard',
  filters: [pick('card', 'Card', 'bankCardId'), pick('partnerUser', 'Partner user'), removed],
  columns: [
    { head: 'Link', cell: ({ id }) => mono(id) },
    { head: 'Card', cell: ({ bankCardId: id }) => link('card', id, <CardName id={id} />) },
    partnerUser,
    { head: 'State', cell: ({ isRemoved }) => <State of={isRemoved ? 'Removed' : 'Active'} /> },
    { ...created, wide: true },
  ],
  none: [
    'No card is linked yet',
    'Open a card and choose “Simulate a purchase…” to link it, or call createPartnerUserCard.',
  ],
})

export const LinkedCards = () => <ListScreen of={linkedCards} head={<RewardsHead />} />

const purchases = defineList({
  ...common,
  title: 'Purchases',
  operation: 'listRewardableTransactions',
  type: 'rewardableTransaction',
  filters: [
    pick('transaction', 'Transaction', 'bankTransactionId'),
    pick('partnerUserCard', 'Linked card', 'partnerUserCardId'),
  ],
  columns: [
    { head: 'Purchase', cell: ({ id }) => mono(id) },
    {
      head: 'Transaction',
      cell: ({ bankTransactionId: id }) => link('transaction', id, <TransactionName id={id} />),
    },
    {
      head: 'Linked card',
      cell: ({ partnerUserCardId: id }) => link('partnerUserCard', id, <LinkedCardName id={id} />),
      wide: true,
    },
    created,
  ],
  none: ['No purchase yet', 'Open a linked card and choose “Simulate a purchase…”.'],
})

export const Purchases = () => <ListScreen of={purchases} head={<RewardsHead />} />
