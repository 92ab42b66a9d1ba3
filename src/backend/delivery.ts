import type { KeyAuthenticator } from '../access/authenticate-key.ts'
import type { LoadedFaults } from '../bank/faults/active-faults.ts'
import { endedBy } from '../bank/organisations/organisations.ts'
import type { TaskLog } from '../base/tasks/task-log.ts'
import { openListener } from '../database/listen.ts'
import { EVENT_CHANNEL } from '../events/announce.ts'
import type { Feed } from '../events/feed.ts'
import { openAddressGuard } from '../webhooks/delivery/address-guard.ts'
import { openSender } from '../webhooks/delivery/send.ts'
import { openWebhookWorker, type WebhookWorker } from '../webhooks/delivery/worker.ts'
import type { BackendParts } from './backend.ts'
import type { Core } from './core.ts'

/** Outgoing webhooks: the check of their addresses and the worker that sends them. */
export function openDelivery(
  { core, settings, version, log, metrics, ...parts }: BackendParts,
  faults: LoadedFaults | undefined,
  tasks: TaskLog,
) {
  const { database, seals, committed, closers } = core
  const { mode, webhookTimeoutMs: timeoutMs, webhookRetriesMs: delaysMs } = settings
  const guard = openAddressGuard({ mode, connectTimeoutMs: timeoutMs, ...parts.guard })
  const worker = openWebhookWorker({
    database,
    seals,
    readFirstStates: core.readFirstStates,
    sender: openSender({ guard, timeoutMs, userAgent: `Purser/${version}` }),
    committed,
    failed: (error) => log.warn({ reason: error.message }, 'webhook delivery failed'),
    turns: {
      failed: (error) => tasks.failed('webhooks', error),
      succeeded: () => tasks.succeeded('webhooks'),
    },
    ...(metrics && { observe: metrics }),
    faults,
    delaysMs,
    leaseMs: 4 * timeoutMs,
    ...parts.worker,
  })
  closers.add(() => worker.close())
  return { guard, worker }
}

interface Listening {
  feed: Feed
  worker: WebhookWorker
  keys: KeyAuthenticator
  active: LoadedFaults | undefined
  tasks: TaskLog
}

/**
 * Wakes long polls and the webhook worker when any process of the service has committed events or changed fault rules, and
 * forgets the keys of an organisation that any process has ended.
 */
export function listenForEvents({ servers, closers }: Core, { feed, worker, keys, active, tasks }: Listening): void {
  const heard = (payload?: string) => {
    const ended = endedBy(payload)
    if (ended !== undefined) keys.forgetOrganisation(ended)
    feed.look()
    worker.heard()
    active?.heard(payload).then(
      () => tasks.succeeded('fault-rules'),
      (error: unknown) => tasks.failed('fault-rules', error),
    )
  }
  const listener = openListener({ servers, channel: EVENT_CHANNEL, heard })
  closers.add(() => listener.close())
}
