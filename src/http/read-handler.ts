import type { FastifyReply, FastifyRequest } from 'fastify'
import { FileContent, JsonText, type Operation, WithOmissions } from '../base/operation.ts'
import { Page, Position } from '../base/page.ts'
import { holderOf } from './authenticate.ts'
import { cursorOf, type ListRequest, positionOf } from './cursor.ts'
import { bodyFor, refuseDocument } from './personal-data.ts'
import { addressOf } from './request/address.ts'
import type { ServedBackend } from './request/backend.ts'
import { allowanceOf, runStale } from './request/stale-read.ts'
import { requestReader } from './request/validate.ts'
import { render, type Sending } from './send.ts'
import type { HandlerParts } from './serve.ts'

/** The parameters of a query after they were judged. */
type Query = Record<string, unknown>

/** Pages from this offset on are limited: the database reads and drops all records before an offset, 100,000 in about 50 ms. */
const DEEP_OFFSET = 10_000

/** Serves a read: validation, the operation, an answer that may be 304. */
export function readHandler(operation: Operation, { context, run, send, backendOf }: HandlerParts) {
  const read = requestReader(operation)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { path, search } = addressOf(request.url)
    const input = read({ params: request.params as Record<string, string>, search, body: undefined })
    const { organisationId } = holderOf(request)
    const list: ListRequest = { operationId: operation.id, organisationId, params: input.params, query: input.query }
    if (typeof input.query.cursor === 'string') {
      input.query = { ...input.query, cursor: positionOf(input.query.cursor, list) }
    }
    refuseDocument(request, operation, input.query)
    const runAt = (atStandby: boolean) => run(context(request, reply, undefined, atStandby), input)
    const allowance = allowanceOf(operation, request.headers, input.query)
    const { standby } = backendOf(request)
    const runNow = () =>
      standby && allowance ? runStale(standby, { reader: holderOf(request), allowance, reply }, runAt) : runAt(false)
    const result = await withinLimits(operation, input.query, backendOf(request), organisationId, runNow)
    if ((result instanceof Page || result instanceof WithOmissions) && result.omitted > 0) {
      reply.raw.setHeader('omitted-records', result.omitted)
      // An upstream chooses types and ids, and a header has no other characters.
      reply.raw.setHeader('omitted-reason', (result.omittedReason ?? '').replaceAll(/[^ -~]/g, '?').slice(0, 300))
    }
    if (result instanceof Page && result.total !== undefined) reply.raw.setHeader('x-total-count', result.total)
    if (result instanceof Page && result.more) {
      reply.raw.setHeader('link', nextLink(path, search, nextOf(result, list)))
    }
    if (result instanceof FileContent) describeFile(reply, result)
    const sending = rendered(operation, result)
    if (holderOf(request).person) {
      const document = isDocument(operation, input.query) ? input.params : undefined
      sending.body = await bodyFor(request, backendOf(request), { operation, body: sending.body, document })
    }
    sending.ifNoneMatch = request.headers['if-none-match']
    sending.secret = operation.secret
    send(reply, sending)
  }
}

/** Reads a page as soon as the limits of heavy reads allow it. */
export function withinLimits<T>(
  { query: schema }: Operation,
  query: Query,
  { deepReads, wideReads }: ServedBackend,
  organisationId: number,
  read: () => Promise<T>,
): Promise<T> {
  const isDeep = Number(query.offset ?? 0) > DEEP_OFFSET
  const isWide = !isDeep && schema?.properties.cursor !== undefined && readsAllMatches(query)
  const limit = isDeep ? deepReads : isWide ? wideReads : undefined
  return limit ? limit(organisationId, read) : read()
}

function isDocument({ personal }: Operation, query: Query): boolean {
  return typeof personal === 'function' ? personal(query) : personal !== undefined
}

/** A count reads up to 10,000 records, and a search all that match: if a letter matches 30,000, for a quarter of a second. */
function readsAllMatches({ search, count }: Query): boolean {
  return search !== undefined || count === true
}

/** A file of a caller is stored by a browser and never shown as a page of this service. */
function describeFile(reply: FastifyReply, { name }: FileContent): void {
  reply.raw.setHeader('content-disposition', `attachment; filename="${name}"`)
  reply.raw.setHeader('x-content-type-options', 'nosniff')
}

function rendered({ status, contentType }: Operation, result: unknown): Sending {
  if (result instanceof FileContent) return { status, body: result.bytes, contentType: result.contentType }
  if (typeof contentType === 'string') return { status, body: result as Buffer, contentType }
  const text = textOf(result)
  return { status, body: (text === undefined ? render(status, dataOf(result)) : render(status, undefined, text)).body }
}

/** The JSON of a result that was written as text; undefined for any other. */
function textOf(result: unknown): string | undefined {
  if (result instanceof JsonText) return result.text
  if (!(result instanceof Page) || !(result.items[0] instanceof JsonText)) return undefined
  return `[${result.items.map(({ text }: JsonText<unknown>) => text).join(',')}]`
}

function dataOf(result: unknown): unknown {
  if (result instanceof Page) return result.items
  return result instanceof WithOmissions ? result.data : result
}

type Parameters = Record<string, number | string | undefined>

/**
 * The query parameters that the next page differs by; undefined ones are left out. A record that is omitted still has
 * its place in the list.
 */
function nextOf({ items, next, omitted }: Page<unknown>, list: ListRequest): Parameters {
  if (next instanceof Position) return { cursor: cursorOf(next, list), offset: undefined, count: undefined }
  return next ?? { offset: Number(list.query.offset ?? 0) + items.length + omitted, count: undefined }
}

function nextLink(path: string, search: string, parameters: Parameters): string {
  const next = new URLSearchParams(search)
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) next.delete(name)
    else next.set(name, String(value))
  }
  return `<${path}?${next}>; rel="next"`
}
