import { Recent } from '../base/recent.ts'
import type { Queryable } from '../database/database.ts'
import type { RecordIds } from '../database/record-ids.ts'
import { findInternalAccount, type InternalAccount, insertInternalAccount, takeSlot } from './internal-accounts.sql.ts'
import { type InternalKind, internalNames } from './records.ts'

/**
 * Slots keep batches from queueing at one clearing account: each connection of a lane holds a slot and posts to internal
 * accounts of its own.
 */
const SLOTS = 64

/** Accounts whose ids are remembered. A sandbox makes organisations by the thousand, and each has a few. */
const MAX_REMEMBERED = 100_000

/** Takes the first free slot. With more connections than slots the others share slot 0 and wait for each other. */
export async function takeFreeSlot(connection: Queryable): Promise<number> {
  for (let slot = 0; slot < SLOTS; slot++) if (await takeSlot(connection, slot)) return slot
  return 0
}

/** The internal accounts of an organisation, by kind and slot. */
export interface InternalAccounts {
  /** The account that transfers are posted to. Opened at its first use. */
  current(organisationId: number, kind: InternalKind, slot: number): Promise<number>
  /**
   * Replaces an account whose balance would no longer be an exact JavaScript number. It keeps its balance; transfers
   * are posted to another account of the same kind and slot from now on.
   */
  replaceFull(organisationId: number, kind: InternalKind, slot: number): Promise<void>
  /** Forgets the accounts. After a failover that lost commits the next server may not have them. */
  forget(): void
}

export function openInternalAccounts(database: Queryable, ids: RecordIds): InternalAccounts {
  const currentIds = new Recent<string, number>(MAX_REMEMBERED)
  const nameOf = (organisationId: number, kind: InternalKind, slot: number) => `${organisationId} ${kind} ${slot}`

  async function open(organisationId: number, kind: InternalKind, number: number): Promise<void> {
    const account = { id: -(await ids.next()), organisationId, kind, number, name: internalNames[kind] }
    await insertInternalAccount(database, account)
  }

  /** The newest account, after opening one if `nextNumber` answers its number. */
  async function newest(
    organisationId: number,
    kind: InternalKind,
    slot: number,
    nextNumber: (found: InternalAccount | undefined) => number | undefined,
  ): Promise<number> {
    let account = await findInternalAccount(database, organisationId, kind, slot)
    const number = nextNumber(account)
    if (number !== undefined) {
      await open(organisationId, kind, number)
      account = await findInternalAccount(database, organisationId, kind, slot)
    }
    if (!account) throw new Error(`no internal account ${nameOf(organisationId, kind, slot)}`)
    currentIds.set(nameOf(organisationId, kind, slot), account.id)
    return account.id
  }

  return {
    forget: () => currentIds.clear(),
    async current(organisationId, kind, slot) {
      const id = currentIds.get(nameOf(organisationId, kind, slot))
      return id ?? newest(organisationId, kind, slot, (found) => (found ? undefined : slot))
    },
    async replaceFull(organisationId, kind, slot) {
      const full = currentIds.get(nameOf(organisationId, kind, slot))
      // Another process with the same slot may have opened the next one.
      await newest(organisationId, kind, slot, (found) =>
        found && found.id === full ? found.number + SLOTS : undefined,
      )
    },
  }
}
