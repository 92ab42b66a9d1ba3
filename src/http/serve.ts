import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { KeyHolder } from '../access/authenticate-key.ts'
import {
  type Alias,
  type Answer,
  JsonText,
  type Operation,
  type Patience,
  scopesOf,
  type Write,
} from '../base/operation.ts'
import { Page } from '../base/page.ts'
import { Problem } from '../base/problem.ts'
import { authenticator, type Gate, holderOf } from './authenticate.ts'
import { etagOf, matches } from './etag.ts'
import { idempotencyKey, splitBodyKey } from './idempotency-key.ts'
import { type Load, overloaded } from './load.ts'
import type { Metrics } from './metrics.ts'
import { traced } from './traced.ts'
import { type Accepted, requestReader } from './validate.ts'

export interface ServeOptions {
  gate: Gate
  /** What `run` is given: the providers with the caller, for a change the write, and patience for what waits. */
  context(caller: KeyHolder, write: Write | undefined, patience: Patience): unknown
  /** What a request is remembered by, where it has an idempotency key. */
  digest(text: string): Buffer
  /** False where the configured provider lacks the operation: 501. */
  supports(operation: Operation): boolean
  /** Is told of the answers that do not go by Fastify's hooks, when they are ready. */
  log(request: FastifyRequest, status: number): void
  /** Is told of every request; absent where nobody wants to know. */
  observe: Metrics['request'] | undefined
}

/** Adds the routes of every operation: its own, its aliases, and 405 for the methods its path does not serve. */
export function serveOperations(app: FastifyInstance, operations: Operation[], options: ServeOptions): void {
  const send = sender(options.log)
  const methodsOf = new Map<string, Set<string>>()
  for (const operation of operations) {
    for (const { method, path, alias } of spellings(operation)) {
      const methods = methodsOf.get(path) ?? new Set()
      methodsOf.set(path, methods.add(method))
      if (operation.method === 'GET') methods.add('HEAD')
      addRoute(app, operation, { method, path, alias }, { ...options, send })
    }
  }
  for (const [path, methods] of methodsOf) refuseOtherMethods(app, path, [...methods])
}

export function refuseOtherMethods(app: FastifyInstance, url: string, methods: string[]): void {
  app.route({
    method: app.supportedMethods.filter((method) => !methods.includes(method)),
    url,
    // Before the body is read, so that no fault of the body is told first.
    onRequest: async () => {
      throw new Problem('method_not_allowed', { headers: { Allow: methods.join(', ') } })
    },
    handler: () => undefined,
  })
}

interface Spelling {
  method: Operation['method']
  path: string
  alias: Alias | undefined
}

function spellings(operation: Operation): Spelling[] {
  const own = { method: operation.method, path: operation.path, alias: undefined }
  return [own, ...(operation.aliases ?? []).map((alias) => ({ method: alias.method, path: alias.path, alias }))]
}

function addRoute(
  app: FastifyInstance,
  operation: Operation,
  { method, path, alias }: Spelling,
  { gate, context, digest, supports, observe, send }: Omit<ServeOptions, 'log'> & { send: Send },
): void {
  const { load } = gate
  const read = requestReader(operation)
  const authenticate = authenticator(gate, scopesOf(operation), operation.method === 'GET' ? 'reads' : 'writes')
  const run = operation.run as (context: unknown, input: Accepted) => Promise<unknown>

  app.route({
    method,
    url: path,
    config: { operationId: operation.id } as object,
    // A write that is asked for by GET must not be made by looking at its headers.
    exposeHeadRoute: operation.method === 'GET',
    ...(operation.bodyLimit && { bodyLimit: operation.bodyLimit }),
    // Before the body is read: a stranger's megabytes are not worth receiving.
    onRequest: authenticate,
    ...(observe && { onResponse: observer(operation.id, observe) }),
    handler: traced(operation, path, async (request, reply) => {
      // Once more: those that came in one turn have all passed the gate before the first of them gets here.
      if (load.running >= load.most) throw overloaded
      load.running++
      try {
        if (!supports(operation)) throw new Problem('not_supported_by_provider')
        const caller = holderOf(request)
        const patience = patienceWith(reply, load)
        const params = request.params as Record<string, string>
        if (alias) announceSuccessor(reply, operation, alias, params)
        if (operation.secret) reply.raw.setHeader('cache-control', 'no-store')
        const [target = '', search = ''] = splitOnce(request.url, '?')
        if (operation.method === 'GET') {
          const input = read({ params, search, body: undefined })
          const result = await run(context(caller, undefined, patience), input)
          const condition = request.headers['if-none-match']
          if (operation.contentType) {
            return send(reply, { status: operation.status, body: result as Buffer }, condition, operation.contentType)
          }
          if (result instanceof JsonText)
            return send(reply, render(operation.status, undefined, result.text), condition)
          if (!(result instanceof Page)) return send(reply, render(operation.status, result), condition)
          if (result.more)
            reply.raw.setHeader('link', nextLink(target, search, result.next ?? nextOffset(input.query, result)))
          return send(reply, render(operation.status, result.items), condition)
        }
        const body = splitBodyKey(request.body)
        const input = read({ params, search, body: body.content })
        const keyed =
          method === 'POST' ? { header: request.headers['idempotency-key']?.toString(), bodyKey: body.bodyKey } : {}
        const write: Write = {
          caller,
          requestId: request.id,
          key: idempotencyKey(
            { method, path: target, header: keyed.header },
            { content: body.content, bodyKey: keyed.bodyKey },
            digest,
          ),
          secret: operation.secret === true,
          render: (data, json) => render(operation.status, data, json),
        }
        const answer = (await run(context(caller, write, patience), input)) as Answer
        if (answer.replayed) reply.raw.setHeader('idempotent-replayed', 'true')
        return send(reply, answer)
      } finally {
        load.running--
      }
    }),
  })
}

