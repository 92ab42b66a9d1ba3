// Answers with a body go to the socket without Fastify's reply, and those that become ready in one turn of the event loop
// are written right after each other.
// The plain way is `reply.send(body)`.
// It cost a twelfth of a read's time, and single writes another 4 to 7 % at 64 connections: each woke its reader anew.
// `test/conformance/platform.test.ts` compares the headers with those of answers that go by Fastify.
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Answer } from '../base/operation.ts'
import { etagOf, matches } from './etag.ts'

/** A cache may keep an answer for its own user, and has to ask again before each use: an `ETag` makes that cheap. */
export const CACHE_CONTROL = 'private, no-cache'
/** An answer to one key is never shown to another. */
export const VARY = 'X-Service-API-Key'

export interface Sending {
  status: number
  body: string | Buffer
  contentType?: string
  /** The `If-None-Match` of a read; a write always shows its answer. */
  ifNoneMatch?: string | undefined
  /** The answer carries a secret that no cache may keep. */
  secret?: boolean | undefined
}

export type Send = (reply: FastifyReply, sending: Sending) => void

/** Builds the success response that is sent and stored. Pass `json` if the data is already JSON text. */
export function render(status: number, data: unknown, json = JSON.stringify(data)): Answer {
  return { status, body: status === 204 ? '' : `{"data":${json}}`, replayed: false }
}

/** The headers of a success that differ from one answer to another of the same operation. */
export class SuccessParts {
  readonly etag: string
  readonly length: number

  constructor(etag: string, length: number) {
    this.etag = etag
    this.length = length
  }
}

const JSON_TYPE = 'application/json; charset=utf-8'

export function successHeaders(
  requestId: string,
  { etag, length }: SuccessParts,
  contentType: string | undefined,
  secret: boolean | undefined,
) {
  return {
    'x-request-id': requestId,
    etag,
    'cache-control': secret ? 'no-store' : CACHE_CONTROL,
    vary: VARY,
    'content-type': contentType ?? JSON_TYPE,
    'content-length': length,
  }
}

/** An answer as it goes to the caller. */
export interface SentAnswer {
  status: number
  /** All headers, or the parts of those of a plain success. */
  headers: OutgoingHttpHeaders | SuccessParts
  /** Undefined if none is sent. */
  body: string | Buffer | undefined
}

export type Answered = (request: FastifyRequest, answer: SentAnswer) => void

/** `answered` gets the answers that pass by Fastify's hooks. Headers are sent if they are set on `reply.raw`. */
export function sender(answered: Answered): Send {
  let ready: { response: ServerResponse; body: string | Buffer; encoding: BufferEncoding }[] = []

  function writeReady(): void {
    const together = ready
    ready = []
    for (const { response, body, encoding } of together) response.end(body, encoding)
  }

  return (reply, { status, body, contentType, ifNoneMatch, secret }) => {
    if (secret) reply.raw.setHeader('cache-control', 'no-store')
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
    const parts = new SuccessParts(etag, length)
    reply.raw.writeHead(status, successHeaders(reply.request.id, parts, contentType, secret))
    reply.hijack()
    const isHead = reply.request.method === 'HEAD'
    if (isHead) reply.raw.end()
    else {
      if (ready.length === 0) process.nextTick(writeReady)
      // A text of ASCII, as most answers are, needs no encoding.
      ready.push({ response: reply.raw, body, encoding: length === body.length ? 'latin1' : 'utf8' })
    }
    // Node keeps the headers of `writeHead` itself if others were set before.
    const headers = reply.raw.hasHeader('etag') ? reply.raw.getHeaders() : parts
    answered(reply.request, { status, headers, body: isHead ? undefined : body })
  }
}
