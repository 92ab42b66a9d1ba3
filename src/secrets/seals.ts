import { randomBytes } from 'node:crypto'
import { Recent } from '../base/recent.ts'
import { type Database, DatabaseUnavailable, OrganisationEnded, type Queryable } from '../database/database.ts'
import { holdMarker, insertMarker } from './marker.sql.ts'
import { keyOfMarker, sealedMarker } from './marker.ts'
import { derivedDigestKey, isSealedBy, OtherKey, openSeal, type Seal } from './seal.ts'
import { findKeys, insertKeys, type KeysRow, type SealedKeys, withoutKeys } from './seals.sql.ts'

/** The seals of organisations. Each has a data key and a digest key of its own, which the operator's key wraps. */
export interface Seals {
  /** The seal of an organisation whose keys are in memory. */
  known(organisationId: number): Seal | undefined
  /** The seal of an organisation. Its keys are made if it has none. */
  of(organisationId: number): Promise<Seal>
  /**
   * Makes the keys of a new organisation in the transaction that creates it. One that replaces another organisation keeps
   * the digest key, so that requests from before the change are still recognised.
   */
  create(transaction: Queryable, organisationId: number, replaced?: number): Promise<Seal>
}

/** The keys of an organisation in clear. */
interface Keys {
  dataKey: Buffer
  digestKey: Buffer
}

/** Organisations whose keys are kept in memory, about 3 kB each. */
const REMEMBERED = 20_000

/** Opens the seals. `operatorKeys` are the operator's key and, while it is being changed, the next one. */
export function openSeals(database: Pick<Database, 'query' | 'transaction'>, operatorKeys: Buffer[]): Seals {
  const operator = operatorKeys.map((key) => openSeal(key))
  const remembered = new Recent<number, Seal>(REMEMBERED)
  const loading = new Map<number, Promise<Seal>>()
  const sealOf = ({ dataKey, digestKey }: Keys) => openSeal(dataKey, { digestKey, others: operator })

  async function load(organisationId: number): Promise<Seal> {
    const found = await findKeys(database, organisationId)
    const row = isMade(found) ? found : await make(organisationId)
    const seal = sealOf(unwrapped(operator, row))
    remembered.set(organisationId, seal)
    return seal
  }

  /** Makes keys; those of another process, which was faster, are used instead. */
  async function make(organisationId: number): Promise<MadeRow> {
    await database.transaction(async (transaction) => {
      const found = await findKeys(transaction, organisationId)
      if (isMade(found)) return
      const operatorKey = await heldKey(transaction, operatorKeys)
      const keys = newKeys(operatorKey, found !== undefined)
      await insertKeys(transaction, [wrapped(openSeal(operatorKey), organisationId, keys)])
    })
    const made = await findKeys(database, organisationId)
    if (!isMade(made)) throw new OrganisationEnded(`there is no organisation ${organisationId}`)
    return made
  }

  return {
    known: (organisationId) => remembered.get(organisationId),

    of(organisationId) {
      const known = remembered.get(organisationId)
      if (known) return Promise.resolve(known)
      const underWay = loading.get(organisationId)
      if (underWay) return underWay
      const started = load(organisationId).finally(() => loading.delete(organisationId))
      loading.set(organisationId, started)
      return started
    },

    async create(transaction, organisationId, replaced) {
      const operatorKey = await heldKey(transaction, operatorKeys)
      const former = replaced === undefined ? undefined : await findKeys(transaction, replaced)
      const digestKey = isMade(former) ? unwrapped(operator, former).digestKey : randomBytes(32)
      const keys = { dataKey: randomBytes(32), digestKey }
      await insertKeys(transaction, [wrapped(openSeal(operatorKey), organisationId, keys)])
      return sealOf(keys)
    },
  }
}

type MadeRow = KeysRow & SealedKeys

/** An organisation from before the keys has digests under the key that was derived from the operator's. */
function newKeys(operatorKey: Buffer, beforeKeys: boolean): Keys {
  return { dataKey: randomBytes(32), digestKey: beforeKeys ? derivedDigestKey(operatorKey) : randomBytes(32) }
}

/** The keys of an organisation in clear, for a bank with another operator's key. */
export async function clearKeysOf(database: Queryable, operatorKeys: Buffer[], organisationId: number): Promise<Keys> {
  const row = await findKeys(database, organisationId)
  if (!isMade(row)) throw new Error(`organisation ${organisationId} has no keys`)
  return unwrapped(
    operatorKeys.map((key) => openSeal(key)),
    row,
  )
}

/** Stores keys of an organisation that come from another bank. */
export async function storeKeys(
  transaction: Queryable,
  operatorKeys: Buffer[],
  organisationId: number,
  keys: Keys,
): Promise<void> {
  const operatorKey = await heldKey(transaction, operatorKeys)
  await insertKeys(transaction, [wrapped(openSeal(operatorKey), organisationId, keys)])
}

/** Makes the keys of some organisations that have none; returns of how many. */
export function makeMissingKeys(database: Database, operatorKeys: Buffer[], limit: number): Promise<number> {
  return database.transaction(async (transaction) => {
    const missing = await withoutKeys(transaction, limit)
    if (missing.length === 0) return 0
    const operatorKey = await heldKey(transaction, operatorKeys)
    const operator = openSeal(operatorKey)
    const made = missing.map(({ organisationId, beforeKeys }) =>
      wrapped(operator, organisationId, newKeys(operatorKey, beforeKeys)),
    )
    await insertKeys(transaction, made)
    return missing.length
  })
}

/** Whether keys were made for an organisation. */
export function isMade(row: KeysRow | undefined): row is MadeRow {
  return row !== undefined && row.dataKey !== null && row.digestKey !== null
}

/** The operator's key of this moment, which does not change before the end of the transaction. */
async function heldKey(transaction: Queryable, operatorKeys: Buffer[]): Promise<Buffer> {
  const [first] = operatorKeys
  if (first) await insertMarker(transaction, sealedMarker(openSeal(first)))
  const { sealed } = await holdMarker(transaction)
  const key = keyOfMarker(sealed, operatorKeys)
  if (!key) throw new DatabaseUnavailable('the encryption key was changed: set PURSER_ENCRYPTION_KEY to the new one')
  return key
}

/** The keys of an organisation, sealed with the operator's key. */
export function wrapped(operator: Seal, organisationId: number, { dataKey, digestKey }: Keys): SealedKeys {
  return {
    organisationId,
    dataKey: operator.seal(dataKey, columnOf(organisationId, 'data_key')),
    digestKey: operator.seal(digestKey, columnOf(organisationId, 'digest_key')),
  }
}

export function unwrapped(operator: Seal[], { organisationId, dataKey, digestKey }: SealedKeys): Keys {
  const seal = operator.find((each) => isSealedBy(dataKey, each))
  try {
    if (!seal) throw new OtherKey('no key of this process')
    return {
      dataKey: seal.unseal(dataKey, columnOf(organisationId, 'data_key')),
      digestKey: seal.unseal(digestKey, columnOf(organisationId, 'digest_key')),
    }
  } catch (error) {
    if (!(error instanceof OtherKey)) throw error
    // Another process has the key, so that a request may succeed there, or here after a restart with the right settings.
    const detail = `the keys of organisation ${organisationId} are sealed with an encryption key that this process lacks`
    throw new DatabaseUnavailable(`${detail}: set PURSER_ENCRYPTION_KEY_NEW before the rotation, and restart`)
  }
}

function columnOf(organisationId: number, column: 'data_key' | 'digest_key') {
  return { table: 'organisation_key', row: organisationId, column }
}
