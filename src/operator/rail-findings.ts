import type { Finding } from '../../ground/finding.ts'
import {
  hasRail,
  readFolder,
  readRailDifference,
  readWaitingWork,
  type WaitingWork,
} from '../bank/ach/watch/rail-state.ts'
import { counted } from '../base/text.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'

/** The limits of the alerts in deploy/prometheus, in seconds. */
const LATE = 300
const STUCK = 900
const UNFETCHED = 1_800
const DAY = 86_400

/** The morning of an operator: files, exceptions, reviews and the reconciliation of a database. */
export async function railFindings(database: Database, mode: Config['mode']): Promise<Finding[]> {
  if (!(await hasRail(database))) return []
  const state = await readWaitingWork(database)
  const found = [...fileFindings(state), ...exceptionFindings(state), ...reviewFindings(state)]
  // In a sandbox each organisation has its own day.
  if (mode === 'live') found.push(await differenceFinding(database))
  return found.map((finding) => ({
    ...finding,
    // Nobody's money waits in a sandbox.
    status: mode === 'sandbox' && finding.status === 'failed' ? 'warning' : finding.status,
  }))
}

/** Files and work of the rail that are late. */
function fileFindings({ files, late }: WaitingWork): Finding[] {
  const check = 'ACH files'
  const behind = late
    .filter(({ seconds }) => seconds > LATE)
    .map(({ kind, seconds }): Finding => {
      const next = 'The log of the service says why: lines of the tasks outgoing-files, returns and due-work'
      return { check, status: 'failed', detail: `${kind} are late by ${spanOf(seconds)}`, next }
    })
  const stuck = files.flatMap(({ kind, count, seconds }): Finding[] => {
    if (kind === 'unknown') {
      const next = 'Ask the receiving bank; docs/ach.md, “A delivery with an unknown outcome”, has the commands'
      return [{ check, status: 'failed', detail: `${counted(count, 'file')} may or may not have been delivered`, next }]
    }
    if (seconds <= STUCK) return []
    const next = `Look at purser ach list --state ${kind}, and at the log of the service`
    return [{ check, status: 'failed', detail: `${counted(count, 'file')} ${kind} since ${spanOf(seconds)}`, next }]
  })
  const found = [...behind, ...stuck]
  return found.length > 0 ? found : [{ check, status: 'ok', detail: 'no file and no cut-off is late' }]
}

function exceptionFindings({ exceptions }: WaitingWork): Finding[] {
  const check = 'exceptions'
  if (exceptions.length === 0) return [{ check, status: 'ok', detail: 'none is open' }]
  return exceptions.map(({ kind, count, seconds }) => ({
    check,
    status: kind === 'file_refused' || seconds > DAY ? 'failed' : 'warning',
    detail: `${counted(count, 'exception')} of the kind ${kind}, the oldest since ${spanOf(seconds)}`,
    next: 'Look at purser ach exceptions, and resolve each with purser ach resolve',
  }))
}

function reviewFindings({ reviews }: WaitingWork): Finding[] {
  const check = 'reviews'
  if (reviews.length === 0) return [{ check, status: 'ok', detail: 'none waits' }]
  return reviews.map(({ kind, count, seconds }) => ({
    check,
    status: seconds > DAY ? 'failed' : 'warning',
    detail: `${counted(count, 'review')} of the kind ${kind} wait, the oldest since ${spanOf(seconds)}`,
    next: 'A reviewer decides in the console or with a key of the scope review:write',
  }))
}

async function differenceFinding(database: Database): Promise<Finding> {
  const check = 'reconciliation'
  const { days, cents } = await readRailDifference(database)
  const on = days.join(' and ')
  if (cents === 0) return { check, status: 'ok', detail: `files and ledger agree on ${on || 'all days'}` }
  const next = 'Look at purser ach reconcile with each day'
  return { check, status: 'failed', detail: `files and ledger differ by ${cents} cents on ${on}`, next }
}

/** The folders of a live bank: whether they are there, and whether files lie in them for too long. */
export async function folderFindings({ mode, ach }: Pick<Config, 'mode' | 'ach'>): Promise<Finding[]> {
  if (mode !== 'live' || ach === 'instant') return []
  const folders = [
    { path: ach.outgoing, ending: '.ach', limit: UNFETCHED, waits: 'to be fetched', name: 'outgoing' },
    { path: ach.incoming, ending: '', limit: STUCK, waits: 'to be taken', name: 'incoming' },
  ]
  const found = await Promise.all(
    folders.map(async ({ path, ending, limit, waits, name }): Promise<Finding> => {
      const check = `${name} folder`
      const { ready, count, seconds } = await readFolder(path, ending)
      const next = `Look at the program that exchanges the files, and at PURSER_ACH_${name.toUpperCase()}`
      if (!ready) return { check, status: 'failed', detail: `${path} cannot be read`, next }
      if (seconds <= limit) return { check, status: 'ok', detail: `${path}, ${counted(count, 'file')}` }
      return { check, status: 'failed', detail: `${path}: a file waits since ${spanOf(seconds)} ${waits}`, next }
    }),
  )
  return found
}

/** A time in the largest unit of which there are two at least. */
function spanOf(seconds: number): string {
  const [unit, length] =
    seconds >= 2 * DAY
      ? (['day', DAY] as const)
      : seconds >= 7_200
        ? (['hour', 3_600] as const)
        : (['minute', 60] as const)
  return counted(Math.floor(seconds / length), unit)
}
