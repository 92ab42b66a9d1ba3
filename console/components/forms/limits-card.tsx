import { type ReactNode, useState } from 'react'
import type { CallInput, OperationId } from '../../../client/src/index.ts'
import { useSend } from '../../data/purser.tsx'
import { Reading } from '../feedback/empty.tsx'
import { ProblemNote, Refused } from '../feedback/problem.tsx'
import { Card } from '../layout/card.tsx'
import { Dialog } from '../layout/dialog.tsx'
import shortList from '../lists/short-list.module.css'
import { type Field, Form } from './form.tsx'

interface Props {
  error: Error | null
  /** The button that changes them, if the key may. */
  change: ReactNode
  /** The limits; absent until they are read. */
  children: ReactNode
}

/** The limits of a record. */
export function LimitsCard({ error, change, children }: Props) {
  return (
    <Card title="Limits" aside={<span className={`row ${shortList.aside}`}>{change}</span>}>
      <ProblemNote error={error} />
      {children ?? (!error && <Reading />)}
    </Card>
  )
}

interface ChangeProps<Id extends OperationId> {
  operation: Id
  /** The record, as the path of the operation names it. */
  params: Record<string, string>
  title: string
  fields: Field[]
  /** The code of the problem that would refuse the operation now. */
  refusal?: string | null
  /** The explanation below the fields. */
  children: ReactNode
}

/** A button that opens a form with all limits of a record. */
export function ChangeLimits<Id extends OperationId>(props: ChangeProps<Id>) {
  const { operation, params, title, fields, refusal = null, children } = props
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  const { mutate, error, isPending, reset } = useSend(operation, close)
  const send = (values: Record<string, unknown>) => mutate({ params, body: values } as unknown as CallInput<Id>)
  return (
    <>
      <button
        type="button"
        aria-disabled={refusal !== null}
        onClick={() => {
          reset()
          setOpen(true)
        }}
      >
        Change…
      </button>
      {open && (
        <Dialog title={title} close={close}>
          {refusal ? (
            <Refused code={refusal} />
          ) : (
            <Form fields={fields} submit="Set the limits" send={send} busy={isPending} error={error}>
              <p className="muted">{children}</p>
            </Form>
          )}
        </Dialog>
      )}
    </>
  )
}
