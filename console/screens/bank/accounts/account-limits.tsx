import { useState } from 'react'
import type { AccountLimits, SetAccountLimitsRequest } from '../../../../client/src/index.ts'
import { amount, money } from '../../../data/format.ts'
import { useCall, useMay, useSend } from '../../../data/purser.tsx'
import { Card } from '../../../parts/card.tsx'
import { Details } from '../../../parts/details.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { Reading } from '../../../parts/empty.tsx'
import { type Field, Form } from '../../../parts/form.tsx'
import { Meter } from '../../../parts/meter.tsx'
import { ProblemNote } from '../../../parts/problem.tsx'
import shortList from '../../../parts/short-list.module.css'

type Period = AccountLimits['day']

/** The limits of an account's payments with what is used of them, and its overdraft. */
export function Limits({ accountId }: { accountId: string }) {
  const may = useMay('getAccountLimits')
  const mayChange = useMay('setAccountLimits')
  const { data: limits, error } = useCall('getAccountLimits', { params: { accountId } })
  if (!may) return null
  return (
    <Card
      title="Limits"
      aside={<span className={`row ${shortList.aside}`}>{mayChange && limits && <Change limits={limits} />}</span>}
    >
      <ProblemNote error={error} />
      {limits ? <Shown limits={limits} /> : !error && <Reading />}
    </Card>
  )
}

function Shown({ limits: { payment, day, month, overdraft } }: { limits: AccountLimits }) {
  return (
    <div className="stack">
      <Used name="Today" period={day} />
      <Used name="This month" period={month} />
      <Details
        items={[
          ['One payment', payment.hard === null ? 'No limit' : `At most ${money(payment.hard)}`],
          ['Reviewed above', payment.soft === null ? undefined : money(payment.soft)],
          ['Overdraft', overdraft === null ? 'As the service allows' : money(overdraft)],
        ]}
      />
    </div>
  )
}

/** The use of a day or a month. It is counted while the account has any limit. */
function Used({ name, period: { soft, hard, used } }: { name: string; period: Period }) {
  if (used === null) return <Details items={[[name, 'No limit']]} />
  return (
    <Meter name={name} used={used} limit={hard ?? soft} mark={soft} show={money}>
      {soft !== null && (hard === null ? 'More is reviewed' : `Reviewed above ${money(soft)}`)}
    </Meter>
  )
}

function Change({ limits }: { limits: AccountLimits }) {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  const { mutate, error, isPending, reset } = useSend('setAccountLimits', close)
  const send = (values: Record<string, unknown>) =>
    mutate({ params: { accountId: limits.id }, body: values as SetAccountLimitsRequest })
  return (
    <>
      <button
        type="button"
        onClick={() => {
          reset()
          setOpen(true)
        }}
      >
        Change…
      </button>
      {open && (
        <Dialog title="Limits of the account" close={close}>
          <Form fields={fieldsOf(limits)} submit="Set the limits" send={send} busy={isPending} error={error}>
            <p className="muted">
              Days and months are those of bank time, in UTC. Payments that were canceled or rejected do not count.
            </p>
          </Form>
        </Dialog>
      )}
    </>
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

const none = { placeholder: 'No limit' }
