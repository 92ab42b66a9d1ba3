import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { clock } from '../../../base/clock.ts'
import type { Database } from '../../../database/database.ts'
import { daysAfter, isBankingDay } from '../../../rails/ach/calendar.ts'
import type { AchMode } from '../../../rails/ach/settings.ts'
import { reconcileDay } from '../reconciliation.ts'
import {
  bankDay,
  failingEndpoints,
  hasTables,
  lateRailWork,
  movedOrganisations,
  openExceptions,
  openFiles,
  openReviews,
  type Waiting,
} from './rail-state.sql.ts'

/** The work that waits on the rail and for reviewers, in one database. Kinds without anything are absent. */
export interface WaitingWork {
  /** Files that are not at the end of their way, by state. */
  files: Waiting[]
  /** Work that should have happened already: cutoffs, returns, settlements, refunds, received. */
  late: Waiting[]
  exceptions: Waiting[]
  reviews: Waiting[]
  /** Webhook endpoints that fail. */
  endpoints: Waiting[]
}

/** Whether the tables are there: the operator may look at an empty database. */
export function hasRail(database: Database): Promise<boolean> {
  return hasTables(database)
}

export async function readWaitingWork(database: Database): Promise<WaitingWork> {
  return {
    files: await openFiles(database),
    late: await lateRailWork(database),
    exceptions: await openExceptions(database),
    reviews: await openReviews(database),
    endpoints: await failingEndpoints(database),
  }
}

/** The settlement days that are compared, and by how many cents files and ledger differ in the worst of them. */
export interface RailDifference {
  days: string[]
  cents: number
}

/** Compares files and ledger on the day of the bank and on the banking day before. Organisations that move are left out. */
export async function readRailDifference(database: Database): Promise<RailDifference> {
  const today = await bankDay(database)
  if (today === undefined) return { days: [], cents: 0 }
  const days = [lastBankingDay(today), today]
  const elsewhere = await movedOrganisations(database)
  let cents = 0
  for (const day of days) {
    const { difference } = await reconcileDay(database, null, day, elsewhere)
    cents = Math.max(cents, Math.abs(difference))
  }
  return { days, cents }
}

function lastBankingDay(today: string): string {
  let day = daysAfter(today, -1)
  while (!isBankingDay(day)) day = daysAfter(day, -1)
  return day
}

/** The files in a folder of the rail. */
export interface FolderState {
  /** Whether the folder can be read. */
  ready: boolean
  count: number
  /** Since when the oldest is there. */
  seconds: number
}

export interface NamedFolder extends FolderState {
  folder: 'in' | 'out'
}

/** The folders of a bank whose payments leave with files. */
export async function readFolders(ach: AchMode): Promise<NamedFolder[]> {
  if (ach === 'instant') return []
  return [
    { folder: 'in', ...(await readFolder(ach.incoming)) },
    { folder: 'out', ...(await readFolder(ach.outgoing, '.ach')) },
  ]
}

/** Files that are looked at. */
const MOST = 1_000

/** The files in a folder with an ending. Names with a dot in front are on their way; files that were taken are in folders. */
export async function readFolder(path: string, ending = ''): Promise<FolderState> {
  let names: string[]
  try {
    names = await readdir(path)
  } catch {
    return { ready: false, count: 0, seconds: 0 }
  }
  const ages: number[] = []
  for (const name of names.filter((each) => !each.startsWith('.') && each.endsWith(ending)).slice(0, MOST)) {
    // A file may be fetched meanwhile.
    const found = await stat(join(path, name)).catch(() => undefined)
    if (found?.isFile()) ages.push(Math.max(0, clock.nowMs() - found.ctimeMs) / 1_000)
  }
  return { ready: true, count: ages.length, seconds: Math.max(0, ...ages) }
}
