import { type FocusEvent, type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import {
  type CallInput,
  type OperationId,
  type Operations,
  operations,
  type RecordAction,
} from '../../../client/src/index.ts'
import { type ActionForm, actionForms } from '../../data/actions.ts'
import { proposalIn, useMay, useSend } from '../../data/purser.tsx'
import { recordPath } from '../../routes.ts'
import { ProblemNote, Refused } from '../feedback/problem.tsx'
import { Proposed } from '../feedback/proposed.tsx'
import { Dialog } from '../layout/dialog.tsx'
import styles from './actions.module.css'
import { type Field, Form } from './form.tsx'

/** The record that an action is about: values for the path and the body of its operation by name. */
export type ActionTarget = Record<string, string>

/** A button for an operation that has more than a form; gets the code of the problem that would refuse it now. */
export type OwnButtons = Partial<Record<OperationId, (refusal: string | null) => ReactNode>>

interface ActionsProps {
  actions: readonly RecordAction[]
  target: ActionTarget
  own?: OwnButtons
  /** The operations to show in their order; all by default. */
  order?: readonly OperationId[]
  /** Runs after a success. */
  done?(operation: OperationId): void
}

/** More buttons than this are hard to choose from, so that those of final operations are folded, as all are that are not possible now. */
const MAX_SHOWN = 4

/**
 * The operations that change a record, as buttons. One that its state does not allow says why when it is pressed; the
 * opposite of one that is possible is left out.
 */
export function Actions({ actions, target, own = {}, order, done }: ActionsProps) {
  const ids = order ?? actions.map(({ operation }) => operation as OperationId)
  const shown = ids.flatMap((id) => {
    const action = actions.find(({ operation }) => operation === id)
    if (!action || isLeftOut(id, actions)) return []
    const form = actionForms[id]
    const refusal = action.allowed === false ? action.problem : null
    if (own[id]) return [{ id, isFinal: false, refusal, button: own[id](refusal) }]
    if (!form) return []
    const button = (
      <Action key={id} operation={id} form={form} target={target} refusal={refusal} done={() => done?.(id)} />
    )
    return [{ id, isFinal: form.isFinal ?? false, refusal, button }]
  })
  const possible = shown.filter(({ refusal }) => refusal === null)
  const folded = shown.filter(({ refusal, isFinal }) => refusal !== null || (isFinal && possible.length > MAX_SHOWN))
  return (
    <>
      {shown
        .filter((each) => !folded.includes(each))
        .map(({ id, button }) => (
          <span key={id}>{button}</span>
        ))}
      {folded.length > 0 && (
        <details className={styles.more} onBlur={foldLater}>
          <summary>More</summary>
          <div>
            {folded.map(({ id, button }) => (
              <span key={id}>{button}</span>
            ))}
          </div>
        </details>
      )}
    </>
  )
}

/** Of two opposites, only the possible one is offered. */
const opposites: readonly (readonly [OperationId, OperationId])[] = [
  ['freezeAccount', 'unfreezeAccount'],
  ['closeAccount', 'reopenAccount'],
  ['blockPayments', 'releasePayments'],
  ['freezeCard', 'unfreezeCard'],
  ['freezeCard', 'activateCard'],
  ['pauseRecurringPayment', 'resumeRecurringPayment'],
]

function isLeftOut(id: OperationId, actions: readonly RecordAction[]): boolean {
  const possible = (other: OperationId) =>
    actions.some(({ operation, allowed }) => operation === other && allowed !== false)
  if (possible(id)) return false
  return opposites.some(([first, second]) => second === id || (first === id && possible(second)))
}

/** Folds the buttons when the focus is elsewhere. */
function foldLater({ currentTarget, relatedTarget }: FocusEvent<HTMLDetailsElement>): void {
  if (!currentTarget.contains(relatedTarget)) currentTarget.open = false
}

interface ActionProps<Id extends OperationId> {
  operation: Id
  form: ActionForm
  target?: ActionTarget
  /** The code of the problem that would refuse the operation now. */
  refusal?: string | null
  /** Whether it is the next step. */
  primary?: boolean
  /** Runs after a success, for example to show a secret. */
  done?(data: Operations[Id]['data']): void
}

/** A button that runs one operation, after its form if it has one. */
export function Action<Id extends OperationId>({
  operation,
  form,
  target = {},
  refusal = null,
  primary = false,
  done,
}: ActionProps<Id>) {
  const [open, setOpen] = useState(false)
  const [, go] = useLocation()
  const { mutate, data, error, isPending, reset } = useSend(operation, (data) => {
    setOpen(false)
    if (form.opens) go(recordPath(form.opens, (data as { id: string }).id))
    if (form.leadsTo) go(form.leadsTo(target))
    done?.(data)
  })
  const proposal = proposalIn(operation, data)
  const close = () => {
    setOpen(false)
    reset()
  }
  const send = (values: Record<string, unknown> = {}) => mutate(inputOf(operation, target, { ...form.body, ...values }))
  const atOnce = !form.fields && !form.confirm && !refusal
  const title = form.title ?? form.label.replace('…', '')
  return (
    <>
      <button
        type="button"
        className={primary ? 'primary' : undefined}
        // A button that is disabled cannot take the focus back from its dialog.
        aria-disabled={isPending || refusal !== null}
        {...(refusal && { title: `${refusal}: not possible now` })}
        onClick={() => {
          if (isPending) return
          if (atOnce) send()
          else setOpen(true)
        }}
      >
        {form.label}
      </button>
      {(open || error || proposal) && (
        <Dialog title={title} close={close}>
          {proposal ? (
            <Proposed of={proposal} />
          ) : refusal ? (
            <Refused code={refusal} />
          ) : form.fields || form.confirm ? (
            <Form fields={form.fields ?? []} submit={title} send={send} busy={isPending} error={error}>
              {form.confirm && <p>{form.confirm}</p>}
            </Form>
          ) : (
            <ProblemNote error={error} />
          )}
        </Dialog>
      )}
    </>
  )
}

/** A button for an operation that does not depend on the state of a record, if the key may call it. */
export function Create({ operation, form = actionForms[operation], target = {} }: CreateProps) {
  const may = useMay(operation)
  return may && form && <Action operation={operation} form={form} target={target} />
}

interface CreateProps {
  operation: OperationId
  form?: ActionForm | undefined
  target?: ActionTarget
}

/** The input of an operation on a record: what its path does not take goes into the body, if it has one. */
export function inputOf<Id extends OperationId>(
  id: Id,
  target: ActionTarget,
  values: Record<string, unknown>,
): CallInput<Id> {
  const [, , path, takes] = operations[id]
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const params = Object.fromEntries(names.map((name) => [name, target[name]]))
  const rest = Object.entries(target).filter(([name]) => bodyMembers[id]?.includes(name))
  const body = { ...Object.fromEntries(rest), ...values }
  return { params, ...(takes === 'body' && { body }) } as unknown as CallInput<Id>
}

/** Members of a body that name the record, in place of the path. */
const bodyMembers: Partial<Record<OperationId, readonly string[]>> = {
  createAccount: ['customerId'],
}

interface SendFormProps<Id extends OperationId> {
  operation: Id
  fields?: readonly Field[]
  submit: string
  input(values: Record<string, unknown>): unknown
  done?(data: Operations[Id]['data']): void
  /** False while something outside of the form is missing. */
  ready?: boolean
  children?: ReactNode
}

/** A form that sends one operation. */
export function SendForm<Id extends OperationId>(props: SendFormProps<Id>) {
  const { operation, fields = [], submit, input, done, ready = true, children } = props
  const { mutate, data, error, isPending } = useSend(operation, done)
  const proposal = proposalIn(operation, data)
  if (proposal) return <Proposed of={proposal} />
  const send = (values: Record<string, unknown>) => mutate(input(values) as CallInput<Id>)
  return (
    <Form fields={fields} submit={submit} send={send} busy={isPending} error={error} ready={ready}>
      {children}
    </Form>
  )
}
