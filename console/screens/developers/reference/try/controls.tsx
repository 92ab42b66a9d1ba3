import { useState } from 'react'
import type { Schema } from '../../../../../ground/schema.ts'
import { money } from '../../../../data/format.ts'
import type { World } from './world.ts'

interface ControlProps {
  id: string
  schema: Schema
  required: boolean
  kind: 'text' | 'json'
  text: string
  write(text: string): void
}

export function Control({ id, schema, required, kind, text, write }: ControlProps) {
  const words =
    schema.type === 'boolean'
      ? [true, false]
      : (schema.enum ?? (schema.const === undefined ? undefined : [schema.const]))
  const common = { id, value: text, onChange: (event: { target: { value: string } }) => write(event.target.value) }
  if (words) {
    return (
      <select {...common}>
        {(!required || text === '') && <option value="">Leave out</option>}
        {words.map((word) => (
          <option key={String(word)} value={String(word)}>
            {String(word)}
          </option>
        ))}
      </select>
    )
  }
  if (kind === 'json') return <textarea {...common} rows={3} spellCheck={false} placeholder="{ }" />
  const isNumber = schema.type === 'integer' || schema.type === 'number'
  return (
    <>
      <input
        {...common}
        className="mono"
        type="text"
        inputMode={isNumber ? 'decimal' : 'text'}
        autoComplete="off"
        spellCheck={false}
        placeholder={schema.default === undefined ? undefined : String(schema.default)}
      />
      {schema.contentEncoding === 'base64' && <FilePicker write={write} />}
    </>
  )
}

/** Puts the bytes of a file of the reader into the field, as base64. */
function FilePicker({ write }: { write(text: string): void }) {
  const read = async (file: File | undefined) => {
    if (!file) return
    const bytes = new Uint8Array(await file.arrayBuffer())
    const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
    write(btoa(text))
  }
  return <input type="file" aria-label="Choose a file" onChange={(event) => void read(event.target.files?.[0])} />
}

const OTHER = 'other'

/** A choice of the newest records, or any other id. */
export function IdControl({ name, choices, ...control }: ControlProps & { name: string; choices: World[string] }) {
  const { id, text, required, write } = control
  const [isOther, setOther] = useState(text !== '' && !choices.some((each) => each.id === text))
  const choose = (chosen: string) => {
    setOther(chosen === OTHER)
    if (chosen !== OTHER) write(chosen)
  }
  return (
    <>
      <select id={id} value={isOther ? OTHER : text} onChange={(event) => choose(event.target.value)}>
        {(!required || text === '') && <option value="">Leave out</option>}
        {choices.map((each) => (
          <option key={each.id} value={each.id}>
            {each.label} ({each.id})
          </option>
        ))}
        {!isOther && text !== '' && !choices.some((each) => each.id === text) && <option value={text}>{text}</option>}
        <option value={OTHER}>Another id…</option>
      </select>
      {isOther && (
        <input
          className="mono"
          aria-label={`Id for ${name}`}
          autoComplete="off"
          value={text}
          onChange={(event) => write(event.target.value)}
        />
      )}
    </>
  )
}

/** Amounts are in cents; this says how much that is. */
export function Dollars({ name, schema, text }: { name: string; schema: Schema; text: string }) {
  if (!/amount/i.test(name) || schema.type !== 'integer' || !/^-?\d{1,15}$/.test(text)) return null
  return <span className="muted">{money(Number(text))}</span>
}
