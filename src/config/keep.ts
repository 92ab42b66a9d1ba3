import { durationMs } from '../base/calendar.ts'
import type { Keep } from '../retention/keep.ts'
import { within } from './kinds.ts'
import type { Kind, Reader } from './reader.ts'

const DAY_MS = 86_400_000
const FOR_EVER = Number.POSITIVE_INFINITY

/** How long rows are kept. */
export function keepConfig({ read }: Reader): Keep {
  return {
    answersMs: read('PURSER_KEEP_ANSWERS', keptFor('P1D'), 90 * DAY_MS),
    attributionsMs: read('PURSER_KEEP_ATTRIBUTIONS', keptFor('P1D'), 7 * DAY_MS),
    keylessAnswersMs: read('PURSER_KEEP_KEYLESS_ANSWERS', keptFor('PT10M'), 3_600_000),
    deliveriesMs: read('PURSER_KEEP_DELIVERIES', keptFor('P1D'), 30 * DAY_MS),
    denialsMs: read('PURSER_KEEP_DENIALS', keptFor('P30D'), 400 * DAY_MS),
    eventsMs: read('PURSER_KEEP_EVENTS', keptFor('P7D'), FOR_EVER),
    expiredMs: read('PURSER_KEEP_EXPIRED', keptFor('PT1H'), 30 * DAY_MS),
    inboundMs: read('PURSER_KEEP_INBOUND', keptFor('P7D'), 90 * DAY_MS),
  }
}

/** A time of retention: a duration from a least one on, or for ever. */
function keptFor(least: string): Kind<number> {
  return {
    parse: (given) =>
      given === 'forever' ? FOR_EVER : within(durationMs(given), durationMs(least) ?? 0, Number.MAX_SAFE_INTEGER),
    expected: `forever, or an ISO 8601 duration of days and less from ${least} on`,
  }
}
