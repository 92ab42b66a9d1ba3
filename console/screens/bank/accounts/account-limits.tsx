import type { AccountLimits } from '../../../../client/src/index.ts'
import { Meter } from '../../../components/display/meter.tsx'
import type { Field } from '../../../components/forms/form.tsx'
import { LimitsCard } from '../../../components/forms/limits-card.tsx'
import { Details } from '../../../components/layout/details.tsx'
import { amount, money } from '../../../data/format.ts'
import { useCall, useMay } from '../../../data/purser.tsx'

type Period = AccountLimits['day']

/** The limits of an account's payments with what is used of them, and its overdraft. */
export function Limits({ accountId }: { accountId: string }) {
  const may = useMay('getAccountLimits')
  const mayChange = useMay('setAccountLimits')
  const { data: limits, error } = useCall('getAccountLimits', { params: { accountId } })
  if (!may) return null
  return (
    <LimitsCard
      error={error}
      change={mayChange && 'setAccountLimits'}
      params={{ accountId }}
      title="Limits of the account"
      fields={limits && fieldsOf(limits)}
      kept={limits && keptOf(limits)}
      hint="Days and months are those of bank time, in UTC. Payments that were canceled or rejected do not count."
    >
      {limits && <Shown limits={limits} />}
    </LimitsCard>
  )
}

function Shown({ limits: { payment, day, month, overdraft } }: { limits: AccountLimits }) {
  return (
    <div className="stack">
      <Used name="Today" period={day} />
      <Used name="This month" period={month} />
      <Details
        of={{
          'One payment': payment.hard === null ? 'No limit' : `At most ${money(payment.hard)}`,
          'Reviewed above': payment.soft !== null && money(payment.soft),
          Overdraft: overdraft === null ? 'As the service allows' : money(overdraft),
        }}
      />
    </div>
  )
}

/** The use of a day or a month. It is counted while the account has any limit. */
function Used({ name, period: { soft, hard, used } }: { name: string; period: Period }) {
  if (used === null) return <Details of={{ [name]: 'No limit' }} />
  return (
    <Meter name={name} used={used} limit={hard ?? soft} mark={soft} show={money}>
      {soft !== null && (hard === null ? 'More is reviewed' : `Reviewed above ${money(soft)}`)}
    </Meter>
  )
}

const groups = [
  ['payment', 'One payment'],
  ['day', 'Payments of a day'],
  ['month', 'Payments of a month'],
] as const
const sides = [
  ['soft', 'Review above'],
  ['hard', 'Refuse above'],
] as const

function fieldsOf(limits: AccountLimits): Field[] {
  const initial = (cents: number | null) => (cents === null ? '' : amount(cents))
  const pairs = groups.flatMap(([name, group]) =>
    sides.map(([side, label]): Field => {
      const member = limits[name][side]
      return { name: `${name}.${side}`, label, group, kind: 'money', optional: true, ...none, initial: initial(member) }
    }),
  )
  const overdraft: Field = {
    ...{ name: 'overdraft', label: 'Overdraft', kind: 'money', optional: true },
    placeholder: 'As the service allows',
    initial: initial(limits.overdraft),
    hint: 'Payments and card purchases may overdraw the account by this amount',
  }
  return [...pairs, overdraft]
}

/** The limits of debits as an input has them: without those that there are none of, and without what is used. */
function keptOf({ debits }: AccountLimits): object {
  return JSON.parse(
    JSON.stringify({ debits }, (name, value) => (value === null || name === 'used' ? undefined : value)),
  )
}

const none = { placeholder: 'No limit' }
