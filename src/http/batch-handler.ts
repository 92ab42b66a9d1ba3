import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TObject, Type } from 'typebox'
import type { Answer, BatchForm, BatchOrder, Operation, RecordedEvents, Write } from '../base/operation.ts'
import { Problem } from '../base/problem.ts'
import { retryAfter } from '../base/retry-after.ts'
import { OrganisationEnded } from '../database/database.ts'
import { holderOf } from './authenticate.ts'
import { bodyFor } from './personal-data.ts'
import { addressOf } from './request/address.ts'
import { callersKey, requestKey, splitBodyKey } from './request/idempotency-key.ts'
import { notePosition } from './request/stale-read.ts'
import { requestReader } from './request/validate.ts'
import { render } from './send.ts'
import type { HandlerParts } from './serve.ts'
import { loadedSeal, MAX_ORGANISATIONS, noteRecorded } from './write-handler.ts'

/** A key without an item's own has `/` and a place of up to three digits after it. */
const MAX_OUTER_KEY = 250
/** Items that are validated in one turn of the event loop: a thousand would hold up other requests. */
const PORTION = 50

/** An item of a batch: an order that can be run, or the error that it is answered with. */
interface Item {
  key: string | null
  order: BatchOrder | undefined
  outcome: PromiseSettledResult<Answer> | undefined
}

/**
 * Serves an operation that runs another one for each item of a list. An item is validated by itself, has a key and a
 * fingerprint of its own, as if it had come alone, and an outcome of its own. Only a wrong envelope refuses the request.
 */
export function batchHandler(operation: Operation, batch: BatchForm, parts: HandlerParts) {
  const list = (operation.body as TObject).properties[batch.list] as ListSchema
  const { readEnvelope, readItem } = readersOf(operation, batch, list)
  const { each } = batch
  const pathOf = pathsOf(each)
  /** The members of an item that are no part of the body of its request. */
  const outside = new Set(['idempotencyKey', ...Object.keys(each.params?.properties ?? {})])
  const secret = each.showsNumber ? 'number' : undefined
  const renderItem: Write['render'] = (data, json) => render(each.status, data, json)

  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { content, bodyKey } = splitBodyKey(request.body)
    const outer = callersKey(request.headers['idempotency-key']?.toString(), bodyKey, MAX_OUTER_KEY)
    const given = readEnvelope(addressOf(request.url).search, content)
    const { organisationId } = holderOf(request)
    const { digest } = parts.backendOf(request).seals.known(organisationId) ?? (await loadedSeal(parts, request))
    const recorded: RecordedEvents = { first: 0, last: 0 }
    noteRecorded(request, recorded)
    const answers = await parts.backendOf(request).batches(organisationId, () => answersTo(given), given.length)
    const { standby } = parts.backendOf(request)
    if (standby) await notePosition(standby, reply, holderOf(request).organisationId)
    const body = bodyOf(answers, batch, parts, request.id)
    const shown = await bodyFor(request, parts.backendOf(request), { operation, body })
    parts.send(reply, { status: operation.status, body: shown })

    async function answersTo(list: unknown[]): Promise<Item[]> {
      const items: Item[] = []
      for (let index = 0; index < list.length; index++) {
        if (index % PORTION === 0) await parts.turns.next()
        items.push(itemOf(list[index], outer === undefined ? undefined : `${outer}/${index}`))
      }
      await runItems(parts, request, reply, items)
      return items
    }

    function itemOf(item: unknown, ownKey: string | undefined): Item {
      let key = ownKey ?? null
      try {
        const input = readItem(item)
        if (typeof input.idempotencyKey === 'string') key = input.idempotencyKey
        const write: Write = {
          caller: holderOf(request),
          requestId: request.id,
          key: requestKey('POST', pathOf(input), key ?? undefined, { content: item, outside }, digest),
          secret,
          recorded,
          render: renderItem,
        }
        return { key, order: { write, input }, outcome: undefined }
      } catch (error) {
        return { key, order: undefined, outcome: { status: 'rejected', reason: error } }
      }
    }
  }
}

type ListSchema = { items: TObject; minItems: number; maxItems: number }
type ReadItem = (item: unknown) => Record<string, unknown>

/** The validation of the envelope, which returns the list, and of an item. */
function readersOf(operation: Operation, { each, list, shown }: BatchForm, { items, minItems, maxItems }: ListSchema) {
  const places = Type.Object({ [list]: Type.Array(Type.Integer(), { minItems, maxItems }) })
  const envelope = requestReader({ ...operation, body: places })
  const alone = requestReader({ ...each, body: items }, `the ${shown}`)
  // A body of null is read as an empty one; an item of null is no object.
  const readItem: ReadItem = (item) => alone({ params: {}, search: '', body: item ?? 0 }).body
  return {
    readItem,
    readEnvelope(search: string, content: unknown): unknown[] {
      const given = (content as Record<string, unknown> | null | undefined)?.[list]
      // The items are judged one by one, so that the envelope has a number in the place of each.
      const body = Array.isArray(given) ? { ...(content as object), [list]: given.map(() => 0) } : content
      envelope({ params: {}, search, body })
      return given as unknown[]
    },
  }
}

/** Makes the path of the request that an item stands for. */
function pathsOf({ path }: Operation): (input: Record<string, unknown>) => string {
  // Texts and names of parameters in turn.
  const [start = '', ...rest] = path.split(/:(\w+)/)
  return (input) => {
    let made = start
    for (let at = 0; at < rest.length; at += 2) {
      made += `${encodeURIComponent(String(input[rest[at] ?? '']))}${rest[at + 1]}`
    }
    return made
  }
}

/** Runs the orders, and those that a reset ended once more in the organisation that the key has then. */
async function runItems(
  { context, run, renew }: HandlerParts,
  request: FastifyRequest,
  reply: FastifyReply,
  items: Item[],
): Promise<void> {
  for (let organisations = 1; ; organisations++) {
    const open = items.filter(({ order, outcome }) => order && !outcome)
    const orders = open.map(({ order }) => order as BatchOrder)
    if (organisations > 1) for (const { write } of orders) write.caller = holderOf(request)
    const outcomes = (await run(context(request, reply, undefined), orders as never)) as PromiseSettledResult<Answer>[]
    for (const [place, outcome] of outcomes.entries()) {
      const isEnded = outcome.status === 'rejected' && outcome.reason instanceof OrganisationEnded
      const item = open[place] as Item
      if (!isEnded) item.outcome = outcome
      else if (organisations === MAX_ORGANISATIONS) {
        item.outcome = { status: 'rejected', reason: new Problem('unavailable', { headers: retryAfter(1) }) }
      }
    }
    if (open.every(({ outcome }) => outcome)) return
    await renew(request)
  }
}

const PREFIX = '{"data":'

/** The answer, put together from the texts of the items' answers. */
function bodyOf(items: Item[], { shown }: BatchForm, { problemOf }: HandlerParts, requestId: string): string {
  const codes = new Set<string>()
  const texts = items.map(({ key, outcome }) => {
    const start = `{"idempotencyKey":${JSON.stringify(key)},"status":`
    if (outcome?.status === 'fulfilled') {
      const { status, body } = outcome.value
      return `${start}${status},"${shown}":${body.slice(PREFIX.length, -1)}}`
    }
    // The first of each kind is logged: of a full queue there may be a thousand.
    const problem = problemOf(outcome?.reason, requestId, codes)
    return `${start}${problem.status},"problem":${JSON.stringify(problem)}}`
  })
  return `${PREFIX}[${texts.join(',')}]}`
}
