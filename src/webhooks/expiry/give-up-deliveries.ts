import type { Queryable } from '../../database/database.ts'
import { unblockNext } from '../delivery/outcomes.sql.ts'
import { lockCursors, removeDeliveries, skipEvents } from './expiry.sql.ts'

/** How far the deliveries of expired events have been given up. */
export interface GivenUp {
  rows: number
  /** Whether no delivery needs the events any more. */
  all: boolean
}

/**
 * Gives up the deliveries of events that are about to be deleted, in whatever state they are: a delivery never outlives its
 * event, which is its body. Endpoints that were disabled for so long continue after these events. Does nothing while another
 * transaction works on one of the endpoints.
 */
export async function giveUpDeliveries(
  transaction: Queryable,
  expired: { organisationId: number; upTo: number; most: number },
): Promise<GivenUp> {
  const { organisationId, upTo, most } = expired
  if (!(await lockCursors(transaction, organisationId))) return { rows: 0, all: false }
  const removed = await removeDeliveries(transaction, expired)
  const ended = removed.filter(({ first }) => first)
  if (ended.length > 0) await unblockNext(transaction, ended)
  const all = removed.length < most
  if (all) await skipEvents(transaction, organisationId, upTo)
  return { rows: removed.length, all }
}
