import type { Database } from '../../database/database.ts'
import { emit } from '../../events/event.ts'
import { bankOrigin, type NewEvent, recordEvents } from '../../events/record.ts'
import { endpointOf } from '../endpoints/endpoint-view.ts'
import { disableEndpoint, noteHealth } from '../endpoints/endpoints.sql.ts'
import type { Claimed } from './claim.sql.ts'
import type { Outcome } from './outcomes.sql.ts'

export interface HealthOptions {
  database: Database
  /** Called when events have been committed. */
  committed(): void
  /** Called with an error; the endpoint is judged again by its next outcome. */
  failed(error: Error): void
  /** An endpoint that has failed for so long, in real time, is disabled. */
  patienceMs: number
}

const GONE = 410

type Result = { delivery: Claimed; outcome: Outcome }

/**
 * Notes which endpoints fail, and disables those that answered 410 or have failed for too long. Tests do not count. An
 * endpoint that cannot be disabled does not keep the others from being judged.
 */
export async function judgeEndpoints(options: HealthOptions, results: Result[]): Promise<void> {
  const { database, failed, patienceMs } = options
  const counted = results.filter(({ delivery }) => delivery.sequence !== null)
  const succeeded = endpointIds(counted.filter(({ outcome }) => outcome.status === 'Succeeded'))
  const failing = endpointIds(counted).filter((id) => !succeeded.includes(id))
  const gone = counted.filter(({ outcome }) => outcome.attempt.responseStatus === GONE)
  for (const { delivery } of gone) {
    await disable(options, { id: delivery.endpointId, url: delivery.url, reason: 'Gone' }).catch(failed)
  }
  for (const id of await noteHealth(database, { succeeded, failing, patienceMs })) {
    await disable(options, { id, url: null, reason: 'Failing' }).catch(failed)
  }
}

function endpointIds(results: Result[]): number[] {
  return [...new Set(results.map(({ outcome }) => outcome.endpointId))]
}

async function disable(
  { database, committed }: HealthOptions,
  endpoint: Parameters<typeof disableEndpoint>[1],
): Promise<void> {
  await database.transaction(async (transaction) => {
    const row = await disableEndpoint(transaction, endpoint)
    if (!row) return
    const origin = bankOrigin(row.organisationId)
    const events: NewEvent[] = []
    emit({ push: (event) => events.push({ event, origin }) }, 'webhookEndpoint.disabled', row.version, endpointOf(row))
    await recordEvents(transaction, events)
  })
  committed()
}
