import { type Static, Type } from 'typebox'
import { described, Timestamp } from '../../base/text.ts'
import { eventsRead } from '../events.ts'

export const AuditLogHead = Type.Object(
  {
    organisationId: Type.String({ description: 'Id of the organisation', examples: ['1000001'] }),
    sequence: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
      description: 'Number of the latest event in the chain; null before the first one',
      examples: [42],
    }),
    link: Type.Union([Type.String({ pattern: '^[0-9a-f]{64}$' }), Type.Null()], {
      description: 'The newest link, a SHA-256 in hexadecimal digits; null before the first one',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
    timestamp: Type.Union([described(Timestamp, 'Bank time'), Type.Null()], {
      description: 'Time of the latest event, in bank time; null before the first one',
    }),
  },
  { $id: 'AuditLogHead', description: 'The newest link of the chain of hashes over the events of an organisation' },
)
export type AuditLogHead = Static<typeof AuditLogHead>

/** Extension. Returns the newest link of the chain of hashes over the events. */
export const getAuditLogHead = eventsRead({
  id: 'getAuditLogHead',
  resource: 'auditLog',
  verb: 'head',
  path: '/v0/audit-log/head',
  summary: 'Get head of audit log',
  description:
    'Returns the newest link of the chain of hashes over the events of the organisation. Each link is a SHA-256 of the link before and of the events of one transaction, so no earlier event can be changed, removed or inserted without changing the head. Note the answer outside the database, for example once a day: `purser audit verify` later proves that the noted head is part of the chain.\n\nAll members except `organisationId` are null before the first event.',
  scope: 'keys:write',
  orScope: 'audit:read',
  data: AuditLogHead,
  problems: [],
  run: ({ events, caller }) => events.getAuditLogHead(caller),
})
