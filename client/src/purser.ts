import { PurserConnectionError } from './errors.ts'
import { type EventOf, type FollowOptions, type FollowRequestsOptions, follow } from './follow.ts'
import { operations } from './generated/operations.ts'
import type { Resources } from './generated/resources.ts'
import type { ClockAdvance, Event, EventFilter, LoggedRequest, OperationId, Operations } from './generated/types.ts'
import { nextOf, type Page, PagedList } from './list.ts'
import {
  type CallOptions,
  type OutgoingRequest,
  parsed,
  type Received,
  type ResponseInfo,
  send,
  type Transport,
} from './transport.ts'
import { sign, unwrap } from './webhooks.ts'

export interface PurserOptions {
  /** The address of the service, without `/v0`; `PURSER_URL` or http://127.0.0.1:4000 by default. */
  url?: string
  /** `PURSER_API_KEY` by default. The service prints a key when it starts, and keeps it in `data/api-key`. */
  apiKey?: string
  /** Milliseconds for one attempt; 65,000 by default, more than the slowest operation takes. */
  timeoutMs?: number
  /** Attempts after the first one; 2 by default. */
  retries?: number
  /** More headers of every request. */
  headers?: Record<string, string>
  /** Another function in place of the global `fetch`. */
  fetch?: typeof fetch
}

/**
 * The data of an answer. `withResponse` gives status, headers and request id, too.
 *
 * @example
 * const { data, response } = await purser.accounts.get(accountId).withResponse()
 * console.log(data.balance, response.requestId)
 */
export type Result<Data> = Promise<Data> & { withResponse(): Promise<{ data: Data; response: ResponseInfo }> }

/** The input of an operation by its parts. Parts without members may be left out. */
export type CallInput<Id extends OperationId> = Omit<Operations[Id], 'data' | 'problems'>

/** The part of the client that is not generated. */
interface Written {
  /**
   * Calls any operation by its id. A list gives the records of one page.
   *
   * @example
   * const account = await purser.call('getAccount', { params: { accountId } })
   *
   * @example
   * const payment = await purser.call('createPayment', {
   *   params: { accountId },
   *   body: { amount: 2000, counterpartyAccountId, originalType: 'ACH', description: 'Lunch' },
   * })
   */
  call<Id extends OperationId>(id: Id, input: CallInput<Id>, options?: CallOptions): Result<Operations[Id]['data']>
  events: {
    /**
     * Follows the feed: the events after a number, in order and each once, and then those that come. Survives restarts
     * of the service. Ends with the signal.
     *
     * @example
     * for await (const event of purser.events.follow({ after: lastSequence, types: ['payment.*'], signal })) {
     *   if (event.type === 'payment.returned') console.log(event.data.id, event.data.amount)
     *   lastSequence = event.sequence
     * }
     */
    follow<Filter extends EventFilter>(options?: FollowOptions<Filter>): AsyncGenerator<EventOf<Filter>>
  }
  requests: {
    /**
     * Follows the log of requests, which a sandbox keeps: the requests after a number, and then those that come.
     * Survives restarts of the service. Ends with the signal.
     *
     * @example
     * for await (const request of purser.requests.follow({ after: 0, status: '4xx', signal })) {
     *   console.log(request.operation, request.status, request.code)
     * }
     */
    follow(options?: FollowRequestsOptions): AsyncGenerator<LoggedRequest>
  }
  webhooks: {
    /**
     * Verifies a webhook request and returns its event.
     *
     * @example
     * const event = await purser.webhooks.unwrap(await request.text(), request.headers, secret)
     */
    unwrap: typeof unwrap
    /**
     * Signs an event as the service does, to test a receiver.
     *
     * @example
     * const headers = await purser.webhooks.sign(event, secret)
     */
    sign: typeof sign
  }
  sandbox: {
    clock: {
      /**
       * Advances the clock by a duration (`P3D`), to a time (`2027-01-01`) or to the next due thing (`next`).
       *
       * @example
       * const { now } = await purser.sandbox.clock.advance('P3D')
       */
      advance(by: string, options?: CallOptions): Result<ClockAdvance>
    }
  }
}

/**
 * A client of one Purser service with one API key.
 *
 * @example
 * const purser = new Purser({ url: 'http://127.0.0.1:4000', apiKey })
 */
export type Purser = Resources & Written

const DEFAULT_URL = 'http://127.0.0.1:4000'
const TIMEOUT_MS = 65_000
const LONG_POLL_MS = 40_000
const RETRIES = 2
/** The status of an answer with a proposal. */
const PROPOSED = 202

class PurserClient {
  readonly webhooks = { unwrap, sign }
  readonly #transport: Transport

  constructor(options: PurserOptions = {}) {
    this.#transport = transportOf(options)
    for (const id of Object.keys(operations) as OperationId[]) this.#addMethod(id)
    const groups = this as unknown as Record<'events' | 'requests' | 'sandbox', Record<string, unknown>>
    const { events, requests, sandbox } = groups
    const reader =
      <Item>(id: OperationId) =>
      (query: Record<string, unknown>, signal: AbortSignal) =>
        this.#page<Item>(id, { query }, this.#longPoll(signal))
    events.follow = ({ types: type, ...options }: FollowOptions<EventFilter> = {}) =>
      follow(reader<Event>('listEvents'), { ...options, ...(type && { type }) })
    requests.follow = (options: FollowRequestsOptions = {}) => follow(reader<LoggedRequest>('listRequests'), options)
    const clock = sandbox.clock as { advance(body: unknown, options?: CallOptions): unknown }
    const { advance } = clock
    clock.advance = (body, options) => advance(typeof body === 'string' ? advanceBody(body) : body, options)
  }

