/**
 * Arrays for statements that take rows by `unnest`, in PostgreSQL's binary form: as text, every quote of a JSON document
 * would be escaped here and unescaped there.
 */
export interface Column<Row> {
  type: ArrayType
  of(row: Row): Value
}

type Value = number | string | Buffer | null
type ArrayType = 'bigint' | 'integer' | 'smallint' | 'text' | 'bytea' | 'timestamptz' | 'jsonb'

/** Their numbers in PostgreSQL's catalogue, which are the same on every server. */
const oids: Record<ArrayType, number> = {
  bigint: 20,
  integer: 23,
  smallint: 21,
  text: 25,
  bytea: 17,
  timestamptz: 1184,
  jsonb: 3802,
}

/** One array a column. */
export function columns<Row>(rows: Row[], wanted: Column<Row>[]): Buffer[] {
  return wanted.map(({ type, of }) => encode(type, rows, of))
}

export function arrayOf(type: ArrayType, values: Value[]): Buffer {
  return encode(type, values, (value) => value)
}

/** `bigint((row) => row.id)` and so on: columns by the name of their type. */
const column =
  (type: ArrayType) =>
  <Row>(of: (row: Row) => Value): Column<Row> => ({ type, of })
export const bigint = column('bigint')
export const integer = column('integer')
export const smallint = column('smallint')
export const text = column('text')
export const bytea = column('bytea')
export const timestamptz = column('timestamptz')
export const jsonb = column('jsonb')

const HEAD = 20
/** Where arrays are put together, before as much of it as was needed is copied out. */
let room = Buffer.allocUnsafe(64 * 1024)

function encode<Row>(type: ArrayType, rows: Row[], of: (row: Row) => Value): Buffer {
  let at = HEAD
  let nulls = 0
  for (const row of rows) {
    const value = of(row)
    if (value === null) {
      nulls = 1
      at = putLength(at, -1)
    } else at = put(type, value, at)
  }
  // One dimension counted from 1; an array without elements has none.
  room.writeInt32BE(rows.length === 0 ? 0 : 1, 0)
  room.writeInt32BE(nulls, 4)
  room.writeInt32BE(oids[type], 8)
  room.writeInt32BE(rows.length, 12)
  room.writeInt32BE(1, 16)
  return Buffer.from(room.subarray(0, rows.length === 0 ? 12 : at))
}

function put(type: ArrayType, value: number | string | Buffer, at: number): number {
  if (typeof value === 'number') return putInteger(type, value, at)
  if (typeof value !== 'string') return putBytes(value, at)
  if (type === 'timestamptz') return putBytes(instant(value), at)
  return putText(value, at, type === 'jsonb' ? JSONB_VERSION : undefined)
}

const JSONB_VERSION = 1

function putLength(at: number, length: number): number {
  makeRoom(at + 4 + Math.max(0, length))
  return room.writeInt32BE(length, at)
}

function putInteger(type: ArrayType, value: number, at: number): number {
  if (type === 'bigint') return putBigint(value, putLength(at, 8))
  return type === 'smallint' ? room.writeInt16BE(value, putLength(at, 2)) : room.writeInt32BE(value, putLength(at, 4))
}

/** Two's complement in two halves: a number holds more than 32 bits, and BigInt is slow. */
function putBigint(value: number, at: number): number {
  const high = Math.floor(value / 0x1_0000_0000)
  room.writeInt32BE(high, at)
  return room.writeUInt32BE(value - high * 0x1_0000_0000, at + 4)
}

function putBytes(bytes: Buffer, at: number): number {
  const from = putLength(at, bytes.length)
  room.set(bytes, from)
  return from + bytes.length
}

function putText(value: string, at: number, version: number | undefined): number {
  // A character of UTF-16 takes at most three bytes.
  makeRoom(at + 5 + value.length * 3)
  let from = at + 4
  if (version !== undefined) room[from++] = version
  const end = from + room.write(value, from)
  room.writeInt32BE(end - at - 4, at)
  return end
}

function makeRoom(size: number): void {
  if (size <= room.length) return
  const larger = Buffer.allocUnsafe(Math.max(size, 2 * room.length))
  room.copy(larger)
  room = larger
}

const YEAR_2000_MS = Date.UTC(2000, 0, 1)
const last = { time: '', bytes: Buffer.alloc(8) }

/** PostgreSQL's count of microseconds. A batch has few times: the last one is remembered. */
function instant(time: string): Buffer {
  if (time !== last.time) {
    const ms = Date.parse(time)
    if (Number.isNaN(ms)) throw new RangeError(`not a time: ${time}`)
    last.bytes.writeBigInt64BE(BigInt(ms - YEAR_2000_MS) * 1_000n)
    last.time = time
  }
  return last.bytes
}
