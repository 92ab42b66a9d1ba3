import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { isProblem, type OperationId } from '../../../client/src/index.ts'
import { actionForms } from '../../data/actions.ts'
import { count } from '../../data/format.ts'
import { proposalIn, useSession } from '../../data/purser.tsx'
import { type ActionTarget, inputOf } from '../forms/actions.tsx'
import { Form } from '../forms/form.tsx'
import { Dialog } from '../layout/dialog.tsx'
import { link } from '../records/record-link.tsx'
import styles from './bulk.module.css'
import type { Column } from './table.tsx'

/** An operation that a list offers for several of its records. */
export interface BulkAction<Row> {
  operation: OperationId
  target(row: Row): ActionTarget
  /** Whether the state of a record allows it; it does by default. */
  allowed?(row: Row): boolean
}

interface Props<Row> {
  rows: readonly Row[]
  keyOf(row: Row): string | number
  actions: readonly BulkAction<Row>[]
  sum?: ((rows: readonly Row[]) => string) | undefined
}

/** The selection of a list: a column of boxes, and the operations for the chosen records. */
export function useBulk<Row>({ rows, keyOf, actions, sum }: Props<Row>) {
  const { me } = useSession()
  const [chosen, choose] = useState<readonly (string | number)[]>([])
  // Kept apart from the selection, which ends when its records leave the list.
  const [run, setRun] = useState<{ action: BulkAction<Row>; rows: readonly Row[] }>()
  const possible = actions.filter(({ operation }) => me.operations.includes(operation))
  const selected = rows.filter((row) => chosen.includes(keyOf(row)))
  const column: Column<Row> = {
    head: 'Select',
    control: true,
    cell: (row) => (
      <input
        type="checkbox"
        aria-label={`Select ${keyOf(row)}`}
        checked={chosen.includes(keyOf(row))}
        onChange={({ target: { checked } }) =>
          choose(checked ? [...chosen, keyOf(row)] : chosen.filter((each) => each !== keyOf(row)))
        }
      />
    ),
  }
  const bar = (
    <>
      {selected.length > 0 && (
        <section className={styles.bar} aria-label="Selection">
          <b>
            {count(selected.length)} selected{sum && `, ${sum(selected)}`}
          </b>
          {possible.map((action) => {
            const allowed = selected.filter((row) => action.allowed?.(row) ?? true)
            if (allowed.length === 0) return null
            return (
              <button key={action.operation} type="button" onClick={() => setRun({ action, rows: allowed })}>
                {labelOf(action)} {count(allowed.length)}…
              </button>
            )
          })}
          <button type="button" className="link" onClick={() => choose(rows.map(keyOf))}>
            Select all {count(rows.length)} on screen
          </button>
          <button type="button" className="link" data-key="Escape" onClick={() => choose([])}>
            Clear the selection
          </button>
        </section>
      )}
      {run && (
        <Dialog title={`${labelOf(run.action)} ${count(run.rows.length)}`} close={() => setRun(undefined)}>
          <Run {...run} keyOf={keyOf} />
        </Dialog>
      )}
    </>
  )
  return possible.length > 0 ? { columns: [column], bar } : { columns: [], bar: null }
}

function labelOf({ operation }: { operation: OperationId }): string {
  return (actionForms[operation]?.label ?? operation).replace('…', '')
}

interface RunProps<Row> extends Pick<Props<Row>, 'rows' | 'keyOf'> {
  action: BulkAction<Row>
}

/** Runs the operation for one record after the other, and says for each what became of it. */
function Run<Row>({ action, rows, keyOf }: RunProps<Row>) {
  const { operation, target } = action
  const { purser } = useSession()
  const queries = useQueryClient()
  const [outcomes, setOutcomes] = useState<readonly ReactNode[]>()
  const form = actionForms[operation]
  const send = async (values: Record<string, unknown>) => {
    const done: ReactNode[] = []
    setOutcomes([])
    for (const row of rows) {
      const outcome = await purser.call(operation, inputOf(operation, target(row), { ...form?.body, ...values })).then(
        (data) => link('proposal', proposalIn(operation, data)?.id, 'Waits for a second signature') || 'Done',
        (error: unknown) => (isProblem(error) ? `${error.code}: ${error.detail}` : String(error)),
      )
      done.push(outcome)
      setOutcomes([...done])
    }
    await queries.invalidateQueries()
  }
  if (!outcomes) {
    return (
      <Form fields={form?.fields ?? []} submit={`${labelOf(action)} ${count(rows.length)}`} send={send}>
        {form?.confirm && <p>{form.confirm}</p>}
      </Form>
    )
  }
  return (
    <ol className={styles.outcomes} aria-label="Outcomes">
      {rows.map((row, at) => (
        <li key={keyOf(row)} className={toneOf(outcomes[at])}>
          <span className="mono">{keyOf(row)}</span> {outcomes[at] ?? 'Waits'}
        </li>
      ))}
    </ol>
  )
}

/** An outcome that is no text is a link to a proposal. */
function toneOf(outcome: ReactNode): string {
  if (outcome === undefined) return 'muted'
  if (outcome === 'Done') return 'good'
  return typeof outcome === 'string' ? 'bad' : 'warn'
}
