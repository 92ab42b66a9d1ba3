import type { Campaign } from '../../../client/src/index.ts'
import { Meter } from '../../components/display/meter.tsx'
import { State } from '../../components/display/state.tsx'
import { mono } from '../../components/layout/details.tsx'
import { defineList, ListScreen } from '../../components/lists/list-screen.tsx'
import type { Filter } from '../../data/filters.ts'
import { count, counted, money } from '../../data/format.ts'
import { useList } from '../../data/list.ts'
import styles from './campaigns.module.css'
import { RewardsHead } from './lists.tsx'

const common = { scope: 'rewards:read', absent: 'This service has no campaigns.' } as const
const status: Filter = { name: 'status', label: 'State', options: ['Active', 'Paused', 'Ended'] }

const periods = { day: 'Today', month: 'This month', total: 'In all' } as const
const measures = { amount: ['', money], count: [', purchases', count] } as const

/** How much is used of each limit of a budget, with a mark at 80 percent. */
function Budgets({ budget, budgetLeft }: Pick<Campaign, 'budget' | 'budgetLeft'>) {
  const meters = (Object.keys(periods) as (keyof typeof periods)[]).flatMap((period) =>
    (Object.keys(measures) as (keyof typeof measures)[]).flatMap((measure) => {
      const limit = budget?.[period]?.[measure]
      if (limit === undefined) return []
      const used = limit - (budgetLeft[period][measure] ?? 0)
      const [unit, show] = measures[measure]
      const name = `${periods[period]}${unit}`
      return [
        <Meter key={`${period} ${measure}`} name={name} used={used} limit={limit} mark={limit * 0.8} show={show} />,
      ]
    }),
  )
  return meters.length === 0 ? 'No limit' : <div className={styles.budgets}>{meters}</div>
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
    { head: 'Id', cell: ({ id }) => mono(id), wide: true, optional: true },
    { head: 'Budget', cell: (row) => <Budgets {...row} />, wide: true },
    { head: 'Purchases', cell: ({ used }) => count(used.count), number: true, wide: true },
    { head: 'Cash back', cell: ({ used }) => money(used.amount), number: true },
  ],
  none: ['No campaign yet', 'Call createCampaign and createCampaignOffer.'],
})

export const Campaigns = () => <ListScreen of={campaigns} head={<RewardsHead />} />

const offers = defineList({
  ...common,
  title: 'Campaign offers',
  operation: 'listCampaignOffers',
  columns: [
    { head: 'Offer', cell: ({ title }) => title },
    { head: 'Merchant', cell: ({ merchantName }) => merchantName, wide: true },
    { head: 'State', cell: (row) => <State of={row.status} /> },
    {
      head: 'Activation',
      cell: ({ activation }) => (activation ? counted(activation.days, 'day') : 'Not needed'),
      wide: true,
    },
    { head: 'Budget', cell: (row) => <Budgets {...row} />, wide: true },
    { head: 'Cash back', cell: ({ used }) => money(used.amount), number: true },
  ],
  none: ['No offer yet', 'Call createCampaignOffer.'],
})

/** The offers of all campaigns, or of one. */
export function CampaignOffers() {
  const { rows } = useList('listCampaigns', { query: { limit: 100 } })
  const names = Object.fromEntries(rows.map(({ id, name }) => [id, name]))
  const campaign: Filter = { name: 'campaignId', label: 'Campaign', options: Object.keys(names), labels: names }
  return <ListScreen of={{ ...offers, filters: [campaign, status] }} head={<RewardsHead />} />
}
