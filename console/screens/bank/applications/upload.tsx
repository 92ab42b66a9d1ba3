import { type FormEvent, useId, useState } from 'react'
import type { RecordAction, UploadDocumentFrontRequest } from '../../../../client/src/index.ts'
import { ProblemNote } from '../../../components/feedback/problem.tsx'
import styles from '../../../components/forms/form.module.css'
import { DialogButton } from '../../../components/layout/dialog.tsx'
import { useSend } from '../../../data/purser.tsx'
import { base64Of } from '../../../data/read-file.ts'

const types = ['image/png', 'image/jpeg', 'application/pdf'] as const
const MAX_BYTES = 20 * 1024 * 1024
/** The operations for the sides of a document. */
const sides = { Front: 'uploadDocumentFront', Back: 'uploadDocumentBack' } as const
type Side = keyof typeof sides

interface Props {
  applicationId: string
  documentId: string
  actions: readonly RecordAction[]
}

/** Sends a file as one side of a document. Absent if neither side can be sent by this key. */
export function Upload({ applicationId, documentId, actions }: Props) {
  const offered = (Object.keys(sides) as Side[]).filter((side) =>
    actions.some(({ operation }) => operation === sides[side]),
  )
  const first = actions.find(({ operation }) => operation === sides[offered[0] ?? 'Front'])
  if (!first) return null
  return (
    <DialogButton label="Upload…" title="Upload a document" refusal={first.allowed === false ? first.problem : null}>
      {(close) => <UploadForm params={{ applicationId, documentId }} offered={offered} close={close} />}
    </DialogButton>
  )
}

interface FormProps {
  params: { applicationId: string; documentId: string }
  offered: readonly Side[]
  close(): void
}

function UploadForm({ params, offered, close }: FormProps) {
  const id = useId()
  const [side, setSide] = useState<Side>(offered[0] ?? 'Front')
  const [file, setFile] = useState<File>()
  const [fault, setFault] = useState<string>()
  const front = useSend('uploadDocumentFront', close)
  const back = useSend('uploadDocumentBack', close)
  const { mutate, isPending, error } = side === 'Front' ? front : back
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const wrong = faultOf(file)
    setFault(wrong)
    if (file && !wrong) {
      const contentType = file.type as UploadDocumentFrontRequest['contentType']
      mutate({ params, body: { file: await base64Of(file), contentType } })
    }
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <div className={styles.field}>
        <label htmlFor={`${id}-side`}>Side</label>
        <select id={`${id}-side`} value={side} onChange={(event) => setSide(event.target.value as Side)}>
          {offered.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </div>
      <div className={styles.field}>
        <label htmlFor={`${id}-file`}>File</label>
        <input
          id={`${id}-file`}
          type="file"
          accept={types.join(',')}
          aria-describedby={`${id}-hint`}
          onChange={(event) => setFile(event.target.files?.[0])}
        />
        <span id={`${id}-hint`} className="muted">
          PNG, JPEG or PDF, at most 20 MB
        </span>
      </div>
      {fault && (
        <p role="alert" className="bad">
          {fault}
        </p>
      )}
      <ProblemNote error={error} />
      <div className={styles.end}>
        <button type="submit" className="primary" disabled={isPending}>
          {isPending ? 'Sending…' : 'Upload'}
        </button>
      </div>
    </form>
  )
}

function faultOf(file: File | undefined): string | undefined {
  if (!file) return 'File is missing'
  if (!types.some((type) => type === file.type)) return 'File is not a PNG, a JPEG or a PDF'
  return file.size > MAX_BYTES ? 'File is larger than 20 MB' : undefined
}
