import { useEffect, useId, useState } from 'react'
import type { Filter, FilterValues } from '../../data/filters.ts'
import { amount, centsOf, date, words } from '../../data/format.ts'
import { Empty } from '../feedback/empty.tsx'
import styles from './filters.module.css'
import { Picker, useName } from './picker.tsx'

/** Typing takes effect after this pause. */
const PAUSE_MS = 300

interface Props {
  fields: readonly Filter[]
  values: FilterValues
  set(values: FilterValues): void
}

/** More filters than these fold on a phone, where they would push the list off the screen. */
const UNFOLDED = 2

/** The filters above a list. */
export function Filters({ fields, values, set }: Props) {
  const [isOpen, setOpen] = useState(false)
  const used = Object.keys(values).length
  return (
    <search className={styles.filters} data-folded={fields.length > UNFOLDED && !isOpen}>
      {fields.length > UNFOLDED && (
        <button type="button" className={styles.fold} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Filters{used > 0 && ` (${used})`}
        </button>
      )}
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={values[field.name] ?? field.standard ?? ''}
          set={(value) => set({ ...values, [field.name]: value })}
        />
      ))}
      {used > 0 && (
        <button type="button" className="link" onClick={() => set({})}>
          Clear
        </button>
      )}
    </search>
  )
}

function Field({ field, value, set }: { field: Filter; value: string; set(value: string): void }) {
  const id = useId()
  const { label, options, standard, pick } = field
  return (
    <div className={styles.filter} data-kind={pick ? 'pick' : field.kind}>
      <label htmlFor={id}>{label}</label>
      {pick ? (
        <Picker field={id} type={pick} value={value} set={set} />
      ) : options ? (
        <select id={id} value={value} onChange={(event) => set(event.target.value)}>
          {standard === undefined && <option value="">All</option>}
          {(options.includes(value) || value === '' ? options : [value, ...options]).map((each) => (
            <option key={each} value={each}>
              {optionText(field, each)}
            </option>
          ))}
        </select>
      ) : (
        <Typed id={id} field={field} value={value} set={set} />
      )}
    </div>
  )
}

function optionText({ labels }: Filter, option: string): string {
  return labels?.[option] ?? words(option)
}

function Typed({ id, field, value, set }: { id: string; field: Filter; value: string; set(value: string): void }) {
  const { kind = 'text', suggestions = [] } = field
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts the pause.
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => set(text.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <>
      <input
        id={id}
        type={kind === 'date' || kind === 'month' ? kind : 'text'}
        inputMode={kind === 'money' ? 'decimal' : undefined}
        value={text}
        autoComplete="off"
        list={suggestions.length > 0 ? `${id}-list` : undefined}
        onChange={(event) => setText(event.target.value)}
      />
      {suggestions.length > 0 && (
        <datalist id={`${id}-list`}>
          {suggestions.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </>
  )
}

interface NothingProps extends Props {
  /** The number of the records that there are without each of the filters, as far as it is known. */
  left?: Readonly<Record<string, string | undefined>>
}

/** In place of a list that the filters leave empty: the filters in words, each with a way to drop it. */
export function NothingMatches({ fields, values, set, left = {} }: NothingProps) {
  const used = fields.filter(({ name }) => values[name] !== undefined)
  return (
    <Empty title="Nothing matches these filters">
      <div className={styles.used}>
        {used.map((field) => (
          <button key={field.name} type="button" onClick={() => set(without(values, field.name))}>
            <span className="unseen">Remove </span>
            {field.label}: <FilterText field={field} value={values[field.name] ?? ''} />
            <span aria-hidden="true"> ×</span>
            {left[field.name] && (
              <>
                <span className="unseen">, </span>
                <small>{left[field.name]} without it</small>
              </>
            )}
          </button>
        ))}
        {used.length > 1 && (
          <button type="button" className="primary" onClick={() => set({})}>
            Clear all
          </button>
        )}
      </div>
    </Empty>
  )
}

/** The filters without one of them. */
export function without(values: FilterValues, name: string): FilterValues {
  return Object.fromEntries(Object.entries(values).filter(([each]) => each !== name))
}

function FilterText({ field, value }: { field: Filter; value: string }) {
  if (field.pick) return <PickedName type={field.pick} id={value} />
  if (field.options) return optionText(field, value)
  if (field.kind === 'date') return date(value)
  const cents = field.kind === 'money' ? centsOf(value) : undefined
  return cents === undefined ? value : amount(cents)
}

function PickedName({ type, id }: { type: string; id: string }) {
  return useName(type, id)
}
