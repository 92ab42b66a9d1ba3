import { type Static, Type } from 'typebox'
import { pageQuery, sinceUntil } from '../../base/page.ts'
import { Text } from '../../base/text.ts'
import { eventsRead } from '../events.ts'
import { AuditEntry } from './audit-entry.ts'

const ListAuditLogFilter = Type.Object({
  ...sinceUntil,
  outcome: Type.Optional(Type.Enum(['Done', 'Denied'], { description: 'Only changes, or only denied requests' })),
  action: Type.Optional(
    Text(1, 100, { description: 'Only actions with this text, in any letter case', examples: ['payment.'] }),
  ),
  actor: Type.Optional(
    Text(1, 200, { description: 'Only entries of the key or person with this id, or with this text in the name' }),
  ),
  recordId: Type.Optional(Text(1, 64, { description: 'Only changes of this record', examples: ['1000042'] })),
  before: Type.Optional(
    Type.String({
      pattern: '^[ed][1-9][0-9]{0,15}$',
      examples: ['e42'],
      description: 'Only entries after this position, from the Link header of the previous page',
    }),
  ),
  limit: pageQuery.limit,
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1000,
      default: 0,
      description: 'Entries to skip; to go far back, follow the Link header',
    }),
  ),
})
export type ListAuditLogQuery = Static<typeof ListAuditLogFilter>

/** Extension. Lists who changed what, and what was denied, newest first. */
export const listAuditLog = eventsRead({
  id: 'listAuditLog',
  resource: 'auditLog',
  verb: 'list',
  path: '/v0/audit-log',
  summary: 'List audit log',
  description:
    'Lists who changed what, newest first: one entry for each event, with the key or person that caused it, and one for each request that was denied for its key or scope. Sign-ins of persons, changes of their roles and their looks at personal data are entries, too. Entries cannot be changed, and are deleted only when the operator’s retention is over. A position whose entry was deleted gets 410 `event_expired`; `until` then leads to older entries.\n\nEach key gets at most ten entries a minute for denied requests; `denial.unwritten` counts the others. Requests with an unknown key belong to no organisation and are not listed.\n\nWith `outcome`, `action`, `actor` or `recordId` a call looks at up to 10,000 entries: a page may be short or empty while its Link header leads on.',
  scope: 'keys:write',
  orScope: 'audit:read',
  fromStandby: true,
  query: ListAuditLogFilter,
  data: Type.Array(AuditEntry),
  problems: ['event_expired'],
  run: ({ events, caller }, { query }) => events.listAuditLog(caller, query),
})
