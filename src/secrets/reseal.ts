import { clock } from '../base/clock.ts'
import { type Database, OrganisationEnded } from '../database/database.ts'
import {
  findPosition,
  readRows,
  replaceValue,
  type SealedRow,
  type Source,
  savePosition,
  sources,
} from './reseal.sql.ts'
import { openSeal } from './seal.ts'
import { makeMissingKeys, type Seals } from './seals.ts'

/**
 * Values that were sealed with the operator's key itself, before organisations had keys, are sealed anew with the keys of
 * their organisations: in the background, in small steps, by any number of processes. Reading accepts both.
 */
export interface Reseal {
  database: Database
  seals: Seals
  /** The operator's keys. */
  keys: Buffer[]
}

const KEYS_A_STEP = 100

/** How long a turn of the background work lasts. */
const TURN_MS = 200

/** The move as background work: some steps each time it is called, until there are none. */
export function openReseal(reseal: Reseal): () => Promise<void> {
  let done = false
  return async () => {
    const endMs = clock.elapsedMs() + TURN_MS
    while (!done && clock.elapsedMs() < endMs) done = !(await resealStep(reseal))
  }
}

/** Makes one step of the move; false if nothing is left to do. */
async function resealStep(reseal: Reseal): Promise<boolean> {
  const { database, keys } = reseal
  if ((await makeMissingKeys(database, keys, KEYS_A_STEP)) > 0) return true
  const next = await findPosition(database)
  if (!next) return false
  const source = sources.find(({ table, column }) => `${table}.${column}` === next.source)
  if (!source) throw new Error(`there is no sealed column ${next.source}`)
  const rows = await resealRows(reseal, source, next.position, source.step)
  const to = rows.at(-1)?.row ?? next.position
  await savePosition(database, { source: next.source, from: next.position, to, done: rows.length < source.step })
  return true
}

/** Looks at every sealed value from the first one on, also at those that an older version has sealed behind the move. */
export async function resealAll(reseal: Reseal, looked: (columns: number, of: number) => void): Promise<void> {
  while ((await makeMissingKeys(reseal.database, reseal.keys, KEYS_A_STEP)) > 0);
  for (const [index, source] of sources.entries()) {
    looked(index, sources.length)
    const limit = source.step * 10
    for (let position: string | undefined = source.first; position !== undefined; ) {
      const rows: SealedRow[] = await resealRows(reseal, source, position, limit)
      position = rows.length < limit ? undefined : rows.at(-1)?.row
    }
  }
}

/** Seals values of the rows after a position anew, and returns all rows that it has looked at. */
async function resealRows(
  { database, seals, keys }: Reseal,
  source: Source,
  position: string,
  limit: number,
): Promise<SealedRow[]> {
  const versions = keys.map((key) => openSeal(key).version)
  const rows = await readRows(database, source, position, { versions, limit })
  for (const { organisationId, row, sealed: before } of rows) {
    if (!before) continue
    const seal = await seals.of(organisationId).catch(withoutOrganisation)
    if (!seal) continue
    const { table, column } = source
    const place = { table, row, column }
    await replaceValue(database, source, row, { before, after: seal.seal(seal.unseal(before, place), place) })
  }
  return rows
}

/** The rows of an organisation that was deleted meanwhile are gone, or are about to go. */
function withoutOrganisation(error: unknown): undefined {
  if (!(error instanceof OrganisationEnded)) throw error
}
