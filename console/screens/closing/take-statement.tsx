import { type FormEvent, useId, useState } from 'react'
import type { StatementIntake } from '../../../client/src/index.ts'
import { ProblemNote } from '../../components/feedback/problem.tsx'
import { Reason } from '../../components/feedback/reason.tsx'
import styles from '../../components/forms/form.module.css'
import { DialogButton } from '../../components/layout/dialog.tsx'
import { counted, date, sentence } from '../../data/format.ts'
import { useSend } from '../../data/purser.tsx'
import { base64Of } from '../../data/read-file.ts'

const MAX_BYTES = 20 * 1024 * 1024

/** Takes a statement that the bank has sent. */
export function TakeStatement() {
  return (
    <DialogButton label="Take statement…" title="Take a bank statement">
      {(close) => <TakeForm close={close} />}
    </DialogButton>
  )
}

function TakeForm({ close }: { close(): void }) {
  const id = useId()
  const [file, setFile] = useState<File>()
  const [replace, setReplace] = useState('')
  const [fault, setFault] = useState<string>()
  const { mutate, isPending, error, data } = useSend('takeBankStatement')
  const isTaken = data?.state === 'taken'
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const wrong = !file ? 'File is missing' : file.size > MAX_BYTES ? 'File is larger than 20 MB' : undefined
    setFault(wrong)
    if (!file || wrong) return
    mutate({ body: { name: file.name, file: await base64Of(file), ...(replace.trim() && { replace }) } })
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <div className={styles.field}>
        <label htmlFor={`${id}-file`}>File</label>
        <input
          id={`${id}-file`}
          type="file"
          aria-describedby={`${id}-hint`}
          onChange={(event) => setFile(event.target.files?.[0])}
        />
        <span id={`${id}-hint`} className="muted">
          BAI2, camt.053, or CSV if the service knows its columns
        </span>
      </div>
      <div className={styles.field}>
        <label htmlFor={`${id}-replace`}>
          Reason to replace <span className="muted"> optional</span>
        </label>
        <input
          id={`${id}-replace`}
          value={replace}
          autoComplete="off"
          maxLength={400}
          onChange={(event) => setReplace(event.target.value)}
        />
        <span className="muted">Only if it takes the place of another statement of its day</span>
      </div>
      {fault && (
        <p role="alert" className="bad">
          {fault}
        </p>
      )}
      <ProblemNote error={error} />
      {data && <Outcome of={data} />}
      <div className={styles.end}>
        <button type="submit" className={isTaken ? undefined : 'primary'} disabled={isPending}>
          {isPending ? 'Sending…' : 'Take'}
        </button>
        {isTaken && (
          <button type="button" className="primary" onClick={close}>
            Done
          </button>
        )}
      </div>
    </form>
  )
}

function Outcome({ of: { state, detail, statements } }: { of: StatementIntake }) {
  const lines = statements.map(({ asOf, effect, entries }) => `${date(asOf)} ${effect}, ${counted(entries, 'line')}`)
  const title = state === 'refused' ? 'Refused' : state === 'taken' ? 'Taken' : 'Already taken'
  return (
    <div role="status">
      <Reason tone={state === 'refused' ? 'bad' : state === 'taken' ? 'good' : 'warn'} title={title}>
        {[sentence(detail), ...lines].join('; ')}
      </Reason>
    </div>
  )
}
