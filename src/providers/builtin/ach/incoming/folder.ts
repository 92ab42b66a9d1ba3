import { lstat, mkdir, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { clock } from '../../../../base/clock.ts'
import { messageOf } from '../../../../base/message-of.ts'
import type { RailBank } from '../build-file.ts'
import type { Awaited, FileCell } from '../cells/spread.ts'
import { firstOrganisation, isOrganisation } from './incoming.sql.ts'
import { takeFile } from './take-file.ts'

/** The largest file that is taken: some 700,000 records, more than a bank sends in a day. */
const MAX_BYTES = 64 * 1024 * 1024
/** A file that was changed a moment ago may still be on its way. */
const SETTLED_MS = 2_000
const FILES_AT_A_TIME = 20

/** A file that waits for a cell is tried again after this time, so that it holds up no other. */
const WAIT_MS = 5_000

type Log = Pick<Logger, 'info' | 'warn'>

/** The files that wait for cells, by their paths: until when, and for which. */
export type WaitingFiles = Map<string, { untilMs: number; cells: string }>

interface Taking {
  log: Log
  cells: readonly FileCell[]
  waiting: WaitingFiles
}

interface Folder {
  organisationId: number
  path: string
}

/**
 * Takes the files in the incoming folder and moves them to `done` or `refused`. In live mode the folder is the bank's; in a
 * sandbox it has a folder for each organisation, under its id.
 */
export async function takeFiles(bank: RailBank, taking: Taking): Promise<void> {
  for (const folder of await foldersOf(bank)) {
    for (const name of await settledFiles(folder.path, taking.waiting)) await takeNamed(bank, folder, name, taking)
  }
}

async function foldersOf({ ach, mode, database }: RailBank): Promise<Folder[]> {
  const path = ach.incoming
  if (mode === 'live') {
    const organisationId = await firstOrganisation(database)
    return organisationId === undefined ? [] : [{ organisationId, path }]
  }
  const folders: Folder[] = []
  for (const name of await namesIn(path)) {
    const organisationId = /^[1-9]\d{6,15}$/.test(name) ? Number(name) : 0
    const folder = { organisationId, path: join(path, name) }
    if (organisationId === 0 || (await settledFiles(folder.path)).length === 0) continue
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
async function settledFiles(path: string, waiting?: WaitingFiles): Promise<string[]> {
  const names: string[] = []
  for (const name of await namesIn(path)) {
    if (name.startsWith('.') || (waiting?.get(join(path, name))?.untilMs ?? 0) > clock.elapsedMs()) continue
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
  { log, cells, waiting }: Taking,
): Promise<void> {
  const from = join(path, name)
  try {
    if ((await lstat(from)).size > MAX_BYTES) {
      log.warn({ file: from }, 'incoming ACH file too large')
      await move(path, name, 'refused', name)
      return
    }
    const intake = await takeFile(bank, { organisationId, name, bytes: await readFile(from) }, cells)
    if (intake.state === 'waiting') return noteWaiting(from, intake.awaited, { log, waiting })
    waiting.delete(from)
    const isRefused = intake.state === 'refused'
    if (isRefused)
      log.warn({ file: from, achFileId: intake.fileId, reason: intake.reason }, 'incoming ACH file refused')
    else
      log.info({ file: from, achFileId: intake.fileId, entries: intake.entries }, `incoming ACH file ${intake.state}`)
    await move(path, name, isRefused ? 'refused' : 'done', `${intake.fileId}-${name}`)
  } catch (error) {
    // Another process may have moved the file.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return void waiting.delete(from)
    log.warn({ file: from, reason: messageOf(error) }, 'incoming ACH file not taken')
  }
}

/** Logs once for which cells a file waits. */
function noteWaiting(file: string, awaited: Awaited[], { log, waiting }: Pick<Taking, 'log' | 'waiting'>): void {
  const cells = awaited.map(({ cell, reason }) => `${cell}: ${reason}`).join(', ')
  if (waiting.get(file)?.cells !== cells) log.warn({ file, cells }, 'incoming ACH file waits for cells')
  waiting.set(file, { untilMs: clock.elapsedMs() + WAIT_MS, cells })
}

async function move(path: string, name: string, folder: 'done' | 'refused', as: string): Promise<void> {
  await mkdir(join(path, folder), { recursive: true })
  await rename(join(path, name), join(path, folder, as))
}
