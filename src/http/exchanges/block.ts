// Exchanges are kept as text in blocks of bytes, which the garbage collector does not look into.
// The plain way is a list of objects that refer to headers and bodies.
// It cost 4 to 8 µs a request, because every object and text lived long enough to be copied twice and freed by a full
// collection, and 100 MB of memory until then.
// `rings.test.ts` compares: every exchange is read as it was written, until it gives way.
import type { Operation } from '../../base/operation.ts'
import { SuccessParts } from '../send.ts'
import type { Exchange } from './exchange.ts'

/** The bytes that a block takes beside its texts: its objects, and the lists of its exchanges. */
export const BLOCK_BYTES = 4_096

/** A character takes up to three bytes in UTF-8. */
const MAX_CHARACTER_BYTES = 3
/** Between the lines of an exchange and between the parts of a line. HTTP allows neither in addresses and headers. */
const LINE = '\n'
const LINE_BYTE = 10
const PART = '\x1f'

/** The numbers that an exchange begins with, each of eight bytes. */
const NUMBERS = 9
const NUMBER_BYTES = 8
/** The members of the first line by which lists filter come first. */
const FILTERED = 4

const REPLAYED = 1
const REQUEST_TRUNCATED = 2
const RESPONSE_TRUNCATED = 4

/** The operations by their ids, as exchanges name them. */
const operations = new Map<string, Operation>()

/** An exchange with the members that lists filter by. It is to be read before the next turn of the event loop. */
export interface KeptExchange
  extends Pick<
    Exchange,
    'operation' | 'requestId' | 'idempotencyKey' | 'code' | 'status' | 'keyId' | 'firstEvent' | 'lastEvent'
  > {
  sequence: number
  /** The exchange as it was written. */
  whole(): Exchange
}

/** An exchange as it is written. */
export interface Written {
  numbers: number[]
  /** A line of short members, a line of headers for each message, and the bodies. */
  text: string
}

export function writtenFrom(exchange: Exchange): Written {
  const { operation, requestId, method, url, code = '', idempotencyKey = '', responseHeaders: headers } = exchange
  const { requestText = '', responseText = '' } = exchange
  operations.set(operation.id, operation)
  const first = `${operation.id}${PART}${requestId}${PART}${idempotencyKey}${PART}${code}${PART}${method}${PART}${url}`
  const answer = headers instanceof SuccessParts ? `${headers.etag}${PART}${headers.length}` : JSON.stringify(headers)
  return {
    numbers: [
      exchange.status,
      exchange.keyId,
      exchange.firstEvent,
      exchange.lastEvent,
      exchange.atMs,
      exchange.ms,
      flagsOf(exchange),
      exchange.requestText?.length ?? -1,
      exchange.responseText?.length ?? -1,
    ],
    text: `${first}\n${exchange.requestHeaders.join(PART)}\n${answer}\n${requestText}${responseText}`,
  }
}

/** The room that an exchange takes in a block. */
export function roomOf({ text }: Written, textBytes = Buffer.byteLength(text)): number {
  return Math.ceil(NUMBERS + textBytes / NUMBER_BYTES) * NUMBER_BYTES
}

function flagsOf({ replayed, requestTruncated, responseTruncated }: Exchange): number {
  return (
    (replayed ? REPLAYED : 0) |
    (requestTruncated ? REQUEST_TRUNCATED : 0) |
    (responseTruncated ? RESPONSE_TRUNCATED : 0)
  )
}

/** Exchanges of one organisation that follow one another. */
export class Block {
  /** Their numbers in the log, and where they begin and end. */
  readonly sequences: number[] = []
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  readonly #bytes: Buffer
  readonly #numbers: Float64Array
  #used = 0

  /** `room` in bytes, a multiple of eight. */
  constructor(room: number) {
    this.#bytes = Buffer.allocUnsafeSlow(room)
    this.#numbers = new Float64Array(this.#bytes.buffer, 0, room / NUMBER_BYTES)
  }

  get room(): number {
    return this.#bytes.length
  }

  /** Memory that it takes. */
  get size(): number {
    return this.room + BLOCK_BYTES
  }

  /** Forgets its exchanges. */
  clear(): this {
    this.sequences.length = this.#starts.length = this.#ends.length = this.#used = 0
    return this
  }

  /** Writes an exchange after the others; false if there is no room for it. */
  add(written: Written, sequence: number): boolean {
    const { numbers, text } = written
    const start = this.#used
    const free = this.room - start
    if (roomOf(written, MAX_CHARACTER_BYTES * text.length) > free && roomOf(written) > free) return false
    this.#numbers.set(numbers, start / NUMBER_BYTES)
    const from = start + NUMBERS * NUMBER_BYTES
    const bytes = this.#bytes.write(text, from)
    this.#starts.push(start)
    this.#ends.push(from + bytes)
    this.sequences.push(sequence)
    this.#used = start + roomOf(written, bytes)
    return true
  }

  at(place: number): KeptExchange {
    const at = (this.#starts[place] ?? 0) / NUMBER_BYTES
    const [operationId = '', requestId = '', idempotencyKey, code] = this.#line(place).split(PART, FILTERED)
    return {
      sequence: this.sequences[place] ?? 0,
      operation: operations.get(operationId) as Operation,
      requestId,
      idempotencyKey: idempotencyKey || undefined,
      code: code || undefined,
      status: this.#numbers[at] ?? 0,
      keyId: this.#numbers[at + 1] ?? 0,
      firstEvent: this.#numbers[at + 2] ?? 0,
      lastEvent: this.#numbers[at + 3] ?? 0,
      whole: () => this.#whole(place),
    }
  }

  /** The first line of an exchange. */
  #line(place: number): string {
    const from = (this.#starts[place] ?? 0) + NUMBERS * NUMBER_BYTES
    return this.#bytes.toString('utf8', from, this.#bytes.indexOf(LINE_BYTE, from))
  }

  #whole(place: number): Exchange {
    const { sequence: _, whole: __, ...filtered } = this.at(place)
    const start = this.#starts[place] ?? 0
    const numbers = this.#numbers.subarray(start / NUMBER_BYTES).values()
    const [, , , , atMs = 0, ms = 0, flags = 0, requestLength = 0, responseLength = 0] = numbers
    const text = this.#bytes.toString('utf8', start + NUMBERS * NUMBER_BYTES, this.#ends[place])
    const [line = '', requestHeaders = '', answer = ''] = text.split(LINE, 3)
    const [method = '', url = ''] = line.split(PART).slice(FILTERED)
    const bodies = line.length + requestHeaders.length + answer.length + 3
    const between = bodies + Math.max(0, requestLength)
    const [etag = '', length] = answer.split(PART)
    return {
      ...filtered,
      ...{ method, url, atMs, ms },
      replayed: (flags & REPLAYED) !== 0,
      requestHeaders: requestHeaders.split(PART),
      requestText: requestLength < 0 ? undefined : text.slice(bodies, between),
      requestTruncated: (flags & REQUEST_TRUNCATED) !== 0,
      responseHeaders: length === undefined ? JSON.parse(answer) : new SuccessParts(etag, Number(length)),
      responseText: responseLength < 0 ? undefined : text.slice(between),
      responseTruncated: (flags & RESPONSE_TRUNCATED) !== 0,
    }
  }
}
