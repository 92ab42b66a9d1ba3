import { isProblem } from '../../../client/src/index.ts'
import { sentence, words } from '../../data/format.ts'
import styles from './problem.module.css'

/** The reason why something could not be shown or done. */
export function ProblemNote({ error }: { error: unknown }) {
  if (!error) return null
  if (!isProblem(error)) {
    const text = error instanceof Error ? error.message.replace(/^\w+: /, '') : String(error)
    return (
      <div className={styles.problem} role="alert">
        {text}
      </div>
    )
  }
  return (
    <div className={styles.problem} role="alert">
      <b>{error.title}</b> <code>{error.code}</code>
      <p>{sentence(error.detail)}</p>
      {error.errors.length > 0 && (
        <ul>
          {error.errors.map(({ message }) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
      {error.requestId && (
        <p>
          Request <code>{error.requestId}</code>
        </p>
      )}
    </div>
  )
}

/** The reason why the present state of a record does not allow an operation. */
export function Refused({ code }: { code: string }) {
  return (
    <p>
      Not possible in the present state: {words(code).toLowerCase()} (<code>{code}</code>).
    </p>
  )
}
