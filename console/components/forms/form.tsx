import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { centsOf } from '../../data/format.ts'
import { ProblemNote } from '../feedback/problem.tsx'
import styles from './form.module.css'

/** One member of an input that a person fills in. */
export interface Field {
  /** The member of the input; a path with dots for an inner one, and numbers for the elements of a list. */
  name: string
  label: string
  /**
   * `money` is typed in dollars and sent in cents; `number` is a whole number; `json` is any JSON value; `lines` is a list of
   * texts, one a line. Text by default.
   */
  kind?: 'text' | 'money' | 'number' | 'boolean' | 'json' | 'lines' | 'month' | 'date'
  /** A choice among values. */
  options?: readonly { value: string; label: string }[]
  initial?: string
  optional?: boolean
  hint?: string
  /** Text in an empty field; of amounts `25.00` by default. */
  placeholder?: string
  /** The title over this field and its neighbours of the same group, which stand side by side. */
  group?: string
}

/** A form of fields. `send` gets the members by name, those that were left empty left out. */
export function Form({
  fields,
  submit,
  send,
  busy = false,
  ready = true,
  error,
  children,
}: {
  fields: readonly Field[]
  /** The text of the button. */
  submit: string
  send(values: Record<string, unknown>): void
  busy?: boolean
  /** False while something outside of the form is missing. */
  ready?: boolean
  error?: unknown
  children?: ReactNode
}) {
  const [texts, setTexts] = useState<Record<string, string>>({})
  const [fault, setFault] = useState<string>()
  const textOf = (field: Field) => texts[field.name] ?? initialText(field)
  const handle = (event: FormEvent) => {
    event.preventDefault()
    const read = fields.map((field) => [field, readValue(field, textOf(field))] as const)
    const wrong = read.find(([, value]) => value instanceof Error)
    setFault(wrong ? (wrong[1] as Error).message : undefined)
    if (!wrong) send(nested(read.map(([field, value]) => [field.name, value])))
  }
  return (
    <form className={styles.form} onSubmit={handle} noValidate>
      {groupsOf(fields).map(({ title, members }) => {
        const inputs = members.map((field) => (
          <Input
            key={field.name}
            field={field}
            text={textOf(field)}
            set={(text) => setTexts((earlier) => ({ ...earlier, [field.name]: text }))}
          />
        ))
        return title === undefined ? (
          inputs
        ) : (
          <fieldset key={title} className={styles.group}>
            <legend>{title}</legend>
            {inputs}
          </fieldset>
        )
      })}
      {children}
      {fault && (
        <p role="alert" className="bad">
          {fault}
        </p>
      )}
      <ProblemNote error={error} />
      <div className={styles.end}>
        <button type="submit" className="primary" disabled={busy || !ready}>
          {busy ? 'Sending…' : submit}
        </button>
      </div>
    </form>
  )
}

/** The text of a field that nobody touched. A choice that may be left out is left out. */
export function initialText({ initial, options, optional }: Field): string {
  return initial ?? (optional ? undefined : options?.[0]?.value) ?? ''
}

/** Fields with their neighbours of the same group. */
function groupsOf(fields: readonly Field[]): { title: string | undefined; members: Field[] }[] {
  const groups: { title: string | undefined; members: Field[] }[] = []
  for (const field of fields) {
    const last = groups.at(-1)
    if (last && last.title === field.group) last.members.push(field)
    else groups.push({ title: field.group, members: [field] })
  }
  return groups
}

function Input({ field, text, set }: { field: Field; text: string; set(text: string): void }) {
  const id = useId()
  const { label, kind = 'text', options, optional, hint, placeholder } = field
  const common = {
    id,
    value: text,
    onChange: (event: { target: { value: string } }) => set(event.target.value),
    ...(hint && { 'aria-describedby': `${id}-hint` }),
  }
  const choices =
    kind === 'boolean' ? [true, false].map((each) => ({ value: `${each}`, label: each ? 'Yes' : 'No' })) : options
  return (
    <div className={styles.field}>
      <label htmlFor={id}>
        {label}
        {optional && !placeholder && <span className="muted"> optional</span>}
      </label>
      {choices ? (
        <select {...common}>
          {optional && <option value="">Leave out</option>}
          {choices.map((each) => (
            <option key={each.value} value={each.value}>
              {each.label}
            </option>
          ))}
        </select>
      ) : kind === 'json' || kind === 'lines' ? (
        <textarea {...common} rows={4} spellCheck={false} placeholder={placeholder} />
      ) : (
        <input
          {...common}
          type={kind === 'month' || kind === 'date' ? kind : 'text'}
          inputMode={kind === 'money' ? 'decimal' : kind === 'number' ? 'numeric' : 'text'}
          autoComplete="off"
          placeholder={placeholder ?? (kind === 'money' ? '25.00' : undefined)}
        />
      )}
      {hint && (
        <span id={`${id}-hint`} className="muted">
          {hint}
        </span>
      )}
    </div>
  )
}

/** The value of a field, undefined if it is left out, or an error that says what is wrong with it. */
function readValue({ kind = 'text', optional, group, ...field }: Field, text: string): unknown {
  const label = group === undefined ? field.label : `${group}: ${field.label}`
  if (text === '') return optional ? undefined : new Error(`${label} is missing`)
  if (kind === 'boolean') return text === 'true'
  if (kind === 'money') return centsOf(text) ?? new Error(`${label} is not an amount such as 25.00`)
  if (kind === 'number') return /^-?\d+$/.test(text) ? Number(text) : new Error(`${label} is not a whole number`)
  if (kind === 'lines') return linesOf(text)
  if (kind !== 'json') return text
  try {
    return JSON.parse(text)
  } catch {
    return new Error(`${label} is not JSON`)
  }
}

function linesOf(text: string): string[] | undefined {
  const lines = text.split('\n').flatMap((line) => line.trim() || [])
  return lines.length > 0 ? lines : undefined
}

/** Members by their paths as an object. */
function nested(members: readonly (readonly [path: string, value: unknown])[]): Record<string, unknown> {
  const root: Record<string, unknown> = {}
  for (const [path, value] of members) {
    if (value === undefined) continue
    const names = path.split('.')
    const last = names.pop() ?? ''
    let parent = root
    for (const [at, name] of names.entries()) {
      parent[name] ??= /^\d+$/.test(names[at + 1] ?? last) ? [] : {}
      parent = parent[name] as Record<string, unknown>
    }
    parent[last] = value
  }
  return root
}
