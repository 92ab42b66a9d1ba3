import { type ReactNode, useId, useState } from 'react'
import type { Schema } from '../../../../../ground/schema.ts'
import { type Document, plainSchema } from '../openapi.ts'
import { Control, Dollars, IdControl } from './controls.tsx'
import { type Draft, draftOf, wordsOf } from './draft.ts'
import styles from './form.module.css'
import type { World } from './world.ts'

/** The document, and the records to choose from. */
export interface Place {
  document: Document
  world: World
}

interface FieldProps {
  place: Place
  name: string
  schema: Schema
  required: boolean
  draft: Draft
  set(draft: Draft): void
}

/** One value of a form, by its schema. */
export function Field(props: FieldProps) {
  const { place, name, schema, draft, set } = props
  const plain = plainSchema(place.document, schema)
  if (draft.kind === 'object') {
    return (
      <fieldset className={styles.inner}>
        <legend>{name}</legend>
        <Fields place={place} schema={plain} draft={draft} set={set} />
      </fieldset>
    )
  }
  if (draft.kind === 'list') return <ListField {...props} schema={plain} draft={draft} />
  if (draft.kind === 'choice') return <ChoiceField {...props} schema={plain} draft={draft} />
  return <PlainField {...props} schema={plain} draft={draft} nullable={plain.nullable} />
}

type DraftOf<Kind extends Draft['kind']> = Extract<Draft, { kind: Kind }>

/** The members of an object. Optional ones that are empty at first are folded. */
export function Fields({
  place,
  schema,
  draft,
  set,
  except,
}: {
  place: Place
  schema: Schema
  draft: DraftOf<'object'>
  set(draft: Draft): void
  /** A member that is chosen elsewhere. */
  except?: string | undefined
}) {
  const { properties = {}, required = [] } = schema
  const field = (name: string) => {
    const own = draft.members[name]
    if (!own || !properties[name]) return null
    const change = (changed: Draft) => set({ ...draft, members: { ...draft.members, [name]: changed } })
    return (
      <Field
        key={name}
        place={place}
        name={name}
        schema={properties[name]}
        required={required.includes(name)}
        draft={own}
        set={change}
      />
    )
  }
  return (
    <Folded
      names={Object.keys(properties).filter((name) => name !== except)}
      first={(name) => required.includes(name) || isFilled(draft.members[name])}
      field={field}
    />
  )
}

/** Fields, of which those that are seldom needed are folded. */
export function Folded({
  names,
  first,
  field,
}: {
  names: string[]
  /** Whether a field is in sight from the beginning. */
  first(name: string): boolean
  field(name: string): ReactNode
}) {
  const [inSight] = useState(() => names.filter(first))
  const folded = names.filter((name) => !inSight.includes(name))
  return (
    <>
      {names.filter((name) => inSight.includes(name)).map(field)}
      {folded.length > 0 && (
        <details className={styles.folded}>
          <summary>{folded.length === 1 ? `Optional: ${folded[0]}` : `${folded.length} optional`}</summary>
          <div className={styles.fields}>{folded.map(field)}</div>
        </details>
      )}
    </>
  )
}

export function isFilled(draft: Draft | undefined): boolean {
  if (!draft) return false
  if (draft.kind === 'object') return Object.values(draft.members).some(isFilled)
  if (draft.kind === 'list') return draft.items.length > 0
  return draft.kind === 'choice' || draft.text !== '' || (draft.kind === 'text' && draft.isNull === true)
}

function ListField({ place, name, schema, draft, set, required }: FieldProps & { draft: DraftOf<'list'> }) {
  const items = schema.items ?? {}
  const change = (at: number, changed: Draft) => set({ ...draft, items: draft.items.with(at, changed) })
  const empty = draftOf(place.document, items, plainSchema(place.document, items).enum?.[0])
  return (
    <fieldset className={styles.inner}>
      <legend>
        {name}
        {!required && <span className="muted"> optional</span>}
      </legend>
      {draft.items.map((item, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the values of a list have no other name.
        <div key={at} className={styles.item}>
          <Field
            place={place}
            name={`${name} ${at + 1}`}
            schema={items}
            required
            draft={item}
            set={(changed) => change(at, changed)}
          />
          <button type="button" onClick={() => set({ ...draft, items: draft.items.toSpliced(at, 1) })}>
            Remove
          </button>
        </div>
      ))}
      <button type="button" onClick={() => set({ ...draft, items: [...draft.items, empty] })}>
        Add
      </button>
    </fieldset>
  )
}

function ChoiceField({ place, name, schema, draft, set }: FieldProps & { draft: DraftOf<'choice'> }) {
  const id = useId()
  const { oneOf = [], discriminator } = schema
  const member = discriminator?.propertyName
  const option = oneOf[draft.at]
  const chosen = draft.options[draft.at]
  const change = (changed: Draft) => set({ ...draft, options: draft.options.with(draft.at, changed) })
  return (
    <>
      <div className={styles.field}>
        <label htmlFor={id}>{member ?? (name || 'kind')}</label>
        <select id={id} value={draft.at} onChange={(event) => set({ ...draft, at: Number(event.target.value) })}>
          {oneOf.map((each, at) => {
            const label = String(wordsOf(place.document, each, member)[0] ?? `Kind ${at + 1}`)
            return (
              <option key={label} value={at}>
                {label}
              </option>
            )
          })}
        </select>
      </div>
      {option && chosen?.kind === 'object' && (
        <Fields
          key={draft.at}
          place={place}
          schema={plainSchema(place.document, option)}
          draft={chosen}
          set={change}
          except={member}
        />
      )}
    </>
  )
}

/** A text, a number, a choice of words, an id, a file, or JSON. */
function PlainField({
  place,
  name,
  schema,
  required,
  draft,
  set,
  nullable,
}: FieldProps & { draft: DraftOf<'text' | 'json'>; nullable: boolean }) {
  const id = useId()
  const choices = place.world[schema['x-resource'] ?? ''] ?? []
  const isNull = draft.kind === 'text' && draft.isNull === true
  const write = (text: string) => set(draft.kind === 'json' ? { kind: 'json', text } : { kind: 'text', text })
  const control = { id, schema, required, kind: draft.kind, text: draft.text, write }
  return (
    <div className={styles.field}>
      <label htmlFor={id}>
        {name}
        {!required && <span className="muted"> optional</span>}
      </label>
      {choices.length > 0 ? <IdControl {...control} name={name} choices={choices} /> : <Control {...control} />}
      {nullable && (
        <label className={styles.nullable}>
          <input
            type="checkbox"
            checked={isNull}
            onChange={() => set({ kind: 'text', text: '', ...(!isNull && { isNull: true }) })}
          />
          Send null
        </label>
      )}
      <Dollars name={name} schema={schema} text={draft.text} />
    </div>
  )
}
