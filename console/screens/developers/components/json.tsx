import { jsonOf } from '../../../data/developers/exchange.ts'
import styles from './json.module.css'

/** Shows JSON indented, and any other text unchanged. Scrolls if it is long. */
export function Json({ text, label }: { text: string; label: string }) {
  const value = jsonOf(text)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls a long text.
    <section className={styles.json} tabIndex={0} aria-label={label}>
      <pre>{value === undefined ? text : JSON.stringify(value, undefined, 2)}</pre>
    </section>
  )
}
