import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Delivered } from './post.ts'

interface Fault {
  /** The words of a story. */
  words: string
  /** Whether the bank gets the request. */
  arrives: boolean
  /** The refusal that the app gets in place of an answer; without one, its connection is closed, but if it is overtaken. */
  refusal?: ReturnType<typeof refusal>
}

export type NetworkFault = keyof typeof faults

/** A request of the app and its outcome. */
export interface Seen {
  method: string
  path: string
  /** 0 for a connection that was closed without an answer. */
  status: number
  /** The code of a refusal. */
  code: string | undefined
  fault: NetworkFault | undefined
  /** The webhooks that came before the answer. */
  overtakenBy: Delivered[]
}

const RETRY = 'retry after the number of seconds in Retry-After.'
const refusal = (status: number, code: string, title: string, detail: string) => ({ status, code, title, detail })

/** Faults of one request of the app. All of them happen to every client of every bank. */
export const faults = {
  lostRequest: { words: 'is lost before it reaches the bank', arrives: false },
  lostAnswer: { words: 'is carried out, and its answer is lost', arrives: true },
  rateLimited: {
    words: 'is refused by the rate limit',
    arrives: false,
    refusal: refusal(429, 'rate_limited', 'Rate limited', `The API key has exceeded its rate limit; ${RETRY}`),
  },
  unavailable: {
    words: 'finds the service unavailable',
    arrives: false,
    refusal: refusal(503, 'unavailable', 'Unavailable', `The service is temporarily unavailable; ${RETRY}`),
  },
  slow: { words: 'is carried out slowly, and its connection ends', arrives: true },
  // Only a request with the key of the slow one has it.
  inProgress: {
    words: 'finds its first try in progress',
    arrives: false,
    refusal: refusal(
      409,
      'idempotency_in_progress',
      'Idempotency key in progress',
      'A request with this idempotency key is still in progress; retry in a moment.',
    ),
  },
  overtaken: { words: 'is answered only after the webhooks that it caused', arrives: true },
  outcomeUnknown: {
    words: 'is carried out, and answered with "outcome unknown"',
    arrives: true,
    refusal: refusal(
      503,
      'outcome_unknown',
      'Outcome unknown',
      'The database went away while the change was being saved, so it may or may not have taken effect. Repeat the request with the same idempotency key to learn the outcome; without a key, look at the record first.',
    ),
  },
} as const satisfies Record<string, Fault>

/** The network between the app and the bank. */
export class Network {
  /** The address at which the app calls the bank. */
  url = ''
  readonly #bankUrl: string
  readonly #deliver: () => Promise<Delivered[]>
  readonly #server = createServer((incoming, outgoing) => {
    // A bank that is gone is seen by the storm's own calls; the app sees a closed connection.
    this.#pass(incoming, outgoing).catch(() => incoming.socket.destroy())
  })
  #armed: NetworkFault[] = []
  #seen: Seen[] = []
  #slowKey: unknown

  /** The network to a bank. `deliver` sends the webhooks that overtake an answer. */
  constructor(bankUrl: string, deliver: () => Promise<Delivered[]>) {
    this.#bankUrl = bankUrl
    this.#deliver = deliver
  }

  /** Begins to take requests. */
  async open(): Promise<void> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening')
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }

  /** Lets the next requests of the app for a change fail, each with one fault. */
  arm(...more: NetworkFault[]): void {
    this.#armed.push(...more)
  }

  /** Takes back the faults that did not happen. */
  calm(): void {
    this.#armed = []
  }

  /** The requests since the last call. */
  seen(): Seen[] {
    const seen = this.#seen
    this.#seen = []
    return seen
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/' } = incoming
    const name = method === 'GET' ? undefined : this.#nextFault(incoming.headers['idempotency-key'])
    const fault: Fault | undefined = name && faults[name]
    const seen: Seen = { method, path, status: 0, code: undefined, fault: name, overtakenBy: [] }
    this.#seen.push(seen)
    const body: Buffer = Buffer.concat(await incoming.toArray())
    const answer = !fault || fault.arrives ? await forward(`${this.#bankUrl}${path}`, incoming, body) : undefined
    if (fault?.refusal) return refuse(outgoing, fault.refusal, seen)
    if (!answer || (fault && name !== 'overtaken')) return void incoming.socket.destroy()
    if (fault) seen.overtakenBy = await this.#deliver()
    seen.status = answer.status
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (answer.status >= 400) seen.code = codeIn(bytes)
    for (const [header, value] of answer.headers) if (!hopByHop.has(header)) outgoing.setHeader(header, value)
    outgoing.writeHead(answer.status).end(bytes)
  }

  #nextFault(key: string | string[] | undefined): NetworkFault | undefined {
    const name = this.#armed.shift()
    if (name === 'slow') this.#slowKey = key
    return name === 'inProgress' && (key === undefined || key !== this.#slowKey) ? undefined : name
  }
}

/** Headers that belong to one connection, and those of a coding that `fetch` has undone. */
const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-encoding', 'content-length'])

function forward(url: string, { method = 'GET', headers }: IncomingMessage, body: Buffer): Promise<Response> {
  const sent = Object.entries(headers).filter(([name]) => !hopByHop.has(name) && name !== 'host')
  return fetch(url, {
    method,
    // A connection that is kept may be closed by the other side at the moment of its use.
    headers: [['connection', 'close'], ...sent.map(([name, value]): [string, string] => [name, String(value)])],
    body: method === 'GET' || method === 'HEAD' ? null : new Uint8Array(body),
  })
}

function refuse(outgoing: ServerResponse, problem: ReturnType<typeof refusal>, seen: Seen): void {
  const { status, code } = problem
  Object.assign(seen, { status, code })
  const body = JSON.stringify({ type: `/docs/errors#${code}`, ...problem, requestId: 'req_storm' })
  outgoing.writeHead(status, { 'content-type': 'application/problem+json', 'retry-after': '0' }).end(body)
}

function codeIn(bytes: Buffer): string | undefined {
  try {
    return JSON.parse(bytes.toString()).code
  } catch {
    // An answer that is no problem has no code.
    return undefined
  }
}
