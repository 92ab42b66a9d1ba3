import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import fastifySwagger from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { KeyManagement } from './access/api-key.ts'
import type { KeyAuthenticator, KeyHolder } from './access/authenticate-key.ts'
import type { Denials } from './access/denials.ts'
import type { BankingProvider } from './banking/provider.ts'
import { clock } from './base/clock.ts'
import type { Operation, Patience, Write } from './base/operation.ts'
import { Problem } from './base/problem.ts'
import type { Events } from './events/events.ts'
import { bodyReader } from './http/body.ts'
import { deniedRequest } from './http/denied-request.ts'
import { errorHandler, problemBody } from './http/errors.ts'
import { type Inbound, serveInbound } from './http/inbound.ts'
import { openLimits, type Rates } from './http/limits.ts'
import { type Log, requestLog } from './http/log.ts'
import type { Metrics } from './http/metrics.ts'
import { openapiOf } from './http/openapi.ts'
import { errorsPage, landingPage } from './http/pages.ts'
import { refuseOtherMethods, serveOperations } from './http/serve.ts'
import { operations } from './operations.ts'
import type { RewardsProvider } from './rewards/provider.ts'
import type { RewardRecords } from './rewards/records/records.ts'
import type { Scenario } from './sandbox/create-scenario.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import type { Webhooks } from './webhooks/webhooks.ts'

export interface AppParts {
  mode: 'sandbox' | 'live'
  version: string
  keys: KeyAuthenticator
  apiKeys: KeyManagement
  bank: BankingProvider
  records: RewardRecords
  offers: RewardsProvider
  events: Events
  webhooks: Webhooks
  /** Absent in live mode and with a connector: then no sandbox route exists. */
  sandbox: Sandbox | undefined
  /** Absent without a connector. */
  inbound: Inbound | undefined
  /** The ids of the demo world, where there is one. */
  demo: Scenario | undefined
  log: Log
  /** Notes what was not allowed. */
  denials: Pick<Denials, 'note'>
  /** Requests that may be at work at a time. */
  maxRequests: number
  /** How many a key may make; absent in sandbox mode, where nothing is counted. */
  rates: Rates | undefined
  /** Addresses of proxies, whose word on where a request comes from is taken. */
  trustedProxies: string[]
  /** Absent where nothing is measured. */
  metrics: Metrics | undefined
  /** A keyed digest: what requests are remembered by. */
  digest(text: string): Buffer
  /** Rejects while the service cannot do its work. */
  ready(): Promise<void>
}

const MIB = 1024 * 1024

/** When a request arrived. */
const arrived = Symbol('arrived')
type Timed = FastifyRequest & { [arrived]?: number }

