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
const DAY_MS = 24 * 3_600_000
/** The days for which a former secret signs beside the new one, and for which the bank tries to deliver a webhook. */
const OVERLAP_DAYS = 1
const ATTEMPT_DAYS = 3

/**
 * The webhooks of a life. They come as the bank would send them: each event at least once until the app takes it, those of one
 * record in their order, and signed anew at each attempt. The storm decides which record comes next, and what is held back.
 */
export class Post {
  /** The address of the app; undefined while it does not run. */
  appUrl: string | undefined
  /** The secret that the app has. */
  appSecret = ''
  /** Bank time. */
  now: string
  readonly #purser: Purser
  #after: number
  #held = 0
  #doubled = 0
  #turn = 0
  #secret = newSecret()
  #former: { secret: string; since: number } | undefined
  #last: Promise<unknown> = Promise.resolve()
  /** Waiting events by their record, oldest first. */
  readonly #waiting = new Map<string, { event: Event; held: boolean }[]>()

  /** The webhooks of the events after a number. */
  constructor(purser: Purser, after: number, now: string) {
    this.#purser = purser
    this.#after = after
    this.now = now
  }

  get secret(): string {
    return this.#secret
  }

  get isSecretMissing(): boolean {
    return this.appSecret !== this.#secret
  }

  /** Whether the bank would soon give up deliveries, because the app cannot verify them. */
  get isSecretOverdue(): boolean {
    const since = this.#former?.since ?? 0
    return this.isSecretMissing && Date.parse(this.now) > since + ATTEMPT_DAYS * DAY_MS
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
  rotate(): void {
    this.#former = { secret: this.#secret, since: Date.parse(this.now) }
    this.#secret = newSecret()
  }

  /** Delivers new events that are not held back, beginning with another record each time. Calls wait for each other. */
  deliver(): Promise<Delivered[]> {
    const delivery = this.#last.then(async () => {
      await this.#fetch()
      const records = [...this.#waiting.keys()]
      const first = this.#turn++ % Math.max(1, records.length)
      return this.#sendAll([...records.slice(first), ...records.slice(0, first)], false)
    })
    this.#last = delivery
    return delivery
  }

  /** Delivers everything, the records in the opposite order. Returns an event that the app does not take. */
  async deliverAll(): Promise<{ delivered: Delivered[]; refused: Delivered | undefined }> {
    const delivered: Delivered[] = []
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      await this.#fetch()
      delivered.push(...(await this.#sendAll([...this.#waiting.keys()].reverse(), true)))
      if (this.#waiting.size === 0) return { delivered, refused: undefined }
    }
    return { delivered, refused: delivered.findLast(({ status }) => !isTaken(status)) }
  }

  async #fetch(): Promise<void> {
    for await (const event of this.#purser.events.list({ after: this.#after, limit: 1_000 })) {
      this.#after = event.sequence
      const record = `${event.entity.type} ${event.entity.id}`
      const queue = this.#waiting.get(record) ?? []
      queue.push({ event, held: this.#held > 0 })
      if (this.#held > 0) this.#held--
      this.#waiting.set(record, queue)
    }
  }

  /** Sends the events of each record until one is held back or not taken: those behind it wait, too. */
  async #sendAll(records: string[], evenHeld: boolean): Promise<Delivered[]> {
    const delivered: Delivered[] = []
    for (const record of this.appUrl === undefined ? [] : records) {
      const queue = this.#waiting.get(record) ?? []
      while (queue[0] && (evenHeld || !queue[0].held)) {
        const outcome = await this.#send(queue[0].event)
        delivered.push(...outcome)
        if (!outcome.some(({ status }) => isTaken(status))) break
        queue.shift()
      }
      if (queue.length === 0) this.#waiting.delete(record)
    }
    return delivered
  }

  /** Sends an event, a second time if that was drawn. */
  async #send(event: Event): Promise<Delivered[]> {
    const first = { event, status: await this.#post(event) }
    if (this.#doubled === 0) return [first]
    this.#doubled--
    return [first, { event, status: await this.#post(event) }]
  }

  async #post(event: Event): Promise<number> {
    const headers = await sign(event, this.#secret)
    if (this.#former && Date.parse(this.now) < this.#former.since + OVERLAP_DAYS * DAY_MS) {
      const former = await sign(event, this.#former.secret)
      headers['webhook-signature'] += ` ${former['webhook-signature']}`
    }
    try {
      const answer = await fetch(this.appUrl ?? '', {
        ...{ method: 'POST', body: JSON.stringify(event), signal: AbortSignal.timeout(TIMEOUT_MS) },
        headers: { ...headers, connection: 'close' },
      })
      await answer.arrayBuffer()
      return answer.status
    } catch {
      // An app that is down or takes too long has not answered: the event is sent again.
      return 0
    }
  }
}

function newSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`
}

function isTaken(status: number): boolean {
  return status >= 200 && status < 300
}
