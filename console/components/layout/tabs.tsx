import styles from './tabs.module.css'

/** A choice of one among a few names. */
export function Tabs<Name extends string>({
  label,
  names,
  chosen,
  choose,
}: {
  label: string
  names: readonly Name[]
  chosen: Name
  choose(name: Name): void
}) {
  return (
    <fieldset className={styles.tabs}>
      <legend className="unseen">{label}</legend>
      {names.map((name) => (
        <button key={name} type="button" className="link" aria-pressed={name === chosen} onClick={() => choose(name)}>
          {name}
        </button>
      ))}
    </fieldset>
  )
}
