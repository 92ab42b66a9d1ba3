import { Time } from '../components/display/time.tsx'
import { words } from '../data/format.ts'
import styles from './state-machine.module.css'

/** The states that a record goes through. */
export interface Way {
  way: readonly string[]
  present: string
  tone: 'good' | 'warn' | 'bad'
  /** When the states began, if it is known. */
  since?: ReadonlyMap<string, string>
}

/** The way of a record through its states, with the present one lit. */
export function StateMachine({ way, present, tone, since }: Way) {
  const at = way.indexOf(present)
  return (
    <ol className={styles.machine} aria-label={`States: ${way.map(words).join(', ')}. Now: ${words(present)}`}>
      {way.map((state, index) => (
        <li
          key={state}
          className={index === at ? `${styles.now} ${styles[tone]}` : index < at ? styles.was : undefined}
          {...(index === at && { 'aria-current': 'step' as const })}
        >
          {words(state)}
          {since?.has(state) && (
            <small>
              <Time of={since.get(state) ?? ''} />
            </small>
          )}
        </li>
      ))}
    </ol>
  )
}
