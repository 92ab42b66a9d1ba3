import { type ReactNode, useEffect } from 'react'
import {
  isProblem,
  type LookedUp,
  type OperationId,
  type RecordAction,
  type RelatedRecord,
} from '../../../client/src/index.ts'
import { words } from '../../data/format.ts'
import { useList } from '../../data/list.ts'
import { useCall, useSession } from '../../data/purser.tsx'
import { noteRecent } from '../../data/records/recent.ts'
import { datedWay } from '../../data/records/way.ts'
import { StateMachine, type Way } from '../../pictures/state-machine.tsx'
import { listOf } from '../../routes.ts'
import { Copy } from '../display/copy.tsx'
import { State } from '../display/state.tsx'
import { Time, Zone } from '../display/time.tsx'
import { Reading } from '../feedback/empty.tsx'
import { ProblemNote } from '../feedback/problem.tsx'
import { Actions, type ActionTarget, type OwnButtons } from '../forms/actions.tsx'
import { Card } from '../layout/card.tsx'
import { Details, mono } from '../layout/details.tsx'
import { PageTitle } from '../layout/page-title.tsx'
import { History } from './history.tsx'
import { Related } from './related.tsx'

/** The parts of a record's screen. */
export interface RecordParts {
  /** The text of the browser's tab, and the title if there is no other. */
  name: string
  title?: ReactNode
  /** Text beside the title, such as the other party. */
  beside?: ReactNode
  state?: string | undefined
  /** The list that the record belongs to, if it is not that of its type. */
  parent?: { name: string; path: string }
  /** Values for the paths of its operations, beside those of related records. */
  target?: ActionTarget
  own?: OwnButtons
  order?: readonly OperationId[]
  /** Buttons after those of the operations. */
  buttons?: ReactNode
  /** First on the page, across both columns: the reason of the state. */
  first?: ReactNode
  way?: Way
  /** Below the way through the states. */
  next?: ReactNode
  /** The content, before the history. */
  main?: ReactNode
  /** Left out, or read when the reader asks for it. */
  history?: false | 'folded'
  details: Readonly<Record<string, ReactNode>>
  /** Beside the content, before and after the details. */
  above?: ReactNode
  side?: ReactNode
  /** Types of related records that the screen shows otherwise; `all` of them. */
  without?: readonly string[] | 'all'
}

type Found<T extends LookedUp['type']> = Extract<LookedUp, { type: T }>

/** The screen of a type of records that the service looks up with what is around them. */
export function recordScreen<T extends LookedUp['type']>(type: T, parts: (found: Found<T>) => RecordParts) {
  return function RecordScreen({ id }: { id: string }) {
    return (
      <Record type={type} id={id}>
        {(found) => <RecordPage found={found} parts={parts(found)} />}
      </Record>
    )
  }
}

/** Reads a record for a screen, with the operations that the key may call. */
export function Record<T extends LookedUp['type']>({
  type,
  id,
  children,
}: {
  type: T | (string & {})
  id: string
  children(found: Found<T>): ReactNode
}) {
  const { me } = useSession()
  const { data, error } = useCall('lookUpRecord', { params: { type: type as T, id } })
  if (!data) return <Unread type={type} id={id} error={error} />
  const actions = data.actions.filter(({ operation }) => me.operations.includes(operation))
  return (
    <>
      {isProblem(error) && <ProblemNote error={error} />}
      {children({ ...data, actions } as Found<T>)}
    </>
  )
}

/** In place of a record that is not read yet, or cannot be read. */
function Unread({ type, id, error }: { type: string; id: string; error: unknown }) {
  return (
    <>
      <PageTitle title={`${words(type)} ${id}`} parent={listOf(type)} />
      {error ? <ProblemNote error={error} /> : <Reading lines={8} />}
    </>
  )
}

interface PageProps {
  found: {
    type: string
    id: string
    record: object
    related: readonly RelatedRecord[]
    actions: readonly RecordAction[]
  }
  parts: RecordParts
}

/** The screen of one record: its head, its state, its content and history, and at the side its details. */
export function RecordPage({ found, parts }: PageProps) {
  const { type, id, related, actions } = found
  const { createdAt } = found.record as { createdAt?: string }
  const { name, title, beside, state, parent, target, own, order, buttons, first, way, next, main } = parts
  const { history, details, above, side, without = [] } = parts
  // The history names the events.
  const hidden = history === false || without === 'all' ? without : [...without, 'event']
  useEffect(() => noteRecent({ type, id, name }), [type, id, name])
  const hasContent = Boolean(main) || history !== false
  const shown = hidden === 'all' ? [] : related.filter((each) => !hidden.includes(each.type))
  return (
    <>
      <PageTitle
        name={name}
        title={title ?? name}
        parent={parent ?? listOf(type)}
        id={id}
        actions={
          <>
            <Actions
              actions={actions}
              target={{ ...targetOf(found), ...target }}
              {...(own && { own })}
              {...(order && { order })}
            />
            {buttons}
          </>
        }
      >
        {beside && <span>{beside}</span>}
        {state && <State of={state} />}
      </PageTitle>
      {first}
      {way && (
        <Card title="State" bare>
          <DatedWay type={type} id={id} way={way} read={history === undefined} />
          {next}
        </Card>
      )}
      <div className={hasContent ? 'columns' : undefined}>
        {hasContent && (
          <div>
            {main}
            {history !== false && <History type={type} id={id} folded={history === 'folded'} />}
          </div>
        )}
        <div>
          {above}
          <Card title="Details">
            <Details
              of={{
                ...details,
                ...(createdAt && { Created: <Time of={createdAt} /> }),
                Id: (
                  <>
                    {mono(id)} <Copy text={id} />
                  </>
                ),
              }}
            />
          </Card>
          {side}
          <Related related={shown} />
          <Zone />
        </div>
      </div>
    </>
  )
}

/** The way of a record through its states, with the times of its history if the screen shows that. */
function DatedWay({ type, id, way, read }: { type: string; id: string; way: Way; read: boolean }) {
  const params = { type: type as LookedUp['type'], id }
  const { rows } = useList('listHistory', { params }, { enabled: read })
  return <StateMachine {...datedWay(way, rows)} />
}

/** Values for the paths of the operations on a record, by name. */
export function targetOf({ type, id, related }: Pick<PageProps['found'], 'type' | 'id' | 'related'>): ActionTarget {
  const others = ['application', 'customer', 'account'].flatMap((each) => {
    const found = relatedId(related, each)
    return found === undefined ? [] : [[`${each}Id`, found] as const]
  })
  // The paths of holds name their parameter without the account.
  return { ...Object.fromEntries(others), [`${type}Id`]: id, ...(type === 'accountHold' && { holdId: id }) }
}

/** The id of the record of a type that is linked to a record; the newest one if there are several. */
export function relatedId(related: readonly RelatedRecord[], type: string): string | undefined {
  return related.find((each) => each.type === type)?.id
}
