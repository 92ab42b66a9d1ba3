// Requests are taken up together: bodies that arrive in one turn of the event loop are parsed, and their requests
// started, one after the other at its end.
// The plain way is to call `done` as each body ends.
// It cost 4 to 10 % more processor time for a payment: the processor's caches switched between parsing HTTP and serving.
// `body.test.ts` compares: every body is read once, in order, a malformed one among them too.
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { clock } from '../../base/clock.ts'
import { invalidRequest, Problem } from '../../base/problem.ts'
import { type Load, tooManyBodies } from '../load.ts'
import type { BodyBudget, BodyOwner } from './body-budget.ts'
import { isSimpleJson } from './simple-json.ts'
import type { Turns } from './turns.ts'

export const BODY_LIMIT = 1024 * 1024
/** Bodies past this size are counted in the budget of bytes, and parsed one in a turn of the event loop. */
const LARGE = 64 * 1024
/** The longest body, in bytes, whose text stays with its request until it is answered. */
export const MAX_KEPT_TEXT = 10 * 1024
/** The lowest speed of a large body after its first seconds: a body that stalls must not keep its part of the budget. */
const MIN_BYTES_PER_SECOND = 64 * 1024
const SLOW_AFTER_MS = 5_000

type Done = (error: Error | null, body?: unknown) => void

/** The part of a request that reading its body needs. */
export type BodyRequest = Pick<FastifyRequest, 'headers' | 'routeOptions'> & {
  raw: IncomingMessage & { [continueTo]?: ServerResponse }
  [reservation]?: Reservation
  [bodyText]?: string
}

interface Reservation extends BodyAccount {
  bytes: number
}

const reservation = Symbol('reservation')
const bodyText = Symbol('bodyText')
const continueTo = Symbol('continueTo')

/** The budget that a body is counted in, and its owner there. */
export interface BodyAccount {
  budget: BodyBudget
  owner: BodyOwner
}

export interface BodyParts {
  load: Load
  turns: Turns
  /** Called for large bodies only. */
  accountOf(request: BodyRequest): BodyAccount
  /** How long a large body may take before its speed is checked. */
  slowAfterMs?: number
}

/** Reads JSON bodies for Fastify. */
export function bodyReader(parts: BodyParts) {
  const { turns } = parts
  let arrived: { request: BodyRequest; bytes: Buffer; done: Done }[] = []

  function takeUp(): void {
    const turn = arrived
    arrived = []
    for (const { request, bytes, done } of turn) parse(request, bytes, done)
  }

  function parse(request: BodyRequest, bytes: Buffer, done: Done): void {
    let body: unknown
    try {
      body = readJson(request, bytes)
    } catch (error) {
      releaseBody(request)
      done(error as Error)
      return
    }
    done(null, body)
  }

  return (request: BodyRequest, payload: IncomingMessage, done: Done): void =>
    readBytes(request, payload, parts, (error, bytes) => {
      if (!bytes) done(error)
      else if (bytes.length > LARGE) turns.run(() => parse(request, bytes, done))
      else {
        if (arrived.length === 0) setImmediate(takeUp)
        arrived.push({ request, bytes, done })
      }
    })
}

/** Whether a request's body is counted in the budget; the work on it is then spread over turns of the event loop. */
export function isLarge(request: FastifyRequest): boolean {
  return (request as unknown as BodyRequest)[reservation] !== undefined
}

/** The text of a request's body as it was parsed, well-formed or not; undefined without one, or past `MAX_KEPT_TEXT`. */
export function textOf(request: FastifyRequest): string | undefined {
  return (request as unknown as BodyRequest)[bodyText]
}

/** Ends the count of a body. To be called when the request is over, and at once if its body is refused. */
export function releaseBody(request: BodyRequest): void {
  const held = request[reservation]
  if (!held) return
  delete request[reservation]
  held.budget.give(held.owner, held.bytes)
}

