import type { Database } from '../../database/database.ts'
import { type ChainReport, verifyChains, type WalkOptions } from './verify-chain.ts'

/** A head as `GET /v0/audit-log/head` showed it, noted outside of the database. */
export interface NotedHead {
  organisationId: number
  sequence: number
  /** In hexadecimal digits. */
  link: string
}

/** Whether a noted head is part of the chain of today. */
export interface Proof extends NotedHead {
  proven: boolean
  /** Number of the first event that may differ; null if the head is proven. */
  differsFrom: number | null
  detail: string
}

/** Compares noted heads with the chains of today, each of which is walked once from its beginning. */
export async function proveHeads(
  database: Database,
  heads: NotedHead[],
  options: Pick<WalkOptions, 'readRows' | 'progress'>,
): Promise<Proof[]> {
  const proofs: Proof[] = []
  const ids = [...new Set(heads.map(({ organisationId }) => organisationId))].sort((one, other) => one - other)
  for (const organisationId of ids) {
    const noted = heads.filter((head) => head.organisationId === organisationId)
    const wanted = new Set(noted.map(({ sequence }) => sequence))
    const links = new Map<number, string>()
    const passed: WalkOptions['passed'] = (_, { last, link }) => {
      if (wanted.has(last)) links.set(last, link.toString('hex'))
    }
    const [report] = await verifyChains(database, { ...options, organisationId, passed })
    noted.sort((one, other) => one.sequence - other.sequence)
    proofs.push(...proofsOf(noted, report, links))
  }
  return proofs
}

/** Heads are compared from the oldest on, so that one that differs lies after all that are proven. */
function proofsOf(noted: NotedHead[], report: ChainReport | undefined, links: Map<number, string>): Proof[] {
  if (!report?.from) {
    const detail = report ? 'the organisation has no chain' : 'the database has no such organisation'
    return noted.map((head) => ({ ...head, proven: false, differsFrom: 1, detail }))
  }
  let { from } = report
  return noted.map((head) => {
    const refuted = refutation(head, report, links, from)
    if (refuted) return { ...head, proven: false, ...refuted }
    from = head.sequence + 1
    const detail = `the chain of today, up to event ${report.head}, continues it`
    return { ...head, proven: true, differsFrom: null, detail }
  })
}

function refutation(
  { sequence, link }: NotedHead,
  { head, breaches }: ChainReport,
  links: Map<number, string>,
  from: number,
): { differsFrom: number; detail: string } | undefined {
  const [first] = breaches.toSorted((one, other) => one.first - other.first)
  if (first && (first.first <= sequence || sequence <= head))
    return { differsFrom: first.first, detail: `events ${first.first} to ${first.last}: ${first.reason}` }
  if (sequence > head) {
    const detail = `it is past the head of today, event ${head}: a restore to an earlier time has lost the events after it`
    return { differsFrom: head + 1, detail }
  }
  const found = links.get(sequence)
  if (found === link) return undefined
  const what = found === undefined ? `no transaction ends with event ${sequence}` : `the link is ${found} today`
  return { differsFrom: from, detail: `${what}: the chain was written anew between events ${from} and ${sequence}` }
}
