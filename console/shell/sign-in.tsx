import { type FormEvent, useState } from 'react'
import { ProblemNote } from '../components/feedback/problem.tsx'
import styles from './sign-in.module.css'

/** Asks for an API key. */
export function SignIn({ error, enter }: { error: unknown; enter(key: string): void }) {
  const [key, setKey] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (key.trim()) enter(key.trim())
  }
  return (
    <main className={styles.page}>
      <form className={styles.card} onSubmit={submit}>
        <h1>Purser</h1>
        <p className="muted">
          Paste an API key of this service. It stays in this tab and in those that you open from it, and is forgotten
          when you close them.
        </p>
        <label htmlFor="key">API key</label>
        <input
          id="key"
          type="password"
          value={key}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setKey(event.target.value)}
        />
        <ProblemNote error={error} />
        <button type="submit" className="primary">
          Open the console
        </button>
        <p className="muted">
          A sandbox prints a link with its key when it starts, and keeps the key in <code>data/api-key</code>.{' '}
          <code>purser open</code> opens the console with it.
        </p>
      </form>
    </main>
  )
}
