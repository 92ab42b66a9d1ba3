import { concurrencyLimit } from '../../base/concurrency-limit.ts'
import { Page, type PageWindow, pageWindow } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import type { Database } from '../../database/database.ts'
import { entityType, eventId } from '../event.ts'
import type { Events } from '../events.ts'
import type { AuditEntry } from './audit-entry.ts'
import { type AuditRange, type AuditRow, isCursorExpired, listAuditRows } from './audit-log.sql.ts'
import type { ListAuditLogQuery } from './list-audit-log.ts'

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
      const isFiltered = filters.some((name) => query[name] !== undefined)
      const { rows, more, last } = await limited(organisationId, () =>
        isFiltered ? findEntries(database, range, page, query) : listEntries(database, range, page),
      )
      // Read after the rows: an entry that they lack is known to be deleted by now.
      if (before !== undefined && !last && (await isCursorExpired(database, range))) throw expired()
      const next = { before: beforeOf(last), ...(page.offset > 0 && { offset: 0 }) }
      return new Page(rows.map(entryOf), more, next)
    },
  }
}

const filters = ['outcome', 'action', 'actor', 'recordId'] as const

/** The entries of a page, and the last one that was looked at. */
interface Entries {
  rows: AuditRow[]
  more: boolean
  last: AuditRow | undefined
}

async function listEntries(database: Database, range: AuditRange, page: PageWindow): Promise<Entries> {
  const rows = await listAuditRows(database, range, page)
  const shown = rows.slice(0, page.limit)
  return { rows: shown, more: rows.length > page.limit, last: shown.at(-1) }
}

/** Entries that a filtered page looks at, and those of one statement: no index has their texts. */
const LOOKED = 10_000
const STEP = 1_000

/** Looks at entries until those that match fill the page. */
async function findEntries(
  database: Database,
  range: AuditRange,
  { offset, limit }: PageWindow,
  filter: ListAuditLogQuery,
): Promise<Entries> {
  const found: AuditRow[] = []
  let last: AuditRow | undefined
  for (let looked = 0; looked < LOOKED; looked += STEP) {
    const cursor = last ? cursorOf(beforeOf(last)) : range.cursor
    const rows = await listAuditRows(database, { ...range, cursor }, { take: STEP, offset: 0 })
    for (const row of rows) {
      if (found.length === offset + limit) return { rows: found.slice(offset), more: true, last }
      last = row
      if (matches(entryOf(row), filter)) found.push(row)
    }
    if (rows.length < STEP) return { rows: found.slice(offset), more: false, last }
  }
  return { rows: found.slice(offset), more: true, last }
}

function matches({ outcome, action, actor, record }: AuditEntry, filter: ListAuditLogQuery): boolean {
  const has = (text: string | null, part: string) => (text ?? '').toLowerCase().includes(part.toLowerCase())
  return (
    (filter.outcome === undefined || outcome === filter.outcome) &&
    (filter.action === undefined || has(action, filter.action)) &&
    (filter.actor === undefined || actor.id === filter.actor || has(actor.name, filter.actor)) &&
    (filter.recordId === undefined || record?.id === filter.recordId)
  )
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
