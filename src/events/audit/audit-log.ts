import { concurrencyLimit } from '../../base/concurrency-limit.ts'
import { Page, pageWindow } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import type { Database } from '../../database/database.ts'
import { entityType, eventId } from '../event.ts'
import type { Events } from '../events.ts'
import type { AuditEntry } from './audit-entry.ts'
import { type AuditRange, type AuditRow, isCursorExpired, listAuditRows } from './audit-log.sql.ts'

/**
 * The audit log: who did what, read from the events and the denied requests, which nobody can change. At most two
 * statements run at a time: a page of 1,000 entries takes the database some 10 ms, and others need its connections.
 */
export function auditLogOf(database: Database): Pick<Events, 'listAuditLog'> {
  const limited = concurrencyLimit({ total: 2, perOrganisation: 1, waitMs: 10_000 })
  return {
    async listAuditLog({ organisationId }, { since = null, until = null, before, ...query }) {
      const page = pageWindow(query)
      const range = { organisationId, since, until, cursor: cursorOf(before) }
      const rows = await limited(organisationId, () => listAuditRows(database, range, page))
      // Read behind the rows: an entry that they lack is known to be deleted by now.
      if (before !== undefined && rows.length === 0 && (await isCursorExpired(database, range))) throw expired()
      const shown = rows.slice(0, page.limit)
      const next = { before: beforeOf(shown.at(-1)), ...(page.offset > 0 && { offset: 0 }) }
      return new Page(shown.map(entryOf), rows.length > page.limit, next)
    },
  }
}

function expired(): Problem {
  return new Problem('event_expired', {
    detail: 'The entry that before names is not kept any more; list older entries with until instead of before.',
  })
}

/** The value of `before` that continues after an entry: `e` and the number of an event, or `d` and the id of a denial. */
function beforeOf(row: AuditRow | undefined): string {
  return row?.sequence == null ? `d${row?.denialId ?? 0}` : `e${row.sequence}`
}

function cursorOf(before: string | undefined): AuditRange['cursor'] {
  const number = before === undefined ? null : Number(before.slice(1))
  return before?.startsWith('e') ? { sequence: number, denialId: null } : { sequence: null, denialId: number }
}

function entryOf(row: AuditRow): AuditEntry {
  const { at, organisationId, sequence, action, entityId, requestId } = row
  const { code, path, address, unwritten, history, reason, detail } = row
  return {
    at,
    outcome: sequence === null ? 'Denied' : 'Done',
    action,
    actor: actorOf(row),
    record: entityId === null ? null : { type: entityType(action), id: entityId },
    reason,
    requestId,
    eventId: sequence === null ? null : eventId({ organisationId, sequence, history }),
    detail: detail === null ? null : JSON.parse(detail),
    denial: code && { code, path: path ?? '', address: address ?? '', unwritten: unwritten ?? 0 },
  }
}

function actorOf({ action, apiKeyId, apiKeyName: name, ...seat }: AuditRow): AuditEntry['actor'] {
  const { personId, sessionId, seatAddress } = seat
  // The bank itself changes no persons.
  const type = action.startsWith('person.') ? 'operator' : 'bank'
  if (apiKeyId === null) return { type, id: null, name: null, session: null }
  if (personId === null) return { type: 'apiKey', id: String(apiKeyId), name, session: null }
  return {
    type: 'person',
    id: String(personId),
    name,
    session: { id: sessionId === null ? null : String(sessionId), address: String(seatAddress) },
  }
}
