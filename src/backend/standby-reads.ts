import { hasArrived } from '../access/organisations.ts'
import type { Ports } from '../app.ts'
import { messageOf } from '../base/message-of.ts'
import { Recent } from '../base/recent.ts'
import type { Standby } from '../cells/standby/standby.ts'
import type { Visit } from '../cells/standby/visit.ts'
import type { Queryable } from '../database/database.ts'
import { auditLogOf } from '../events/audit/audit-log.ts'
import { auditLogHeadOf } from '../events/chain/head.ts'
import { type Feed, type FeedOptions, openFeed } from '../events/feed.ts'
import type { Log } from '../http/log.ts'
import type { CellMetrics } from '../http/metrics/cell-metrics.ts'
import type { Reader, ServedStandby } from '../http/request/stale-read.ts'
import type { Core } from './core.ts'

/** Organisations whose position at the standby is remembered. */
const MAX_ORGANISATIONS = 10_000

interface StandbyParts {
  core: Core
  /** The ports and the feed of the primary. */
  ports: Ports
  feed: Feed
  feedOptions: Partial<FeedOptions>
  log: Log
  metrics: CellMetrics | undefined
}

/** The reads of a cell that its standby may answer: ports over its database, and the rule that lets a read go there. */
export function openStandbyReads(parts: StandbyParts): (ServedStandby & { ports: Ports }) | undefined {
  const { core, feed: primary, log, metrics } = parts
  if (!core.standby) return undefined
  const { standby, builtin } = core.standby
  const { database } = standby
  const feed = openFeed({ database, readFirstStates: core.readFirstStates, ...parts.feedOptions })
  const hasReached = reachedBy(database, feed)
  standby.start((change) => {
    if (change.used) log.info('the standby answers reads')
    else log.warn({ reason: change.reason }, 'the standby is not used: the primary answers its reads')
  })
  metrics?.watchStandby(() => standby.ageMs())
  const { bank, accounting, records, offers } = builtin
  const events = { ...parts.ports.events, ...feed, ...auditLogOf(database), ...auditLogHeadOf(database) }
  return {
    ports: { ...parts.ports, bank, accounting, records, offers, events },
    positionAt: primary.head,
    async read(reader, { stale, position = 0 }, run) {
      const failed = (reason: string) => log.debug({ reason }, 'the standby failed to answer a read')
      const outcome = await readThere(standby, { stale, failed }, async (visit) =>
        (await hasReached(visit, reader, position)) ? { result: await run() } : undefined,
      )
      metrics?.standbyRead(typeof outcome === 'string' ? outcome : 'answered')
      return typeof outcome === 'string' ? undefined : outcome
    },
  }
}

/** Why the primary answers a read. */
type Declined = 'away' | 'behind' | 'failed'

/** Runs a read in a visit. A refusal is a failure, too: a record that the standby does not know may exist. */
async function readThere<T>(
  standby: Standby,
  { stale, failed }: { stale: number | undefined; failed(reason: string): void },
  run: (visit: Visit) => Promise<{ result: T } | undefined>,
): Promise<{ result: T } | Declined> {
  const visit = standby.visit(stale === undefined ? undefined : stale * 1_000)
  if (!visit) return standby.ageMs() === undefined ? 'away' : 'behind'
  try {
    return (await visit.run(() => run(visit))) ?? 'behind'
  } catch (error) {
    failed(messageOf(error))
    return 'failed'
  }
}

/** The state of an organisation at the standby, which it never falls behind while the same server is used. */
interface Reached {
  /** The number of its latest event. */
  head: number
  /** The move to this cell that is over there. */
  epoch: number
}

/** Whether the standby has an organisation since its latest move, and an event of it. Both are remembered. */
function reachedBy(database: Queryable, { head }: Pick<Feed, 'head'>) {
  const known = new WeakMap<Visit, Recent<number, Reached>>()
  return async (visit: Visit, { organisationId, epoch }: Reader, position: number): Promise<boolean> => {
    const ofVisit = known.get(visit) ?? new Recent(MAX_ORGANISATIONS)
    known.set(visit, ofVisit)
    const reached = ofVisit.get(organisationId) ?? { head: 0, epoch: 0 }
    if (reached.epoch >= epoch && reached.head >= position) return true
    if (reached.epoch < epoch) {
      if (!(await hasArrived(database, organisationId, epoch))) return false
      reached.epoch = epoch
    }
    if (reached.head < position) reached.head = await head(organisationId)
    ofVisit.set(organisationId, reached)
    return reached.head >= position
  }
}
