import { type Event, sign } from '../../client/src/index.ts'
import { type Agent, type Answer, agentFor, send } from './post.ts'

/** One attempt to forward an event. */
export interface Attempt extends Omit<Answer, 'retryAfterMs'> {
  event: Event
  /** Counts from 1. */
  attempt: number
  redelivered: boolean
  /** The pause before the next attempt; null if there is none. */
  retryInMs: number | null
}

export interface ForwarderOptions {
  target: URL
  secret: string
  userAgent: string
  /** Ends all attempts. */
  signal: AbortSignal
  show(attempt: Attempt): void
  timeoutMs?: number
  /** The pause after each failed attempt; there is no attempt after the last pause. */
  pausesMs?: readonly number[]
}

/** Forwards events to an app. */
export interface Forwarder {
  /** Takes an event; waits while too many are in hand. */
  add(event: Event, options?: { redelivered?: boolean }): Promise<void>
  /** The number of the first event that was taken and neither succeeded nor failed. */
  firstPending(): number | undefined
  close(): void
}

interface Task {
  event: Event
  redelivered: boolean
}

interface Work extends Required<ForwarderOptions> {
  agent: Agent
  /** The tasks of each record in their order, the one in work first. */
  tasks: Map<string, Task[]>
  count: number
  sending: number
  /** Those who wait for a place among the tasks, and among the requests. */
  roomWaits: (() => void)[]
  placeWaits: (() => void)[]
}

/** As the service does for one endpoint. */
const MAX_SENDING = 20
const MAX_TASKS = 1_000
const TIMEOUT_MS = 15_000
/** Shorter than those of the service: a developer waits in front of the screen. */
const PAUSES_MS = [1_000, 3_000, 10_000, 30_000]
const MAX_PAUSE_MS = 60_000
const CONTENT_TYPE = 'application/json; charset=utf-8'

/**
 * Forwards events as the service delivers them: events of one record one after the other, others at the same time, and a
 * failed one again after a pause.
 */
export function openForwarder(options: ForwarderOptions): Forwarder {
  const work: Work = {
    timeoutMs: TIMEOUT_MS,
    pausesMs: PAUSES_MS,
    ...options,
    agent: agentFor(options.target, MAX_SENDING),
    tasks: new Map(),
    count: 0,
    sending: 0,
    roomWaits: [],
    placeWaits: [],
  }
  options.signal.addEventListener('abort', () => {
    for (const wake of [...work.roomWaits, ...work.placeWaits]) wake()
  })
  return {
    add: (event, { redelivered = false } = {}) => take(work, { event, redelivered }),
    firstPending: () => {
      const pending = [...work.tasks.values()].flat().filter(({ redelivered }) => !redelivered)
      return pending.length > 0 ? Math.min(...pending.map(({ event }) => event.sequence)) : undefined
    },
    close: () => work.agent.destroy(),
  }
}

async function take(work: Work, task: Task): Promise<void> {
  while (work.count >= MAX_TASKS && !work.signal.aborted) await turn(work.roomWaits)
  if (work.signal.aborted) return
  const { type, id } = task.event.entity
  const record = `${type}/${id}`
  const earlier = work.tasks.get(record)
  work.count++
  if (earlier) earlier.push(task)
  else {
    work.tasks.set(record, [task])
    void forwardAll(work, record)
  }
}

/** Waits to be woken: by the next one who leaves, or by the end. */
function turn(waits: (() => void)[]): Promise<void> {
  return new Promise((wake) => {
    waits.push(wake)
  })
}

/** Forwards the events of one record, until none is left. */
async function forwardAll(work: Work, record: string): Promise<void> {
  const tasks = work.tasks.get(record) ?? []
  for (let task = tasks[0]; task; task = tasks[0]) {
    await forward(work, task)
    // A task that the end has interrupted stays, so that its number can be shown.
    if (work.signal.aborted) return
    tasks.shift()
    work.count--
    work.roomWaits.shift()?.()
  }
  work.tasks.delete(record)
}

async function forward(work: Work, { event, redelivered }: Task): Promise<void> {
  for (let attempt = 1; !work.signal.aborted; attempt++) {
    while (work.sending >= MAX_SENDING && !work.signal.aborted) await turn(work.placeWaits)
    if (work.signal.aborted) return
    const { retryAfterMs, ...answer } = await attemptOnce(work, event)
    if (work.signal.aborted && answer.status === null) return
    const retryInMs = isSuccess(answer) ? null : pauseAfter(work, attempt, retryAfterMs)
    work.show({ ...answer, event, attempt, redelivered, retryInMs })
    if (retryInMs === null) return
    await pause(retryInMs, work.signal)
  }
}

async function attemptOnce(work: Work, event: Event): Promise<Answer> {
  work.sending++
  try {
    const body = JSON.stringify(event)
    const signed = await sign(body, work.secret)
    const headers = { ...signed, 'content-type': CONTENT_TYPE, 'user-agent': work.userAgent }
    return await send({ target: work.target, headers, body }, work.agent, work.timeoutMs, work.signal)
  } finally {
    work.sending--
    work.placeWaits.shift()?.()
  }
}

export function isSuccess({ status }: Pick<Answer, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300
}

function pauseAfter({ pausesMs }: Work, attempt: number, retryAfterMs: number): number | null {
  const ownMs = pausesMs[attempt - 1]
  return ownMs === undefined ? null : Math.min(Math.max(ownMs, retryAfterMs), MAX_PAUSE_MS)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((over) => {
    if (signal.aborted) return over()
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end, { once: true })
    function end(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      over()
    }
  })
}
