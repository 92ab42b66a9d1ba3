import { StartupError } from '../../base/startup-error.ts'
import type { Database, Queryable } from '../../database/database.ts'
import { findFirstStates, firstStateIn, type ReadFirstStates } from '../stored/complete-events.ts'
import { splitEvents } from '../stored/event-pages.ts'
import {
  beginWalk,
  type ChainRow,
  findLinkBefore,
  hasChain,
  type LinkRow,
  listChains,
  type PageRow,
  readLinks,
  readPages,
} from './chain.sql.ts'
import { type DigestedPage, openDigest } from './digest.ts'

/** Events whose chain does not hold. The numbers are those of one transaction, or of events without a link. */
export interface ChainBreach {
  organisationId: number
  first: number
  last: number
  reason: string
}

/** The state of the chain of one organisation. */
export interface ChainReport {
  organisationId: number
  /** Number of the first event that was checked; null if there is no link. */
  from: number | null
  /** Number of the last event in the chain. */
  head: number
  breaches: ChainBreach[]
}

export interface WalkOptions {
  /** Reads the columns behind the events that are stored without data. */
  readRows: ReadFirstStates
  organisationId?: number
  /** Bank time. Only links from then on are checked. */
  since?: string
  /** Called for each link that was checked, with the number of its last event. */
  passed?: (organisationId: number, link: Pick<LinkRow, 'last' | 'link'>) => void
  /** Called after each portion. */
  progress?: (done: number, of: number) => void
}

const LINKS = 1_000
const PAGES = 200
/** Breaches that are named for one organisation. */
export const MAX_NAMED = 20

/**
 * Walks the chains of hashes: each link follows from the one before, and the events of each transaction, with the columns
 * behind those that are stored without data, have the digest of its link. Reads in portions, in one snapshot.
 */
export function verifyChains(database: Database, options: WalkOptions): Promise<ChainReport[]> {
  return database.transaction(async (transaction) => {
    await beginWalk(transaction)
    if (!(await hasChain(transaction)))
      throw new StartupError('the database has no chain of events yet: purser start makes it')
    return walkChains(transaction, options)
  })
}

/** Walks the chains as a transaction sees them: also over rows that it has not committed. */
export async function walkChains(transaction: Queryable, options: WalkOptions): Promise<ChainReport[]> {
  const chains = await listChains(transaction, options.organisationId ?? null)
  const progress = progressOver(chains, options)
  const reports: ChainReport[] = []
  for (const chain of chains) reports.push(await walk(transaction, chain, options, progress))
  return reports
}

function progressOver(chains: ChainRow[], { progress }: WalkOptions): (chain: ChainRow, at: number) => void {
  const all = chains.reduce((sum, { counter, eventsAfter }) => sum + counter - eventsAfter, 0)
  let before = 0
  return (chain, at) => {
    progress?.(before + Math.max(0, at - chain.eventsAfter), all)
    if (at >= chain.counter) before += chain.counter - chain.eventsAfter
  }
}

async function walk(
  transaction: Queryable,
  chain: ChainRow,
  options: WalkOptions,
  progress: (chain: ChainRow, at: number) => void,
): Promise<ChainReport> {
  const { organisationId } = chain
  const report: ChainReport = { organisationId, from: null, head: 0, breaches: [] }
  const start = options.since ? await findLinkBefore(transaction, organisationId, options.since) : undefined
  const pages = pageReader(transaction, organisationId, options.readRows)
  let previous = start
  for (;;) {
    const position = { after: previous?.last ?? 0, previous: previous?.link ?? null }
    const links = await readLinks(transaction, organisationId, position, LINKS)
    for (const link of links) {
      report.from ??= link.last - link.count + 1
      checkLink(report, link, previous)
      await checkPages(report, link, chain, pages)
      options.passed?.(organisationId, link)
      previous = link
    }
    progress(chain, links.length < LINKS ? chain.counter : (previous?.last ?? 0))
    if (links.length < LINKS) break
  }
  report.head = previous?.last ?? 0
  checkHead(report, chain, previous)
  return report
}

