// Exchanges are written into blocks of bytes, which the garbage collector does not look into.
// The plain way is a list of objects that refer to headers and bodies.
// It cost 4 to 8 µs a request, because every object and text lived long enough to be copied twice and freed by a full
// collection, and 100 MB of memory until then. Writing takes about 1 µs.
// `rings.test.ts` compares: every exchange is read as it was written, until it gives way.
import type { Operation } from '../../base/operation.ts'
import { SuccessParts } from '../send.ts'
import type { Exchange } from './exchange.ts'

/** Places of the numbers that an exchange begins with, each of eight bytes. */
const AT_MS = 0
const MS = 1
const KEY = 2
const STATUS = 3
const FLAGS = 4
const OPERATION = 5
const METHOD = 6
const CODE = 7
const FIRST_EVENT = 8
const LAST_EVENT = 9
const CONTENT_LENGTH = 10
const SEQUENCE = 11
/** The bytes of its texts, which follow the numbers in this order. */
const INTRO = 12
const REQUEST_HEADERS = 13
const REQUEST = 14
const RESPONSE = 15
const RESPONSE_HEADERS = 16
const NUMBERS = 17
const NUMBER_BYTES = 8

const REPLAYED = 1
const REQUEST_TRUNCATED = 2
const RESPONSE_TRUNCATED = 4
const HAS_REQUEST = 8
const HAS_RESPONSE = 16
const PLAIN = 32

/** A character takes up to three bytes in UTF-8. */
const MAX_CHARACTER_BYTES = 3
/** Between the parts of the intro and between headers. HTTP allows it in none of them. */
const LINE = '\n'

/** The few words and operations that exchanges name by number. */
const words: unknown[] = [undefined]
const numbersOfWords = new Map<unknown, number>([[undefined, 0]])

function numberOf(word: unknown): number {
  const number = numbersOfWords.get(word)
  if (number !== undefined) return number
  numbersOfWords.set(word, words.length)
  return words.push(word) - 1
}

/** The bytes that a block takes beside its exchanges: its objects, and the list of where the exchanges begin. */
export const BLOCK_BYTES = 2_048

/** Exchanges of one organisation that follow one another. */
export class Block {
  /** The place of the first exchange in its ring. */
  first = 0
  readonly #bytes: Buffer
  readonly #numbers: Float64Array
  readonly #starts: number[] = []
  #used = 0

  /** `room` for exchanges in bytes, a multiple of eight. */
  constructor(room: number) {
    this.#bytes = Buffer.allocUnsafeSlow(room)
    this.#numbers = new Float64Array(this.#bytes.buffer, 0, room / NUMBER_BYTES)
  }

  get room(): number {
    return this.#bytes.length
  }

  /** Memory that it takes. */
  get size(): number {
    return this.#bytes.length + BLOCK_BYTES
  }

  get count(): number {
    return this.#starts.length
  }

  /** Forgets its exchanges. */
  clear(first: number): void {
    this.first = first
    this.#starts.length = 0
    this.#used = 0
  }

  /** Writes an exchange behind the others; false if there is no room for it. */
  add(exchange: Exchange, texts: ExchangeTexts, sequence: number): boolean {
    const free = this.#bytes.length - this.#used
    if (sizeOf(texts, MAX_CHARACTER_BYTES) > free && exactSizeOf(texts) > free) return false
    const numbers = this.#numbers
    const start = this.#used
    const place = start / NUMBER_BYTES
    numbers[place + AT_MS] = exchange.atMs
    numbers[place + SEQUENCE] = sequence
    numbers[place + MS] = exchange.ms
    numbers[place + KEY] = exchange.keyId
    numbers[place + STATUS] = exchange.status
    numbers[place + FLAGS] = flagsOf(exchange)
    numbers[place + OPERATION] = numberOf(exchange.operation)
    numbers[place + METHOD] = numberOf(exchange.method)
    numbers[place + CODE] = numberOf(exchange.code)
    numbers[place + FIRST_EVENT] = exchange.firstEvent
    numbers[place + LAST_EVENT] = exchange.lastEvent
    numbers[place + CONTENT_LENGTH] =
      exchange.responseHeaders instanceof SuccessParts ? exchange.responseHeaders.length : 0
    let end = start + NUMBERS * NUMBER_BYTES
    numbers[place + INTRO] = texts.introLength
    numbers[place + REQUEST_HEADERS] = texts.head.length - texts.introLength
    end += this.#bytes.write(texts.head, end, 'latin1')
    end += numbers[place + REQUEST] = this.#write(exchange.requestText, end)
    end += numbers[place + RESPONSE] = this.#write(exchange.responseText, end)
    end += numbers[place + RESPONSE_HEADERS] = this.#write(texts.headers, end)
    this.#starts.push(start)
    this.#used = aligned(end)
    return true
  }

  #write(text: string | undefined, at: number): number {
    return text === undefined || text === '' ? 0 : this.#bytes.write(text, at, 'utf8')
  }

  /** The exchange at a place of the ring. */
  at(place: number): KeptExchange {
    return new KeptExchange(this.#bytes, this.#numbers, this.#starts[place - this.first] ?? 0)
  }
}

