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
/** The byte of a line feed, which JSON has in no text. */
const LINE = 10

/** The operations by their ids, as exchanges name them. */
const operations = new Map<string, Operation>()

/** The members of an exchange that lists show and filter by. They are short, whatever the request was. */
type Intro = Omit<Exchange, 'operation' | 'requestHeaders' | 'requestText' | 'responseHeaders' | 'responseText'>

/** An exchange in a block. It is to be read before the next turn of the event loop, when its bytes may be others'. */
export interface KeptExchange extends Intro {
  sequence: number
  operation: Operation
  /** The exchange as it was written. */
  whole(): Exchange
}

/** An exchange as text: a line of its short members, a line of the headers, and the bodies. */
export function textOf(exchange: Exchange): string {
  const { operation, requestText, responseText, responseHeaders } = exchange
  operations.set(operation.id, operation)
  const short = [
    operation.id,
    exchange.requestId,
    exchange.atMs,
    exchange.ms,
    exchange.method,
    exchange.url,
    exchange.status,
    exchange.code,
    exchange.keyId,
    exchange.idempotencyKey,
    exchange.replayed,
    exchange.firstEvent,
    exchange.lastEvent,
    exchange.requestTruncated,
    exchange.responseTruncated,
    requestText?.length,
    responseText?.length,
  ]
  const answer =
    responseHeaders instanceof SuccessParts ? [responseHeaders.etag, responseHeaders.length] : responseHeaders
  const headers = JSON.stringify([exchange.requestHeaders, answer])
  return `${JSON.stringify(short)}\n${headers}\n${requestText ?? ''}${responseText ?? ''}`
}

/** Exchanges of one organisation that follow one another. */
export class Block {
  /** Their numbers, and the ends of their texts. */
  readonly sequences: number[] = []
  readonly #ends: number[] = []
  readonly #bytes: Buffer

  /** `room` for texts in bytes. */
  constructor(room: number) {
    this.#bytes = Buffer.allocUnsafeSlow(room)
  }

  get room(): number {
    return this.#bytes.length
  }

  /** Memory that it takes. */
  get size(): number {
    return this.room + BLOCK_BYTES
  }

  /** Writes an exchange behind the others; false if there is no room for it. */
  add(text: string, sequence: number): boolean {
    const start = this.#ends.at(-1) ?? 0
    const free = this.room - start
    if (MAX_CHARACTER_BYTES * text.length > free && Buffer.byteLength(text) > free) return false
    this.#ends.push(start + this.#bytes.write(text, start))
    this.sequences.push(sequence)
    return true
  }

  at(place: number): KeptExchange {
    const start = this.#ends[place - 1] ?? 0
    const lineEnd = this.#bytes.indexOf(LINE, start)
    const [operationId, requestId, atMs, ms, method, url, status, code, keyId, idempotencyKey, ...others] = JSON.parse(
      this.#bytes.toString('utf8', start, lineEnd),
    )
    const [replayed, firstEvent, lastEvent, requestTruncated, responseTruncated, requestLength, responseLength] = others
    const operation = operations.get(operationId) as Operation
    const intro: Intro = {
      ...{ requestId, atMs, ms, method, url, status, code: code ?? undefined, keyId, replayed, firstEvent, lastEvent },
      ...{ idempotencyKey: idempotencyKey ?? undefined, requestTruncated, responseTruncated },
    }
    const whole = () => {
      const rest = this.#bytes.toString('utf8', lineEnd + 1, this.#ends[place])
      const bodies = rest.indexOf('\n') + 1
      const [requestHeaders, answer] = JSON.parse(rest.slice(0, bodies))
      const between = bodies + (requestLength ?? 0)
      return {
        ...{ operation, ...intro, requestHeaders },
        responseHeaders: Array.isArray(answer) ? new SuccessParts(answer[0], answer[1]) : answer,
        requestText: requestLength === null ? undefined : rest.slice(bodies, between),
        responseText: responseLength === null ? undefined : rest.slice(between),
      }
    }
    return { ...intro, operation, sequence: this.sequences[place] ?? 0, whole }
  }
}
