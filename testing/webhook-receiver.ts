import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Event, type EventFilter, type EventOf, type Purser, unwrap } from '../client/src/index.ts'

/** Handles a webhook request as the app under test does. The secret is the one that signed it. */
export type WebhookHandler = (request: Request, secret: string) => Response | Promise<Response>

type Handler = (request: Request) => Promise<Response>

export interface ReceiveOptions {
  /** The types to receive; all by default. */
  events?: EventFilter[]
  /** The app's own handler. Its answer goes back to the service, which retries unless it is a success. */
  handler?: WebhookHandler
}

/** A delivery that arrived and was verified. */
export interface ReceivedEvent {
  event: Event
  headers: Record<string, string>
  /** The body as it was sent. */
  body: string
  /** The status that was answered. */
  status: number
  /** The error of a handler that threw, which was answered with 500. */
  error?: unknown
}

/** The server that receives the webhooks of all organisations of a test process. */
export interface ReceiverServer {
  /** Adds a route and returns its address. */
  add(route: string, handler: Handler): string
  close(): Promise<void>
}

export async function openReceiverServer(): Promise<ReceiverServer> {
  const routes = new Map<string, Handler>()
  const server = createServer((incoming, outgoing) => {
    answer(routes.get(incoming.url ?? ''), incoming, outgoing).catch((error) => {
      outgoing.statusCode = 500
      outgoing.end(String(error))
    })
  })
  await new Promise<void>((done, failed) => server.once('error', failed).listen(0, '127.0.0.1', done))
  server.unref()
  const { port } = server.address() as AddressInfo
  return {
    add: (route, handler) => {
      routes.set(route, handler)
      return `http://127.0.0.1:${port}${route}`
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

async function answer(
  handler: Handler | undefined,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as [string, string])
  const address = `http://${incoming.headers.host}${incoming.url}`
  const request = new Request(address, { method: incoming.method ?? 'POST', headers, body: Buffer.concat(chunks) })
  const response = handler ? await handler(request) : new Response(null, { status: 404 })
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  outgoing.end(Buffer.from(await response.arrayBuffer()))
}

const WAIT_MS = 10_000

/** A webhook endpoint of an organisation, received in the test process. */
export class WebhookReceiver {
  /** Every delivery so far, in the order of arrival. Retries and duplicates are listed, too. */
  readonly received: ReceivedEvent[] = []
  readonly endpointId: string
  /** The secret that signs the deliveries. */
  readonly secret: string
  readonly url: string
  readonly #waiting = new Set<() => void>()

  private constructor(endpointId: string, secret: string, url: string) {
    this.endpointId = endpointId
    this.secret = secret
    this.url = url
  }

  static async open(purser: Purser, server: ReceiverServer, options: ReceiveOptions): Promise<WebhookReceiver> {
    let ready: (receiver: WebhookReceiver) => void = () => undefined
    const opened = new Promise<WebhookReceiver>((resolve) => {
      ready = resolve
    })
    const url = server.add(`/${crypto.randomUUID()}`, async (request) => (await opened).#receive(request, options))
    const { id, secret } = await purser.webhookEndpoints.create({ url, events: options.events ?? ['*'] })
    const receiver = new WebhookReceiver(id, secret, url)
    ready(receiver)
    return receiver
  }

  /** The first delivery of this type that matches, among those that came and those that come. */
  async next<Filter extends EventFilter>(
    type: Filter,
    matches: (event: EventOf<Filter>) => boolean = () => true,
    { timeoutMs = WAIT_MS }: { timeoutMs?: number } = {},
  ): Promise<EventOf<Filter>> {
    const ended = new AbortController()
    // This timer keeps the process running: one that waits for nothing else would end before the delivery arrives.
    const timer = setTimeout(() => ended.abort(), timeoutMs)
    try {
      while (!ended.signal.aborted) {
        const found = this.received.find(({ event }) => lets(type, event.type) && matches(event as EventOf<Filter>))
        if (found) return found.event as EventOf<Filter>
        await this.#arrival(ended.signal)
      }
    } finally {
      clearTimeout(timer)
    }
    const seen = this.received.map(({ event }) => event.type).join(', ')
    const instead = seen ? `delivered were ${seen}` : 'nothing was delivered'
    throw new Error(`no ${type} that matches was delivered within ${timeoutMs} ms; ${instead}`)
  }

  #arrival(ended: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake)
        ended.removeEventListener('abort', wake)
        resolve()
      }
      this.#waiting.add(wake)
      ended.addEventListener('abort', wake)
    })
  }

  async #receive(request: Request, { handler }: ReceiveOptions): Promise<Response> {
    const body = await request.clone().text()
    const event = await unwrap(body, request.headers, this.secret)
    const { response, ...failed } = await handled(handler, request, this.secret)
    const headers = Object.fromEntries(request.headers)
    this.received.push({ event, body, headers, status: response.status, ...failed })
    for (const wake of this.#waiting) wake()
    return response
  }
}

/** A handler that throws, or returns no response, answers 500, as a server around it would. */
async function handled(
  handler: WebhookHandler = () => new Response(null, { status: 204 }),
  request: Request,
  secret: string,
): Promise<{ response: Response; error?: unknown }> {
  try {
    const response = await handler(request, secret)
    if (typeof response?.status !== 'number') throw new TypeError('the handler of the webhooks returned no Response')
    return { response }
  } catch (error) {
    return { response: new Response(String(error), { status: 500 }), error }
  }
}

function lets(filter: EventFilter, type: string): boolean {
  return filter === '*' || filter === type || (filter.endsWith('.*') && type.startsWith(filter.slice(0, -1)))
}
