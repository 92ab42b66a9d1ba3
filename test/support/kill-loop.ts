import { setTimeout as sleep } from 'node:timers/promises'

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
  /** How long it all may take. */
  patienceMs?: number
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
const PATIENCE_MS = 120_000

/**
 * Several workers send requests and repeat each under its key until it succeeds, while something is killed at random
 * points of their progress. Afterwards each request is sent once more, which must replay its first answer.
 */
export async function runKillLoop({
  requests,
  kills,
  send,
  kill,
  patienceMs = PATIENCE_MS,
}: KillLoop): Promise<KillLoopResult> {
  const keys = Array.from({ length: requests }, (_, index) => `kill-loop-${index}-${Math.random()}`)
  const first: string[] = []
  const refused: string[] = []
  const deadline = performance.now() + patienceMs
  let taken = 0
  let retries = 0
  let succeeded = 0

  async function succeed(index: number, key: string): Promise<void> {
    while (performance.now() < deadline) {
      const attempt = await send(index, key).catch(() => undefined)
      if (attempt && attempt.status < 300) {
        first[index] = attempt.text
        succeeded++
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
      await succeed(index, keys[index] ?? '')
    }
  }

  async function killAtRandomPoints(): Promise<void> {
    // One point in each stretch of the way, so that work remains for the last one too.
    for (let round = 0; round < kills; round++) {
      const point = ((round + Math.random()) / kills) * (requests - WORKERS)
      while (succeeded < point) {
        if (performance.now() > deadline) throw new Error(`no progress after ${round} kills`)
        await sleep(1)
      }
      await sleep(Math.random() * 10)
      await kill()
    }
  }

  await Promise.all([killAtRandomPoints(), ...Array.from({ length: WORKERS }, work)])
  const again: Attempt[] = []
  for (const [index, key] of keys.entries()) again.push(await send(index, key))
  return { first, again, retries, refused }
}
