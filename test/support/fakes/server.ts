import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A fault of a fake upstream. `drop`, `garbage`, `late-500` and `hold-after` happen after the request has taken effect, the
 * others instead of it. A request that is held gets no answer. `limited` is 429 with `Retry-After`. A reply is
 * sent as it is.
 */
export type Fault =
  | 'slow'
  | 'drop'
  | 'garbage'
  | 'late-500'
  | 'hold'
  | 'hold-after'
  | 'limited'
  | 400
  | 401
  | 429
  | 500
  | 503
  | FakeReply

export interface FakeReply {
  status: number
  /** JSON, or bytes. */
  body: unknown
  headers?: Record<string, string>
}

export interface FakeCall {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: Buffer
}

export interface FakeServer {
  url: string
  /** The requests received. */
  calls: FakeCall[]
  /** Faults of the next requests, one each. */
  misbehave(...faults: Fault[]): void
  /** Number of faults that are left. */
  left(): number
  /** Number of requests that were held. */
  held(): number
  /** Delay of every answer. */
  delay(ms: number): void
  close(): Promise<void>
}

export interface FakeServerOptions {
  /** The media type of JSON. */
  contentType?: string
  /** Whether the fault 429 names a time. */
  retryAfter?: boolean
}

/** An HTTP server that answers by a function and can be given faults; `refusal` makes the body of an error. */
export async function openFakeServer(
  answer: (call: FakeCall) => FakeReply,
  refusal: (status: number, call: FakeCall) => unknown,
  { contentType = 'application/json', retryAfter = true }: FakeServerOptions = {},
): Promise<FakeServer> {
  const calls: FakeCall[] = []
  let faults: Fault[] = []
  let delayMs = 0
  let heldSoFar = 0

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const url = new URL(request.url ?? '/', 'http://fake')
    const call: FakeCall = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: Buffer.concat(parts),
    }
    calls.push(call)
    const fault = faults.shift()
    if (delayMs > 0) await new Promise((later) => setTimeout(later, delayMs))
    if (fault === 'hold') heldSoFar++
    if (fault === 'slow' || fault === 'hold') return
    if (typeof fault === 'object') return send(response, fault)
    const status = fault === 'limited' ? 429 : fault
    if (typeof status === 'number') {
      const named = fault === 'limited' || (fault === 429 && retryAfter)
      return send(response, { status, body: refusal(status, call), ...(named && { headers: { 'Retry-After': '1' } }) })
    }
    const reply = answer(call)
    if (fault === 'hold-after') return void heldSoFar++
    if (fault === 'drop') return void request.socket.destroy()
    if (fault === 'garbage') return void response.writeHead(reply.status).end('<html>oops</html>')
    send(response, fault === 'late-500' ? { status: 500, body: refusal(500, call) } : reply)
  }

  function send(response: ServerResponse, { status, body, headers }: FakeReply): void {
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body === undefined ? '' : JSON.stringify(body))
    response.writeHead(status, { 'Content-Type': contentType, ...headers }).end(bytes)
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: Error) => response.destroy(error))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    misbehave: (...more) => {
      faults = more
    },
    left: () => faults.length,
    held: () => heldSoFar,
    delay: (ms) => {
      delayMs = ms
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}