/** The HTTP server with every operation. */
export function buildApp(parts: AppParts): FastifyInstance {
  const { mode, version, keys, apiKeys, bank, offers, records, sandbox, inbound, demo, log, digest, ready } = parts
  const { events, webhooks, denials, maxRequests, rates, trustedProxies, metrics } = parts
  const served = operations.filter(({ area }) => area !== 'sandbox' || sandbox !== undefined)
  const supports = (operation: Operation) => operation.area !== 'banking' || operation.id in bank

  // What a hint names must be there: with a connector no sandbox operation is.
  const handleError = errorHandler({ mode: sandbox ? 'sandbox' : 'live', log })

  const app = Fastify({
    bodyLimit: MIB,
    trustProxy: trustedProxies.length > 0 && trustedProxies,
    requestTimeout: 120_000,
    http: { maxHeaderSize: 64 * 1024 },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 64 * 1024 },
    requestIdHeader: false,
    genReqId: ({ headers }) => callersRequestId(headers['x-request-id']) ?? randomUUID(),
    // A path that cannot be decoded fails before any hook runs.
    frameworkErrors: (error, request, reply) =>
      handleError(error, request, reply.header('X-Request-Id', request.id) as never),
    clientErrorHandler: (error, socket) => refuseUnparsed(error, socket, mode),
  })
  // The size of all headers is bounded; a bound on their number would drop the last ones unseen.
  app.server.maxHeadersCount = 0
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    // The first is what the second would find, too, by reading the header anew for every request.
    ['application/json', '*'],
    { parseAs: 'buffer' },
    bodyReader(),
  )
  app.setErrorHandler(handleError)
  app.setNotFoundHandler(() => {
    throw new Problem('route_not_found')
  })
  app.addHook('onRequest', (request, _reply, done) => {
    ;(request as Timed)[arrived] = clock.elapsedMs()
    // Here and not in the handler, which runs only after the body has been read.
    done(request.is404 ? new Problem('route_not_found') : undefined)
  })
  const writeLine = requestLog(log)
  function logRequest(request: FastifyRequest, status: number): void {
    const { method, url, id: requestId } = request
    const query = url.indexOf('?')
    const ms = Math.round((clock.elapsedMs() - ((request as Timed)[arrived] ?? clock.elapsedMs())) * 10) / 10
    writeLine({ method, path: query < 0 ? url : url.slice(0, query), status, ms, requestId })
  }
  // The answers that go by Fastify; `serveOperations` does the same for the others.
  app.addHook('onSend', (request, reply, payload, done) => {
    reply.header('X-Request-Id', request.id)
    // Now that the answer is ready, and not when it is gone: to listen for that costs as much as the line itself.
    logRequest(request, reply.statusCode)
    const denied = deniedRequest(request, reply)
    if (denied) denials.note(denied)
    done(null, payload)
  })

  const context = (holder: KeyHolder, write: Write | undefined, patience: Patience) => ({
    bank,
    offers,
    records,
    events,
    webhooks,
    sandbox,
    apiKeys,
    caller: holder,
    holder,
    write,
    patience,
  })
  const gate = { keys, load: { running: 0, most: maxRequests }, limits: rates && openLimits(rates) }
  serveOperations(app, served, { gate, context, digest, supports, log: logRequest, observe: metrics?.request })
  if (inbound) serveInbound(app, inbound)

  const document = openapiOf(served.filter(supports), version)
  servePlain(app, '/', 'text/html; charset=utf-8', (host) =>
    landingPage({ mode, version, operations: served, demo, host }),
  )
  servePlain(app, '/docs/errors', 'text/html; charset=utf-8', errorsPage)
  servePlain(app, '/openapi.json', 'application/json; charset=utf-8', () => JSON.stringify(document))
  servePlain(app, '/livez', 'application/json; charset=utf-8', () => JSON.stringify({ status: 'ok' }))
  servePlain(app, '/readyz', 'application/json; charset=utf-8', async () => {
    await ready()
    return JSON.stringify({ status: 'ready' })
  })
  app.register(fastifySwagger, { mode: 'static', specification: { document: document as never } })
  app.register(fastifySwaggerUi, { routePrefix: '/docs', staticCSP: contentPolicy, theme: { title: 'Purser' }, logo })
  return app
}

const logo = {
  type: 'image/svg+xml',
  content:
    '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><text x="0" y="28" font-family="sans-serif" font-size="26" fill="#fff">Purser</text></svg>',
}

/** Assets and calls of the reference stay on this host. */
const contentPolicy = `default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'`

function servePlain(
  app: FastifyInstance,
  url: string,
  type: string,
  content: (host: string) => string | Promise<string>,
): void {
  app.get(url, async (request, reply) => reply.type(type).send(await content(request.host)))
  refuseOtherMethods(app, url, ['GET', 'HEAD'])
}

function callersRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\x21-\x7e]{1,128}$/.test(header) ? header : undefined
}

/** What the HTTP parser itself refuses has no request yet, so the answer is written by hand. */
function refuseUnparsed(error: Error & { code?: string }, socket: Socket, mode: 'sandbox' | 'live'): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const problem =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new Problem('headers_too_large')
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? new Problem('request_timeout')
        : new Problem('invalid_request', { detail: 'The request is not valid HTTP.' })
  const requestId = randomUUID()
  const body = JSON.stringify(problemBody(problem, mode, requestId))
  const head = [
    `HTTP/1.1 ${problem.status} ${problem.code}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Date: ${clock.now().toUTCString()}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