function observer(operationId: string, observe: Metrics['request']) {
  return (_request: unknown, reply: FastifyReply, done: () => void): void => {
    observe(operationId, reply.statusCode, reply.elapsedTime / 1_000)
    done()
  }
}

function render(status: number, data: unknown, json = JSON.stringify(data)): Answer {
  return { status, body: status === 204 ? '' : `{"data":${json}}`, replayed: false }
}

type Send = ReturnType<typeof sender>

/**
 * Only a read is conditional: what was made is always told, by whichever method it was asked for. An answer with a body
 * goes to the socket directly, because Fastify's own way costs a read a twelfth of its time: headers that are set on the
 * response are sent, those of `reply.header` are not. ASCII, as most are, needs no encoding. Answers that become ready
 * together are written one right behind the other: with other work between them, each write wakes its reader anew.
 */
function sender(log: ServeOptions['log']) {
  let ready: { to: ServerResponse; body: string | Buffer; encoding: BufferEncoding }[] = []

  function write(): void {
    const together = ready
    ready = []
    for (const { to, body, encoding } of together) to.end(body, encoding)
  }

  return (
    reply: FastifyReply,
    { status, body }: { status: number; body: string | Buffer },
    ifNoneMatch?: string,
    contentType = 'application/json; charset=utf-8',
  ): void => {
    if (status === 204) {
      reply.code(204).send()
      return
    }
    const etag = etagOf(body)
    if (matches(ifNoneMatch, etag)) {
      reply.code(304).header('ETag', etag).send()
      return
    }
    const length = Buffer.byteLength(body)
    reply.raw.writeHead(status, {
      'x-request-id': reply.request.id,
      etag,
      'content-type': contentType,
      'content-length': length,
    })
    reply.hijack()
    if (reply.request.method === 'HEAD') reply.raw.end()
    else {
      if (ready.length === 0) process.nextTick(write)
      ready.push({ to: reply.raw, body, encoding: length === body.length ? 'latin1' : 'utf8' })
    }
    log(reply.request, status)
  }
}

/** Who waits is no load: thousands of them must not keep others out. */
function patienceWith(reply: FastifyReply, load: Load): Patience {
  return {
    whenGone: (listener) => reply.raw.once('close', listener),
    during: async (wait) => {
      load.running--
      try {
        return await wait()
      } finally {
        load.running++
      }
    },
  }
}

function nextOffset({ offset = 0 }: Record<string, unknown>, { items }: Page<unknown>): Record<string, number> {
  return { offset: Number(offset) + items.length }
}

function nextLink(path: string, search: string, parameters: Record<string, number | string>): string {
  const next = new URLSearchParams(search)
  for (const [name, value] of Object.entries(parameters)) next.set(name, String(value))
  return `<${path}?${next}>; rel="next"`
}

function announceSuccessor(
  reply: FastifyReply,
  operation: Operation,
  alias: Alias,
  params: Record<string, string>,
): void {
  const successor = operation.path.replace(/:(\w+)/g, (_match, name: string) => encodeURIComponent(params[name] ?? ''))
  reply.raw.setHeader('deprecation', `@${alias.deprecatedAt}`)
  reply.raw.setHeader('link', `<${successor}>; rel="successor-version"`)
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
