import { type Static, Type } from 'typebox'
import { pageQuery, sinceUntil } from '../base/page.ts'
import { AuditEntry } from './audit-entry.ts'
import { eventsRead } from './events.ts'

const { limit, offset } = pageQuery
const ListAuditLogFilter = Type.Object({ ...sinceUntil, limit, offset })
export type ListAuditLogQuery = Static<typeof ListAuditLogFilter>

/** Extension. Lists who changed what, and what was denied, newest first. */
export const listAuditLog = eventsRead({
  id: 'listAuditLog',
  area: 'events',
  method: 'GET',
  path: '/v0/audit-log',
  summary: 'List audit log',
  status: 200,
  scope: 'keys:write',
  query: ListAuditLogFilter,
  data: Type.Array(AuditEntry),
  problems: [],
  run: ({ events, caller }, { query }) => events.listAuditLog(caller, query),
})
