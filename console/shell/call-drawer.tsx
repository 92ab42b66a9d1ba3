import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useReducer, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { type ListEventsQuery, type LookedUp, type OperationId, operations } from '../../client/src/index.ts'
import { languages, requestOf, type SnippetInput, snippet } from '../../ground/snippets.ts'
import { Copy } from '../components/display/copy.tsx'
import { Status } from '../components/display/state.tsx'
import { Time } from '../components/display/time.tsx'
import { inputOf } from '../components/forms/actions.tsx'
import type { Field } from '../components/forms/form.tsx'
import { Tabs } from '../components/layout/tabs.tsx'
import { link } from '../components/records/record-link.tsx'
import { targetOf } from '../components/records/record-page.tsx'
import { actionForms } from '../data/actions.ts'
import { useAnswers } from '../data/developers/answers.ts'
import { useLanguage } from '../data/developers/language.ts'
import { centsOf } from '../data/format.ts'
import { useList } from '../data/list.ts'
import { recordPath } from '../routes.ts'
import { TailControl } from '../screens/developers/components/tail-control.tsx'
import styles from './call-drawer.module.css'

/** Calls of the frame, which every screen makes. */
const frame = new Set(['getMe', 'getClock', 'search', 'listAttention'])

type Call = readonly [id: OperationId, input: SnippetInput]

/** The API side of the present screen: its requests, the events of its record, and its calls as texts to paste. */
export function CallDrawer({ close }: { close(): void }) {
  const queries = useQueryClient()
  useCalls(queries)
  const [here] = useLocation()
  const active = queries.getQueryCache().findAll({ type: 'active' })
  const keys = active.map(({ queryKey }) => queryKey as unknown as Call)
  // Pages of the documentation are no operations, and the drawer's own events are no call of the screen.
  const calls = keys.filter(([id, input]) => Object.hasOwn(operations, id) && input.query?.limit !== SHOWN_EVENTS)
  const own = calls.filter(([id]) => !frame.has(id))
  const shown = own.length > 0 ? own : calls
  // A screen also looks up records that it names: its own is the one of its address.
  const found = active
    .filter(({ queryKey }) => queryKey[0] === 'lookUpRecord')
    .map(({ state }) => state.data as LookedUp | undefined)
    .find((each) => each && recordPath(each.type, each.id) === here)
  return (
    <aside className={styles.drawer} aria-label="The calls behind this screen">
      <div className={styles.title}>
        <h2>Developer</h2>
        <button type="button" onClick={close}>
          Close <kbd>.</kbd>
        </button>
      </div>
      <Requests calls={shown} />
      {found && <Events type={found.type} id={found.id} />}
      <Snippets of={[...(found ? callsOf(found) : []), ...shown.map((call) => ['', ...call] as const)]} />
    </aside>
  )
}

const SHOWN_EVENTS = 12

