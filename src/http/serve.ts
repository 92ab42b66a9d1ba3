import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { KeyHolder } from '../access/authenticate-key.ts'
import type { Alias, Operation, Patience, SignatureRules, Write } from '../base/operation.ts'
import { Problem } from '../base/problem.ts'
import { admitAgain, authenticator, type Gate, holderOf, renewHolder } from './authenticate.ts'
import { batchHandler } from './batch-handler.ts'
import type { ProblemReporter } from './errors.ts'
import { exportHandler } from './exports/export-handler.ts'
import { isExempt } from './fault-injector.ts'
import { type Load, overloaded } from './load.ts'
import type { Metrics } from './metrics/metrics.ts'
import { readHandler } from './read-handler.ts'
import type { ServedBackend } from './request/backend.ts'
import { type BodyRequest, releaseBody } from './request/body.ts'
import { methodNotAllowed, refuseOtherMethods, shadowsOf } from './request/served-paths.ts'
import type { Turns } from './request/turns.ts'
import type { Accepted } from './request/validate.ts'
import { type Answered, type Send, sender } from './send.ts'
import { signedRun } from './signatures.ts'
import { traced } from './traced.ts'
import { writeHandler } from './write-handler.ts'

export interface ServeOptions {
  gate: Gate
  turns: Turns
  /** The context of `run`: the providers with the caller, the write of a change, and patience for a long poll. */
  context(
    request: { caller: KeyHolder; requestId: string; atStandby: boolean },
    write: Write | undefined,
    patience: Patience,
  ): unknown
  /** The backend of a caller. */
  backendOf(caller: KeyHolder): ServedBackend
  /** False if the configured provider lacks the operation: 501. */
  supports(operation: Operation): boolean
  /** Sees each answer that does not pass through Fastify's hooks. */
  answered: Answered
  /** The body of the problem that an item of a batch is answered with. */
  problemOf: ProblemReporter
  /** Whether fault rules of the sandbox may change answers. */
  hasFaults: boolean
  /** The decisions that need a second person; absent if none does. */
  signatures: SignatureRules | undefined
  /** Observes every request; absent if nothing is measured. */
  observe: Metrics['request'] | undefined
}

/** The parts that the handlers of one operation share. */
export interface HandlerParts {
  /** With `atStandby`, the providers read from the standby. */
  context(request: FastifyRequest, reply: FastifyReply, write: Write | undefined, atStandby?: boolean): unknown
  run(context: unknown, input: Accepted): Promise<unknown>
  /** Gives a request the organisation that its key belongs to now. */
  renew(request: FastifyRequest): Promise<void>
  /** Lets a request go on if its key or session still works, with the rights that it has now. */
  admitAgain(request: FastifyRequest): Promise<void>
  send: Send
  /** The backend of the organisation that a request's key belongs to now. */
  backendOf(request: FastifyRequest): ServedBackend
  turns: Turns
  problemOf: ProblemReporter
}

/** Adds the routes of every operation: its own, its aliases, and 405 for the methods its path does not serve. */
export function serveOperations(app: FastifyInstance, operations: Operation[], options: ServeOptions): void {
  const send = sender(options.answered)
  const methodsOf = new Map<string, Set<string>>()
  for (const operation of operations) {
    for (const { method, path, alias } of spellings(operation)) {
      const methods = methodsOf.get(path) ?? new Set()
      methodsOf.set(path, methods.add(method))
      if (operation.method === 'GET') methods.add('HEAD')
      addRoute(app, operation, { method, path, alias }, { ...options, send, lists: operations })
    }
  }
  for (const [path, methods] of methodsOf) {
    refuseShadows(app, path, methodsOf)
    refuseOtherMethods(app, path, [...methods])
  }
}

/**
 * Refuses the methods that a path lacks and that another path has, with a parameter in the same place: the router would
 * take a request for one of the other path.
 */
