import { ProblemNote } from '../components/feedback/problem.tsx'
import styles from './sign-in.module.css'

/** In place of the console while the service does not say whose key it is. */
export function Away({ error, signOut }: { error: unknown; signOut(): void }) {
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <h1>Purser</h1>
        <ProblemNote error={error} />
        <p className="muted">The console opens as soon as the service answers.</p>
        <button type="button" onClick={signOut}>
          Forget this key
        </button>
      </div>
    </main>
  )
}
