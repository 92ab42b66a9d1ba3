import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Agent } from 'undici'
import { clock } from '../base/clock.ts'
import { concurrencyLimit } from '../base/concurrency-limit.ts'
import { messageOf } from '../base/message-of.ts'
import { openAddressGuard } from './delivery/address-guard.ts'
import { openSystemResolver, type Resolve } from './delivery/resolve.ts'
import { CONTENT_TYPE, isSuccess } from './delivery/send.ts'
import { signedHeaders } from './delivery/signature.ts'

/** If a hook is, and the secret that signs the questions to it. */
export interface HookSettings {
  url: string
  /** `whsec_…`, as those of webhook endpoints. */
  secret: string
  /** The deadline of an answer, from the look-up of the name to the last byte. */
  timeoutMs: number
}

/** A service of the operator that the bank asks before it decides. It is configured, not registered by a caller. */
export interface Hook {
  /** Asks, and returns the answer or the fault in time. A fault of the hook is never thrown. */
  ask(organisationId: number, question: HookQuestion): Promise<HookAnswer>
  /** Asks one of many questions that come together. They share half of the places, and wait for one within the deadline. */
  askInTurn(organisationId: number, question: HookQuestion): Promise<HookAnswer>
  /** Ends the questions under way. */
  close(): Promise<void>
}

/** The body, together with `id` (also the header `webhook-id`) and `timestamp`. */
interface HookQuestion {
  type: string
  data: object
}

/** `json` is an object with one of the decisions of the hook, and more that the caller checks. */
type HookAnswer = { json: unknown } | { fault: HookFault; reason: string }

/**
 * `late` did not answer within the deadline. `unintelligible` answered another status than 2xx, no JSON, too much or no
 * decision that is known.
 * `unreachable` has no connection, or too many questions under way.
 */
type HookFault = 'unreachable' | 'late' | 'unintelligible'

export interface HookParts {
  /** The name in metrics and in the log. */
  name: string
  userAgent: string
  /** The values of `decision` that an answer may have. */
  decisions: readonly string[]
  log: Pick<Logger, 'warn'>
  /** Receives figures for metrics. */
  observe?: ((name: string, outcome: 'answered' | HookFault, seconds: number) => void) | undefined
  /** Questions under way at a time; three quarters of them at most of one organisation. */
  maxAtOnce?: number
  resolve?: Resolve
}

/** Bytes of an answer. */
const MAX_ANSWER = 16_384
const MAX_AT_ONCE = 200

interface OpenHook extends HookParts, HookSettings {
  agent: Promise<Agent>
  maxAtOnce: number
  /** The questions under way, and the organisation of each. */
  underWay: Map<AbortController, number>
}

/**
 * Opens a hook. Its addresses may be private in live mode, too: the operator names the URL, and a service that takes part
 * in decisions often has no public address. Addresses at which clouds serve credentials are refused all the same.
 */
export function openHook(settings: HookSettings, parts: HookParts): Hook {
  const { timeoutMs } = settings
  // One look-up at a time leaves threads to the rest of the process.
  const { resolve = openSystemResolver({ max: 1, waitMs: timeoutMs }) } = parts
  const guard = openAddressGuard({ mode: 'sandbox', connectTimeoutMs: timeoutMs, resolve })
  // Loaded now: the first question has a deadline.
  const agent = import('./delivery/agent.ts').then(({ openAgent }) => openAgent(guard))
  const hook: OpenHook = { maxAtOnce: MAX_AT_ONCE, ...parts, ...settings, agent, underWay: new Map() }
  const { maxAtOnce } = hook
  const turns = concurrencyLimit({
    total: Math.ceil(maxAtOnce / 2),
    perOrganisation: Math.ceil(maxAtOnce / 4),
    waitMs: timeoutMs,
  })
  return {
    ask: (organisationId, question) => ask(hook, organisationId, question),
    async askInTurn(organisationId, question) {
      const startedMs = clock.elapsedMs()
      // The time in which a turn comes is part of the deadline.
      const leftMs = () => Math.max(1, timeoutMs - (clock.elapsedMs() - startedMs))
      return turns(organisationId, () => ask({ ...hook, timeoutMs: leftMs() }, organisationId, question)).catch(
        (): HookAnswer => ({ fault: 'late', reason: `no turn within ${timeoutMs / 1_000} s` }),
      )
    },
    async close() {
      for (const controller of hook.underWay.keys()) controller.abort(new Error('the service stops'))
      await (await agent).destroy()
    },
  }
}

