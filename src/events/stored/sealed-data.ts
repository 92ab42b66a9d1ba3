import { SEALED } from '../../secrets/numbers.ts'
import type { Seal } from '../../secrets/seal.ts'
import type { Seals } from '../../secrets/seals.ts'
import type { EventDraft } from '../event.ts'

/** The data of an event that is stored sealed, because it shows an account number at another bank. */
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

/** The stored text of data: a mark that no JSON begins with, and Base64. */
export function sealedData(seal: Seal, event: Sealable, json: string): string {
  return `${SEALED}${seal.seal(json, placeOf(event)).toString('base64')}`
}

export function openedData(seal: Seal, event: SealedData): string {
  return seal.unseal(Buffer.from(event.data.slice(SEALED.length), 'base64'), placeOf(event)).toString()
}

/** Seals the data of those events of an organisation that show account numbers at other banks. */
export async function sealNumbers(
  seals: Pick<Seals, 'of'>,
  organisationId: number,
  events: EventDraft[],
  showsNumber: RegExp = EXTERNAL_ACCOUNT,
): Promise<EventDraft[]> {
  if (!events.some(({ type }) => showsNumber.test(type))) return events
  const seal = await seals.of(organisationId)
  return events.map((event) => {
    const { type, id: entityId, version: entityVersion, fromRow } = event
    if (fromRow || !showsNumber.test(type)) return event
    const json = sealedData(seal, { type, entityId, entityVersion }, event.json ?? JSON.stringify(event.data))
    return { type, id: entityId, version: entityVersion, json }
  })
}

/** Payments of this bank are rendered from their rows, so that these are its only events with such numbers. */
const EXTERNAL_ACCOUNT = /^externalAccount\./
/** The events of an upstream show its records as they are. */
export const UPSTREAM_NUMBERS = /^(externalAccount|payment|transaction)\./

function placeOf({ type, entityId, entityVersion }: Sealable) {
  return { table: 'event_page', row: `${type}/${entityId}/${entityVersion}`, column: 'events' }
}
