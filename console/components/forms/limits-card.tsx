import type { ReactNode } from 'react'
import type { OperationId } from '../../../client/src/index.ts'
import { Reading } from '../feedback/empty.tsx'
import { ProblemNote } from '../feedback/problem.tsx'
import { Card } from '../layout/card.tsx'
import { DialogButton } from '../layout/dialog.tsx'
import { SendForm } from './actions.tsx'
import type { Field } from './form.tsx'

interface Props {
  error: Error | null
  /** The operation that changes them, if the key may. */
  change: OperationId | false | undefined
  /** The record, as the path of the operation names it. */
  params: Record<string, string>
  title: string
  fields: readonly Field[] | undefined
  /** Members of the body that the form does not show: the operation removes those that are absent. */
  kept?: object | undefined
  /** The code of the problem that would refuse the operation now. */
  refusal?: string | null
  /** The explanation below the fields. */
  hint: string
  /** The limits; absent until they are read. */
  children: ReactNode
}

/** The limits of a record, and a button that opens a form with all of them. */
export function LimitsCard({ error, change, params, title, fields, kept, refusal, hint, children }: Props) {
  const button = change && fields && (
    <DialogButton label="Change…" title={title} refusal={refusal}>
      {(close) => (
        <SendForm
          operation={change}
          submit="Set the limits"
          input={(body) => ({ params, body: { ...kept, ...body } })}
          done={close}
          fields={fields}
        >
          <p className="muted">{hint}</p>
        </SendForm>
      )}
    </DialogButton>
  )
  return (
    <Card title="Limits" aside={button}>
      <ProblemNote error={error} />
      {children ?? (!error && <Reading />)}
    </Card>
  )
}
