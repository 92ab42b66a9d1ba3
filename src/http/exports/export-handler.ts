import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TObject, Type } from 'typebox'
import { kebab } from '../../../ground/text.ts'
import { missingScope } from '../../access/api-key.ts'
import { JsonText, lacksScope, type Operation } from '../../base/operation.ts'
import { type Page, Position } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import { personalLists } from '../../review/proposals/permit-export.ts'
import type { Proposals } from '../../review/proposals/proposal.ts'
import { MAX_EXPORTED } from '../../tools/export-list.ts'
import { holderOf } from '../authenticate.ts'
import { recordsFor } from '../personal-data.ts'
import { withinLimits } from '../read-handler.ts'
import { addressOf } from '../request/address.ts'
import { requestReader } from '../request/validate.ts'
import type { Answered } from '../send.ts'
import type { HandlerParts, ServeOptions } from '../serve.ts'
import { columnsOf, csvLine, headOf } from './csv.ts'

/** Records of a page. A page is in memory once. */
const PAGE = 1_000
/** A caller who takes nothing for so long is gone. */
const IDLE_MS = 60_000

interface ExportParts extends HandlerParts, Pick<ServeOptions, 'signatures'> {
  supports(operation: Operation): boolean
  answered: Answered
}

/** A list as it is exported: its parameters are in the query, with those of the export in place of those of pages. */
interface Exported {
  list: Operation
  form: Operation
}

const formats = {
  csv: {
    type: 'text/csv; charset=utf-8',
    writer: ({ data }: Operation) => {
      const columns = columnsOf((data as unknown as { items: Operation['data'] }).items)
      const line = (record: unknown) => csvLine(columns, record instanceof JsonText ? JSON.parse(record.text) : record)
      return { head: headOf(columns), line }
    },
  },
  jsonl: {
    type: 'application/x-ndjson; charset=utf-8',
    writer: () => ({
      head: '',
      line: (record: unknown) => `${record instanceof JsonText ? record.text : JSON.stringify(record)}\n`,
    }),
  },
}

/**
 * Serves the export of lists: the list's own operation runs page by page, as far as the caller takes them. The first page is read
 * before the answer begins, so that refusals are problems. A later failure ends the connection without the last chunk.
 */
export function exportHandler(operation: Operation, operations: Operation[], parts: ExportParts) {
  const lists = new Map(operations.filter(isList).map((list) => [listName(list), exported(operation, list)]))
  const pathReader = requestReader({ ...operation, query: Type.Object({}) })
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const path = pathReader({ params: request.params as { list: string }, search: '', body: undefined }).params
    const { list: name } = path as { list: string }
    const { list, form } = lists.get(name) ?? unknownList([...lists.keys()])
    if (!parts.supports(list)) throw new Problem('not_supported_by_provider')
    requireScope(request, list)
    await requirePermit(request, reply, parts, name)
    const { query: given } = requestReader(form)({ params: {}, search: addressOf(request.url).search, body: undefined })
    const { organisationId } = holderOf(request)
    const { exports, disclosures } = parts.backendOf(request)
    await exports(organisationId, async () => {
      const pages = pagesOf(list, given, { request, reply, parts })
      const first = await pages.next()
      if (list.id === 'listAuditLog') {
        const { format = 'csv', since = null, until = null } = given as Partial<AuditLogQuery>
        await disclosures.exported(holderOf(request), request.id, { format, since, until })
      }
      const format = formats[(given.format as keyof typeof formats | undefined) ?? 'csv']
      const { head, line } = format.writer(list)
      begin(request, reply, parts, { type: format.type, name: `${name}.${given.format ?? 'csv'}` })
      if (request.method === 'HEAD') return void reply.raw.end()
      await stream(request, reply, parts, texts())

      async function* texts() {
        yield head
        for (let page = first; !page.done; page = await pages.next()) yield page.value.map(line).join('')
      }
    })
  }
}

function requireScope(request: FastifyRequest, list: Operation): void {
  const missing = missingScope(holderOf(request), list)
  if (missing) throw lacksScope(missing)
}

/** Refuses a list with personal data that a second person has not permitted, if a rule of the operator asks for one. */
async function requirePermit(request: FastifyRequest, reply: FastifyReply, parts: ExportParts, name: string) {
  const isCovered = parts.signatures?.from.personalExport !== undefined
  if (!isCovered || !personalLists.some((list) => list === name)) return
  const { proposals } = parts.context(request, reply, undefined) as { proposals: Proposals }
  if (await proposals.isPermitted(holderOf(request), 'permitExport', name)) return
  const detail = `The export of ${name} needs a second person. Propose it with POST /v0/permits/exports/${name}; for a day after the approval it works.`
  throw new Problem('second_person_required', { detail })
}