/** The texts of an exchange that are made to be written. */
export interface ExchangeTexts {
  /** The intro, which is the part that lists show, and the headers of the request. In Latin-1, as HTTP has it. */
  head: string
  introLength: number
  /** The headers of an answer that is no plain success, as JSON. */
  headers: string | undefined
  requestLength: number
  responseLength: number
  exchange: Exchange
}

export function textsOf(exchange: Exchange): ExchangeTexts {
  const { requestId, url, idempotencyKey = '', responseHeaders, requestHeaders } = exchange
  const isPlain = responseHeaders instanceof SuccessParts
  const etag = isPlain ? responseHeaders.etag : ''
  return {
    head: `${requestId}\n${url}\n${idempotencyKey}\n${etag}\n${requestHeaders.join(LINE)}`,
    // With the four marks.
    introLength: requestId.length + url.length + idempotencyKey.length + etag.length + 4,
    headers: isPlain ? undefined : JSON.stringify(responseHeaders),
    requestLength: exchange.requestText?.length ?? 0,
    responseLength: exchange.responseText?.length ?? 0,
    exchange,
  }
}

/** The bytes of an exchange with so many bytes a character. */
function sizeOf({ head, headers = '', requestLength, responseLength }: ExchangeTexts, characterBytes: number): number {
  const characters = requestLength + responseLength + headers.length
  return aligned(NUMBERS * NUMBER_BYTES + head.length + characterBytes * characters)
}

export function exactSizeOf({ head, headers = '', exchange }: ExchangeTexts): number {
  const { requestText = '', responseText = '' } = exchange
  const bytes = Buffer.byteLength(requestText) + Buffer.byteLength(responseText) + Buffer.byteLength(headers)
  return aligned(NUMBERS * NUMBER_BYTES + head.length + bytes)
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / NUMBER_BYTES) * NUMBER_BYTES
}

function flagsOf(exchange: Exchange): number {
  return (
    (exchange.replayed ? REPLAYED : 0) |
    (exchange.requestTruncated ? REQUEST_TRUNCATED : 0) |
    (exchange.responseTruncated ? RESPONSE_TRUNCATED : 0) |
    (exchange.requestText === undefined ? 0 : HAS_REQUEST) |
    (exchange.responseText === undefined ? 0 : HAS_RESPONSE) |
    (exchange.responseHeaders instanceof SuccessParts ? PLAIN : 0)
  )
}

/** An exchange in a block. It is to be read before the next turn of the event loop, when its bytes may be others'. */
export class KeptExchange {
  readonly #bytes: Buffer
  readonly #numbers: Float64Array
  readonly #start: number

  constructor(bytes: Buffer, numbers: Float64Array, start: number) {
    this.#bytes = bytes
    this.#numbers = numbers
    this.#start = start
  }

  get sequence(): number {
    return this.#number(SEQUENCE)
  }

  get status(): number {
    return this.#number(STATUS)
  }

  get keyId(): number {
    return this.#number(KEY)
  }

  get operation(): Operation {
    return words[this.#number(OPERATION)] as Operation
  }

  get code(): string | undefined {
    return words[this.#number(CODE)] as string | undefined
  }

  get firstEvent(): number {
    return this.#number(FIRST_EVENT)
  }

  get lastEvent(): number {
    return this.#number(LAST_EVENT)
  }

  get atMs(): number {
    return this.#number(AT_MS)
  }

  get ms(): number {
    return this.#number(MS)
  }

  get method(): string {
    return words[this.#number(METHOD)] as string
  }

  get replayed(): boolean {
    return (this.#number(FLAGS) & REPLAYED) !== 0
  }

  /** The texts that lists show and filter by. They are short, whatever the request was. */
  get intro(): Pick<Exchange, 'requestId' | 'url' | 'idempotencyKey'> & { etag: string } {
    const [requestId = '', url = '', key = '', etag = ''] = this.#text(INTRO, 'latin1').split(LINE)
    return { requestId, url, idempotencyKey: key === '' ? undefined : key, etag }
  }

  /** The exchange as it was written. */
  get whole(): Exchange {
    const { operation, atMs, ms, method, status, code, keyId, replayed, firstEvent, lastEvent } = this
    const { etag, ...intro } = this.intro
    const flags = this.#number(FLAGS)
    return {
      ...{ operation, ...intro, atMs, ms, method, status, code, keyId, replayed, firstEvent, lastEvent },
      requestHeaders: this.#text(REQUEST_HEADERS, 'latin1').split(LINE),
      requestText: flags & HAS_REQUEST ? this.#text(REQUEST, 'utf8') : undefined,
      requestTruncated: (flags & REQUEST_TRUNCATED) !== 0,
      responseHeaders:
        flags & PLAIN
          ? new SuccessParts(etag, this.#number(CONTENT_LENGTH))
          : JSON.parse(this.#text(RESPONSE_HEADERS, 'utf8')),
      responseText: flags & HAS_RESPONSE ? this.#text(RESPONSE, 'utf8') : undefined,
      responseTruncated: (flags & RESPONSE_TRUNCATED) !== 0,
    }
  }

  #number(place: number): number {
    return this.#numbers[this.#start / NUMBER_BYTES + place] ?? 0
  }

  #text(place: number, encoding: BufferEncoding): string {
    let at = this.#start + NUMBERS * NUMBER_BYTES
    for (let before = INTRO; before < place; before++) at += this.#number(before)
    return this.#bytes.toString(encoding, at, at + this.#number(place))
  }
}
