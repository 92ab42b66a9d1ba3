import { createHash, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { messageOf } from '../../../base/message-of.ts'
import type { Queryable } from '../../../database/database.ts'
import type { RailBank } from './build-file.ts'
import { type DeliverableFile, holdFile, moveFile, undelivered } from './files.sql.ts'

const FILES_AT_A_TIME = 20

/** Delivers the files that have been built. Each is delivered once, whichever process comes first. */
export async function deliverFiles(bank: RailBank, log: Pick<Logger, 'warn'>): Promise<void> {
  for (const id of await undelivered(bank.database, FILES_AT_A_TIME)) {
    await bank.database.transaction(async (transaction) => {
      const file = await holdFile(transaction, id)
      if (file) await deliver(bank, transaction, file, log)
    })
  }
}

/**
 * The state is written outside the transaction that holds the lock, before and after the file: after a kill, the file is
 * still delivering, and the next attempt finds it in the folder or puts it there.
 */
async function deliver(
  bank: RailBank,
  _lock: Queryable,
  file: DeliverableFile,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  const { database, seals } = bank
  const seal = await seals.of(file.organisationId)
  const bytes = seal.unseal(file.sealedContent, { table: 'ach_file', row: file.id, column: 'sealed_content' })
  if (!(await moveFile(database, { id: file.id, from: ['built', 'delivering'], to: 'delivering' }))) return
  try {
    await putFile(folderOf(bank, file), file, bytes)
  } catch (error) {
    log.warn({ achFileId: file.id, reason: messageOf(error) }, 'outcome of a delivery unknown')
    await moveFile(database, { id: file.id, from: ['delivering'], to: 'unknown' })
    return
  }
  await moveFile(database, { id: file.id, from: ['delivering'], to: 'delivered' })
}

/** In a sandbox each organisation has files of its own, whose names may be the same. */
export function folderOf({ ach, mode }: RailBank, { organisationId }: Pick<DeliverableFile, 'organisationId'>): string {
  return mode === 'live' ? ach.outgoing : join(ach.outgoing, String(organisationId))
}

/** Puts a file into a folder: whole or not at all, and never in place of another. The same file there counts as put. */
export async function putFile(
  folder: string,
  { name, sha256 }: Pick<DeliverableFile, 'name' | 'sha256'>,
  bytes: Buffer,
): Promise<void> {
  await mkdir(folder, { recursive: true })
  const [final, temporary] = [join(folder, name), join(folder, `.${name}.${randomUUID()}`)]
  try {
    const handle = await open(temporary, 'wx', 0o600)
    try {
      await handle.writeFile(bytes)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await link(temporary, final)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !(await isSame(final, sha256))) throw error
  } finally {
    await unlink(temporary).catch(() => undefined)
  }
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

async function isSame(path: string, sha256: Buffer): Promise<boolean> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest()
    .equals(sha256)
}
