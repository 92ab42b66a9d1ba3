import type { CardLimits, RecordAction } from '../../../../client/src/index.ts'
import { Meter } from '../../../components/display/meter.tsx'
import type { Field } from '../../../components/forms/form.tsx'
import { LimitsCard } from '../../../components/forms/limits-card.tsx'
import { Details } from '../../../components/layout/details.tsx'
import { amount, money } from '../../../data/format.ts'
import { useCall, useMay } from '../../../data/purser.tsx'

interface Props {
  cardId: string
  actions: readonly RecordAction[]
}

/** The spending limits of a card with what is used of them. */
export function Limits({ cardId, actions }: Props) {
  const may = useMay('getCardLimits')
  const { data: limits, error } = useCall('getCardLimits', { params: { cardId } })
  const action = actions.find(({ operation }) => operation === 'setCardLimits')
  if (!may) return null
  return (
    <LimitsCard
      error={error}
      change={action && 'setCardLimits'}
      params={{ cardId }}
      title="Limits of the card"
      fields={limits && fieldsOf(limits)}
      refusal={action?.allowed === false ? action.problem : null}
      hint="Categories are written one a line, as the card processor names them: Restaurants, or 5411."
    >
      {limits && <Shown limits={limits} />}
    </LimitsCard>
  )
}

function Shown({ limits }: { limits: CardLimits }) {
  const { purchase, day, month, allowedCategories, blockedCategories } = limits
  return (
    <div className="stack">
      <Used when="today" period={day} />
      <Used when="this month" period={month} />
      <Details
        of={{
          'One purchase': purchase.amount === null ? 'No limit' : `At most ${money(purchase.amount)}`,
          'Only at': allowedCategories?.join(', '),
          'Never at': blockedCategories?.join(', '),
        }}
      />
    </div>
  )
}

function Used({ when, period }: { when: string; period: CardLimits['day'] }) {
  return (
    <>
      <Meter name={`Spent ${when}`} used={period.usedAmount} limit={period.amount} show={money} />
      {period.count !== null && (
        <Meter name={`Purchases ${when}`} used={period.usedCount} limit={period.count} show={String} />
      )}
    </>
  )
}

function fieldsOf({ purchase, day, month, allowedCategories, blockedCategories }: CardLimits): Field[] {
  const cents = (name: string, label: string, value: number | null, group?: string): Field => ({
    ...{ name, label, kind: 'money', ...free, initial: value === null ? '' : amount(value) },
    ...(group && { group }),
  })
  const count = (name: string, value: number | null, group: string): Field => ({
    ...{ name, label: 'Number of purchases', kind: 'number', ...free, initial: value === null ? '' : String(value) },
    group,
  })
  return [
    cents('purchase.amount', 'One purchase', purchase.amount),
    cents('day.amount', 'Amount', day.amount, 'Purchases of a day'),
    count('day.count', day.count, 'Purchases of a day'),
    cents('month.amount', 'Amount', month.amount, 'Purchases of a month'),
    count('month.count', month.count, 'Purchases of a month'),
    categories('allowedCategories', 'Only at these', 'All', allowedCategories),
    categories('blockedCategories', 'Never at these', 'None', blockedCategories),
  ]
}

function categories(name: string, label: string, placeholder: string, list: readonly string[] | null): Field {
  const group = 'Merchant categories'
  return { name, label, placeholder, group, kind: 'lines', optional: true, initial: (list ?? []).join('\n') }
}

const free = { optional: true, placeholder: 'No limit' } as const
