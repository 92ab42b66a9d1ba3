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
  /** Signs with a new secret, and for a day with the former one as well. The app gets the new one with its next start. */
  rotate(now: string): void
  /** Fetches new events and delivers what is not held back, beginning with the record at `turn`. */
  deliver(url: string | undefined, turn: number, now: string): Promise<Delivered[]>
  /** Delivers everything, the records in the opposite order. Returns an event that the app does not take. */
  deliverAll(url: string, now: string): Promise<{ delivered: Delivered[]; refused: Delivered | undefined }>
}

const ATTEMPTS = 5
const TIMEOUT_MS = 5_000
/** The time for which a former secret signs beside the new one. */
const OVERLAP_MS = 24 * 3_600_000

/** The webhooks of the events after a number. */
export function openPost(purser: Purser, begin: number): Post {
  let secret = newSecret()
  let former: { secret: string; until: number } | undefined
  let after = begin
  let held = 0
  let doubled = 0
  /** Waiting events by their record, oldest first. */
  const waiting = new Map<string, { event: Event; held: boolean }[]>()

  async function fetchEvents(): Promise<void> {
    for await (const event of purser.events.list({ after, limit: 1_000 })) {
      after = event.sequence
      const record = `${event.entity.type} ${event.entity.id}`
      const queue = waiting.get(record) ?? []
      // Events behind a held one of the same record wait, too.
      queue.push({ event, held: held > 0 })
      if (held > 0) held--
      waiting.set(record, queue)
    }
  }

  /** Sends an event, a second time if that was drawn. */
  async function send(url: string, event: Event, now: string): Promise<Delivered[]> {
    const secrets = former && Date.parse(now) < former.until ? [secret, former.secret] : [secret]
    const delivered: Delivered[] = []
    const times = doubled > 0 ? 2 : 1
    if (doubled > 0) doubled--
    for (let time = 0; time < times; time++) delivered.push({ event, status: await postTo(url, event, secrets) })
    return delivered
  }

  /** Sends the events of a record until one is held back or not taken. */
  async function sendRecord(
    url: string,
    record: string,
    { now, evenHeld }: { now: string; evenHeld: boolean },
  ): Promise<Delivered[]> {
    const delivered: Delivered[] = []
    const queue = waiting.get(record) ?? []
    while (queue[0] && (evenHeld || !queue[0].held)) {
      const outcome = await send(url, queue[0].event, now)
      delivered.push(...outcome)
      if (!outcome.some(({ status }) => isTaken(status))) break
      queue.shift()
    }
    if (queue.length === 0) waiting.delete(record)
    return delivered
  }

  return {
    get secret() {
      return secret
    },
    hold: (events) => {
      held += events
    },
    duplicate: (events) => {
      doubled += events
    },
    rotate: (now) => {
      former = { secret, until: Date.parse(now) + OVERLAP_MS }
      secret = newSecret()
    },
    deliver: async (url, turn, now) => {
      await fetchEvents()
      const delivered: Delivered[] = []
      const records = [...waiting.keys()]
      for (const at of records.keys()) {
        const record = records[(at + turn) % records.length] ?? ''
        if (url !== undefined) delivered.push(...(await sendRecord(url, record, { now, evenHeld: false })))
      }
      return delivered
    },
    deliverAll: async (url, now) => {
      const delivered: Delivered[] = []
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        await fetchEvents()
        for (const record of [...waiting.keys()].reverse())
          delivered.push(...(await sendRecord(url, record, { now, evenHeld: true })))
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

async function postTo(url: string, event: Event, secrets: string[]): Promise<number> {
  const headers = new Headers(await sign(event, secrets[0] ?? ''))
  headers.set('content-type', 'application/json')
  headers.set('connection', 'close')
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
