import type { FastifyRequest } from 'fastify'
import { seesPersonalData } from '../access/api-key.ts'
import { hasNumbers, maskNumbers, recordsWithNumbers } from '../access/personal-data.ts'
import { JsonText, lacksScope, type Operation } from '../base/operation.ts'
import { holderOf } from './authenticate.ts'
import { addressOf } from './request/address.ts'
import type { ServedBackend } from './request/backend.ts'

/** Throws the refusal of a person who may not see the document that a query asks for. */
export function refuseDocument(request: FastifyRequest, { personal }: Operation, query: Record<string, unknown>): void {
  if (typeof personal !== 'function' || !personal(query) || seesPersonalData(holderOf(request))) return
  throw lacksScope('personal:read')
}

interface Shown {
  operation: Operation
  body: string | Buffer
  /** The document that the body is, by the ids of its path; absent for records. */
  document?: Record<string, unknown> | undefined
}

/**
 * The body of an answer as its caller may see it. A person without `personal:read` sees the last four digits of numbers; for
 * others the look is noted before the body is returned. Keys see what there is.
 */
export async function bodyFor(
  request: FastifyRequest,
  { disclosures }: Pick<ServedBackend, 'disclosures'>,
  { operation, body, document }: Shown,
): Promise<string | Buffer> {
  const holder = holderOf(request)
  const isPlain = document ? operation.personal === 'noted' : typeof body !== 'string' || !hasNumbers(body)
  if (!holder.person || isPlain) return body
  if (!document && !seesPersonalData(holder)) return maskNumbers(String(body))
  const records = document ? Object.values(document).map(String) : recordsWithNumbers(String(body))
  await disclosures.seen(holder, seenBy(request, operation, records))
  return body
}

type ShowRecords = (records: unknown[]) => Promise<unknown[]>

/** The same for the records of an export, page by page. The first page with numbers notes the whole export. */
export function recordsFor(
  request: FastifyRequest,
  { disclosures }: Pick<ServedBackend, 'disclosures'>,
  operation: Operation,
): ShowRecords {
  let isNoted = false
  if (!holderOf(request).person) return async (records) => records
  return async (records) => {
    const holder = holderOf(request)
    const texts = records.map((record) => (record instanceof JsonText ? record.text : JSON.stringify(record)))
    if (!seesPersonalData(holder)) return texts.map((text) => new JsonText(maskNumbers(text)))
    if (!isNoted && texts.some(hasNumbers)) {
      isNoted = true
      await disclosures.seen(holder, seenBy(request, operation, []))
    }
    return records
  }
}

function seenBy(request: FastifyRequest, { id }: Operation, records: string[]) {
  return { requestId: request.id, operation: id, path: addressOf(request.url).path, records }
}
