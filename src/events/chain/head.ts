import type { Database } from '../../database/database.ts'
import type { Events } from '../events.ts'
import { findHead } from './chain.sql.ts'

export function auditLogHeadOf(database: Database): Pick<Events, 'getAuditLogHead'> {
  return {
    async getAuditLogHead({ organisationId }) {
      const head = await findHead(database, organisationId)
      return {
        organisationId: String(organisationId),
        sequence: head?.sequence ?? null,
        link: head?.link.toString('hex') ?? null,
        timestamp: head?.linkedAt ?? null,
      }
    },
  }
}
