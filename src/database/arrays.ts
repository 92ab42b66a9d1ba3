/**
 * Rows for a statement, as one array a column, in PostgreSQL's binary form: as text, every quote of a JSON document would
 * be escaped here and unescaped there.
 */
export interface RowSet<Row> {
  /** The names of its columns, as an insert lists them. */
  names: string
  /** The query that makes rows of the arrays. */
  select: string
  values(rows: Row[]): Buffer[]
  /** The number of the parameter behind its own. */
  next: number
}

interface Column<Row> {
  type: ArrayType
  of(row: Row): Value
}

type Value = number | string | string[] | Buffer | null
type ArrayType = 'bigint' | 'integer' | 'smallint' | 'text' | 'bytea' | 'timestamptz' | 'jsonb' | 'tid'

/** Their numbers in PostgreSQL's catalogue, which are the same on every server. */
const oids: Record<ArrayType, number> = {
  bigint: 20,
  integer: 23,
  smallint: 21,
  text: 25,
  bytea: 17,
  timestamptz: 1184,
  jsonb: 3802,
  tid: 27,
}

/**
 * Rows with these columns, in the parameters from `first` on. Each `unnest` is a value of the select and not a table:
 * as tables, PostgreSQL would write every column down and read it again.
 */
export function rowSet<Row>(columns: Record<string, Column<Row>>, first = 1): RowSet<Row> {
  const names = Object.keys(columns)
  const wanted = Object.values(columns)
  const values = wanted.map(({ type }, place) => `unnest($${first + place}::${type}[]) as ${names[place]}`)
  return {
    names: names.join(', '),
    select: `select ${values.join(', ')}`,
    values: (rows) => wanted.map(({ type, of }) => encode(type, rows, of)),
    next: first + wanted.length,
  }
}

export function arrayOf(type: ArrayType, values: Value[]): Buffer {
  return encode(type, values, (value) => value)
}

/** `bigint((row) => row.id)` and so on: columns by the name of their type. */
const column =
  <Element extends Value>(type: ArrayType) =>
  <Row>(of: (row: Row) => Element | null): Column<Row> => ({ type, of })
export const bigint = column<number>('bigint')
export const integer = column<number>('integer')
export const smallint = column<number>('smallint')
/** Also of parts that follow one another, which need not be put together first. */
export const text = column<string | string[]>('text')
export const bytea = column<Buffer>('bytea')
export const timestamptz = column<string>('timestamptz')
export const jsonb = column<string>('jsonb')
export const tid = column<string>('tid')

const HEAD = 20
/** Where arrays are put together, before as much of it as was needed is copied out. */
let room = Buffer.allocUnsafe(64 * 1024)
let view = viewOf(room)

function encode<Row>(type: ArrayType, rows: Row[], of: (row: Row) => Value): Buffer {
  const put = puts[type] as (value: Value, at: number) => number
  let at = HEAD
  let nulls = 0
  for (const row of rows) {
    const value = of(row)
    if (value === null) {
      nulls = 1
      makeRoom(at + 4)
      view.setInt32(at, -1)
      at += 4
    } else at = put(value, at)
  }
  // One dimension counted from 1; an array without elements has none.
  view.setInt32(0, rows.length === 0 ? 0 : 1)
  view.setInt32(4, nulls)
  view.setInt32(8, oids[type])
  view.setInt32(12, rows.length)
  view.setInt32(16, 1)
  return Buffer.from(room.subarray(0, rows.length === 0 ? 12 : at))
}

/** Each puts an element of its type, its length before it, and answers where the next one begins. */
const puts = {
  bigint: putBigint,
  integer: putInteger,
  smallint: putSmallint,
  text: putText,
  bytea: putBytes,
  timestamptz: putTime,
  jsonb: putJsonb,
  tid: putTid,
}

/** Two's complement in two halves: a number holds more than 32 bits, and BigInt is slow. */
function putBigint(value: number, at: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not a bigint: ${value}`)
  makeRoom(at + 12)
  const high = Math.floor(value / 0x1_0000_0000)
  view.setInt32(at, 8)
  view.setInt32(at + 4, high)
  view.setUint32(at + 8, value - high * 0x1_0000_0000)
  return at + 12
}

function putInteger(value: number, at: number): number {
  if (value !== (value | 0)) throw new RangeError(`not an integer: ${value}`)
  makeRoom(at + 8)
  view.setInt32(at, 4)
  view.setInt32(at + 4, value)
  return at + 8
}

function putSmallint(value: number, at: number): number {
  if (value !== (value << 16) >> 16) throw new RangeError(`not a smallint: ${value}`)
  makeRoom(at + 6)
  view.setInt32(at, 2)
  view.setInt16(at + 4, value)
  return at + 6
}

function putBytes(bytes: Buffer, at: number): number {
  makeRoom(at + 4 + bytes.length)
  view.setInt32(at, bytes.length)
  room.set(bytes, at + 4)
  return at + 4 + bytes.length
}

function putText(value: string | string[], at: number): number {
  makeRoom(at + 4)
  let end = at + 4
  if (typeof value === 'string') end = putPart(value, end)
  else for (const part of value) end = putPart(part, end)
  view.setInt32(at, end - at - 4)
  return end
}

function putPart(value: string, at: number): number {
  // A character of UTF-16 takes at most three bytes.
  makeRoom(at + value.length * 3)
  return write(value, at)
}

const JSONB_VERSION = 1

function putJsonb(value: string, at: number): number {
  makeRoom(at + 5 + value.length * 3)
  view.setUint8(at + 4, JSONB_VERSION)
  const end = write(value, at + 5)
  view.setInt32(at, end - at - 4)
  return end
}

/** `(block,number)`, as a statement answers it. */
function putTid(value: string, at: number): number {
  const comma = value.indexOf(',')
  const [block, number] = [Number(value.slice(1, comma)), Number(value.slice(comma + 1, -1))]
  if (Number.isNaN(block) || Number.isNaN(number)) throw new RangeError(`not a tid: ${value}`)
  makeRoom(at + 10)
  view.setInt32(at, 6)
  view.setUint32(at + 4, block)
  view.setUint16(at + 8, number)
  return at + 10
}

/** Below this a loop is faster than a call out of JavaScript. */
const SHORT = 32

function write(value: string, at: number): number {
  const { length } = value
  if (length > SHORT) return at + room.write(value, at)
  for (let index = 0; index < length; index++) {
    const code = value.charCodeAt(index)
    if (code > 0x7f) return at + room.write(value, at)
    room[at + index] = code
  }
  return at + length
}

function makeRoom(size: number): void {
  if (size <= room.length) return
  const larger = Buffer.allocUnsafe(Math.max(size, 2 * room.length))
  room.copy(larger)
  room = larger
  view = viewOf(room)
}

function viewOf(buffer: Buffer): DataView {
  return new DataView(buffer.buffer, buffer.byteOffset, buffer.length)
}

const YEAR_2000_MS = Date.UTC(2000, 0, 1)
const last = { time: '', bytes: Buffer.alloc(8) }

/** PostgreSQL's count of microseconds. A batch has few times: the last one is remembered. */
function putTime(time: string, at: number): number {
  if (time !== last.time) {
    const ms = Date.parse(time)
    if (Number.isNaN(ms)) throw new RangeError(`not a time: ${time}`)
    last.bytes.writeBigInt64BE(BigInt(ms - YEAR_2000_MS) * 1_000n)
    last.time = time
  }
  return putBytes(last.bytes, at)
}