async function ask(hook: OpenHook, organisationId: number, question: HookQuestion): Promise<HookAnswer> {
  const { name, log, observe } = hook
  const startedMs = clock.elapsedMs()
  const answer = isBusy(hook, organisationId)
    ? ({ fault: 'unreachable', reason: 'too many questions under way' } as const)
    : await askInTime(hook, organisationId, question)
  const ms = clock.elapsedMs() - startedMs
  observe?.(name, 'fault' in answer ? answer.fault : 'answered', ms / 1_000)
  if ('fault' in answer) {
    log.warn(
      { hook: name, organisationId, fault: answer.fault, reason: answer.reason, ms: Math.round(ms) },
      'hook failed',
    )
  }
  return answer
}

/** Whether a question would pass a limit: a hook that hangs must not collect questions without end. */
function isBusy({ underWay, maxAtOnce }: OpenHook, organisationId: number): boolean {
  if (underWay.size >= maxAtOnce) return true
  let own = 0
  for (const other of underWay.values()) if (other === organisationId) own++
  return own >= Math.ceil((maxAtOnce * 3) / 4)
}

async function askInTime(hook: OpenHook, organisationId: number, question: HookQuestion): Promise<HookAnswer> {
  const { timeoutMs, underWay } = hook
  const controller = new AbortController()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    controller.abort(new Error(`no answer within ${timeoutMs / 1_000} s`))
  }, timeoutMs)
  underWay.set(controller, organisationId)
  try {
    return await post(hook, question, controller.signal)
  } catch (error) {
    return { fault: isLate ? 'late' : 'unreachable', reason: messageOf(error) }
  } finally {
    clearTimeout(timer)
    underWay.delete(controller)
  }
}

async function post(
  { url, secret, agent, userAgent, decisions }: OpenHook,
  { type, data }: HookQuestion,
  signal: AbortSignal,
): Promise<HookAnswer> {
  const id = `ask_${randomUUID()}`
  const now = clock.now()
  const body = JSON.stringify({ id, type, timestamp: now.toISOString(), data })
  const timestampSeconds = Math.floor(now.getTime() / 1_000)
  const { origin, pathname, search } = new URL(url)
  const response = await (await agent).request({
    origin,
    path: pathname + search,
    method: 'POST',
    headers: {
      'content-type': CONTENT_TYPE,
      'user-agent': userAgent,
      accept: 'application/json',
      ...signedHeaders({ id, timestampSeconds, body }, [secret]),
    },
    body,
    signal,
  })
  const bytes = await readUpTo(response.body, MAX_ANSWER)
  if (!isSuccess(response.statusCode)) return unintelligible(`answered ${response.statusCode}`)
  return bytes ? jsonOf(bytes, decisions) : unintelligible(`answered more than ${MAX_ANSWER} bytes`)
}

/** A body; undefined if it is longer than a limit, and then its connection is closed. */
async function readUpTo(body: AsyncIterable<Buffer>, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > limit) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function jsonOf(bytes: Buffer, decisions: readonly string[]): HookAnswer {
  let json: unknown
  try {
    json = JSON.parse(utf8.decode(bytes))
  } catch {
    return unintelligible('answered no JSON')
  }
  const { decision } = (json ?? {}) as { decision?: unknown }
  const isKnown = typeof decision === 'string' && decisions.includes(decision)
  return isKnown ? { json } : unintelligible(`answered no decision: it is ${decisions.join(' or ')}`)
}

function unintelligible(reason: string): HookAnswer {
  return { fault: 'unintelligible', reason }
}
