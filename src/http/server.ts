import { randomUUID } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { clock } from '../base/clock.ts'
import { Problem } from '../base/problem.ts'
import { retryAfter } from '../base/retry-after.ts'
import { errorHandler, problemBody } from './errors.ts'
import { type Log, requestLog } from './log.ts'
import { addressOf, withDecodablePath } from './request/address.ts'
import { BODY_LIMIT, type BodyParts, type BodyRequest, bodyReader, postponeContinue } from './request/body.ts'
import { otherMethod } from './request/served-paths.ts'
import { type Answered, CACHE_CONTROL, type SentAnswer, VARY } from './send.ts'

type Mode = 'sandbox' | 'live'

export interface ServerOptions {
  mode: Mode
  log: Log
  body: BodyParts
  trustedProxies: string[]
  /** Sees each answer when it is ready. */
  answered?(request: FastifyRequest, answer: SentAnswer, ms: number): void
}

const MAX_HEADER_BYTES = 64 * 1024

/** A Fastify server without routes, in which every answer and every refusal has the form of the interface. */
export function openServer(options: ServerOptions): { app: FastifyInstance; answered: Answered } {
  const { mode, log, body, trustedProxies } = options
  const handleError = errorHandler({ mode, log })
  const app = Fastify({
    bodyLimit: BODY_LIMIT,
    trustProxy: trustedProxies.length > 0 && trustedProxies,
    requestTimeout: 120_000,
    // Node's own answer to a missing Host has no body; `refuseEarly` gives ours.
    http: { maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_HEADER_BYTES },
    requestIdHeader: false,
    return503OnClosing: false,
    genReqId: ({ headers }) => callersRequestId(headers['x-request-id']) ?? randomUUID(),
    rewriteUrl: ({ url = '/' }) => withDecodablePath(url),
    // A path with a malformed escape fails before any hook runs.
    frameworkErrors: (error, request, reply) =>
      handleError(error, request, withCommonHeaders(request, reply as FastifyReply, 400) as never),
    clientErrorHandler: (error, socket) => refuseUnparsed(error, socket, mode),
  })
  // The size of all headers is bounded; a bound on their number would drop the last ones without notice.
  app.server.maxHeadersCount = 0
  app.server.on('checkContinue', (request, response) => {
    postponeContinue(request, response)
    app.server.emit('request', request, response)
  })
  // Node answers an unknown expectation with a bare 417; RFC 9110 allows to ignore it.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.removeAllContentTypeParsers()
  const readBody = bodyReader(body)
  // The wildcard alone would do, but it makes Fastify parse the header anew for every request.
  app.addContentTypeParser(['application/json', '*'], (request, payload, done) =>
    readBody(request as unknown as BodyRequest, payload, done),
  )
  app.setErrorHandler(handleError)
  app.setNotFoundHandler(() => {
    throw new Problem('route_not_found')
  })
  const answered = answerObserver(options)
  addHooks(app, answered)
  return { app, answered }
}

/** When a request arrived. */
const arrived = Symbol('arrived')
type Timed = FastifyRequest & { [arrived]?: number }

function addHooks(app: FastifyInstance, answered: Answered): void {
  let stopping = false
  app.addHook('preClose', (done) => {
    stopping = true
    done()
  })
  app.addHook('onRequest', (request, _reply, done) => {
    ;(request as Timed)[arrived] = clock.elapsedMs()
    done(refuseEarly(request, stopping))
  })
  // For answers that go by Fastify; `sender` does the same for the others.
  app.addHook('onSend', (request, reply, payload, done) => {
    withCommonHeaders(request, reply)
    const body = typeof payload === 'string' || payload instanceof Buffer ? payload : undefined
    answered(request, { status: reply.statusCode, headers: reply.getHeaders() as OutgoingHttpHeaders, body })
    done(null, payload)
  })
}

/** The refusals that need no route, before the body is read. */
function refuseEarly(request: FastifyRequest, stopping: boolean): Problem | undefined {
  if (request.raw.headers.host === undefined && request.raw.httpVersion !== '1.0') {
    return new Problem('invalid_request', { detail: 'The header Host is missing.' })
  }
  // A process that stops is still alive, and says so.
  if (stopping && request.url !== '/livez') {
    const detail = 'This process is stopping; retry on another connection.'
    return new Problem('unavailable', { detail, headers: retryAfter(1) })
  }
  return request.is404 ? (otherMethod(request) ?? new Problem('route_not_found')) : undefined
}

/** Headers that every answer has. */
function withCommonHeaders(request: FastifyRequest, reply: FastifyReply, status = reply.statusCode): FastifyReply {
  if (!reply.hasHeader('cache-control') && !reply.raw.hasHeader('cache-control')) {
    reply.header('Cache-Control', status >= 400 ? 'no-store' : CACHE_CONTROL)
  }
  if (!reply.hasHeader('vary')) reply.header('Vary', VARY)
  return reply.header('X-Request-Id', request.id)
}

/** Logs answers when they are ready, not when they are sent: to listen for that costs as much as the line itself. */
function answerObserver({ log, answered }: ServerOptions): Answered {
  const writeLine = requestLog(log)
  return (request, answer) => {
    const { method, url, id: requestId } = request
    const ms = Math.round((clock.elapsedMs() - ((request as Timed)[arrived] ?? clock.elapsedMs())) * 10) / 10
    writeLine({ method, path: addressOf(url).path, status: answer.status, ms, requestId })
    answered?.(request, answer, ms)
  }
}

function callersRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\x21-\x7e]{1,128}$/.test(header) ? header : undefined
}

/** Answers bytes that the HTTP parser refuses. There is no request yet, so the answer is written by hand. */
function refuseUnparsed(error: Error & { code?: string }, socket: Socket, mode: Mode): void {
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
    'Cache-Control: no-store',
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
