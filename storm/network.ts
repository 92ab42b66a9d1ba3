import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A fault of one request of the app. All of them happen to every client of every bank. */
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
}

interface Fault {
  /** The words of a story. */
  words: string
  /** Whether the bank gets the request. */
  arrives: boolean
  /** The refusal that the app gets in place of an answer; without one, its connection is closed, but if it is overtaken. */
  refusal?: { status: number; code: string; title: string; detail: string }
}

const RETRY = 'retry after the number of seconds in Retry-After.'

const faults = {
  lostRequest: { words: 'is lost before it reaches the bank', arrives: false },
  lostAnswer: { words: 'is carried out, and its answer is lost', arrives: true },
  rateLimited: {
    words: 'is refused by the rate limit',
    arrives: false,
    refusal: {
      status: 429,
      code: 'rate_limited',
      title: 'Rate limited',
      detail: `The API key has exceeded its rate limit; ${RETRY}`,
    },
  },
  unavailable: {
    words: 'finds the service unavailable',
    arrives: false,
    refusal: {
      status: 503,
      code: 'unavailable',
      title: 'Unavailable',
      detail: `The service is temporarily unavailable; ${RETRY}`,
    },
  },
  slow: { words: 'is carried out slowly: its connection ends, and its next tries find it in progress', arrives: true },
  overtaken: { words: 'is answered only after the webhooks that it caused', arrives: true },
  outcomeUnknown: {
    words: 'is carried out, and answered with "outcome unknown"',
    arrives: true,
    refusal: {
      status: 503,
      code: 'outcome_unknown',
      title: 'Outcome unknown',
      detail:
        'The database went away while the change was being saved, so it may or may not have taken effect. Repeat the request with the same idempotency key to learn the outcome; without a key, look at the record first.',
    },
  },
} as const satisfies Record<string, Fault>

const inProgress = {
  status: 409,
  code: 'idempotency_in_progress',
  title: 'Idempotency key in progress',
  detail: 'A request with this idempotency key is still in progress; retry in a moment.',
}

export const networkFaults = Object.keys(faults) as NetworkFault[]

/** The refusals that the app gets from the network in place of the bank. */
export const networkRefusals = [...Object.values<Fault>(faults).flatMap(({ refusal = [] }) => refusal), inProgress]

export function faultInWords(fault: NetworkFault): string {
  return faults[fault].words
}

/** The network between the app and the bank. The app calls `url` in place of the bank. */
export interface Network {
  url: string
  /** Lets the next requests of the app for a change fail, each with one fault. */
  arm(...faults: NetworkFault[]): void
  /** Takes back the faults that did not happen. */
  calm(): void
  /** The requests since the last call. */
  seen(): Seen[]
  close(): Promise<void>
}

/** The network to a bank. `deliver` sends the webhooks that overtake an answer. */
export async function openNetwork(bankUrl: string, deliver: () => Promise<void>): Promise<Network> {
  let armed: NetworkFault[] = []
  let requests: Seen[] = []
  /** The idempotency keys of slow requests. */
  const slow = new Set<string>()

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/' } = incoming
    const key = String(incoming.headers['idempotency-key'])
    const isRunning = slow.has(key)
    const name = method === 'GET' ? undefined : armed.shift()
    if (isRunning && armed.length === 0) slow.delete(key)
    if (name === 'slow' && key !== 'undefined') slow.add(key)
    const fault: Fault | undefined = name && faults[name]
    const seen: Seen = { method, path, status: 0, code: undefined, fault: isRunning ? undefined : name }
    requests.push(seen)
    const body = await bytesOf(incoming)
    if (isRunning) return refuse(outgoing, inProgress, seen)
    const answer = !fault || fault.arrives ? await forward(`${bankUrl}${path}`, incoming, body) : undefined
    if (fault?.refusal) return refuse(outgoing, fault.refusal, seen)
    if (!answer || (fault && name !== 'overtaken')) return void incoming.socket.destroy()
    if (fault) await deliver()
    seen.status = answer.status
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (answer.status >= 400) seen.code = codeIn(bytes)
    for (const [header, value] of answer.headers) if (!hopByHop.has(header)) outgoing.setHeader(header, value)
    outgoing.writeHead(answer.status).end(bytes)
  }

  const server = createServer((incoming, outgoing) => {
    // A bank that is gone is seen by the storm's own calls; the app sees a closed connection.
    pass(incoming, outgoing).catch(() => incoming.socket.destroy())
  })
  return {
    url: await listening(server),
    arm: (...more) => {
      armed.push(...more)
    },
    calm: () => {
      armed = []
      slow.clear()
    },
    seen: () => {
      const seen = requests
      requests = []
      return seen
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
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

function refuse(outgoing: ServerResponse, refusal: NonNullable<Fault['refusal']>, seen: Seen): void {
  const { status, code } = refusal
  Object.assign(seen, { status, code })
  const body = JSON.stringify({ type: `/docs/errors#${code}`, ...refusal, requestId: 'req_storm' })
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

async function bytesOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Listens on a free port of this machine, and returns the address. */
async function listening(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
