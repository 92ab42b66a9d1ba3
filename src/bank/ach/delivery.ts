import { createHash, randomUUID } from 'node:crypto'
import { link, mkdir, open, readdir, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type ConcurrencyLimit, concurrencyLimit } from '../../base/concurrency-limit.ts'
import { messageOf } from '../../base/message-of.ts'
import { pauseWithoutLimit } from '../time/clock.sql.ts'
import type { DueRun } from '../time/due.ts'
import type { RailBank } from './build-file.ts'
import { type DeliverableFile, holdFile, moveFile, undelivered } from './delivery.sql.ts'
import { lockJournal, noteFile, unwrittenFile, writeLines } from './witness/witness.ts'

const FILES_AT_A_TIME = 20

type Log = Pick<Logger, 'warn'>

/** The delivery of files. Each is delivered once, whichever process comes first. */
export interface Delivery {
  /** Delivers all files that have been built. One that cannot be written does not keep the others waiting. */
  deliverAll(log: Log): Promise<void>
  /** Delivers the files of an organisation while its clock advances. One that cannot be written is tried again later. */
  deliverOf(organisationId: number, run: Pick<DueRun, 'putOff'>): Promise<void>
}

/** Files are delivered one at a time: each delivery holds one connection and needs a second one, and few may be free. */
export function deliveryOf(bank: RailBank): Delivery {
  const inTurn = concurrencyLimit({ total: 1, perOrganisation: 1 })
  return {
    async deliverAll(log) {
      const failures: unknown[] = []
      await deliverFiles({ ...bank, inTurn }, null, {
        unknown: (achFileId, reason) => log.warn({ achFileId, reason }, 'outcome of a delivery unknown'),
        failed: (_, error) => void failures.push(error),
      })
      if (failures.length > 0) throw failures[0]
    },
    deliverOf(organisationId, run) {
      const putOff = (id: number, error: unknown) => run.putOff({ type: 'achFile', id: String(id) }, error)
      return deliverFiles({ ...bank, inTurn }, organisationId, {
        unknown: (id, reason) => putOff(id, new Error(reason)),
        failed: putOff,
      })
    },
  }
}

interface Report {
  /** A file that may or may not have been delivered. */
  unknown(fileId: number, reason: string): void
  /** A file that has not been delivered. */
  failed(fileId: number, error: unknown): void
}

interface DeliveringBank extends RailBank {
  inTurn: ConcurrencyLimit
}

async function deliverFiles(bank: DeliveringBank, organisationId: number | null, report: Report): Promise<void> {
  for (let after = 0, more = true; more; ) {
    const ids = await undelivered(bank.database, { organisationId, after, limit: FILES_AT_A_TIME })
    for (const id of ids) {
      await bank
        .inTurn(organisationId ?? 0, () => deliverOne(bank, id, report))
        .catch((error: unknown) => report.failed(id, error))
      after = id
    }
    more = ids.length === FILES_AT_A_TIME
  }
}

function deliverOne(bank: RailBank, id: number, report: Report): Promise<void> {
  return bank.database.transaction(async (transaction) => {
    // One delivery of a live bank at a time: the lines of its journal are in the order of those in the database.
    if (bank.mode === 'live') {
      if (!(await lockJournal(transaction, bank))) return
      await pauseWithoutLimit(transaction)
    }
    const file = await holdFile(transaction, id)
    if (file) await deliver(bank, file, report)
  })
}

/**
 * The state is written outside the transaction that holds the lock. The file is delivering from just before it gets its
 * final name until just after. A process that dies in between leaves this state behind: the file was delivered if it is
 * still in its folder. If it is not, somebody may have fetched it already, and only the operator can find out. In live mode the
 * journal is written in between: a file that it lacks has not left.
 */
async function deliver(bank: RailBank, file: DeliverableFile, report: Report): Promise<void> {
  const { database } = bank
  const { id, sha256 } = file
  const folder = folderOf(bank, file)
  const final = join(folder, file.name)
  const unknown = async (reason: string) => {
    report.unknown(id, reason)
    await moveFile(database, { id, from: ['delivering'], to: 'unknown' })
  }
  const unwritten = bank.mode === 'live' ? await unwrittenFile(bank) : undefined
  // The file of the latest line comes first: a line after it would say that it has left.
  if (unwritten !== undefined && unwritten !== id) return
  if (file.state === 'delivering' && unwritten !== id) {
    if (!(await isThere(final, sha256))) return unknown('the process ended during the delivery')
  } else {
    const temporary = await writeTemporary(bank, folder, file)
    try {
      if (!(await begin(bank, file, unwritten === id))) return
      const failure = await place(temporary, final, sha256).then(() => undefined, messageOf)
      if (failure !== undefined) return await unknown(failure)
    } finally {
      await unlink(temporary)
    }
  }
  await syncFolder(folder)
  await moveFile(database, { id, from: ['delivering'], to: 'delivered' })
}

/** Notes that a file is about to get its final name; false if it may not. A failure here leaves a file that has not left. */
async function begin(bank: RailBank, { id, state }: DeliverableFile, isNoted: boolean): Promise<boolean> {
  const { database, mode } = bank
  const begun = await database.transaction(async (transaction) => {
    if (!(await moveFile(transaction, { id, from: [state], to: 'delivering' }))) return false
    if (mode === 'live' && !isNoted) await noteFile(transaction, id)
    return true
  })
  if (begun && mode === 'live') await writeLines(bank)
  return begun
}

/** In a sandbox each organisation has files of its own, whose names may be the same. */
function folderOf({ ach }: RailBank, { organisationId }: Pick<DeliverableFile, 'organisationId'>): string {
  return organisationId === null ? ach.outgoing : join(ach.outgoing, String(organisationId))
}

/** Writes the bytes to the disk under a name that no reader takes for a file. Removes what a killed process left. */
async function writeTemporary(bank: RailBank, folder: string, file: DeliverableFile): Promise<string> {
  const seal = await bank.seals.of(file.keyOrganisationId)
  const bytes = seal.unseal(file.sealedContent, { table: 'ach_file', row: file.id, column: 'sealed_content' })
  // In live mode a folder that is missing may be a mount that is missing.
  if (bank.mode === 'sandbox') await mkdir(folder, { recursive: true })
  const prefix = `.${file.name}.`
  for (const name of await readdir(folder)) if (name.startsWith(prefix)) await unlink(join(folder, name))
  const temporary = join(folder, `${prefix}${randomUUID()}`)
  // The group may read it: the program that takes files to the bank runs as another user. The umask can deny that.
  const handle = await open(temporary, 'wx', 0o640)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
  return temporary
}

/** Gives a file its final name: whole or not at all, and never in place of another. The same file there counts as placed. */
async function place(temporary: string, final: string, sha256: Buffer): Promise<void> {
  try {
    await link(temporary, final)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (!(await isThere(final, sha256))) throw new Error(`${final} is another file`)
  }
}

async function isThere(path: string, sha256: Buffer): Promise<boolean> {
  try {
    const bytes = await readFile(path)
    return createHash('sha256').update(bytes).digest().equals(sha256)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
