import type { ReactNode } from 'react'
import type { LookedUp, OperationId } from '../../client/src/index.ts'
import { State } from '../components/display/state.tsx'
import { Reading } from '../components/feedback/empty.tsx'
import { ProblemNote } from '../components/feedback/problem.tsx'
import { Actions, type ActionTarget } from '../components/forms/actions.tsx'
import { Card } from '../components/layout/card.tsx'
import { Details } from '../components/layout/details.tsx'
import { PageTitle } from '../components/layout/page-title.tsx'
import { ByApi } from '../components/records/by-api.tsx'
import { History } from '../components/records/history.tsx'
import { Related } from '../components/records/related.tsx'
import { dateTime, money, words } from '../data/format.ts'
import { useCall, useSession } from '../data/purser.tsx'

/** Any record: its members, the records around it, its operations and its history. */
export function RecordScreen({ type, id }: { type: string; id: string }) {
  return (
    <Record type={type} id={id}>
      {(found) => <PlainRecord found={found} />}
    </Record>
  )
}

/** Reads a record for a screen, with the operations that the key may call; shows the refusal if it cannot be read. */
export function Record<T extends LookedUp['type']>({
  type,
  id,
  children,
}: {
  type: T | (string & {})
  id: string
  children(found: Extract<LookedUp, { type: T }>): ReactNode
}) {
  const { me } = useSession()
  const { data, error } = useCall('lookUpRecord', { params: { type: type as T, id } })
  if (error && !data) {
    return (
      <>
        <PageTitle title={`${words(type)} ${id}`} />
        <ProblemNote error={error} />
      </>
    )
  }
  if (!data) return <Reading lines={8} />
  const actions = data.actions.filter(({ operation }) => me.operations.includes(operation))
  return (
    <>
      <ProblemNote error={error} />
      {children({ ...data, actions } as Extract<LookedUp, { type: T }>)}
    </>
  )
}

function PlainRecord({ found }: { found: LookedUp }) {
  const { type, id, label, related, actions } = found
  const record = found.record as unknown as globalThis.Record<string, unknown>
  const { status, state } = record as { status?: string; state?: string }
  return (
    <>
      <PageTitle
        title={label}
        parent={{ name: words(type), path: '/' }}
        id={id}
        actions={<Actions actions={actions} target={targetOf(found)} />}
      >
        {(status ?? state) && <State of={String(status ?? state)} />}
      </PageTitle>
      <div className="columns">
        <div>
          <History type={type} id={id} />
          <ByApi
            title="This record by API"
            operation={'lookUpRecord' as OperationId}
            input={{ params: { type, id } }}
          />
        </div>
        <div>
          <Card title="Details">
            <Details items={Object.entries(record).map(([name, value]) => [words(name), shown(name, value)])} />
          </Card>
          <Related related={related} />
        </div>
      </div>
    </>
  )
}

/** Values for the paths of the operations on a record, by name. */
export function targetOf({ type, id, related }: LookedUp): ActionTarget {
  const one = (relation: string) => related.find((each) => each.type === relation)?.id
  const others = ['application', 'customer', 'account'].flatMap((each) => {
    const found = one(each)
    return found === undefined ? [] : [[`${each}Id`, found] as const]
  })
  // The paths of holds name their parameter without the account.
  return { ...Object.fromEntries(others), [`${type}Id`]: id, ...(type === 'accountHold' && { holdId: id }) }
}

/** A member of a record as text: amounts in dollars, times as times, anything inside as JSON. */
function shown(name: string, value: unknown): ReactNode {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'number' && /amount|balance|available|hold/i.test(name)) return money(value)
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return <time title={value}>{dateTime(value)}</time>
  if (typeof value === 'object') {
    if (Object.keys(value).length === 0) return undefined
    return <pre>{JSON.stringify(value, undefined, 1)}</pre>
  }
  return String(value)
}