  call(id: OperationId, input: AnyInput = {}, options: CallOptions = {}): Result<unknown> {
    const received = this.#received(id, input, options)
    const result = received.then(({ data }) => data)
    const withResponse = () => {
      // A failure is the caller's to handle once, by the promise that was asked for.
      result.catch(() => undefined)
      return received
    }
    return Object.assign(result, { withResponse })
  }

  /** A fault of the arguments rejects, as every other failure does. */
  async #received(id: OperationId, input: AnyInput, options: CallOptions) {
    const answer = await send(this.#transport, requestOf(id, input), options)
    return { data: dataOf(id, answer), response: answer.response }
  }

  /** A long poll takes its time, also if other calls may not. */
  #longPoll(signal: AbortSignal): CallOptions {
    return { signal, timeoutMs: Math.max(this.#transport.timeoutMs, LONG_POLL_MS) }
  }

  async #page<Item>(id: OperationId, input: AnyInput, options: CallOptions): Promise<Page<Item>> {
    const received = await send(this.#transport, requestOf(id, input), options)
    const { headers } = received.response
    return {
      data: dataOf(id, received) as Item[],
      next: nextOf(headers),
      total: headers.get('x-total-count') ?? undefined,
      omitted: Number(headers.get('omitted-records') ?? 0),
      response: received.response,
    }
  }

  /** Adds the method of an operation: path parameters in their order, then body or query, then options. */
  #addMethod(id: OperationId): void {
    const [name, , path, takes, gives] = operations[id]
    const names = [...path.matchAll(/:(\w+)/g)].map(([, each = '']) => each)
    const groups = name.split('.')
    const verb = groups.pop() ?? ''
    const group = groups.reduce<Group>(
      (parent, each) => {
        parent[each] ??= {}
        return parent[each] as Group
      },
      this as unknown as Group,
    )
    group[verb] = (...values: unknown[]) => {
      const params = Object.fromEntries(names.map((each, at) => [each, values[at]]))
      const [input, options] = takes ? values.slice(names.length) : [undefined, values[names.length]]
      const parts: AnyInput = { params, ...(takes && { [takes]: input }) }
      if (gives !== 'list') return this.call(id, parts, options as CallOptions)
      return new PagedList((parts.query ?? {}) as Record<string, unknown>, (query) =>
        this.#page(id, { params, query }, (options as CallOptions) ?? {}),
      )
    }
  }
}

/** Methods and inner groups by name. The generated interface has their types. */
type Group = Record<string, unknown>

interface AnyInput {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

export const Purser: new (options?: PurserOptions) => Purser = PurserClient as never

function transportOf(options: PurserOptions): Transport {
  const environment = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env ?? {}
  // A key that was read from a file may end with a line break.
  const apiKey = (options.apiKey ?? environment.PURSER_API_KEY)?.trim()
  if (!apiKey) {
    const found = 'The service prints a key when it starts, and keeps it in data/api-key.'
    throw new TypeError(`Purser needs an API key: pass apiKey, or set PURSER_API_KEY. ${found}`)
  }
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new TypeError('the API key has characters that no header may have')
  return {
    url: addressOf(options.url ?? (environment.PURSER_URL || DEFAULT_URL)),
    apiKey,
    fetch: options.fetch ?? ((...request) => fetch(...request)),
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    retries: options.retries ?? RETRIES,
    headers: options.headers ?? {},
  }
}

/** The address before `/v0`, which requests and the texts of errors begin with: it may hold no password. */
function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`the address of Purser is not an http or https URL: ${text}`)
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError('the address of Purser has a user name, a password, a query or a fragment: leave it out')
  }
  const address = url.href.replace(/\/+$/, '')
  if (address.endsWith('/v0')) throw new TypeError(`the address of Purser ends before /v0: ${address.slice(0, -3)}`)
  return address
}

function requestOf(id: OperationId, { params = {}, query, body }: AnyInput): OutgoingRequest {
  if (!Object.hasOwn(operations, id)) throw new TypeError(`there is no operation ${id}`)
  const [, method, path] = operations[id]
  const filled = path.replace(/:(\w+)/g, (_match, name: string) => segmentOf(id, name, params[name]))
  const search = searchOf(query)
  return { operation: id, method, path: search ? `${filled}?${search}` : filled, body }
}

/** A path parameter as a part of the path. `.` and `..`, which an address cannot hold, would lead to another operation. */
function segmentOf(id: OperationId, name: string, value: unknown): string {
  if (value === undefined || value === null || value === '') throw new TypeError(`${id}: ${name} is missing`)
  if (typeof value !== 'string' && typeof value !== 'number') throw new TypeError(`${id}: ${name} is not a string`)
  if (value === '.' || value === '..') throw new TypeError(`${id}: ${name} cannot be ${value}`)
  return encodeURIComponent(value)
}

function searchOf(query: Record<string, unknown> = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null) search.append(name, String(each))
    }
  }
  return search.toString()
}

function dataOf(id: OperationId, { body, response: { status, headers }, idempotencyKey }: Received): unknown {
  const [, , , , gives] = operations[id]
  if (gives === 'nothing' && status === 204) return undefined
  // A page that asks to sign in is not the file.
  if (gives === 'file' && !headers.get('content-type')?.includes('html')) return new Uint8Array(body)
  const { data } = (parsed(body) ?? {}) as { data?: unknown }
  const isRecord = gives === 'record' || status === PROPOSED
  if (gives === 'list' ? Array.isArray(data) : isRecord && data !== undefined) return data
  const detail = 'the answer is not one of Purser: is this its address?'
  throw new PurserConnectionError(id, 'unexpected_answer', detail, { status, idempotencyKey })
}

function advanceBody(text: string): { by: string } | { to: string } {
  return text.startsWith('P') ? { by: text } : { to: text }
}
