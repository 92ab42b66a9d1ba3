import { lstat, mkdir, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { clock } from '../../../base/clock.ts'
import { type ConcurrencyLimit, concurrencyLimit } from '../../../base/concurrency-limit.ts'
import { messageOf } from '../../../base/message-of.ts'
import type { RailBank } from '../build-file.ts'
import type { Awaited, OtherDatabase } from '../spread/spread.ts'
import {
  firstOrganisation,
  idleWithoutLimit,
  isOrganisation,
  releaseIntakeLock,
  tryIntakeLock,
} from './incoming.sql.ts'
import { takeHeldFile } from './take-file.ts'

/** The largest file that is taken: some 700,000 records, more than a bank sends in a day. */
const MAX_BYTES = 64 * 1024 * 1024
/** A file that was changed a moment ago may still be on its way. */
const SETTLED_MS = 2_000
const FILES_AT_A_TIME = 20

/** A file that waits for a database is tried again after this time, so that it holds up no other. */
const WAIT_MS = 5_000
/** The same for one that failed. */
const FAILED_MS = 1_000
/** While files are taken, the folders of other organisations are looked at in this interval. */
const LOOK_MS = 250
/** Files up to this size are not held up by the room that larger ones need in memory. */
const SMALL_BYTES = 256 * 1024

type Log = Pick<Logger, 'info' | 'warn'>

/** The files that wait for databases, by their paths: until when, and for which. */
export type WaitingFiles = Map<string, { untilMs: number; awaited: string }>

interface Taking {
  log: Log
  others: readonly OtherDatabase[]
  waiting: WaitingFiles
  limits: FolderLimits
}

/** The limits of what is taken at a time, by organisation. */
interface FolderLimits {
  /** Portions of entries: while the database writes one, another is decided. Organisations have them in turns. */
  turn: ConcurrencyLimit
  /** The bytes of files that are in memory. */
  room: ConcurrencyLimit
}

export function folderLimits(): FolderLimits {
  return {
    turn: concurrencyLimit({ total: 2, perOrganisation: 2 }),
    room: concurrencyLimit({ total: 2 * MAX_BYTES, perOrganisation: MAX_BYTES }),
  }
}

interface Folder {
  organisationId: number
  path: string
}

/**
 * Takes the files in the incoming folder and moves them to `done` or `refused`. In live mode the folder is the bank's; in a
 * sandbox it has a folder for each organisation, under its id. The files of one organisation are taken one after the other,
 * and beside them those of others, which may come while a large one is taken. One connection has the locks of all.
 */
export async function takeFiles(bank: RailBank, taking: Taking): Promise<void> {
  const first = await foldersOf(bank, taking)
  if (first.length === 0) return
  await bank.database.transaction(async (connection) => {
    await idleWithoutLimit(connection)
    const running = new Map<number, Promise<void>>()
    const take = async (folder: Folder) => {
      try {
        for (const name of await settledFiles(folder.path, taking.waiting)) await takeNamed(bank, folder, name, taking)
      } finally {
        await releaseIntakeLock(connection, folder.organisationId)
        running.delete(folder.organisationId)
      }
    }
    try {
      for (let folders = first; ; folders = await foldersOf(bank, taking)) {
        for (const folder of folders) {
          const { organisationId } = folder
          if (running.has(organisationId) || !(await tryIntakeLock(connection, organisationId))) continue
          running.set(organisationId, take(folder))
        }
        if (running.size === 0) return
        await Promise.race([...running.values(), sleep(LOOK_MS)])
      }
    } finally {
      await Promise.allSettled(running.values())
    }
  })
}

/** The folders that have files to take. */
async function foldersOf({ ach, mode, database }: RailBank, { waiting }: Taking): Promise<Folder[]> {
  const path = ach.incoming
  if (mode === 'live') {
    const organisationId =
      (await settledFiles(path, waiting)).length > 0 ? await firstOrganisation(database) : undefined
    return organisationId === undefined ? [] : [{ organisationId, path }]
  }
  const folders: Folder[] = []
  for (const name of await namesIn(path)) {
    const organisationId = /^[1-9]\d{6,15}$/.test(name) ? Number(name) : 0
    const folder = { organisationId, path: join(path, name) }
    if (organisationId === 0 || (await settledFiles(folder.path, waiting)).length === 0) continue
    if (await isOrganisation(database, organisationId)) folders.push(folder)
  }
  return folders
}

async function namesIn(path: string): Promise<string[]> {
  try {
    return (await readdir(path)).sort()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
}

/** The files of a folder that can be taken, in the order of their names. Names with a dot in front are on their way. */
export async function settledFiles(path: string, waiting: WaitingFiles): Promise<string[]> {
  const names: string[] = []
  for (const name of await namesIn(path)) {
    if (name.startsWith('.') || (waiting.get(join(path, name))?.untilMs ?? 0) > clock.elapsedMs()) continue
    const found = await lstat(join(path, name)).catch(() => undefined)
    if (found?.isFile() && clock.nowMs() - found.mtimeMs >= SETTLED_MS) names.push(name)
    if (names.length === FILES_AT_A_TIME) break
  }
  return names
}

/** Takes one file. One that fails for another reason than its content stays where it is. */
async function takeNamed(
  bank: RailBank,
  { organisationId, path }: Folder,
  name: string,
  { log, others, waiting, limits: { turn, room } }: Taking,
): Promise<void> {
  const from = join(path, name)
  const take = async () => takeHeldFile(bank, { organisationId, name, bytes: await readFile(from) }, { others, turn })
  try {
    const { size } = await lstat(from)
    if (size > MAX_BYTES) {
      log.warn({ file: from }, 'incoming ACH file too large')
      await moveFile(path, name, 'refused', name)
      return
    }
    const intake = await (size > SMALL_BYTES ? room(organisationId, take, size) : take())
    if (intake.state === 'waiting') return noteWaiting(from, intake.awaited, { log, waiting })
    waiting.delete(from)
    const isRefused = intake.state === 'refused'
    if (isRefused)
      log.warn({ file: from, achFileId: intake.fileId, reason: intake.reason }, 'incoming ACH file refused')
    else
      log.info({ file: from, achFileId: intake.fileId, entries: intake.entries }, `incoming ACH file ${intake.state}`)
    await moveFile(path, name, isRefused ? 'refused' : 'done', `${intake.fileId}-${name}`)
  } catch (error) {
    // Another process may have moved the file.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return void waiting.delete(from)
    log.warn({ file: from, reason: messageOf(error) }, 'incoming ACH file not taken')
    waiting.set(from, { untilMs: clock.elapsedMs() + FAILED_MS, awaited: '' })
  }
}

/** Logs once for which databases a file waits. */
function noteWaiting(file: string, awaited: Awaited[], { log, waiting }: Pick<Taking, 'log' | 'waiting'>): void {
  const cells = awaited.map(({ cell, reason }) => `${cell}: ${reason}`).join(', ')
  if (waiting.get(file)?.awaited !== cells) log.warn({ file, cells }, 'incoming ACH file waits for cells')
  waiting.set(file, { untilMs: clock.elapsedMs() + WAIT_MS, awaited: cells })
}

export async function moveFile(path: string, name: string, folder: 'done' | 'refused', as: string): Promise<void> {
  await mkdir(join(path, folder), { recursive: true })
  await rename(join(path, name), join(path, folder, as))
}
