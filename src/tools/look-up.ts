import { missingScope } from '../access/api-key.ts'
import { Page } from '../base/page.ts'
import { Problem } from '../base/problem.ts'
import { entityType, eventTypes } from '../events/event.ts'
import type { ListEventsQuery } from '../events/list-events.ts'
import { TEST } from '../webhooks/deliveries/delivery.ts'
import { operationsOn, problemIn } from './actions.ts'
import { listAttention } from './attention.ts'
import { listHistory } from './history.ts'
import { labelOf } from './labels.ts'
import { type AnyLookedUp, MAX_RELATED, type RecordAction, type RelatedRecord } from './looked-up.ts'
import {
  absentWhereNotServed,
  type LookUp,
  type LookUpParts,
  mayRead,
  readersOf,
  readRecord,
  requireReadable,
} from './readers.ts'
import { type RecordOf, type RecordType, recordTypeNames, recordTypes } from './record-types.ts'
import { searchRecords } from './search-records.ts'
import type { Asker, Directory, Tools } from './tools.ts'

/** Binds the look-ups to their parts. */
export function openLookUp(parts: LookUpParts): Tools {
  const lookUp = { ...parts, readers: readersOf(parts) }
  return {
    lookUpRecord: (asker, { type, id }) => lookUpRecord(lookUp, asker, type, id),
    lookUpId: (asker, id) => lookUpId(lookUp, asker, id),
    listAttention: (asker) => listAttention(lookUp, asker),
    listImports: async ({ holder }) => new Page(await parts.directory.imports(holder.organisationId), false),
    listHistory: (asker, named, query) => listHistory(lookUp, asker, named, query),
    search: (asker, text) => searchRecords(lookUp, asker, text),
  }
}

async function lookUpRecord(lookUp: LookUp, asker: Asker, type: RecordType, id: string): Promise<AnyLookedUp> {
  requireReadable(asker, type)
  const found = await find(lookUp, asker, type, id)
  if (!found) throw new Problem('record_not_found')
  return found
}

async function lookUpId(lookUp: LookUp, asker: Asker, id: string): Promise<Page<AnyLookedUp>> {
  const readable = recordTypeNames.filter((type) => mayRead(asker, type) && lookUp.readers[type])
  const found: AnyLookedUp[] = []
  for (const type of readable) {
    const candidate = await find(lookUp, asker, type, id).catch(absentWhereNotServed)
    if (candidate) found.push(candidate)
  }
  return new Page(found, false)
}

async function find<T extends RecordType>(
  lookUp: LookUp,
  asker: Asker,
  type: T,
  id: string,
): Promise<AnyLookedUp | undefined> {
  const record = await readRecord(lookUp, asker, type, id)
  if (!record) return undefined
  return {
    type,
    id: String(record.id),
    label: labelOf(type, record),
    record,
    related: await relatedTo(lookUp, asker, type, record),
    actions: await actionsOn(lookUp, asker, type, record),
  } as unknown as AnyLookedUp
}

const eventEntities = new Set<string>(eventTypes.map(entityType))

/** The records that are linked to a record and that the key may read, with its newest events. */
async function relatedTo<T extends RecordType>(
  lookUp: LookUp,
  asker: Asker,
  type: T,
  record: RecordOf<T>,
): Promise<RelatedRecord[]> {
  const { connected, directory } = lookUp
  const id = String(record.id)
  const stored = !connected || recordTypes[type].scope !== 'banking:read'
  const linked = stored ? await directory.related(type, asker.holder.organisationId, id) : []
  const links = [...linked, ...namedBy(type, record, stored), ...(await eventsOf(lookUp, asker, type, id))]
  return links.filter((link) => mayRead(asker, link.type))
}

/** The links that the record itself names. */
function namedBy(type: RecordType, record: unknown, stored: boolean): RelatedRecord[] {
  const { entity, events, apiKeyId, accountId, customerId } = record as Partial<
    RecordOf<'event'> & RecordOf<'request'> & RecordOf<'statement'>
  >
  if (type === 'event' && entity) {
    const known = recordTypeNames.find((name) => name === entity.type)
    return known ? [{ relation: known, type: known, id: entity.id }] : []
  }
  if (type === 'request' && events && apiKeyId) {
    const caused = events.slice(0, MAX_RELATED).map((id) => ({ relation: 'event', type: 'event' as const, id }))
    return [{ relation: 'apiKey', type: 'apiKey', id: apiKeyId }, ...caused]
  }
  if (type === 'delivery') {
    const { endpointId, eventId, eventType } = record as RecordOf<'delivery'>
    const endpoint: RelatedRecord = { relation: 'webhookEndpoint', type: 'webhookEndpoint', id: endpointId }
    return eventType === TEST ? [endpoint] : [endpoint, { relation: 'event', type: 'event', id: eventId }]
  }
  if (stored) return []
  return [
    ...(accountId ? [{ relation: 'account', type: 'account' as const, id: accountId }] : []),
    ...(customerId ? [{ relation: 'customer', type: 'customer' as const, id: customerId }] : []),
  ]
}

async function eventsOf(
  { events }: LookUp,
  asker: Asker,
  type: RecordType,
  entityId: string,
): Promise<RelatedRecord[]> {
  if (!eventEntities.has(type) || !mayRead(asker, 'event')) return []
  const query: ListEventsQuery = { entityType: type as never, entityId, sort: '-sequence', limit: MAX_RELATED }
  const { items } = await events.listEvents(asker.holder, query, asker.patience)
  return items.map((item) => ({ relation: 'event', type: 'event', id: JSON.parse(item.text).id }))
}

/** The operations of this service that change a record. A scope that the key lacks refuses first, as it does there. */
async function actionsOn<T extends RecordType>(
  { directory, connected }: LookUp,
  { holder, about }: Asker,
  type: T,
  record: RecordOf<T>,
): Promise<RecordAction[]> {
  const served = about.operations.filter(({ id }) => operationsOn(type).includes(id))
  const upstream = connected && recordTypes[type].scope === 'banking:read'
  const stateOf = (directory.stateOf as Record<string, Directory['stateOf']['card']>)[type]
  const hidden = upstream ? undefined : await stateOf?.(holder.organisationId, String(record.id))
  return served.map((operation) => {
    if (missingScope(holder, operation)) return { operation: operation.id, allowed: false, problem: 'forbidden' }
    if (upstream) return { operation: operation.id, allowed: null, problem: null }
    const state = { ...record, ...hidden, decidesRisk: holder.decidesRisk, holder }
    const problem = problemIn(type, operation.id, state as never)
    return { operation: operation.id, allowed: problem === null, problem }
  })
}
