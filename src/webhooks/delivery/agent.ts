import { Agent, buildConnector } from 'undici'
import type { AddressGuard } from './address-guard.ts'

/** A connection without a request is closed after the first, or at the latest after the second if the receiver asks for more. */
const IDLE_MS = 4_000
const MAX_IDLE_MS = 10_000

/**
 * The connections of requests to addresses that the guard allows. This file is loaded when it is needed: undici takes a
 * tenth of the processor time of a start.
 */
export function openAgent(guard: AddressGuard): Agent {
  return new Agent({
    connect: guard.connector(buildConnector),
    maxHeaderSize: 16_384,
    allowH2: false,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: MAX_IDLE_MS,
    // One timer bounds a request from the look-up of the name to the last byte; these would bound parts of it.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}
