import { useEffect, useState } from 'react'
import { Copy } from '../../../../components/display/copy.tsx'
import { Status } from '../../../../components/display/state.tsx'
import { Card } from '../../../../components/layout/card.tsx'
import { RecordLink } from '../../../../components/records/record-link.tsx'
import { useList } from '../../../../data/list.ts'
import { useMay } from '../../../../data/purser.tsx'
import type { Described } from '../openapi.ts'
import styles from './form.module.css'
import type { Answer } from './send.ts'

/** The answer of a call that the reader sent. */
export function AnswerCard({ answer, described }: { answer: Answer; described: Described }) {
  const { status, ms, size, text, file, headers, requestId } = answer
  return (
    <Card title="Answer" aside={text && <Copy text={text} />}>
      <div className={styles.fields} aria-live="polite">
        <div className={styles.facts}>
          <Status of={status} />
          <span className="muted">
            {ms} ms, {size.toLocaleString('en-US')} bytes
          </span>
          <LoggedLink requestId={requestId} operation={described.id} />
        </div>
        {file && <FileLink file={file} name={`${described.id}.${file.type.split('/').at(-1) ?? 'bin'}`} />}
        {text && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long answer is scrolled with the keyboard.
          <pre className={styles.answer} tabIndex={0}>
            {text}
          </pre>
        )}
        {status === 204 && <p className="muted">The answer has no body.</p>}
        <details>
          <summary>{headers.length} headers</summary>
          <div className={styles.headers}>
            {headers.map(([name, value]) => (
              <div key={name}>
                <span className="muted">{name}:</span> {value}
              </div>
            ))}
          </div>
        </details>
      </div>
    </Card>
  )
}

/** The request in the log of requests, which a sandbox keeps. */
function LoggedLink({ requestId, operation }: { requestId: string | undefined; operation: string }) {
  const may = useMay('listRequests')
  const query = { requestId: requestId ?? '', operation, limit: 1 }
  const { rows } = useList('listRequests', { query: query as never }, { enabled: may && requestId !== undefined })
  const [logged] = rows
  if (!logged) return null
  return (
    <RecordLink type="request" id={logged.id}>
      The request
    </RecordLink>
  )
}

function FileLink({ file, name }: { file: Blob; name: string }) {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return (
    <a href={address} download={name}>
      Save {name}
    </a>
  )
}
