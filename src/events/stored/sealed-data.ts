import type { Queryable } from '../../database/database.ts'
import { holdCustomerSeals } from '../../secrets/customer-keys.ts'
import { SEALED } from '../../secrets/numbers.ts'
import type { Seal } from '../../secrets/seal.ts'
import type { Seals } from '../../secrets/seals.ts'
import type { EventDraft } from '../event.ts'

/** The data of an event that is stored sealed: it shows a customer, or an account number at another bank. */
export interface SealedData {
  organisationId: number
  type: string
  entityId: string
  entityVersion: number
  data: string
}

type Sealable = Omit<SealedData, 'organisationId' | 'data'>

export function isSealedData(data: string | null): data is string {
  return data?.startsWith(SEALED) === true
}

/**
 * The stored text of data: a mark that no JSON begins with, the customer or application whose key seals it, and Base64. Without
 * one the key of the organisation seals it.
 */
export function sealedData(seal: Seal, event: Sealable, json: string, sealedFor?: number): string {
  const owner = sealedFor === undefined ? '' : `${sealedFor}${OWNER_END}`
  return `${SEALED}${owner}${seal.seal(json, placeOf(event)).toString('base64')}`
}

export function openedData(seal: Seal, event: SealedData): string {
  const start = Math.max(SEALED.length, event.data.indexOf(OWNER_END) + 1)
  return seal.unseal(Buffer.from(event.data.slice(start), 'base64'), placeOf(event)).toString()
}

/** The customer or application whose key seals a text; undefined if it is the key of the organisation. */
export function sealedFor(data: string): number | undefined {
  const end = data.indexOf(OWNER_END)
  return end === -1 ? undefined : Number(data.slice(SEALED.length, end))
}

/** The stored data of an event of an erased customer, if it was in clear. There is nothing to open. */
export function erasedText(owner: number): string {
  return `${SEALED}${owner}${OWNER_END}`
}

/** The shown data of an event of an erased customer. */
export function erasedData(entityId: string): string {
  return JSON.stringify({ id: entityId, erased: true })
}

/** Seals the data of the events of customers and applications. Throws if one of them was erased. */
export async function sealForCustomers(
  transaction: Queryable,
  seals: Pick<Seals, 'of'>,
  organisationId: number,
  events: EventDraft[],
): Promise<EventDraft[]> {
  const owners = new Set(events.flatMap((event) => event.sealedFor ?? []))
  if (owners.size === 0) return events
  const organisation = { organisationId, seal: await seals.of(organisationId) }
  const held = await holdCustomerSeals(transaction, organisation, [...owners])
  return events.map((event) => {
    const seal = event.sealedFor === undefined ? undefined : held.get(event.sealedFor)
    return seal ? sealedDraft(seal, event) : event
  })
}

/** Seals the data of those events of an upstream that show account numbers, with the key of the organisation. */
export async function sealNumbers(
  seals: Pick<Seals, 'of'>,
  organisationId: number,
  events: EventDraft[],
): Promise<EventDraft[]> {
  if (!events.some(({ type }) => UPSTREAM_NUMBERS.test(type))) return events
  const seal = await seals.of(organisationId)
  return events.map((event) => (UPSTREAM_NUMBERS.test(event.type) ? sealedDraft(seal, event) : event))
}

/** The event with its data sealed by a key: of a customer or an application if it is sealed for one. */
export function sealedDraft(seal: Seal, event: EventDraft): EventDraft {
  const { type, id, version, fromRow } = event
  if (fromRow) return event
  const place = { type, entityId: id, entityVersion: version }
  const json = sealedData(seal, place, event.json ?? JSON.stringify(event.data), event.sealedFor)
  return { type, id, version, json }
}

/** The events of an upstream show its records as they are. */
const UPSTREAM_NUMBERS = /^(externalAccount|payment|transaction)\./
/** Base64 has no such character. */
const OWNER_END = ':'

function placeOf({ type, entityId, entityVersion }: Sealable) {
  return { table: 'event_page', row: `${type}/${entityId}/${entityVersion}`, column: 'events' }
}
