import styles from './meter.module.css'

interface Props {
  name: string
  used: number
  /** The end of the scale; null if nothing is limited. */
  limit: number | null
  /** A place on the scale from which on the colour warns. */
  mark?: number | null
  /** A figure as text. */
  show(figure: number): string
  /** A remark below the bar. */
  children?: string | false | null
}

/** How much of a limit is used. */
export function Meter({ name, used, limit, mark = null, show, children }: Props) {
  const text = limit === null ? `${show(used)}, no limit` : `${show(used)} of ${show(limit)}`
  const share = (figure: number) => (limit ? Math.min(100, Math.max(0, (100 * figure) / limit)) : 100)
  const tone = limit !== null && used >= limit ? styles.bad : mark !== null && used >= mark ? styles.warn : ''
  return (
    <div className={styles.meter}>
      <div className={styles.line}>
        <span className={styles.name}>{name}</span>
        <span>{text}</span>
      </div>
      {limit !== null && (
        <div className={styles.bar} aria-hidden="true">
          <div className={`${styles.used} ${tone}`} style={{ width: `${share(used)}%` }} />
          {mark !== null && mark < limit && <div className={styles.tick} style={{ left: `${share(mark)}%` }} />}
        </div>
      )}
      {children && <span className={styles.mark}>{children}</span>}
    </div>
  )
}
