import type { OfferFunnel } from '../../../client/src/index.ts'
import { Card } from '../../components/layout/card.tsx'
import { mono } from '../../components/layout/details.tsx'
import { defineList, ListBody, useInput } from '../../components/lists/list-screen.tsx'
import { days, type Filter } from '../../data/filters.ts'
import { count, date, money } from '../../data/format.ts'
import { useList } from '../../data/list.ts'
import styles from './funnel.module.css'
import { RewardsHead } from './lists.tsx'

const funnel = defineList({
  title: 'Funnel',
  operation: 'listOfferFunnel',
  scope: 'rewards:read',
  absent: 'The provider of offers does not count attributions.',
  query: { limit: 1000 },
  filters: [{ name: 'offerId', label: 'Offer', options: [] }, ...days],
  keyOf: (row) => `${row.date} ${row.offerId}`,
  path: ({ offerId }) => `/rewards/funnel?${new URLSearchParams({ offerId })}`,
  columns: [
    { head: 'Offer', cell: ({ title, offerId }) => title ?? offerId },
    { head: 'Id', cell: ({ offerId }) => mono(offerId), wide: true, optional: true },
    { head: 'Day', cell: (row) => date(row.date), number: true, wide: true },
    { head: 'Impressions', cell: ({ impressions }) => count(impressions), number: true, wide: true },
    { head: 'Views', cell: ({ views }) => count(views), number: true, wide: true },
    { head: 'Clicks', cell: ({ clicks }) => count(clicks), number: true, wide: true },
    { head: 'Purchases', cell: ({ purchases }) => count(purchases), number: true },
    { head: 'Cash back', cell: ({ earned }) => money(earned), number: true },
  ],
  none: ['Nothing in these days', 'Call createAttributions to count impressions, views and clicks of offers.'],
})

/** The way of offers from the impression to the cash back. */
export function Funnel() {
  const { values, set, input } = useInput(funnel)
  const rows = useList(funnel.operation, input)
  return (
    <>
      <RewardsHead />
      <ListBody
        of={{ ...funnel, filters: [offerOf(rows.rows), ...days] }}
        rows={rows}
        input={input}
        values={values}
        set={set}
        titled
      >
        {rows.rows.length > 0 && <Steps of={rows.rows} />}
      </ListBody>
    </>
  )
}

/** A choice of the offers on screen, by their titles. */
function offerOf(rows: readonly OfferFunnel[]): Filter {
  const titles = Object.fromEntries(rows.map(({ offerId, title }) => [offerId, title ?? offerId]))
  return { name: 'offerId', label: 'Offer', options: Object.keys(titles), labels: titles }
}

/** The sums of the steps as bars, each with its share of the step before. */
function Steps({ of: rows }: { of: readonly OfferFunnel[] }) {
  const sum = (of: (row: OfferFunnel) => number) => rows.reduce((total, row) => total + of(row), 0)
  const steps = [
    { name: 'Impressions', number: sum(({ impressions }) => impressions) },
    { name: 'Views', number: sum(({ views }) => views) },
    { name: 'Clicks', number: sum(({ clicks }) => clicks) },
    { name: 'Purchases after them', number: sum(({ attributedPurchases }) => attributedPurchases) },
  ]
  const most = Math.max(1, ...steps.map(({ number }) => number))
  const others = sum(({ purchases, attributedPurchases }) => purchases - attributedPurchases)
  return (
    <Card title="From impression to payment" aside={<span>{money(sum(({ earned }) => earned))} cash back</span>}>
      <dl className={styles.steps}>
        {steps.map(({ name, number }, at) => (
          <div key={name} className={styles.step}>
            <dt>{name}</dt>
            <dd>
              <span className={styles.bar} style={{ width: `${(number / most) * 100}%` }} />
              <span className={styles.number}>
                {count(number)} {shareOf(number, steps[at - 1]?.number)}
              </span>
            </dd>
          </div>
        ))}
      </dl>
      <p className="muted">
        {count(others)} further {others === 1 ? 'purchase' : 'purchases'} earned without an impression, view or click
        before.
      </p>
    </Card>
  )
}

function shareOf(number: number, before: number | undefined): string {
  return before ? `· ${Math.round((number / before) * 100)}%` : ''
}
