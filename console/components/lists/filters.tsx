import { useEffect, useId, useState } from 'react'
import type { FilterValues } from '../../data/filters.ts'
import { words } from '../../data/format.ts'
import styles from './filters.module.css'

interface FilterField {
  name: string
  label: string
  /** Text by default. */
  kind?: 'date'
  options?: readonly string[]
  /** The texts of the options, if they are not the words of their values. */
  labels?: Readonly<Record<string, string>>
  /** Values that the field offers while a person types. */
  suggestions?: readonly string[]
  /** The value that counts while none is chosen. A choice with one has no “All”. */
  standard?: string | undefined
}

/** Typing takes effect after this pause. */
const PAUSE_MS = 300

/** The filters above a list. */
export function Filters({
  fields,
  values,
  set,
}: {
  fields: readonly FilterField[]
  values: FilterValues
  set(values: FilterValues): void
}) {
  return (
    <search className={styles.filters}>
      {fields.map((field) => (
        <Filter
          key={field.name}
          field={field}
          value={values[field.name] ?? field.standard ?? ''}
          set={(value) => set({ ...values, [field.name]: value })}
        />
      ))}
      {Object.keys(values).length > 0 && (
        <button type="button" className="link" onClick={() => set({})}>
          Clear
        </button>
      )}
    </search>
  )
}

function Filter({ field, value, set }: { field: FilterField; value: string; set(value: string): void }) {
  const id = useId()
  const { label, kind = 'text', options, labels, suggestions = [], standard } = field
  return (
    <div className={styles.filter}>
      <label htmlFor={id}>{label}</label>
      {options ? (
        <select id={id} value={value} onChange={(event) => set(event.target.value)}>
          {standard === undefined && <option value="">All</option>}
          {options.map((each) => (
            <option key={each} value={each}>
              {labels?.[each] ?? words(each)}
            </option>
          ))}
        </select>
      ) : (
        <Typed id={id} type={kind} value={value} set={set} suggestions={suggestions} />
      )}
    </div>
  )
}

interface TypedProps {
  id: string
  type: 'text' | 'date'
  value: string
  set(value: string): void
  suggestions: readonly string[]
}

function Typed({ id, type, value, set, suggestions }: TypedProps) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts the pause.
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => set(text.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  const input = {
    id,
    type,
    value: text,
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => setText(event.target.value),
  }
  if (suggestions.length === 0) return <input {...input} />
  return (
    <>
      <input {...input} list={`${id}-list`} />
      <datalist id={`${id}-list`}>
        {suggestions.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </>
  )
}
