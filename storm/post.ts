import { randomBytes } from 'node:crypto'
import { type Event, type Purser, sign } from '../client/src/index.ts'

/** A delivery and its outcome. */
export interface Delivered {
  event: Event
  /** The status that the app answered; 0 if it did not answer. */
  status: number
}

const ATTEMPTS = 5
const TIMEOUT_MS = 5_000
/** The time for which a former secret signs beside the new one. */
const OVERLAP_MS = 24 * 3_600_000

/**
 * The webhooks of a life. They come as the bank would send them: each event at least once until the app takes it, those of one
 * record in their order, and signed anew at each attempt. The storm decides which record comes next, and what is held back.
 */
export class Post {
  readonly #purser: Purser
  #after: number
  #held = 0
  #doubled = 0
  #secret = newSecret()
  #former: { secret: string; until: number } | undefined
  /** Waiting events by their record, oldest first. */
  readonly #waiting = new Map<string, { event: Event; held: boolean }[]>()

  /** The webhooks of the events after a number. */
  constructor(purser: Purser, after: number) {
    this.#purser = purser
    this.#after = after
  }

  get secret(): string {
    return this.#secret
  }

  /** Deliveries that are held back leave with `deliverAll` only. */
  hold(events: number): void {
    this.#held += events
  }

  /** The next deliveries come twice. */
  duplicate(events: number): void {
    this.#doubled += events
  }

  /** Signs with a new secret, and for a day with the former one as well. The app gets the new one with its next start. */
  rotate(now: string): void {
    this.#former = { secret: this.#secret, until: Date.parse(now) + OVERLAP_MS }
    this.#secret = newSecret()
  }

  /** Fetches new events and delivers what is not held back, beginning with the record at `turn`. */
  async deliver(url: string | undefined, turn: number, now: string): Promise<Delivered[]> {
    await this.#fetch()
    const delivered: Delivered[] = []
    const records = [...this.#waiting.keys()]
    for (const at of records.keys()) {
      const record = records[(at + turn) % records.length] ?? ''
      if (url !== undefined) delivered.push(...(await this.#sendRecord(url, record, { now, evenHeld: false })))
    }
    return delivered
  }

  /** Delivers everything, the records in the opposite order. Returns an event that the app does not take. */
  async deliverAll(url: string, now: string): Promise<{ delivered: Delivered[]; refused: Delivered | undefined }> {
    const delivered: Delivered[] = []
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      await this.#fetch()
      for (const record of [...this.#waiting.keys()].reverse())
        delivered.push(...(await this.#sendRecord(url, record, { now, evenHeld: true })))
      if (this.#waiting.size === 0) return { delivered, refused: undefined }
    }
    return { delivered, refused: delivered.findLast(({ status }) => !isTaken(status)) }
  }

  async #fetch(): Promise<void> {
    for await (const event of this.#purser.events.list({ after: this.#after, limit: 1_000 })) {
      this.#after = event.sequence
      const record = `${event.entity.type} ${event.entity.id}`
      const queue = this.#waiting.get(record) ?? []
      // Events behind a held one of the same record wait, too.
      queue.push({ event, held: this.#held > 0 })
      if (this.#held > 0) this.#held--
      this.#waiting.set(record, queue)
    }
  }

  /** Sends the events of a record until one is held back or not taken. */
  async #sendRecord(
    url: string,
    record: string,
    { now, evenHeld }: { now: string; evenHeld: boolean },
  ): Promise<Delivered[]> {
    const delivered: Delivered[] = []
    const queue = this.#waiting.get(record) ?? []
    while (queue[0] && (evenHeld || !queue[0].held)) {
      const outcome = await this.#send(url, queue[0].event, now)
      delivered.push(...outcome)
      if (!outcome.some(({ status }) => isTaken(status))) break
      queue.shift()
    }
    if (queue.length === 0) this.#waiting.delete(record)
    return delivered
  }

  /** Sends an event, a second time if that was drawn. */
  async #send(url: string, event: Event, now: string): Promise<Delivered[]> {
    const former = this.#former && Date.parse(now) < this.#former.until ? [this.#former.secret] : []
    const secrets = [this.#secret, ...former]
    const delivered: Delivered[] = []
    const times = this.#doubled > 0 ? 2 : 1
    if (this.#doubled > 0) this.#doubled--
    for (let time = 0; time < times; time++) delivered.push({ event, status: await postTo(url, event, secrets) })
    return delivered
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