/** Whether a link is the next one. A gap between two links is as wrong as a link that does not follow. */
function checkLink(report: ChainReport, link: LinkRow, previous: { last: number } | undefined): void {
  const first = link.last - link.count + 1
  if (previous && first !== previous.last + 1) {
    const [from, to] = [previous.last + 1, first - 1]
    name(report, from <= to ? from : first, from <= to ? to : link.last, 'the events have no link of their own')
  }
  if (!link.follows) name(report, first, link.last, 'the link does not follow from the one before')
}

/** Whether the newest link is the one that the counter names, and every event is in the chain. */
function checkHead(
  report: ChainReport,
  { counter, head }: ChainRow,
  newest: { last: number; link: Buffer } | undefined,
): void {
  if (!newest && head === null) return
  const last = newest?.last ?? 0
  if (counter > last) name(report, last + 1, counter, 'the events have no link')
  else if (counter < last) name(report, counter + 1, last, 'the links are past the number of the latest event')
  else if (!newest || !head?.equals(newest.link)) name(report, last, last, 'the newest link is not the head')
}

/** A page with the columns behind its events. Undefined stands for a record that is not there. */
interface ReadPage extends DigestedPage, Pick<PageRow, 'last' | 'createdAt' | 'history'> {}

interface PageReader {
  /** The next page, without taking it. */
  peek(after: number): Promise<ReadPage | undefined>
  take(): void
}

/** Reads pages in portions; the columns behind the events of a portion are one look-up. */
function pageReader(transaction: Queryable, organisationId: number, readRows: ReadFirstStates): PageReader {
  let portion: ReadPage[] = []
  let next = 0
  let end: number | undefined
  return {
    async peek(after) {
      if (next === portion.length && end !== Number.POSITIVE_INFINITY) {
        const pages = await readPages(transaction, organisationId, Math.max(after, end ?? 0), PAGES)
        end = pages.length < PAGES ? Number.POSITIVE_INFINITY : pages.at(-1)?.last
        portion = await withRows(transaction, readRows, organisationId, pages)
        next = 0
      }
      return portion[next]
    },
    take: () => {
      next++
    },
  }
}

async function withRows(
  transaction: Queryable,
  readRows: ReadFirstStates,
  organisationId: number,
  pages: PageRow[],
): Promise<ReadPage[]> {
  const split = pages.map(({ events }) => splitEvents(events).filter(({ data }) => data === ''))
  const wanted = split.flat().map((event) => ({ ...event, organisationId, data: null }))
  const found = await findFirstStates(transaction, readRows, wanted)
  return pages.map(({ events: text, ...page }, place) => {
    const rows = (split[place] ?? []).map((event) => (found && firstStateIn(found, event)) ?? 'no record')
    return { ...page, text, rows }
  })
}

/** Compares the pages of a transaction with the digest of its link. Those that are deleted by retention are left out. */
async function checkPages(report: ChainReport, link: LinkRow, { eventsAfter }: ChainRow, pages: PageReader) {
  const before = link.last - link.count
  // A transaction that was written before the kept events begin is gone, or gone in part.
  const isGone = before < eventsAfter
  const digest = openDigest()
  let reached = before
  let missing: [first: number, last: number] | undefined
  let isDated = true
  let page = await pages.peek(before)
  while (page && page.last <= link.last) {
    if (page.last - page.count > reached) missing ??= [reached + 1, page.last - page.count]
    reached = page.last
    isDated &&= page.createdAt === link.createdAt && (link.history ?? page.history ?? '') === (page.history ?? '')
    digest.add(page)
    pages.take()
    page = await pages.peek(before)
  }
  if (isGone) return
  if (reached < link.last) missing ??= [reached + 1, link.last]
  if (missing) name(report, ...missing, 'the events are missing')
  else if (!digest.end().equals(link.digest)) name(report, before + 1, link.last, 'the events were changed')
  if (!isDated && link.follows) name(report, before + 1, link.last, 'the time or the history of the events was changed')
}

function name(report: ChainReport, first: number, last: number, reason: string): void {
  const { organisationId, breaches } = report
  if (breaches.length < MAX_NAMED) breaches.push({ organisationId, first, last, reason })
}
