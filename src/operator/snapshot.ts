import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '../base/startup-error.ts'
import type { Config } from '../config.ts'
import { openSeal } from '../secrets/seal.ts'
import { agreed } from './ask.ts'
import { type OperatorCommand, readArguments, type Surroundings, UsageError } from './command.ts'
import { openProgress } from './progress.ts'
import { deleteSnapshot, listSnapshots, type Place, restoreSnapshot, type Snapshot, saveSnapshot } from './snapshots.ts'

const USAGE = `usage:
purser snapshot save NAME [--force]
purser snapshot list
purser snapshot restore NAME [--yes]
purser snapshot delete NAME`

type Work = (place: Place, surroundings: Surroundings) => Promise<void>

/** Saves, lists, restores and deletes copies of the embedded database. */
export const snapshot: OperatorCommand = (args) => {
  const work = wanted(args)
  return async (surroundings) => {
    const { config, version, closers } = surroundings
    const settings = config()
    if (settings.databaseUrl)
      throw new StartupError('DATABASE_URL is set: a snapshot is a copy of the embedded database')
    const place = { dataDir: settings.dataDir, version, keyPrint: await keyPrint(settings), closers }
    await work(place, surroundings)
  }
}

function wanted([command, ...rest]: string[]): Work {
  if (command === 'save') return save(rest)
  if (command === 'list') return list(rest)
  if (command === 'restore') return restore(rest)
  if (command === 'delete') return remove(rest)
  throw new UsageError(USAGE)
}

function readName(args: string[], option?: 'force' | 'yes'): { name: string; sure: boolean } {
  const options = option ? { [option]: { type: 'boolean' as const } } : {}
  const { positionals, values } = readArguments(args, USAGE, { words: 1, options })
  const [name = ''] = positionals
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name))
    throw new UsageError(
      'a name of a snapshot has up to 64 letters, digits, dots, - and _, and begins with a letter or digit',
    )
  return { name, sure: option !== undefined && values[option] === true }
}

function save(args: string[]): Work {
  const { name, sure } = readName(args, 'force')
  return async (place, { out }) => {
    const progress = openProgress(`saving ${name}`)
    const saved = await saveSnapshot(place, name, { force: sure, progress: progress.at }).finally(progress.clear)
    out.result(saved, `saved ${name}: ${megabytes(saved.bytes)}`)
  }
}

function list(args: string[]): Work {
  readArguments(args, USAGE)
  return async ({ dataDir }, { out }) => {
    const snapshots = listSnapshots(dataDir)
    if (snapshots.length === 0 && !out.json)
      return out.note(`there are no snapshots in ${dataDir}: purser snapshot save NAME`)
    const size = ({ bytes }: Snapshot) => (out.json ? {} : { size: megabytes(bytes) })
    out.table(
      snapshots.map((each) => ({ ...each, ...size(each) })),
      { name: 'NAME', savedAt: 'SAVED', size: 'SIZE', purser: 'PURSER' },
      { right: ['size'] },
    )
  }
}

function restore(args: string[]): Work {
  const { name, sure } = readName(args, 'yes')
  return async (place, { out }) => {
    const question = `Replace all accounts and money in ${place.dataDir} by the snapshot ${name}?`
    const progress = openProgress(`restoring ${name}`)
    const restored = await restoreSnapshot(place, name, {
      confirm: () => agreed(question, sure),
      progress: progress.at,
    }).finally(progress.clear)
    if (restored) out.result({ ...restored, restored: true }, `restored ${name}: purser start begins with it`)
    else out.result({ name, restored: false }, 'nothing was changed')
  }
}

function remove(args: string[]): Work {
  const { name } = readName(args)
  return async (place, { out }) => {
    await deleteSnapshot(place, name)
    out.result({ name, deleted: true }, `deleted ${name}`)
  }
}

/** A digest by which a snapshot recognises the encryption key of its values; null where there is no key yet. */
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
