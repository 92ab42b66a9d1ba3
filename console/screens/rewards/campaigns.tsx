import { Link } from 'wouter'
import type { Campaign, CampaignOffer } from '../../../client/src/index.ts'
import { Meter } from '../../components/display/meter.tsx'
import { State } from '../../components/display/state.tsx'
import { Time } from '../../components/display/time.tsx'
import { Card } from '../../components/layout/card.tsx'
import { mono } from '../../components/layout/details.tsx'
import { defineList, ListScreen } from '../../components/lists/list-screen.tsx'
import { link } from '../../components/records/record-link.tsx'
import { recordScreen } from '../../components/records/record-page.tsx'
import { type Filter, pick } from '../../data/filters.ts'
import { count, counted, money, words } from '../../data/format.ts'
import { useList } from '../../data/list.ts'
import styles from './campaigns.module.css'
import { RewardsHead } from './lists.tsx'

const common = { scope: 'rewards:read', absent: 'This service has no campaigns.' } as const
const status: Filter = { name: 'status', label: 'State', options: ['Active', 'Paused', 'Ended'] }

const periods = { day: 'Today', month: 'This month', total: 'In all' } as const
const each = { day: 'a day', month: 'a month', total: 'in all' } as const
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

/** The limits of a budget in words; nothing if there is none. */
function limitsOf(budget: Campaign['budget']): string | undefined {
  const limits = (Object.keys(periods) as (keyof typeof periods)[]).flatMap((period) => {
    const { amount, count: purchases } = budget?.[period] ?? {}
    return [
      ...(amount === undefined ? [] : [`${money(amount)} ${each[period]}`]),
      ...(purchases === undefined ? [] : [`${counted(purchases, 'purchase')} ${each[period]}`]),
    ]
  })
  return limits.join(', ') || undefined
}

const campaigns = defineList({
  ...common,
  title: 'Campaigns',
  operation: 'listCampaigns',
  type: 'campaign',
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

/** One campaign: what is used of its budget. */
export const CampaignScreen = recordScreen('campaign', ({ id, record }) => ({
  name: record.name,
  state: record.status,
  main: (
    <Card title="Budget">
      <Budgets {...record} />
    </Card>
  ),
  buttons: <Link href={`/rewards/campaign-offers?campaignId=${id}`}>Offers</Link>,
  details: {
    'Cash back': money(record.used.amount),
    Purchases: count(record.used.count),
    'Each user': limitsOf(record.userBudget),
  },
}))

export const Campaigns = () => <ListScreen of={campaigns} head={<RewardsHead />} />

const offers = defineList({
  ...common,
  title: 'Campaign offers',
  operation: 'listCampaignOffers',
  type: 'campaignOffer',
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

function activationOf({ days, uses }: NonNullable<CampaignOffer['activation']>): string {
  return `${counted(days, 'day')}${uses === undefined ? '' : `, ${counted(uses, 'purchase')}`}`
}

/** One offer of a campaign: what is used of its budget, and its terms. */
export const CampaignOfferScreen = recordScreen('campaignOffer', ({ record }) => {
  const { title, status, campaignId, merchantName, commission, amount, minimumSpend, maximumReward, days } = record
  const { merchantIds, categoryCodes, validFrom, expirationDate, settlementDelayDays, condition, activation } = record
  return {
    name: title,
    state: status,
    main: (
      <Card title="Budget">
        <Budgets {...record} />
      </Card>
    ),
    details: {
      Campaign: link('campaign', campaignId),
      Merchant: merchantName,
      'Merchant ids': merchantIds?.join(', '),
      'Category codes': categoryCodes?.join(', '),
      Gives: commission === null ? money(amount ?? 0) : `${commission}%`,
      'Smallest purchase': minimumSpend > 0 && money(minimumSpend),
      'Most cash back': maximumReward !== null && money(maximumReward),
      Days: days?.map(words).join(', '),
      From: <Time of={validFrom} />,
      Until: expirationDate && <Time of={expirationDate} />,
      'Days until the payout': settlementDelayDays,
      Condition: condition && <pre>{JSON.stringify(condition, undefined, 1)}</pre>,
      Activation: activation && activationOf(activation),
      'Cash back': money(record.used.amount),
      Purchases: count(record.used.count),
      'Each user': limitsOf(record.userBudget),
    },
    without: ['campaign'],
  }
})

const activations = defineList({
  ...common,
  title: 'Activations',
  operation: 'listActivations',
  type: 'offerActivation',
  filters: [pick('campaignOffer', 'Offer', 'offerId'), pick('partnerUser', 'Partner user')],
  columns: [
    { head: 'Activation', cell: ({ id }) => mono(id) },
    { head: 'Offer', cell: ({ offerId }) => link('campaignOffer', offerId) },
    { head: 'Partner user', cell: ({ partnerUserId }) => link('partnerUser', partnerUserId), wide: true },
    { head: 'State', cell: (row) => <State of={row.status} /> },
    { head: 'Purchases', cell: ({ used }) => count(used), number: true, wide: true },
    { head: 'Until', cell: ({ expiresAt }) => expiresAt && <Time of={expiresAt} />, number: true },
  ],
  none: ['No activation yet', 'Call activateOffer for a partner user.'],
})

export const Activations = () => <ListScreen of={activations} head={<RewardsHead />} />
