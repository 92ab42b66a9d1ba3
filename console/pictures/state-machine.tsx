import { words } from '../data/format.ts'
import styles from './state-machine.module.css'

/** The states that a record goes through. */
export interface Way {
  way: readonly string[]
  present: string
  tone: 'good' | 'warn' | 'bad'
}

/** The way of a record through its states, with the present one lit. */
export function StateMachine({ way, present, tone }: Way) {
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
        </li>
      ))}
    </ol>
  )
}
