import type { Campaign } from '../../../client/src/index.ts'
import { Meter } from '../../components/display/meter.tsx'
import { State } from '../../components/display/state.tsx'
import { mono } from '../../components/layout/details.tsx'
import { defineList, ListScreen } from '../../components/lists/list-screen.tsx'
import type { Filter } from '../../data/filters.ts'
import { money } from '../../data/format.ts'
import { RewardsHead } from './lists.tsx'

const common = { scope: 'rewards:read', absent: 'This service has no campaigns.' } as const
const status: Filter = { name: 'status', label: 'State', options: ['Active', 'Paused', 'Ended'] }

const periods = { day: 'Today', month: 'This month', total: 'In all' } as const
const measures = { amount: money, count: (figure: number) => `${figure} purchases` } as const

/** How much is used of each limit of a budget, with a mark at 80 percent. */
function Budgets({ budget, budgetLeft }: Pick<Campaign, 'budget' | 'budgetLeft'>) {
  const meters = (Object.keys(periods) as (keyof typeof periods)[]).flatMap((period) =>
    (Object.keys(measures) as (keyof typeof measures)[]).flatMap((measure) => {
      const limit = budget?.[period]?.[measure]
      if (limit === undefined) return []
      const used = limit - (budgetLeft[period][measure] ?? 0)
      const show = measures[measure]
      const name = periods[period]
      return [
        <Meter key={`${period} ${measure}`} name={name} used={used} limit={limit} mark={limit * 0.8} show={show} />,
      ]
    }),
  )
  return meters.length === 0 ? 'No limit' : meters
}

const campaigns = defineList({
  ...common,
  title: 'Campaigns',
  operation: 'listCampaigns',
  path: ({ id }) => `/rewards/campaign-offers?campaignId=${id}`,
  filters: [status],
  columns: [
    { head: 'Campaign', cell: ({ name }) => name },
    { head: 'State', cell: (row) => <State of={row.status} /> },
    { head: 'Id', cell: ({ id }) => mono(id), wide: true },
    { head: 'Budget', cell: (row) => <Budgets {...row} />, wide: true },
    { head: 'Purchases', cell: ({ used }) => used.count, number: true, wide: true },
    { head: 'Cash back', cell: ({ used }) => money(used.amount), number: true },
  ],
  none: ['No campaign yet', 'Call createCampaign and createCampaignOffer.'],
})

export const Campaigns = () => <ListScreen of={campaigns} head={<RewardsHead />} />

const offers = defineList({
  ...common,
  title: 'Campaign offers',
  operation: 'listCampaignOffers',
  filters: [{ name: 'campaignId', label: 'Campaign' }, status],
  columns: [
    { head: 'Offer', cell: ({ title }) => title },
    { head: 'Merchant', cell: ({ merchantName }) => merchantName, wide: true },
    { head: 'State', cell: (row) => <State of={row.status} /> },
    {
      head: 'Activation',
      cell: ({ activation }) => (activation ? `${activation.days} days` : 'Not needed'),
      wide: true,
    },
    { head: 'Budget', cell: (row) => <Budgets {...row} />, wide: true },
    { head: 'Cash back', cell: ({ used }) => money(used.amount), number: true },
  ],
  none: ['No offer yet', 'Call createCampaignOffer.'],
})

export const CampaignOffers = () => <ListScreen of={offers} head={<RewardsHead />} />
