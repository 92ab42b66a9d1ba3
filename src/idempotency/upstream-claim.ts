import { hash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { clock } from '../base/clock.ts'
import type { Answer, Write } from '../base/operation.ts'
import { Problem, UpstreamProblem } from '../base/problem.ts'
import type { Database } from '../database/database.ts'
import type { Seals } from '../secrets/seals.ts'
import { findAnswer } from './answers.sql.ts'
import { deleteClaim, findClaim, type HeldClaim, releaseClaim, resumeClaim, takeClaim } from './claims.sql.ts'
import { inProgress, KeyTaken, type RunOnce } from './run-once.ts'
import { storeAnswer } from './stored-answer.ts'

/** Runs writes that take effect at an upstream, outside the transactions of this service. */
export interface Claims {
  /**
   * Runs such a write so that one key has at most one effect. A claim is committed before the call, and the stored answer
   * replaces it after the call. A call that broke off in between is sent again under the same upstream key, or never.
   */
  once<Data>(write: Write<Data>, call: UpstreamCall<Data>): Promise<Answer>
}

interface UpstreamCall<Data> {
  /** Whether the upstream takes a key: sent again under it, the call has no second effect. */
  repeatable: boolean
  /** The limit for sending. */
  budgetMs: number
  /**
   * Throws an UpstreamProblem that says whether the outcome is known. If the call may have run before, a refusal says
   * nothing about the earlier run.
   */
  send(sending: Sending): Promise<Data>
}

interface Sending {
  upstreamKey: string
  /** Whether an earlier request may have made this effect. */
  mayHaveRun: boolean
  /** When sending must end: soon after, other requests take the holder for dead. */
  deadlineMs: number
}

export interface ClaimsOptions {
  database: Database
  runOnce: RunOnce
  seals: Seals
  /** How long a request waits for another one with its key. */
  waitMs: number
}

/** Upstreams forget keys after 48 hours; one hour is left for clocks that differ. */
const KEY_LIFE_MS = 47 * 3_600_000
/** Time for a holder that used up its budget to release its claim. */
const GRACE_MS = 2_000
/** How soon a request looks again at another one's claim. The pause grows, because a payment may take a minute. */
const FIRST_POLL_MS = 50
const MAX_POLL_MS = 500

export function openClaims({ database, runOnce, seals, waitMs }: ClaimsOptions): Claims {
  async function once<Data>(write: Write<Data>, call: UpstreamCall<Data>): Promise<Answer> {
    // A request without a caller's key cannot be repeated. The upstream still gets a key, for retries of this service.
    if (!write.key.fromCaller) {
      const deadlineMs = clock.elapsedMs() + call.budgetMs
      return write.render(await call.send({ upstreamKey: upstreamKey(write, 1), mayHaveRun: false, deadlineMs }))
    }
    const holder = randomUUID()
    let answer: Answer | undefined
    return runOnce.attempt(write, async () => {
      // A lost COMMIT runs the attempt again: the upstream is not called twice.
      answer ??= await callUpstream(write, call, holder)
      await store(write, answer)
      return answer
    })
  }

  async function callUpstream<Data>(write: Write<Data>, call: UpstreamCall<Data>, holder: string): Promise<Answer> {
    const { attempt, resumed, deadlineMs } = await acquireClaim(write, call, holder)
    try {
      const sending = { upstreamKey: upstreamKey(write, attempt), mayHaveRun: resumed, deadlineMs }
      return write.render(await call.send(sending))
    } catch (error) {
      // If the database is away the claim expires by itself; the caller gets the upstream's error.
      const workingMs = error instanceof UpstreamProblem ? error.workingMs : 0
      const standing = { state: stateAfter(error, call.repeatable), workingMs }
      await releaseClaim(database, write, holder, standing).catch(() => undefined)
      throw error
    }
  }

  async function acquireClaim(
    write: Write<never>,
    call: UpstreamCall<unknown>,
    holder: string,
  ): Promise<HeldClaim & { deadlineMs: number }> {
    const { repeatable } = call
    const terms = { holder, repeatable, busyMs: call.budgetMs + GRACE_MS, keyLifeMs: KEY_LIFE_MS }
    const giveUpMs = clock.elapsedMs() + waitMs
    for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(2 * pollMs, MAX_POLL_MS)) {
      // Counted from before the claim, whose own time runs from its transaction on.
      const deadlineMs = clock.elapsedMs() + call.budgetMs
      const held = await database.transaction(async (transaction) => {
        const free = await takeClaim(transaction, write, terms)
        const claim = free ?? (repeatable ? await resumeClaim(transaction, write, terms) : undefined)
        // Read after the claim: the transaction that stores an answer deletes its claim.
        if (await findAnswer(transaction, write)) throw new KeyTaken()
        return claim
      })
      if (held) return { ...held, deadlineMs }
      const other = await findClaim(database, write, terms)
      // Released meanwhile: the next turn takes it.
      if (!other || other.standing === 'refused') continue
      if (!other.fingerprint.equals(write.key.fingerprint)) throw new Problem('idempotency_key_reused')
      if (other.standing === 'lost') throw new UpstreamProblem('upstream_outcome_unknown', { outcomeUnknown: true })
      if (clock.elapsedMs() > giveUpMs) throw inProgress()
      await sleep(pollMs)
    }
  }

  async function store(write: Write<never>, answer: Answer): Promise<void> {
    await database.transaction(async (transaction) => {
      if (!(await storeAnswer(transaction, seals, write, answer))) throw new KeyTaken()
      await deleteClaim(transaction, write)
    })
  }

  return { once }
}

/** The state of a claim after an error: a refusal is final, any other error may hide an effect. */
function stateAfter(error: unknown, repeatable: boolean): 'sent' | 'refused' | 'unknown' {
  const refused = error instanceof Problem && !(error instanceof UpstreamProblem && error.outcomeUnknown)
  if (refused) return 'refused'
  return repeatable ? 'sent' : 'unknown'
}

/** The key for the upstream: the same for the same request, also after a crash, and another one after a refusal. */
function upstreamKey({ caller, key }: Write<never>, attempt: number): string {
  return hash('sha256', `${caller.organisationId} ${key.hash.toString('hex')} ${attempt}`, 'base64url')
}