function isList({ id, method, data }: Operation): boolean {
  return method === 'GET' && id.startsWith('list') && (data as { type?: string }).type === 'array'
}

/** `ledger-transfers` for `listLedgerTransfers`. */
function listName({ id }: Operation): string {
  return kebab(id).slice('list-'.length)
}

function unknownList(names: string[]): never {
  throw new Problem('route_not_found', { detail: `There is no list with this name; there are ${names.join(', ')}.` })
}

/** Parameters of pages, and of calls that wait for records. */
const ofPages = new Set(['limit', 'offset', 'cursor', 'count', 'wait'])

function exported({ query: own }: Operation, list: Operation): Exported {
  const filters = Object.entries(list.query?.properties ?? {}).filter(([name]) => !ofPages.has(name))
  const rules = (list.query as { 'x-rules'?: object[] } | undefined)?.['x-rules']
  const query = Type.Object(
    { ...(own as TObject).properties, ...Object.fromEntries(filters), ...list.params?.properties },
    rules && { 'x-rules': rules },
  )
  // Not every list has a period.
  for (const name of ['since', 'until']) if (!list.query?.properties[name]) delete query.properties[name]
  return { list, form: { ...list, query } }
}

interface Exporting {
  request: FastifyRequest
  reply: FastifyReply
  parts: ExportParts
}

interface AuditLogQuery {
  format: keyof typeof formats
  since: string
  until: string
}

/** The pages of a list from its first record on, as the caller may see them. */
async function* pagesOf(
  list: Operation,
  { format: _format, limit, ...given }: Record<string, unknown>,
  { request, reply, parts }: Exporting,
): AsyncGenerator<unknown[], void> {
  const inPath = Object.keys(list.params?.properties ?? {})
  const params = Object.fromEntries(inPath.map((name) => [name, given[name]]))
  let query = Object.fromEntries(Object.entries(given).filter(([name]) => !inPath.includes(name)))
  const { limit: pageLimit } = (list.query?.properties ?? {}) as { limit?: { maximum?: number } }
  const most = Math.min(PAGE, pageLimit?.maximum ?? PAGE)
  const backend = parts.backendOf(request)
  const { organisationId } = holderOf(request)
  const shown = recordsFor(request, backend, list)
  let left = Number(limit ?? MAX_EXPORTED)
  for (;;) {
    const size = Math.min(most, left)
    const input = { params, query: pageLimit ? { ...query, limit: size } : query, body: {} }
    const run = () => list.run(parts.context(request, reply, undefined) as never, input as never)
    const page = await withinLimits(list, input.query, backend, organisationId, run)
    const { items, more, next, omitted } = page as Page<unknown>
    if (omitted > 0 && reply.raw.headersSent) throw new Error(`${omitted} records cannot be shown`)
    if (omitted > 0) reply.raw.setHeader('omitted-records', omitted)
    left -= items.length
    yield await shown(left < 0 ? items.slice(0, left) : items)
    if (!more || (left <= 0 && limit !== undefined)) return
    if (left <= 0) throw new Error(`more than ${MAX_EXPORTED} records match`)
    query = { ...query, ...nextOf(next, query, items.length + omitted) }
    // A caller who takes the file slowly keeps no access that has ended meanwhile.
    await parts.admitAgain(request)
    requireScope(request, list)
  }
}

function nextOf(next: Page<unknown>['next'], { offset }: Record<string, unknown>, passed: number): object {
  if (next instanceof Position) return { cursor: next }
  return next ?? { offset: Number(offset ?? 0) + passed }
}

function begin(
  request: FastifyRequest,
  reply: FastifyReply,
  { answered }: ExportParts,
  { type, name }: { type: string; name: string },
): void {
  const { raw } = reply
  raw.writeHead(200, {
    'x-request-id': request.id,
    'cache-control': 'no-store',
    vary: 'X-Service-API-Key',
    'content-type': type,
    'content-disposition': `attachment; filename="${name}"`,
    'x-content-type-options': 'nosniff',
  })
  reply.hijack()
  answered(request, { status: 200, headers: raw.getHeaders(), body: undefined })
}

/** Sends texts as the caller takes them. A failure destroys the connection, so that the caller gets an error. */
async function stream(
  request: FastifyRequest,
  { raw }: FastifyReply,
  { problemOf }: ExportParts,
  texts: AsyncGenerator<string>,
): Promise<void> {
  raw.setTimeout(IDLE_MS, () => raw.destroy())
  try {
    await pipeline(Readable.from(texts, { objectMode: false, highWaterMark: 1 }), raw)
  } catch (error) {
    const isGone = (error as { code?: string }).code === 'ERR_STREAM_PREMATURE_CLOSE'
    if (!isGone) problemOf(error, request.id, new Set())
  }
}
