import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { KeyHolder } from '../../access/authenticate-key.ts'
import type { Operation } from '../../base/operation.ts'
import { invalidRequest } from '../../base/problem.ts'

/** The state that a caller accepts from a standby. */
export interface Allowance {
  /** The age in seconds that the state may have; absent if the caller names a position alone. */
  stale: number | undefined
  /** The number of an event that the state has to include. */
  position: number | undefined
}

/** The organisation whose records are read. */
export type Reader = Pick<KeyHolder, 'organisationId' | 'epoch'>

/** A standby as the handlers use it. */
export interface ServedStandby {
  /** Runs a read there. Undefined if the caller or the standby does not allow it, or the read failed. */
  read<T>(reader: Reader, allowance: Allowance, run: () => Promise<T>): Promise<{ result: T } | undefined>
  /** The number of the organisation's latest event. A write is answered with it: a later read may ask for a state that has it. */
  positionAt(organisationId: number): Promise<number>
}

/** The state that a request accepts; undefined if the primary has to answer it. A position that is none is refused. */
export function allowanceOf(
  { fromStandby }: Pick<Operation, 'fromStandby'>,
  headers: IncomingHttpHeaders,
  query: Record<string, unknown>,
): Allowance | undefined {
  if (!fromStandby) return undefined
  const stale = staleOf(headers.prefer)
  const position = positionOf(headers['purser-position'])
  if (stale === undefined && position === undefined) return undefined
  return fromStandby === true || fromStandby(query) ? { stale, position } : undefined
}

/**
 * The seconds of the preference `stale` (RFC 7240): `stale=5` or `stale="5"`, with parameters that are ignored. The first of
 * several counts, and one that cannot be understood is ignored.
 */
export function staleOf(prefer: string | string[] | undefined): number | undefined {
  if (prefer === undefined) return undefined
  const bare = String(prefer).replaceAll(/="(\d{1,9})"/g, '=$1')
  // Commas and semicolons in the quoted values of other preferences separate nothing.
  const preferences = bare.replaceAll(/"[^"]*"/g, '').split(',')
  const first = preferences.find((each) => /^\s*stale\s*(?:[=;]|$)/i.test(each))
  const [, seconds] = /^\s*stale\s*=\s*(\d{1,9})\s*(?:;|$)/i.exec(first ?? '') ?? []
  return seconds === undefined ? undefined : Number(seconds)
}

function positionOf(header: string | string[] | undefined): number | undefined {
  if (header === undefined) return undefined
  const position = /^\d{1,16}$/.test(String(header)) ? Number(header) : Number.NaN
  if (Number.isSafeInteger(position)) return position
  const message = 'Purser-Position is a whole number: that of an answer to a write, or the sequence of an event'
  throw invalidRequest([{ parameter: 'Purser-Position', code: 'bad_format', message }])
}

/** Runs a read at the standby, and at the primary if the standby does not answer it. */
export async function runStale<T>(
  standby: ServedStandby,
  request: { reader: Reader; allowance: Allowance; reply: FastifyReply },
  run: (atStandby: boolean) => Promise<T>,
): Promise<T> {
  const { reader, allowance, reply } = request
  const found = await standby.read(reader, allowance, () => run(true))
  if (!found) return run(false)
  if (allowance.stale !== undefined) reply.raw.setHeader('preference-applied', `stale=${allowance.stale}`)
  return found.result
}

/**
 * Adds the position that the answer to a write has. If it cannot be read, the answer has none: the write is done, and must
 * not fail for it.
 */
export async function notePosition(
  standby: ServedStandby,
  reply: FastifyReply,
  organisationId: number,
  recorded = 0,
): Promise<void> {
  const position = recorded || (await standby.positionAt(organisationId).catch(() => undefined))
  if (position !== undefined) reply.raw.setHeader('purser-position', position)
}
