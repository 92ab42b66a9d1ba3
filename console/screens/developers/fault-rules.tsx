import { useState } from 'react'
import type { CreateFaultRuleRequest } from '../../../client/src/index.ts'
import { Empty } from '../../components/feedback/empty.tsx'
import { ProblemNote } from '../../components/feedback/problem.tsx'
import { SendForm } from '../../components/forms/actions.tsx'
import type { Field } from '../../components/forms/form.tsx'
import { Card } from '../../components/layout/card.tsx'
import { DialogButton } from '../../components/layout/dialog.tsx'
import { Tabs } from '../../components/layout/tabs.tsx'
import { ListTable } from '../../components/lists/table.tsx'
import {
  deliveryEffects,
  effectText,
  leftText,
  matchText,
  requestEffects,
  ruleOf,
} from '../../data/developers/faults.ts'
import { useList } from '../../data/list.ts'
import { everyMs } from '../../data/live.ts'
import { useMay, useSend, useSession } from '../../data/purser.tsx'
import styles from './sandbox.module.css'

/** Rules to begin with. */
const examples: readonly { name: string; rule: CreateFaultRuleRequest }[] = [
  {
    name: 'The next payment is refused with 503',
    rule: { match: { operation: 'createPayment' }, effect: { status: 503 }, times: 1 },
  },
  {
    name: 'The answer to the next payment is lost',
    rule: { match: { operation: 'createPayment' }, effect: { dropAfterCommit: true }, times: 1 },
  },
  {
    name: 'The next list of transactions takes 3 seconds',
    rule: { match: { operation: 'listTransactions' }, effect: { delayMs: 3_000 }, times: 1 },
  },
  {
    name: 'The next payment event is delivered twice',
    rule: { match: { eventType: 'payment.*' }, effect: { duplicate: true }, times: 1 },
  },
]

/** The rules that let requests and deliveries of this organisation fail. */
export function FaultRules() {
  const may = useMay('listFaultRules')
  const list = useList('listFaultRules', { query: { sort: '-createdAt', limit: 100 } }, { everyMs: everyMs.sent })
  const example = useSend('createFaultRule')
  const remove = useSend('deleteFaultRule')
  const removeAll = useSend('deleteFaultRules')
  if (!may) return null
  return (
    <Card
      title="Fault rules"
      aside={
        <span className="row">
          {list.rows.length > 1 && (
            <button type="button" disabled={removeAll.isPending} onClick={() => removeAll.mutate({})}>
              Delete all
            </button>
          )}
          <DialogButton label="New rule…" title="New fault rule">
            {(close) => <CreateRule close={close} />}
          </DialogButton>
        </span>
      }
      flush
    >
      <ProblemNote error={example.error ?? remove.error ?? removeAll.error} />
      <ListTable
        label="Fault rules"
        list={list}
        keyOf={({ id }) => id}
        empty={<Empty title="No rule: nothing fails on purpose" />}
        columns={[
          { head: 'Applies to', cell: ({ match }) => matchText(match) },
          { head: 'Effect', cell: ({ effect }) => effectText(effect) },
          { head: 'Share', cell: ({ probability }) => percent(probability), number: true, wide: true },
          { head: 'Left', cell: (rule) => leftText(rule), number: true, wide: true },
          {
            head: 'Change',
            cell: ({ id, match }) => (
              <button
                type="button"
                className="link"
                aria-label={`Delete the rule for ${matchText(match)}`}
                onClick={() => remove.mutate({ params: { faultRuleId: id } })}
              >
                Delete
              </button>
            ),
            number: true,
          },
        ]}
      />
      <div className={styles.examples}>
        <p className="muted">Rules to begin with, each for one time:</p>
        <ul>
          {examples.map(({ name, rule }) => (
            <li key={name}>
              <button
                type="button"
                className="link"
                disabled={example.isPending}
                onClick={() => example.mutate({ body: rule })}
              >
                {name}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </Card>
  )
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10}%`
}

const targets = ['Requests', 'Webhook deliveries'] as const

function CreateRule({ close }: { close(): void }) {
  const { me } = useSession()
  const [target, setTarget] = useState<(typeof targets)[number]>('Requests')
  const { rows: types } = useList('listEventTypes')
  const kinds = [...new Set(types.map(({ type }) => `${type.slice(0, type.indexOf('.'))}.*`))]
  const fields = target === 'Requests' ? requestFields(me.operations) : deliveryFields(['*', ...kinds])
  return (
    <div className="stack">
      <Tabs label="Applies to" names={targets} chosen={target} choose={(name) => setTarget(name)} />
      <SendForm
        key={target}
        operation="createFaultRule"
        fields={[...fields, ...commonFields]}
        submit="Create"
        input={(values) => ({ body: ruleOf(values) })}
        done={close}
      />
    </div>
  )
}

const optional = { kind: 'number', optional: true } as const
const commonFields: readonly Field[] = [
  { name: 'times', label: 'Times', ...optional, initial: '1', hint: 'No limit if it is empty' },
  { name: 'probability', label: 'Share in percent', ...optional, hint: 'All of them if it is empty' },
  { name: 'seed', label: 'Seed', ...optional, hint: 'The same seed hits the same ones' },
]

function requestFields(operations: readonly string[]): Field[] {
  const own = operations.filter((each) => !/FaultRules?$/.test(each))
  return [
    { name: 'operation', label: 'Operation', options: choices(own), initial: 'createPayment' },
    { name: 'accountId', label: 'Account', optional: true, hint: 'Only requests about this account' },
    { name: 'effect', label: 'Effect', options: named(requestEffects) },
    { name: 'delayMs', label: 'Wait, in milliseconds', ...optional },
  ]
}

function deliveryFields(types: readonly string[]): Field[] {
  return [
    { name: 'eventType', label: 'Events', options: choices(types), initial: 'payment.*' },
    { name: 'effect', label: 'Effect', options: named(deliveryEffects) },
  ]
}

function choices(values: readonly string[]) {
  return values.map((value) => ({ value, label: value }))
}

/** `Object.entries` puts numeric names first in rising order; the order of the texts is not important. */
function named(effects: Record<string, string>) {
  return Object.entries(effects).map(([value, label]) => ({ value, label }))
}
