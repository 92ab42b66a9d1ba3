import { pageWindow, toPage } from '../base/page.ts'
import type { Database } from '../database/database.ts'
import type { AuditEntry } from './audit-entry.ts'
import { type AuditRow, listAuditRows } from './audit-log.sql.ts'
import { entityType, eventId } from './event.ts'
import type { Events } from './events.ts'

/** Who did what: read from the events, which nobody can change, and from what was denied. */
export function auditLogOf(database: Database): Pick<Events, 'listAuditLog'> {
  return {
    async listAuditLog({ organisationId }, { since = null, until = null, ...query }) {
      const page = pageWindow(query)
      const rows = await listAuditRows(database, { organisationId, since, until }, page)
      return toPage(rows, page.limit, entryOf)
    },
  }
}

function entryOf(row: AuditRow): AuditEntry {
  const { at, organisationId, sequence, action, entityId, apiKeyId, apiKeyName, requestId } = row
  const { code, path, address, unwritten } = row
  const byKey = apiKeyId !== null
  return {
    at,
    outcome: sequence === null ? 'Denied' : 'Done',
    action,
    actor: { type: byKey ? 'apiKey' : 'bank', id: byKey ? String(apiKeyId) : null, name: apiKeyName },
    record: entityId === null ? null : { type: entityType(action), id: entityId },
    requestId,
    eventId: sequence === null ? null : eventId(organisationId, sequence),
    denial: code && { code, path: path ?? '', address: address ?? '', unwritten: unwritten ?? 0 },
  }
}
