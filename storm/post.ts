import { randomBytes } from 'node:crypto'
import { type Event, type Purser, sign } from '../client/src/index.ts'

/** A delivery and its outcome. */
export interface Delivered {
  event: Event
  /** The status that the app answered; 0 if it did not answer. */
  status: number
}

/**
 * The webhooks of a life. They come as the bank would send them: each event at least once until the app takes it, those of one
 * record in their order, and signed anew at each attempt. The storm decides which record comes next, and what is held back.
 */
export interface Post {
  secret: string
  /** Deliveries that are held back leave with the calm only. */
  hold(events: number): void
  /** The next deliveries come twice. */
  duplicate(events: number): void
  /** Signs with a new secret from now on. The app gets it with its next start; until then both sign. */
  rotate(): void
  /** The app has started with the latest secret. */
  started(): void
  /** Fetches new events and delivers what is not held back, beginning with the record at `turn`. */
  deliver(url: string | undefined, turn: number): Promise<Delivered[]>
  /** Delivers everything. Returns an event that the app does not take. */
  deliverAll(url: string): Promise<{ delivered: Delivered[]; refused: Delivered | undefined }>
}

const ATTEMPTS = 5
const TIMEOUT_MS = 5_000

/** The webhooks of the events after a number. */
export function openPost(purser: Purser, begin: number): Post {
  let secrets = [newSecret()]
  let after = begin
  let held = 0
  let doubled = 0
  /** Waiting events by their record, oldest first. */
  const waiting = new Map<string, { event: Event; held: boolean }[]>()

  async function fetchEvents(): Promise<void> {
    for await (const event of purser.events.list({ after, limit: 1_000 })) {
      after = event.sequence
      const record = recordOf(event)
      const queue = waiting.get(record) ?? []
      // Events behind a held one of the same record wait, too.
      queue.push({ event, held: held > 0 })
      if (held > 0) held--
      waiting.set(record, queue)
    }
  }

  /** Sends an event, a second time if that was drawn. */
  async function send(url: string, event: Event): Promise<Delivered[]> {
    const delivered: Delivered[] = []
    const times = doubled > 0 ? 2 : 1
    if (doubled > 0) doubled--
    for (let time = 0; time < times; time++) delivered.push({ event, status: await postTo(url, event, secrets) })
    return delivered
  }

  /** Sends the events of a record until one is held back or not taken. */
  async function sendRecord(url: string, record: string, evenHeld: boolean): Promise<Delivered[]> {
    const delivered: Delivered[] = []
    const queue = waiting.get(record) ?? []
    while (queue[0] && (evenHeld || !queue[0].held)) {
      const outcome = await send(url, queue[0].event)
      delivered.push(...outcome)
      if (!outcome.some(({ status }) => isTaken(status))) break
      queue.shift()
    }
    if (queue.length === 0) waiting.delete(record)
    return delivered
  }

  return {
    get secret() {
      return secrets[0] ?? ''
    },
    hold: (events) => {
      held += events
    },
    duplicate: (events) => {
      doubled += events
    },
    rotate: () => {
      secrets = [newSecret(), ...secrets].slice(0, 2)
    },
    started: () => {
      secrets = secrets.slice(0, 1)
    },
    deliver: async (url, turn) => {
      await fetchEvents()
      const delivered: Delivered[] = []
      const records = [...waiting.keys()]
      for (const at of records.keys()) {
        const record = records[(at + turn) % records.length] ?? ''
        if (url !== undefined) delivered.push(...(await sendRecord(url, record, false)))
      }
      return delivered
    },
    deliverAll: async (url) => {
      const delivered: Delivered[] = []
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        await fetchEvents()
        for (const record of [...waiting.keys()]) delivered.push(...(await sendRecord(url, record, true)))
        if (waiting.size === 0) return { delivered, refused: undefined }
      }
      return { delivered, refused: delivered.findLast(({ status }) => !isTaken(status)) }
    },
  }
}

function newSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`
}

function isTaken(status: number): boolean {
  return status >= 200 && status < 300
}

/** Events are in order for one record. */
function recordOf({ type, data }: Event): string {
  const { id } = data as { id?: string | number }
  return `${type.split('.')[0]} ${id}`
}

async function postTo(url: string, event: Event, secrets: string[]): Promise<number> {
  const headers = new Headers(await sign(event, secrets[0] ?? ''))
  headers.set('content-type', 'application/json')
  for (const former of secrets.slice(1)) {
    const { 'webhook-signature': signature } = await sign(event, former)
    headers.set('webhook-signature', `${headers.get('webhook-signature')} ${signature}`)
  }
  try {
    const body = JSON.stringify(event)
    const answer = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(TIMEOUT_MS) })
    await answer.arrayBuffer()
    return answer.status
  } catch {
    // An app that is down or takes too long has not answered: the event is sent again.
    return 0
  }
}
