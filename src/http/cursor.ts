import { instantOf, LAST_INSTANT } from '../base/clock.ts'
import { Position } from '../base/page.ts'
import { invalidRequest } from '../base/problem.ts'
import { sha256 } from '../base/sha256.ts'

/** The request for a page: a cursor belongs to one list of one organisation, with its filters and its order. */
export interface ListRequest {
  operationId: string
  organisationId: number
  params: Record<string, unknown>
  query: Record<string, unknown>
}

const PLACE_BYTES = 16
/** With the place, 24 bytes: the 32 characters that the schema of `cursor` asks for. */
const DIGEST_BYTES = 8

/**
 * A position as an opaque text: time, id, and a digest that ties both to the list. The digest has no key: it
 * finds cursors that are mixed up and protects nothing. A position gives access to no record, because every list reads
 * within the caller's organisation.
 */
export function cursorOf({ createdAt, id }: Position, list: ListRequest): string {
  const place = Buffer.alloc(PLACE_BYTES)
  place.writeBigInt64BE(BigInt(Date.parse(createdAt)), 0)
  place.writeBigInt64BE(BigInt(id), 8)
  return Buffer.concat([place, digestOf(place, list)]).toString('base64url')
}

/** The position that a cursor of this list stands for. Any other text is refused. */
export function positionOf(cursor: string, list: ListRequest): Position {
  const bytes = Buffer.from(cursor, 'base64url')
  const place = bytes.subarray(0, PLACE_BYTES)
  const [ms, id] = [Number(place.readBigInt64BE(0)), Number(place.readBigInt64BE(8))]
  const isOwn = digestOf(place, list).equals(bytes.subarray(PLACE_BYTES))
  // A caller can compute the digest for any number; the database takes those that a record can have.
  if (!isOwn || ms < 0 || ms > Date.parse(LAST_INSTANT) || !Number.isSafeInteger(id)) {
    const message =
      'cursor was not made for this list with these filters and this order: take it from the Link header, or begin without it'
    throw invalidRequest([{ parameter: 'cursor', code: 'unknown_cursor', message }])
  }
  return new Position(instantOf(ms), id)
}

/** The parameters that may differ from page to page. */
const FREE = new Set(['limit', 'offset', 'cursor', 'count'])

function digestOf(place: Buffer, { operationId, organisationId, params, query }: ListRequest): Buffer {
  const filters = Object.entries(query)
    .filter(([name, value]) => !FREE.has(name) && value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const list = JSON.stringify([place.toString('base64url'), operationId, organisationId, params, filters])
  return sha256(list).subarray(0, DIGEST_BYTES)
}
