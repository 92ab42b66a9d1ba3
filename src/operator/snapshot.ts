import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../../ground/failure.ts'
import { openProgress } from '../base/progress.ts'
import { StartupError } from '../base/startup-error.ts'
import type { Config } from '../config.ts'
import { openSeal } from '../secrets/seal.ts'
import { agreed } from './ask.ts'
import type { OperatorCall, OperatorCommand } from './command.ts'
import { deleteSnapshot, listSnapshots, type Place, restoreSnapshot, type Snapshot, saveSnapshot } from './snapshots.ts'

/** Saves a copy of the embedded database. */
export const save: OperatorCommand = async (call) => {
  const name = nameIn(call)
  const place = await placeOf(call)
  const progress = openProgress(`saving ${name}`)
  const force = call.options.force === true
  const saved = await saveSnapshot(place, name, { force, progress: progress.at }).finally(progress.clear)
  call.out.result(saved, `saved ${name}: ${megabytes(saved.bytes)}`)
}

/** Lists the copies of the embedded database. */
export const list: OperatorCommand = async (call) => {
  const { out } = call
  const { dataDir } = await placeOf(call)
  const snapshots = listSnapshots(dataDir)
  if (snapshots.length === 0 && out.forPeople)
    return out.note(`there are no snapshots in ${dataDir}: purser snapshot save NAME`)
  const size = ({ bytes }: Snapshot) => (out.forPeople ? { size: megabytes(bytes) } : {})
  await out.records(
    snapshots.map((each) => ({ ...each, ...size(each) })),
    { name: 'NAME', savedAt: 'SAVED', size: 'SIZE', purser: 'PURSER' },
    { right: ['size'] },
  )
}

/** Replaces the embedded database by a copy, after asking. */
export const restore: OperatorCommand = async (call) => {
  const name = nameIn(call)
  const place = await placeOf(call)
  const question = `Replace all accounts and money in ${place.dataDir} by the snapshot ${name}?`
  const progress = openProgress(`restoring ${name}`)
  const restored = await restoreSnapshot(place, name, {
    confirm: () => agreed(call, question),
    progress: progress.at,
  }).finally(progress.clear)
  if (!restored) return call.out.result({ name, restored: false }, 'nothing was changed')
  const next = restored.running ? 'the service runs with it' : 'purser start begins with it'
  call.out.result({ ...restored, restored: true }, `restored ${name}: ${next}`)
}

/** Deletes a copy of the embedded database. */
export const remove: OperatorCommand = async (call) => {
  const name = nameIn(call)
  await deleteSnapshot(await placeOf(call), name)
  call.out.result({ name, deleted: true }, `deleted ${name}`)
}

function nameIn({ args: [name = ''] }: OperatorCall): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return name
  throw new UsageError(
    'a name of a snapshot has up to 64 letters, digits, dots, - and _, and begins with a letter or digit',
  )
}

async function placeOf({ config, version, closers }: OperatorCall): Promise<Place> {
  const settings = config()
  if (settings.databaseUrl)
    throw new StartupError(
      'DATABASE_URL is set: a snapshot is a copy of the embedded database. pg_dump copies a server of your own',
    )
  return { dataDir: settings.dataDir, version, keyPrint: await keyPrint(settings), closers }
}

/** A digest by which a snapshot recognises the encryption key of its values; null if there is no key yet. */
async function keyPrint({ encryptionKey, dataDir }: Config): Promise<string | null> {
  const key = encryptionKey ?? (await storedKey(join(dataDir, 'encryption-key')))
  return key ? openSeal(key).digest('snapshot').toString('hex').slice(0, 16) : null
}

async function storedKey(file: string): Promise<Buffer | undefined> {
  try {
    return Buffer.from((await readFile(file, 'utf8')).trim(), 'base64')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new StartupError(`cannot read ${file} (${(error as NodeJS.ErrnoException).code})`)
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
