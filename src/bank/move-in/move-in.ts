import { createHash } from 'node:crypto'
import { StartupError } from '../../base/startup-error.ts'
import type { Database, Queryable } from '../../database/database.ts'
import { openRecordIds } from '../../database/record-ids.ts'
import { findBreachesIn } from '../../ledger/verify.ts'
import { requireKey } from '../../secrets/marker.ts'
import { openSeals } from '../../secrets/seals.ts'
import type { CheckedFolder } from './check-folder.ts'
import {
  beginMoveIn,
  countMovedIn,
  findMovedIn,
  holdWebhooks,
  noteMovedIn,
  passWebhooks,
  readPresent,
  setClosingTimes,
} from './move-in.sql.ts'
import { writeHistory } from './write-history.ts'
import { type MoveIn, writeRecords } from './write-records.ts'

export { findBankTime, type ListedFormerId, listFormerIds } from './move-in.sql.ts'

/** Files that have no faults, and the organisation that their records go to. */
export interface MoveInPlan {
  folder: string
  checked: CheckedFolder
  organisation: { id: number; name: string }
  routingNumber: string
  encryptionKeys: Buffer[]
  /** Whether webhooks are sent for every record. */
  webhooks: boolean
  progress: (now: string) => void
}

/** The counts of the files and of the bank side by side. */
export interface Compared {
  what: string
  files: number
  bank: number
}

/**
 * Writes customers, accounts, external accounts, cards and the history of a former system in one transaction: a process that is
 * killed leaves nothing behind. Undefined if the same files were written before.
 */
export async function moveIn(database: Database, plan: MoveInPlan): Promise<Compared[] | undefined> {
  const { checked, organisation, encryptionKeys, progress } = plan
  await requireKey(database, encryptionKeys)
  return database.transaction(
    async (transaction) => {
      await beginMoveIn(transaction)
      const number = uuidOf(checked.digest)
      if ((await findMovedIn(transaction, number)) !== undefined) return undefined
      await requireEmpty(transaction, plan)
      const { move, digest } = openMove(transaction, plan)
      await writeRecords(move)
      const transfers = await writeHistory(move)
      await setClosingTimes(transaction, organisation.id)
      if (!plan.webhooks) await passWebhooks(transaction, organisation.id)
      if (digest() !== checked.digest) throw new StartupError('the files have changed while they were read: try again')
      progress('checking the laws of the ledger')
      const broken = await findBreachesIn(transaction, organisation.id)
      if (broken.length > 0) throw new StartupError(`laws of the ledger would not hold: ${broken.join('; ')}`)
      const compared = requireSame(checked, await countMovedIn(transaction, organisation.id), transfers)
      await noteMovedIn(transaction, {
        ...{ organisationId: organisation.id, digest: number, oldest: checked.times.oldest || null },
        figures: compared.map(({ what, files, bank }) => ({ what, before: String(files), after: String(bank) })),
      })
      return compared
    },
    { unlimited: true },
  )
}

async function requireEmpty(
  transaction: Queryable,
  { organisation: { id, name }, checked, webhooks }: MoveInPlan,
): Promise<void> {
  const present = await readPresent(transaction, id)
  if (present.customers) throw new StartupError(`${name} has customers already: import into a new organisation`)
  if (!webhooks && (await holdWebhooks(transaction, id)) > 0) {
    throw new StartupError(
      `${name} has webhooks of earlier events to send: start the service, and enable or delete endpoints that are disabled`,
    )
  }
  if (checked.times.latest > present.now) {
    throw new StartupError(`the files have records of ${checked.times.latest}, and it is ${present.now} in ${name}`)
  }
}

function openMove(transaction: Queryable, plan: MoveInPlan): { move: MoveIn; digest: () => string } {
  const { folder, organisation, routingNumber, encryptionKeys, progress } = plan
  const hash = createHash('sha256')
  const seals = openSeals(
    { query: (...statement) => transaction.query(...statement), transaction: (work) => work(transaction) },
    encryptionKeys,
  )
  const move: MoveIn = {
    ...{ transaction, folder, seals, routingNumber, organisationId: organisation.id },
    ids: openRecordIds(transaction),
    customers: new Map(),
    accounts: new Map(),
    begin: (file) => hash.update(`${file}\n`),
    read: (bytes) => hash.update(bytes),
    progress: (file, rows) => progress(`writing ${file}, ${rows} rows`),
  }
  return { move, digest: () => hash.digest('hex') }
}

/** Compares the counts of the files with those of the bank. */
function requireSame({ rows, balance }: CheckedFolder, found: Record<string, number>, transfers: number): Compared[] {
  const names = ['customers', 'accounts', 'external-accounts', 'cards'] as const
  const all: Compared[] = [
    ...names.map((what) => ({ what, files: rows[what], bank: found[what] ?? 0 })),
    { what: 'transfers, with opening balances', files: transfers, bank: found.transfers ?? 0 },
    { what: 'cents in accounts', files: balance, bank: found.balance ?? 0 },
  ]
  const wrong = all.filter(({ files, bank }) => files !== bank).map(({ what }) => what)
  if (wrong.length > 0) throw new StartupError(`the bank differs from the files: ${wrong.join('; ')}`)
  return all
}

/** The form in which imports are noted. */
function uuidOf(digest: string): string {
  return digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
