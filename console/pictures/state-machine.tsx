import { Time } from '../components/display/time.tsx'
import { words } from '../data/format.ts'
import styles from './state-machine.module.css'

/** The states that a record goes through. */
export interface Way {
  way: readonly string[]
  present: string
  tone: 'good' | 'warn' | 'bad'
  /** When the states began and why, if it is known. */
  since?: ReadonlyMap<string, { at: string; why: string | undefined }>
}

/** The way of a record through its states, with the present one lit. */
export function StateMachine({ way, present, tone, since }: Way) {
  const at = way.indexOf(present)
  return (
    <div className={styles.place}>
      <ol className={styles.machine} aria-label={`States: ${way.map(words).join(', ')}. Now: ${words(present)}`}>
        {way.map((state, index) => {
          const began = since?.get(state)
          return (
            <li
              key={state}
              className={index === at ? `${styles.now} ${styles[tone]}` : index < at ? styles.was : undefined}
              {...(index === at && { 'aria-current': 'step' as const })}
            >
              <b>{words(state)}</b>
              {began && <Time of={began.at} />}
              {began?.why && <small>{began.why}</small>}
            </li>
          )
        })}
      </ol>
    </div>
  )
}
