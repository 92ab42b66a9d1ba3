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
import type { AttributionReceiver, RewardsProvider } from '../../rewards/provider.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { bankTime } from '../time/clock.sql.ts'
import {
  countAttributions,
  findCounted,
  type GivenAttribution,
  listFunnelRows,
  noteAttributions,
  partiesOf,
} from './attributions.sql.ts'

interface AttributionParts extends Pick<BankParts, 'database' | 'runOnce'> {
  /** The provider of the offers; absent if the catalogue has them. */
  receiver?: AttributionReceiver
}

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

/** Counts attributions in one transaction: by their days and offers, each id once. Those for a provider are sent and counted before. */
async function createAttributions(
  parts: AttributionParts,
  write: Write<AttributionCount>,
  { attributions }: CreateAttributionsInput,
): Promise<Answer> {
  const { organisationId } = write.caller
  const passedOn = await passOn(parts, organisationId, attributions)
  return parts.runOnce.transaction(write, async (transaction) => {
    const given = attributionsAt(attributions, await bankTime(transaction, organisationId))
    const parties = await partiesOf(transaction, organisationId, given)
    const isKnown = (at: number) => {
      const { userId, offerOf } = parties[at] ?? {}
      return userId != null && (offerOf !== null || parts.receiver !== undefined)
    }
    const known = given.filter((_, at) => isKnown(at))
    const counted = passedOn + (await countFresh(transaction, organisationId, known))
    const unknown = attributions.filter((_, at) => !isKnown(at)).map(({ id }) => id)
    return { counted, repeated: known.length - counted, unknown }
  })
}

/**
 * Sends the attributions that are new to the provider of their offers, user by user, and counts those that it has taken. Offers of
 * campaigns are not the provider's. Returns how many were sent.
 */
async function passOn(
  { database, receiver }: AttributionParts,
  organisationId: number,
  attributions: CreateAttributionsInput['attributions'],
): Promise<number> {
  if (!receiver) return 0
  const given = attributionsAt(attributions, await bankTime(database, organisationId))
  const parties = await partiesOf(database, organisationId, given)
  const counted = new Set((await findCounted(database, organisationId, given)).map(nameOf))
  const ofUsers = new Map<number, GivenAttribution[]>()
  for (const [at, attribution] of given.entries()) {
    const { userId = null, offerOf } = parties[at] ?? {}
    const name = nameOf(attribution.idHash)
    if (userId === null || offerOf === 'campaign' || counted.has(name)) continue
    counted.add(name)
    ofUsers.set(userId, [...(ofUsers.get(userId) ?? []), attribution])
  }
  let sent = 0
  for (const [userId, ofUser] of ofUsers) {
    await receiver.attribute(userId, ofUser)
    sent += await database.transaction((transaction) => countFresh(transaction, organisationId, ofUser))
  }
  return sent
}

/** Counts the attributions that did not count before, and returns their number. */
async function countFresh(transaction: Queryable, organisationId: number, known: GivenAttribution[]): Promise<number> {
  const fresh = await takeFresh(transaction, organisationId, known)
  if (fresh.length > 0) await countAttributions(transaction, organisationId, fresh)
  return fresh.length
}

const nameOf = (hash: Buffer) => hash.toString('hex')

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
  const first = new Map(given.toReversed().map((one) => [nameOf(one.idHash), one]))
  const noted = await noteAttributions(transaction, organisationId, [...first.values()])
  return noted.flatMap((hash) => first.get(nameOf(hash)) ?? [])
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