/** Makes `100 Continue` wait until the request has passed the key and the limits, and its body is about to be read. */
export function postponeContinue(request: IncomingMessage, response: ServerResponse): void {
  ;(request as BodyRequest['raw'])[continueTo] = response
}

/**
 * Collects the bytes of a body up to its route's limit. A body of a known length is counted whole before any of it is
 * read, any other as it arrives. Meanwhile the request counts as one in progress.
 */
export function readBytes(
  request: BodyRequest,
  payload: IncomingMessage,
  { load, accountOf, slowAfterMs = SLOW_AFTER_MS }: BodyParts,
  done: (error: Error | null, bytes?: Buffer) => void,
): void {
  const declared = Number(request.headers['content-length'] ?? Number.NaN)
  const chunks: Buffer[] = []
  const startedMs = clock.elapsedMs()
  let received = 0
  let speedCheck: NodeJS.Timeout | undefined

  /** The refusal of a body of so many bytes, if there is one. */
  function refusal(bytes: number): Problem | undefined {
    if (bytes > BODY_LIMIT && bytes > request.routeOptions.bodyLimit) return new Problem('payload_too_large')
    if (bytes <= LARGE) return undefined
    request[reservation] ??= { ...accountOf(request), bytes: 0 }
    const held = request[reservation]
    if (bytes <= held.bytes) return undefined
    if (!held.budget.take(held.owner, bytes - held.bytes)) return tooManyBodies
    held.bytes = bytes
    speedCheck ??= setInterval(checkSpeed, slowAfterMs / 5)
    return undefined
  }

  function checkSpeed(): void {
    const ms = clock.elapsedMs() - startedMs
    if (ms > slowAfterMs && received < (ms / 1_000) * MIN_BYTES_PER_SECOND) end(new Problem('request_timeout'))
  }

  function end(error: Error | null, bytes?: Buffer): void {
    clearInterval(speedCheck)
    payload.off('data', onData).off('end', onEnd).off('error', end)
    load.running--
    if (error) releaseBody(request)
    done(error, bytes)
  }

  function onData(chunk: Buffer): void {
    received += chunk.length
    const problem = received > LARGE ? refusal(received) : undefined
    if (problem) end(problem)
    else chunks.push(chunk)
  }

  function onEnd(): void {
    if (declared >= 0 && received !== declared) {
      end(new Problem('invalid_request', { detail: 'The body is not as long as the header Content-Length says.' }))
    } else end(null, Buffer.concat(chunks, received))
  }

  load.running++
  const refused = declared > LARGE ? refusal(declared) : undefined
  if (refused) {
    end(refused)
    return
  }
  request.raw[continueTo]?.writeContinue()
  payload.on('data', onData).on('end', onEnd).on('error', end).resume()
}

/** Callers send a JSON content type also without a body, so that no bytes are read as no body. */
function readJson(request: BodyRequest, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type) || encoding !== 'identity') {
    throw new Problem('unsupported_media_type')
  }
  const { maxValues } = (request.routeOptions.config ?? {}) as { maxValues?: number }
  const text = textIn(bytes, maxValues)
  if (bytes.length <= MAX_KEPT_TEXT) request[bodyText] = text
  return parseText(text)
}

export function parseJson(bytes: Buffer, maxValues?: number): unknown {
  return parseText(textIn(bytes, maxValues))
}

function textIn(bytes: Buffer, maxValues?: number): string {
  if (!isUtf8(bytes)) throw malformed('the body is not UTF-8')
  if (bytes.length > LARGE && !isSimpleJson(bytes, maxValues)) {
    throw invalidRequest([{ pointer: '', code: 'too_long', message: 'the body has too many values' }])
  }
  return bytes.toString('utf8')
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw malformed(
      error instanceof SyntaxError ? `the body is not JSON: ${error.message.toWellFormed()}` : 'the body is not JSON',
    )
  }
}

function malformed(message: string): Problem {
  return invalidRequest([{ pointer: '', code: 'malformed_json', message }])
}
