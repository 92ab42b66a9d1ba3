import { type DragEvent, useId, useState } from 'react'
import styles from './pay-many.module.css'

const MAX_MB = 5
const EXAMPLE = 'accountId,counterpartyAccountId,amount,description\n1000042,1000051,2500,Rent'

interface Props {
  text: string
  /** False while payments are sent. */
  open: boolean
  change(text: string): void
}

/** The list of payments: pasted, dropped, or a file of this machine. */
export function ListSource({ text, open, change }: Props) {
  const id = useId()
  const [isOver, setOver] = useState(false)
  const [fault, setFault] = useState<string>()
  const take = async (file: File | undefined) => {
    if (!file || !open) return
    const large = file.size > MAX_MB * 1_000_000
    setFault(large ? `${file.name} is larger than ${MAX_MB} MB: “purser payments batch” takes it` : undefined)
    if (!large) change(await file.text())
  }
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field for files does the same by keyboard.
    <div
      className={`${styles.drop} ${isOver ? styles.over : ''}`}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        void take(event.dataTransfer.files[0])
      }}
    >
      <label htmlFor={id}>Payments</label>
      <textarea
        id={id}
        rows={7}
        spellCheck={false}
        readOnly={!open}
        placeholder={EXAMPLE}
        aria-describedby={`${id}-hint`}
        value={text}
        onChange={(event) => change(event.target.value)}
      />
      <p id={`${id}-hint`} className="muted">
        Paste a table or JSON, or drop a file here. The first line of a table names its columns: <code>accountId</code>,{' '}
        <code>counterpartyAccountId</code>, <code>amount</code> in cents, <code>description</code>.
      </p>
      <input
        type="file"
        aria-label="File with payments"
        accept=".csv,.tsv,.txt,.json"
        disabled={!open}
        onChange={(event) => void take(event.target.files?.[0])}
      />
      {fault && (
        <p role="alert" className="bad">
          {fault}
        </p>
      )}
    </div>
  )
}
