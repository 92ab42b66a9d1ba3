import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { choicesOfTest } from './random.ts'

export interface Attempt {
  status: number
  text: string
  replayed: boolean
}

export interface KillLoop {
  /** How many effects are wanted; each has a key of its own. */
  requests: number
  kills: number
  /** Sends one request under its key to whatever serves at the moment. Throws when the connection breaks. */
  send(index: number, key: string): Promise<Attempt>
  /** Kills something without notice. Returns when it could be killed again. */
  kill(): Promise<void>
}

export interface KillLoopResult {
  /** The first success of each request, in order. */
  first: string[]
  /** The answer of each request when it was sent once more at the end. */
  again: Attempt[]
  /** Attempts that had to be repeated: proof that the kills hit something. */
  retries: number
  /** Answers that were neither a success nor an invitation to come again. */
  refused: string[]
}

const WORKERS = 6
/** No request succeeds for so long only if none ever will. */
const PATIENCE_MS = 120_000

/**
 * Several workers send requests and repeat each under its key until it succeeds, while something is killed at random
 * points of their progress, which follow from the seed. Each kill comes when a request has just been sent and others are at
 * any point of theirs. Afterwards each request is sent once more, which must replay its first answer.
 */
export async function runKillLoop({ requests, kills, send, kill }: KillLoop): Promise<KillLoopResult> {
  const { below } = choicesOfTest()
  const keys = Array.from({ length: requests }, (_, index) => `kill-loop-${index}-${randomUUID()}`)
  const first: string[] = []
  const refused: string[] = []
  let deadline = performance.now() + PATIENCE_MS
  const progress = new EventEmitter()
  let taken = 0
  let sent = 0
  let retries = 0
  let succeeded = 0
  let killed = 0
  const stretch = (requests - 3 * WORKERS) / kills
  /** Work is handed out stretch by stretch, with some to spare, so that every kill meets a service that is busy. */
  const handedOut = () => (killed < kills ? (killed + 1) * stretch + 3 * WORKERS : requests)

  async function succeed(index: number, key: string): Promise<void> {
    while (performance.now() < deadline) {
      const sending = send(index, key)
      sent++
      progress.emit('sent')
      const attempt = await sending.catch(() => undefined)
      if (attempt && attempt.status < 300) {
        first[index] = attempt.text
        succeeded++
        deadline = performance.now() + PATIENCE_MS
        return
      }
      if (attempt && attempt.status !== 503 && attempt.status !== 409) refused.push(`${attempt.status} ${attempt.text}`)
      retries++
      await sleep(20)
    }
    throw new Error(`request ${index} did not succeed in time; refused: ${refused.join(' | ')}`)
  }

  async function work(): Promise<void> {
    while (taken < requests) {
      const index = taken++
      while (index >= handedOut()) await once(progress, 'killed')
      await succeed(index, keys[index] ?? '')
    }
  }

  async function killAtRandomPoints(): Promise<void> {
    while (killed < kills) {
      const point = killed * stretch + below(Math.ceil(stretch))
      while (succeeded < point) await once(progress, 'sent')
      const last = sent + below(WORKERS)
      while (sent <= last) await once(progress, 'sent')
      await kill()
      killed++
      progress.emit('killed')
    }
  }

  await Promise.all([killAtRandomPoints(), ...Array.from({ length: WORKERS }, work)])
  const again: Attempt[] = []
  for (const [index, key] of keys.entries()) again.push(await send(index, key))
  return { first, again, retries, refused }
}
