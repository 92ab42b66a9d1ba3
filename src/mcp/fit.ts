/** The most bytes of the JSON in an answer. The sentences around it have the rest of the 20 KB. */
export const MAX_BYTES = 19_000

/**
 * JSON in which no text can end the element that surrounds it: `<` is written as an escape, so that a record whose name
 * is `</data>` stays inside.
 */
export function fencedJson(value: unknown): string {
  return (JSON.stringify(value) ?? 'null').replaceAll('<', '\\u003c')
}

export function sizeOf(value: unknown): number {
  return Buffer.byteLength(fencedJson(value))
}

/** How many records from the beginning of a list fit. */
export function countThatFits(records: unknown[], max: number): number {
  let left = max - 2
  for (const [position, record] of records.entries()) {
    left -= sizeOf(record) + 1
    if (left < 0) return position
  }
  return records.length
}

/**
 * A value that fits, with the same members as far as possible: members of an object share the space, small ones whole,
 * lists lose their last elements and texts their ends. Each part that is cut says so.
 */
export function shrunk(value: unknown, max: number): unknown {
  if (sizeOf(value) <= max) return value
  if (typeof value === 'string') return cutText(value, max)
  if (Array.isArray(value)) return cutList(value, max)
  return shareOut(Object.entries(value as object), max)
}

const CUT = '… [cut]'

/** The beginning of a text, which ends between two characters. */
function cutText(text: string, max: number): string {
  let length = Math.max(0, max - sizeOf(CUT))
  while (length > 0 && sizeOf(text.slice(0, length) + CUT) > max) length = Math.floor(length * 0.9)
  const isHalf = length > 0 && text.charCodeAt(length - 1) >= 0xd800 && text.charCodeAt(length - 1) <= 0xdbff
  return text.slice(0, isHalf ? length - 1 : length) + CUT
}

function cutList(list: unknown[], max: number): unknown[] {
  const note = (left: number) => (left > 0 ? [`[cut: ${left} more]`] : [])
  const room = max - sizeOf(note(list.length))
  const count = countThatFits(list, room)
  if (count > 0 || room < 200) return [...list.slice(0, count), ...note(list.length - count)]
  return [shrunk(list[0], room - 2), ...note(list.length - 1)]
}

function shareOut(members: [string, unknown][], max: number): object {
  const sized = members.map(([name, value]) => ({ name, value, size: sizeOf(value), names: sizeOf(name) + 2 }))
  let room = max - 2 - sized.reduce((sum, { names }) => sum + names, 0)
  const shares = new Map<string, unknown>()
  const bySize = [...sized].sort((one, other) => one.size - other.size)
  for (const [position, { name, value, size }] of bySize.entries()) {
    const share = Math.max(Math.floor(room / (bySize.length - position)), 16)
    shares.set(name, size <= share ? value : shrunk(value, share))
    room -= Math.min(size, share)
  }
  return Object.fromEntries(members.map(([name]) => [name, shares.get(name)]))
}

/** The members of a record that `fields` names, such as `id` or `counterparty.name`; of a list, those of each record. */
export function pickFields(value: unknown, fields: string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => pickFields(each, fields))
  if (typeof value !== 'object' || value === null) return value
  const names = [...new Set(fields.map((field) => field.split('.', 1)[0] ?? ''))]
  const picked = names.filter((name) => Object.hasOwn(value, name)).map((name) => [name, member(value, name, fields)])
  return Object.fromEntries(picked)
}

/** A member whole if a field names it, otherwise the parts of it that fields name. */
function member(value: object, name: string, fields: string[]): unknown {
  const own = (value as Record<string, unknown>)[name]
  if (fields.includes(name)) return own
  const parts = fields.filter((field) => field.startsWith(`${name}.`)).map((field) => field.slice(name.length + 1))
  return pickFields(own, parts)
}
