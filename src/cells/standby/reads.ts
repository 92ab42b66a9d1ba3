import { hasArrived } from '../../access/organisations.ts'
import type { OpenStandby, StandbyParts } from '../../backend/backend.ts'
import { messageOf } from '../../base/message-of.ts'
import { Recent } from '../../base/recent.ts'
import { type Queryable, serversOf } from '../../database/database.ts'
import { auditLogOf } from '../../events/audit/audit-log.ts'
import { auditLogHeadOf } from '../../events/chain/head.ts'
import { type Feed, openFeed } from '../../events/feed.ts'
import type { Reader } from '../../http/request/stale-read.ts'
import { Standby, type StandbyOptions } from './standby.ts'
import type { Visit } from './visit.ts'

/** Organisations whose position at the standby is remembered. */
const MAX_ORGANISATIONS = 10_000

/** The reads of a backend that a standby may answer: ports over its database, and the rule that lets a read go there. */
export function standbyReads(url: string | undefined): OpenStandby | undefined {
  return url === undefined ? undefined : (parts) => openStandbyReads(serversOf(url, 'standby'), parts)
}

export function openStandbyReads(
  servers: StandbyOptions['servers'],
  { core, ports, feed: primary, feedOptions, log, metrics }: StandbyParts,
): ReturnType<OpenStandby> {
  const standby = new Standby({ servers, primary: core.servers })
  core.closers.add(() => standby.close())
  const { database } = standby
  const feed = openFeed({ database, readFirstStates: core.readFirstStates, ...feedOptions })
  const hasReached = reachedBy(database, feed)
  standby.start((change) => {
    if (change.used) log.info('the standby answers reads')
    else log.warn({ reason: change.reason }, 'the standby is not used: the primary answers its reads')
  })
  metrics?.watchStandby(() => standby.ageMs())
  const { bank, accounting, records, offers } = core.builtinOver(database)
  const events = { ...ports.events, ...feed, ...auditLogOf(database), ...auditLogHeadOf(database) }
  return {
    ports: { ...ports, bank, accounting, records, offers, events },
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
  /** The move to this database that is over there. */
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
