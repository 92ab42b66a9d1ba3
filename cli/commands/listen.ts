import type { EventFilter, Purser } from '../../client/src/index.ts'
import { UsageError } from '../../ground/failure.ts'
import type { Output } from '../../ground/output.ts'
import { padded, visible } from '../../ground/text.ts'
import type { Call, Command } from '../command.ts'
import { forwardFeed, forwardRedeliveries } from '../listen/follow-feed.ts'
import { type Attempt, type Forwarder, isSuccess, openForwarder } from '../listen/forwarder.ts'
import { listenSecret } from '../listen/secret.ts'
import { targetOf } from '../listen/target.ts'
import { positionOf } from '../numbered-list.ts'
import { quietClient } from '../quiet-client.ts'
import { triggers } from '../trigger/triggers.ts'
import { eventFilters } from './events.ts'

export const listen: Command = {
  path: 'listen',
  summary: 'Forwards events to an app on this machine, as webhooks',
  description: `Follows the feed and posts each event to the app, with the headers, signature and body of a delivery of the service. The secret that signs stays the same: it is printed at the start, for the environment of the app. Needs no webhook endpoint and no tunnel.

A forward that fails is tried again after 1, 3, 10 and 30 seconds. Events of one record are forwarded in order; those of others do not wait. An event that is redelivered (\`purser events redeliver ID\`) is forwarded again. The command survives a restart of the service and of the app, and ends with Ctrl-C.

Prints one line for each attempt: status, time and the beginning of the answer.`,
  group: 'Develop',
  options: [
    { flags: '--forward-to <address>', description: 'Address of the app: localhost:3000/hooks, a port, or a URL' },
    {
      flags: '--events <types>',
      description: 'Only these types, with commas: payment.*,card.created',
      completions: Object.keys(triggers),
    },
    { flags: '--after <number>', description: 'Begin after the event with this sequence number (default: now)' },
    { flags: '--secret <secret>', description: 'Sign with this secret (whsec_…) in place of the kept one' },
    { flags: '--print-secret', description: 'Print the secret and end' },
  ],
  examples: [
    { run: 'purser listen --print-secret', does: 'Prints the secret, for the settings of the app' },
    { run: 'purser listen --forward-to localhost:3000/hooks', does: 'Forwards all events from now on', lasting: true },
    {
      run: "purser listen --forward-to localhost:3000/hooks --events 'payment.*,card.*' --after 0",
      does: 'Forwards the events of payments and cards, from the first one',
      lasting: true,
    },
  ],
  run,
}

async function run(call: Call): Promise<void> {
  const { options, out } = call
  const secret = listenSecret(options.secret as string | undefined, call.environment)
  if (options.printSecret) return out.line(secret)
  if (typeof options.forwardTo !== 'string') throw new UsageError('--forward-to is missing: the address of the app')
  const target = targetOf(options.forwardTo)
  const types = eventFilters(options.events as string | undefined)
  const after = positionOf(options.after) ?? 'latest'
  const purser = quietClient(call)
  const { version } = await purser.me.get()
  const signal = call.signal()
  const show = (attempt: Attempt) =>
    out.forPeople ? out.line(attemptLine(attempt, out)) : out.record(attemptRecord(attempt))
  const forwarder = openForwarder({ target, secret, userAgent: `Purser/${version}`, signal, show })
  const since = after === 'latest' ? 'from now on' : `after number ${after}`
  out.note(`Forwards ${types?.join(', ') ?? 'all events'} to ${target.href}, ${since}. Ctrl-C ends it.`)
  out.note(`The secret that signs, for the environment of the app:\nPURSER_WEBHOOK_SECRET=${secret}`)
  await forwardBoth(call, purser, forwarder, { after, types, signal })
}

async function forwardBoth(
  { out }: Call,
  purser: Purser,
  forwarder: Forwarder,
  options: { after: number | 'latest'; types: EventFilter[] | undefined; signal: AbortSignal },
): Promise<void> {
  const failed = new AbortController()
  const both = { ...options, signal: AbortSignal.any([options.signal, failed.signal]) }
  const redeliveries = forwardRedeliveries(purser, forwarder, both).then((reason) => {
    if (reason) out.note(`Redeliveries are not forwarded: ${reason}`)
  })
  try {
    await Promise.all([forwardFeed(purser, forwarder, both), redeliveries])
  } finally {
    failed.abort()
    forwarder.close()
  }
  const pending = forwarder.firstPending()
  if (pending !== undefined) out.note(`Some events were not forwarded: --after ${pending - 1} begins with them.`)
}

function attemptRecord({ event, status, ms, body, error, attempt, redelivered, retryInMs }: Attempt): object {
  const { id, type, sequence, entity } = event
  return { sequence, id, type, entity, status, ms, body, error, attempt, redelivered, retryInMs }
}

function attemptLine(attempt: Attempt, { colors }: Output): string {
  const { event, status, ms, body, error, redelivered, retryInMs } = attempt
  const colour = isSuccess(attempt) ? colors.green : colors.red
  const [oneLine = ''] = [visible(error ?? body)]
  const again = redelivered ? ' again' : ''
  const next = retryInMs === null ? (isSuccess(attempt) ? '' : '  gives up') : `  tries again in ${retryInMs / 1_000} s`
  const words = [
    colors.dim(new Date().toTimeString().slice(0, 8)),
    colour(padded(String(status ?? 'none'), 4)),
    padded(`${ms} ms`, 8, 'right'),
    padded(event.type + again, 30),
    event.id,
    oneLine,
  ]
  return words.join('  ').trimEnd() + (attempt.attempt > 1 ? ` (attempt ${attempt.attempt})` : '') + colors.dim(next)
}