function refuseShadows(app: FastifyInstance, path: string, methodsOf: Map<string, Set<string>>): void {
  const own = [...(methodsOf.get(path) ?? [])]
  const shadows = shadowsOf(path, methodsOf.keys()).flatMap((other) => [...(methodsOf.get(other) ?? [])])
  const method = [...new Set(shadows)].filter((each) => !own.includes(each))
  if (method.length === 0) return
  app.route({
    method,
    url: path,
    // Before the body is read, so that no fault of the body is reported first.
    onRequest: async () => {
      throw methodNotAllowed(own)
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
  options: ServeOptions & Pick<HandlerParts, 'send'> & { lists: Operation[] },
): void {
  const { gate, turns, context, supports, hasFaults, observe, send, problemOf, answered } = options
  const isRead = operation.method === 'GET'
  const backendOf = (request: FastifyRequest) => options.backendOf(holderOf(request))
  const parts: HandlerParts = {
    context: (request, reply, write, atStandby = false) =>
      context(
        { caller: holderOf(request), requestId: request.id, atStandby },
        write,
        patienceWith(reply, backendOf(request).load, () => parts.admitAgain(request)),
      ),
    run: signedRun(operation, options.signatures),
    renew: (request) => renewHolder(gate, request),
    admitAgain: (request) => admitAgain(gate, request, operation),
    send,
    backendOf,
    turns,
    problemOf,
  }
  const admit = authenticator(gate, operation)
  const injectFaults = hasFaults && !isExempt(operation) ? faultHook(operation, backendOf) : undefined
  const { batch } = operation
  const handle = operation.exportsLists
    ? exportHandler(operation, options.lists, { ...parts, supports, answered, signatures: options.signatures })
    : isRead
      ? readHandler(operation, parts)
      : batch
        ? batchHandler(operation, batch, parts)
        : writeHandler(operation, method, parts)

  app.route({
    method,
    url: path,
    config: { operationId: operation.id, maxValues: operation.maxValues } as object,
    // A write that a deprecated alias makes by GET must not be made by HEAD.
    exposeHeadRoute: isRead,
    ...(operation.bodyLimit && { bodyLimit: operation.bodyLimit }),
    // Authenticates before the body is read: nothing is uploaded without a key.
    onRequest: injectFaults ? [admit, injectFaults] : admit,
    ...(observe && { onResponse: observer(operation.id, observe) }),
    handler: traced(operation, path, async (request, reply) => {
      const { load } = backendOf(request)
      // Again: requests of one turn of the event loop all pass the gate before the first of them gets here.
      if (load.running >= load.max) {
        releaseBody(request as unknown as BodyRequest)
        throw overloaded
      }
      load.running++
      try {
        if (!supports(operation)) throw new Problem('not_supported_by_provider')
        if (alias) announceSuccessor(reply, operation, alias, request.params as Record<string, string>)
        await handle(request, reply)
      } finally {
        load.running--
        releaseBody(request as unknown as BodyRequest)
      }
    }),
  })
}

type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void

function faultHook({ id }: Operation, backendOf: HandlerParts['backendOf']): Hook {
  return (request, reply, done) => {
    const { faults } = backendOf(request)
    if (faults) faults.inject(id, request, reply, done)
    else done()
  }
}

function observer(operationId: string, observe: Metrics['request']) {
  return (_request: unknown, reply: FastifyReply, done: () => void): void => {
    observe(operationId, reply.statusCode, reply.elapsedTime / 1_000)
    done()
  }
}

/** A long poll does not count as a request in progress: thousands of them must not keep others out. */
function patienceWith(reply: FastifyReply, load: Load, admit: () => Promise<void>): Patience {
  return {
    whenGone: (listener) => reply.raw.once('close', listener),
    during: async (wait) => {
      load.running--
      const waited = await wait().finally(() => load.running++)
      await admit()
      return waited
    },
  }
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
