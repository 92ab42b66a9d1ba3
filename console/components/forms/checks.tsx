import styles from './checks.module.css'

/** A choice of any number of values. */
export function Checks({
  legend,
  options,
  chosen,
  set,
}: {
  legend: string
  options: readonly string[]
  chosen: readonly string[]
  set(chosen: string[]): void
}) {
  return (
    <fieldset className={styles.checks}>
      <legend>{legend}</legend>
      {options.map((each) => (
        <label key={each}>
          <input
            type="checkbox"
            checked={chosen.includes(each)}
            onChange={(event) =>
              set(event.target.checked ? [...chosen, each] : chosen.filter((other) => other !== each))
            }
          />
          <span>{each}</span>
        </label>
      ))}
    </fieldset>
  )
}
