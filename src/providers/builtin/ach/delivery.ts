import { createHash, randomUUID } from 'node:crypto'
import { link, mkdir, open, readdir, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { messageOf } from '../../../base/message-of.ts'
import type { RailBank } from './build-file.ts'
import { type DeliverableFile, holdFile, moveFile, undelivered } from './files.sql.ts'

const FILES_AT_A_TIME = 20

type Log = Pick<Logger, 'warn'>

/**
 * Delivers the files that have been built. Each is delivered once, whichever process comes first. One that cannot be
 * written does not keep the others waiting.
 */
export async function deliverFiles(bank: RailBank, log: Log): Promise<void> {
  let after = 0
  let failure: unknown
  for (let more = true; more; ) {
    const ids = await undelivered(bank.database, { after, limit: FILES_AT_A_TIME })
    for (const id of ids) {
      const delivered = bank.database.transaction(async (transaction) => {
        const file = await holdFile(transaction, id)
        if (file) await deliver(bank, file, log)
      })
      await delivered.catch((error: unknown) => {
        failure ??= error
      })
      after = id
    }
    more = ids.length === FILES_AT_A_TIME
  }
  if (failure) throw failure
}

/**
 * The state is written outside the transaction that holds the lock. The file is delivering from just before it gets its
 * final name until just after. A process that dies in between leaves this state behind: the file was delivered if it is
 * still in its folder. If it is not, somebody may have fetched it already, and only the operator can find out.
 */
async function deliver(bank: RailBank, file: DeliverableFile, log: Log): Promise<void> {
  const { database } = bank
  const { id, sha256 } = file
  const folder = folderOf(bank, file)
  const final = join(folder, file.name)
  const unknown = async (reason: string) => {
    log.warn({ achFileId: id, reason }, 'outcome of a delivery unknown')
    await moveFile(database, { id, from: ['delivering'], to: 'unknown' })
  }
  if (file.state === 'delivering') {
    if (!(await isThere(final, sha256))) return unknown('the process ended during the delivery')
  } else {
    const temporary = await writeTemporary(bank, folder, file)
    try {
      if (!(await moveFile(database, { id, from: ['built'], to: 'delivering' }))) return
      await place(temporary, final, sha256)
    } catch (error) {
      return await unknown(messageOf(error))
    } finally {
      await unlink(temporary)
    }
  }
  await syncFolder(folder)
  await moveFile(database, { id, from: ['delivering'], to: 'delivered' })
}

/** In a sandbox each organisation has files of its own, whose names may be the same. */
function folderOf({ ach }: RailBank, { organisationId }: Pick<DeliverableFile, 'organisationId'>): string {
  return organisationId === null ? ach.outgoing : join(ach.outgoing, String(organisationId))
}

/** Writes the bytes to the disk under a name that no reader takes for a file. Removes what a killed process left. */
async function writeTemporary(bank: RailBank, folder: string, file: DeliverableFile): Promise<string> {
  const seal = await bank.seals.of(file.keyOrganisationId)
  const bytes = seal.unseal(file.sealedContent, { table: 'ach_file', row: file.id, column: 'sealed_content' })
  await mkdir(folder, { recursive: true })
  const prefix = `.${file.name}.`
  for (const name of await readdir(folder)) if (name.startsWith(prefix)) await unlink(join(folder, name))
  const temporary = join(folder, `${prefix}${randomUUID()}`)
  const handle = await open(temporary, 'wx', 0o600)
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
