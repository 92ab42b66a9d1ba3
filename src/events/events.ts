import { type Caller, type JsonText, operationsOver, type Patience } from '../base/operation.ts'
import type { Page } from '../base/page.ts'
import type { AuditEntry } from './audit/audit-entry.ts'
import type { ListAuditLogQuery } from './audit/list-audit-log.ts'
import type { AuditLogHead } from './chain/get-audit-log-head.ts'
import type { Entity } from './entity-events.sql.ts'
import type { Event } from './event.ts'
import type { ListEventsQuery } from './list-events.ts'
import type { Past, TransactionEvent } from './past.ts'
import type { ListRequestsQuery } from './requests/list-requests.ts'
import type { LoggedRequest, LoggedRequestDetail } from './requests/logged-request.ts'

/** Events and audit log, one method for each operation. Purser keeps them itself with every banking provider. */
export interface Events {
  listEvents(caller: Caller, query: ListEventsQuery, patience: Patience): Promise<Page<JsonText<Event>>>
  getEvent(caller: Caller, eventId: string): Promise<Event>
  /** The events of a record, with the keys that caused them. */
  pastOf(caller: Caller, entity: Entity, page: { after: number; limit: number }): Promise<Past>
  /** The events of transactions, each recorded in one commit with another event. */
  transactionEvents(caller: Caller, wanted: { transactionId: string; near: number }[]): Promise<TransactionEvent[]>
  listAuditLog(caller: Caller, query: ListAuditLogQuery): Promise<Page<AuditEntry>>
  getAuditLogHead(caller: Caller): Promise<AuditLogHead>
  /** Absent in live mode, which keeps no requests. */
  listRequests?(caller: Caller, query: ListRequestsQuery, patience: Patience): Promise<Page<LoggedRequest>>
  getRequest?(caller: Caller, id: string): Promise<LoggedRequestDetail>
  /** The latest requests whose request id or idempotency key is this text. */
  requestsNamed?(caller: Caller, name: string, most: number): Promise<LoggedRequest[]>
}

/** `run` is called only if the operation's method is there. */
export const { read: eventsRead } = operationsOver<{ events: Required<Events> }>('events', 'events:read')