/** The reads of the screen with their latest answers: while nothing happens, there is none after them. */
function Requests({ calls }: { calls: readonly Call[] }) {
  const answers = useAnswers()
  return (
    <section className={styles.part} aria-label="Requests of this screen">
      <h3>
        Requests of this screen <span>{calls.length}, then none while idle</span>
      </h3>
      <ul>
        {calls.map(([id, input]) => {
          const { method, path } = requestOf(operations[id], input)
          const answer = answers.get(path)
          return (
            <li key={`${id} ${path}`} className={styles.request}>
              <Link href={`/reference/${id}`} className="mono">{`${method} ${path}`}</Link>
              {answer && (
                <>
                  <Status of={answer.status} /> <span className="number">{Math.round(answer.ms)} ms</span>
                </>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** The latest events of the record on screen, as they come. */
function Events({ type, id }: { type: string; id: string }) {
  const query = {
    entityType: type as ListEventsQuery['entityType'],
    entityId: id,
    sort: '-sequence',
    limit: SHOWN_EVENTS,
  } as const
  const { rows: latest } = useList('listEvents', { query })
  const [kept, keep] = useState<typeof latest>()
  const rows = kept ?? latest
  const waiting = kept ? latest.filter(({ sequence }) => sequence > (kept[0]?.sequence ?? 0)).length : 0
  if (rows.length === 0) return null
  return (
    <section className={styles.part} aria-label="Events of this record">
      <h3>
        Events of this record <span>live, bank time</span>
      </h3>
      <TailControl
        tail={{ paused: kept !== undefined, setPaused: (paused) => keep(paused ? latest : undefined), waiting }}
      />
      <ol>
        {rows.map((event) => (
          <li key={event.id} className={styles.event}>
            <Time of={event.timestamp} />
            {link('event', event.id, <span className="mono">{event.type}</span>)}
            <span className="number">#{event.sequence}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

type Named = readonly [name: string, ...Call]

/**
 * The operations on a record: the one that reads it, and those that its state allows, with the values of the record
 * or the first ones of their forms.
 */
function callsOf(found: LookedUp): Named[] {
  const { type, id, actions } = found
  const name = `${type.charAt(0).toUpperCase()}${type.slice(1)}`
  const target = targetOf(found)
  const reader = [`get${name}`, `get${name}Pdf`].find((each) => Object.hasOwn(operations, each)) as
    | OperationId
    | undefined
  const reads: Named[] = reader ? [['Read this record', reader, inputOf(reader, { ...target, id }, {})]] : []
  const changes = actions.filter(({ allowed, operation }) => allowed !== false && Object.hasOwn(operations, operation))
  return [
    ...reads,
    ...changes.map(({ operation }): Named => {
      const each = operation as OperationId
      const { label = each, fields = [], body = {} } = actionForms[each] ?? {}
      const own = found.record as unknown as Record<string, unknown>
      const values = fields.map((field) => [field.name, ownValue(own[field.name]) ?? firstValue(field)])
      return [label.replace('…', ''), each, inputOf(each, target, { ...body, ...Object.fromEntries(values) })]
    }),
  ]
}

/** A value of the record that a field can take. */
function ownValue(value: unknown): string | number | boolean | undefined {
  return ['string', 'number', 'boolean'].includes(typeof value) ? (value as string) : undefined
}

/** The first values of the form of an operation, with amounts in cents. */
function firstValue({ kind, initial, options }: Field): unknown {
  const value = initial ?? options?.[0]?.value ?? '…'
  return (kind === 'money' && typeof value === 'string' && centsOf(value)) || value
}

/** One of the calls as a text to paste. */
function Snippets({ of: calls }: { of: readonly Named[] }) {
  const [language, choose] = useLanguage()
  const [chosen, setChosen] = useState(0)
  const at = chosen < calls.length ? chosen : 0
  const [, id, input] = calls[at] ?? []
  if (!id || !input) return null
  const text = snippet(language, operations[id], input, location.origin)
  return (
    <section className={styles.part} aria-label="Do it by API">
      <h3>Do it by API</h3>
      <select aria-label="Operation" value={at} onChange={(event) => setChosen(Number(event.target.value))}>
        {calls.map(([name, operation, of], index) => (
          <option key={`${operation} ${JSON.stringify(of)}`} value={index}>
            {name ? `${name}: ${operation}` : operation}
          </option>
        ))}
      </select>
      <div className={styles.head}>
        <Tabs label="Language" names={languages} chosen={language} choose={choose} />
        <Copy text={text} />
      </div>
      <pre>{text}</pre>
      <Link href={`/reference/${id}`}>{id} in the reference</Link>
    </section>
  )
}

/** Draws again when another screen makes other calls, and when a record is read. */
function useCalls(queries: QueryClient): void {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = queries.getQueryCache().subscribe(({ type, query }) => {
      if (type === 'observerResultsUpdated' || (type === 'updated' && query.queryKey[0] !== 'lookUpRecord')) return
      clearTimeout(timer)
      timer = setTimeout(redraw)
    })
    return () => {
      end()
      clearTimeout(timer)
    }
  }, [queries])
}
