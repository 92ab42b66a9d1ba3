import { addDays, instantIn } from '../../base/clock.ts'
import type { Answer, Caller, Write } from '../../base/operation.ts'
import { type Page, pageWindow, toPage } from '../../base/page.ts'
import { type Fault, invalidRequest, Problem } from '../../base/problem.ts'
import { sha256 } from '../../base/sha256.ts'
import type { Queryable } from '../../database/database.ts'
import {
  type AttributionCount,
  type CreateAttributionsInput,
  MAX_AGE_DAYS,
} from '../../rewards/attribution/create-attributions.ts'
import type { ListOfferFunnelQuery, OfferFunnel } from '../../rewards/attribution/list-offer-funnel.ts'
import type { RewardsProvider } from '../../rewards/provider.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { bankTime } from '../time/clock.sql.ts'
import {
  areKnown,
  countAttributions,
  type GivenAttribution,
  listFunnelRows,
  noteAttributions,
} from './attributions.sql.ts'

type AttributionParts = Pick<BankParts, 'database' | 'runOnce'>

const DEFAULT_DAYS = 30
const MAX_DAYS = 366
/** The clocks of apps go ahead a little. */
const SKEW_DAYS = 5 / (24 * 60)

export function attributionsOf(
  parts: AttributionParts,
): Required<Pick<RewardsProvider, 'createAttributions' | 'listOfferFunnel'>> {
  return {
    createAttributions: (write, input) => createAttributions(parts, write, input),
    listOfferFunnel: (caller, query) => listOfferFunnel(parts, caller, query),
  }
}

/** Counts attributions in one transaction: by their days and offers, each id once. */
function createAttributions(
  { runOnce }: AttributionParts,
  write: Write<AttributionCount>,
  { attributions }: CreateAttributionsInput,
): Promise<Answer> {
  return runOnce.transaction(write, async (transaction) => {
    const { organisationId } = write.caller
    const given = attributionsAt(attributions, await bankTime(transaction, organisationId))
    const known = await areKnown(transaction, organisationId, given)
    const fresh = await takeFresh(
      transaction,
      organisationId,
      given.filter((_, at) => known[at]),
    )
    if (fresh.length > 0) await countAttributions(transaction, organisationId, fresh)
    const unknown = attributions.filter((_, at) => !known[at]).map(({ id }) => id)
    return { counted: fresh.length, repeated: given.length - unknown.length - fresh.length, unknown }
  })
}

/** The attributions with their times. One in the future or long ago is refused. */
function attributionsAt(attributions: CreateAttributionsInput['attributions'], now: string): GivenAttribution[] {
  const [first, last] = [addDays(now, -MAX_AGE_DAYS), addDays(now, SKEW_DAYS)]
  const faults: Fault[] = []
  const given = attributions.map(({ id, occurredAt, ...attribution }, index): GivenAttribution => {
    const member = `attributions/${index}/occurredAt`
    const at = occurredAt === undefined ? now : instantIn(member, occurredAt)
    const message = `${member} must be a time of the last ${MAX_AGE_DAYS} days`
    if (at < first || at > last) faults.push({ pointer: `/${member}`, code: 'out_of_range', message })
    return { ...attribution, at, idHash: sha256(id).subarray(0, 16) }
  })
  if (faults.length > 0) throw invalidRequest(faults)
  return given
}

/** The attributions that did not count before; of those with one id the first. */
async function takeFresh(
  transaction: Queryable,
  organisationId: number,
  given: GivenAttribution[],
): Promise<GivenAttribution[]> {
  const first = new Map(given.toReversed().map((one) => [one.idHash.toString('hex'), one]))
  const noted = await noteAttributions(transaction, organisationId, [...first.values()])
  return noted.flatMap((hash) => first.get(hash.toString('hex')) ?? [])
}

async function listOfferFunnel(
  { database }: AttributionParts,
  { organisationId }: Caller,
  query: ListOfferFunnelQuery,
): Promise<Page<OfferFunnel>> {
  const now = await bankTime(database, organisationId)
  const until = dayOf(query.until ?? now)
  const since = dayOf(query.since ?? firstOf(until, DEFAULT_DAYS))
  if (since < firstOf(until, MAX_DAYS)) {
    throw new Problem('range_too_long', { detail: `A range has at most ${MAX_DAYS} days; ask for shorter ones.` })
  }
  const { limit, take, offset } = pageWindow(query)
  const rows = await listFunnelRows(database, organisationId, {
    since,
    until,
    offerId: query.offerId ?? null,
    take,
    offset,
  })
  return toPage(rows, limit, ({ earned, ...row }) => ({ ...row, earned: safeCents(earned) }))
}

const dayOf = (instant: string) => instant.slice(0, 10)

/** The first of so many days; a date cannot say one before the year 1. */
function firstOf(last: string, days: number): string {
  const day = dayOf(addDays(`${last}T00:00:00.000Z`, 1 - days))
  return /^(?!0000)\d{4}-/.test(day) ? day : '0001-01-01'
}

/** A sum as a number. */
export function safeCents(text: string): number {
  const cents = Number(text)
  if (Number.isSafeInteger(cents)) return cents
  throw new Problem('balance_limit', { detail: 'A sum passes 9,007,199,254,740,991 cents.' })
}
