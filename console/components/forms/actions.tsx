import { useState } from 'react'
import {
  type CallInput,
  type OperationId,
  type Operations,
  operations,
  type RecordAction,
} from '../../../client/src/index.ts'
import { type ActionForm, actionForms } from '../../data/actions.ts'
import { useSend } from '../../data/purser.tsx'
import { ProblemNote, Refused } from '../feedback/problem.tsx'
import { Dialog } from '../layout/dialog.tsx'
import { Form } from './form.tsx'

/** The record that an action is about: values for the path and the body of its operation by name. */
export type ActionTarget = Record<string, string>

/**
 * The operations that change a record, as buttons. One that its state does not allow says why when it is pressed.
 */
export function Actions({ actions, target }: { actions: readonly RecordAction[]; target: ActionTarget }) {
  return actions.map(({ operation, allowed, problem }) => {
    const form = actionForms[operation as OperationId]
    if (!form) return null
    return (
      <Action
        key={operation}
        operation={operation as OperationId}
        form={form}
        target={target}
        refusal={allowed === false ? problem : null}
      />
    )
  })
}

interface ActionProps<Id extends OperationId> {
  operation: Id
  form: ActionForm
  target: ActionTarget
  /** The code of the problem that would refuse the operation now. */
  refusal: string | null
  /** Runs after a success, for example to show the new record. */
  done?(data: Operations[Id]['data']): void
}

/** A button that runs one operation, after its form if it has one. */
export function Action<Id extends OperationId>({ operation, form, target, refusal, done }: ActionProps<Id>) {
  const [open, setOpen] = useState(false)
  const { mutate, error, isPending, reset } = useSend(operation, (data) => {
    setOpen(false)
    done?.(data)
  })
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
      {(open || error) && (
        <Dialog title={title} close={close}>
          {refusal ? (
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

/** The input of an operation on a record: what its path does not take goes into the body, if it has one. */
function inputOf<Id extends OperationId>(id: Id, target: ActionTarget, values: Record<string, unknown>): CallInput<Id> {
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
