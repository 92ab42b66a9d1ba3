import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Answer, Operation, RecordedEvents, Write } from '../base/operation.ts'
import { Problem } from '../base/problem.ts'
import { retryAfter } from '../base/retry-after.ts'
import { OrganisationEnded } from '../database/database.ts'
import type { Seal } from '../secrets/seal.ts'
import { holderOf } from './authenticate.ts'
import { bodyFor } from './personal-data.ts'
import { addressOf } from './request/address.ts'
import { isLarge } from './request/body.ts'
import { idempotencyKey, splitBodyKey } from './request/idempotency-key.ts'
import { notePosition } from './request/stale-read.ts'
import { type Accepted, requestReader } from './request/validate.ts'
import { render } from './send.ts'
import type { HandlerParts } from './serve.ts'

const recorded = Symbol('recorded')
type Recording = FastifyRequest & { [recorded]?: RecordedEvents | undefined }

/** The numbers of the events that a write has recorded; undefined for another request, and before it has run. */
export function recordedBy(request: FastifyRequest): RecordedEvents | undefined {
  return (request as Recording)[recorded]
}

/** Notes if the numbers of the events of a request will be. */
export function noteRecorded(request: FastifyRequest, events: RecordedEvents): void {
  ;(request as Recording)[recorded] = events
}

const storedAt = Symbol('storedAt')
type Replaying = { [storedAt]?: string | undefined }

/** When the answer that a response replays was stored; undefined if it is no replay, or of a request under way. */
export function storedAtOf(response: object): string | undefined {
  return (response as Replaying)[storedAt]
}

/** Serves a write by one of its methods: validation, the idempotency key, the operation, an answer that is never 304. */
export function writeHandler(operation: Operation, method: Operation['method'], parts: HandlerParts) {
  const { send, turns } = parts
  const read = requestReader(operation)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { path, search } = addressOf(request.url)
    const { content, bodyKey } = splitBodyKey(request.body)
    // Of an upload, validation, the fingerprint and decoding take a tenth of a second each.
    const large = isLarge(request)
    if (large) await turns.next()
    const input = read({ params: request.params as Record<string, string>, search, body: content })
    if (large) await turns.next()
    const keys = method === 'POST' ? { header: request.headers['idempotency-key']?.toString(), bodyKey } : {}
    const { digest } =
      parts.backendOf(request).seals.known(holderOf(request).organisationId) ?? (await loadedSeal(parts, request))
    const write: Write = {
      caller: holderOf(request),
      requestId: request.id,
      key: idempotencyKey({ method, path, header: keys.header }, { content, bodyKey: keys.bodyKey }, digest),
      secret: operation.secret ? 'secret' : operation.showsNumber ? 'number' : undefined,
      recorded: { first: 0, last: 0 },
      render: (data, json) => render(operation.status, data, json),
    }
    if (write.recorded) noteRecorded(request, write.recorded)
    if (large) await turns.next()
    const answer = await runWrite(parts, request, reply, write, input)
    if (answer.replayed) {
      reply.raw.setHeader('idempotent-replayed', 'true')
      ;(reply.raw as ServerResponse & Replaying)[storedAt] = answer.storedAt
    }
    const { standby } = parts.backendOf(request)
    // A simulation also makes changes of the bank, and a replay has no numbers.
    const recorded = answer.replayed || operation.area === 'sandbox' ? 0 : write.recorded?.last
    if (standby) await notePosition(standby, reply, holderOf(request).organisationId, recorded)
    let body: string | Buffer = answer.body
    if (holderOf(request).person) body = await bodyFor(request, parts.backendOf(request), { operation, body })
    send(reply, { status: answer.status, body, secret: operation.secret })
  }
}

/** Loads the keys of a request's organisation. One that was ended long ago has none: its key may have another by now. */
export async function loadedSeal({ backendOf, renew }: HandlerParts, request: FastifyRequest): Promise<Seal> {
  try {
    return await backendOf(request).seals.of(holderOf(request).organisationId)
  } catch (error) {
    if (!(error instanceof OrganisationEnded)) throw error
  }
  await renew(request)
  return backendOf(request).seals.of(holderOf(request).organisationId)
}

/** A key that is reset this often while one of its requests runs is not worth another attempt. */
export const MAX_ORGANISATIONS = 5

/** Runs a write, and once more for each reset that gives its key another organisation meanwhile: it then runs after the reset. */
async function runWrite(
  { context, run, renew }: HandlerParts,
  request: FastifyRequest,
  reply: FastifyReply,
  write: Write,
  input: Accepted,
): Promise<Answer> {
  for (let organisations = 1; ; organisations++) {
    try {
      const own = organisations === 1 ? write : { ...write, caller: holderOf(request) }
      return (await run(context(request, reply, own), input)) as Answer
    } catch (error) {
      if (!(error instanceof OrganisationEnded)) throw error
      if (organisations === MAX_ORGANISATIONS) throw new Problem('unavailable', { headers: retryAfter(1) })
    }
    await renew(request)
  }
}
