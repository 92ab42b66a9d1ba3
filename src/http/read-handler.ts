import type { FastifyReply, FastifyRequest } from 'fastify'
import { JsonText, type Operation, WithOmissions } from '../base/operation.ts'
import { Page } from '../base/page.ts'
import { holderOf } from './authenticate.ts'
import { addressOf } from './request/address.ts'
import { requestReader } from './request/validate.ts'
import { render, type Sending } from './send.ts'
import type { HandlerParts } from './serve.ts'

/** The database reads and drops all records before an offset, 100,000 of them in about 50 ms. */
const DEEP_OFFSET = 10_000

/** Serves a read: validation, the operation, an answer that may be 304. */
export function readHandler(operation: Operation, { context, run, send, deepReads }: HandlerParts) {
  const read = requestReader(operation)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { path, search } = addressOf(request.url)
    const input = read({ params: request.params as Record<string, string>, search, body: undefined })
    const runNow = () => run(context(request, reply, undefined), input)
    const isDeep = Number(input.query.offset ?? 0) > DEEP_OFFSET
    const result = await (isDeep ? deepReads(holderOf(request).organisationId, runNow) : runNow())
    if ((result instanceof Page || result instanceof WithOmissions) && result.omitted > 0) {
      reply.raw.setHeader('omitted-records', result.omitted)
    }
    if (result instanceof Page && result.more) {
      reply.raw.setHeader('link', nextLink(path, search, nextOf(result, input.query.offset)))
    }
    const sending = rendered(operation, result)
    sending.ifNoneMatch = request.headers['if-none-match']
    sending.secret = operation.secret
    send(reply, sending)
  }
}

function rendered({ status, contentType }: Operation, result: unknown): Sending {
  if (contentType) return { status, body: result as Buffer, contentType }
  const { body } = result instanceof JsonText ? render(status, undefined, result.text) : render(status, dataOf(result))
  return { status, body }
}

function dataOf(result: unknown): unknown {
  if (result instanceof Page) return result.items
  return result instanceof WithOmissions ? result.data : result
}

/** Where the next page begins. A record that is left out still has its place in the list. */
function nextOf({ items, next, omitted }: Page<unknown>, offset: unknown): Record<string, number | string> {
  return next ?? { offset: Number(offset ?? 0) + items.length + omitted }
}

function nextLink(path: string, search: string, parameters: Record<string, number | string>): string {
  const next = new URLSearchParams(search)
  for (const [name, value] of Object.entries(parameters)) next.set(name, String(value))
  return `<${path}?${next}>; rel="next"`
}
