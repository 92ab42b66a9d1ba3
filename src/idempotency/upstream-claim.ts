import { hash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { clock } from '../base/clock.ts'
import type { Answer, Write } from '../base/operation.ts'
import { Problem, UpstreamProblem } from '../base/problem.ts'
import type { Database } from '../database/database.ts'
import type { Seal } from '../secrets/seal.ts'
import { findAnswer, insertAnswer } from './answers.sql.ts'
import { deleteClaim, findClaim, type Held, releaseClaim, resumeClaim, takeClaim } from './claims.sql.ts'
import { inProgress, KeyTaken, type RunOnce } from './run-once.ts'
import { closedAnswer } from './stored-answer.ts'

/** Writes whose effect is made by an upstream, outside of our transactions. */
export interface Claims {
  /**
   * Runs such a write so that one key has at most one effect: a claim is committed before the call and gives way to the
   * stored answer after it. What broke off in between is sent again under the same upstream key, or never.
   */
  once<Data>(write: Write<Data>, call: UpstreamCall<Data>): Promise<Answer>
}

interface UpstreamCall<Data> {
  /** The upstream takes a key: sent again under it, the call has no second effect. */
  repeatable: boolean
  /** The longest that sending takes. */
  budgetMs: number
  /**
   * Throws an UpstreamProblem that says whether the outcome is known; where the call may have run before, a refusal
   * says nothing of that.
   */
  send(sending: Sending): Promise<Data>
}

interface Sending {
  upstreamKey: string
  /** An earlier request may have had this very effect. */
  mayHaveRun: boolean
  /** When nothing may be sent any more: soon after that others take the holder for dead. */
  deadlineMs: number
}

export interface ClaimsOptions {
  database: Database
  runOnce: RunOnce
  seal: Seal
  /** How long a request waits for another one with its key. */
  waitMs: number
}

/** Upstreams forget keys after 48 hours; an hour is left for clocks that differ. */
const KEY_LIFE_MS = 47 * 3_600_000
/** A holder that ran into its budget still has to let go. */
const GRACE_MS = 2_000
const POLL_MS = 50

export function openClaims({ database, runOnce, seal, waitMs }: ClaimsOptions): Claims {
  async function once<Data>(write: Write<Data>, call: UpstreamCall<Data>): Promise<Answer> {
    // Nobody can ask again for what has no key of the caller's; the upstream still gets one, for retries of our own.
    if (!write.key.fromCaller) {
      const deadlineMs = clock.elapsedMs() + call.budgetMs
      return write.render(await call.send({ upstreamKey: upstreamKey(write, 1), mayHaveRun: false, deadlineMs }))
    }
    const holder = randomUUID()
    let answer: Answer | undefined
    return runOnce.attempt(write, async () => {
      // A lost COMMIT brings us here again: what the upstream has answered is not asked for twice.
      answer ??= await carriedOut(write, call, holder)
      await store(write, answer)
      return answer
    })
  }

  async function carriedOut<Data>(write: Write<Data>, call: UpstreamCall<Data>, holder: string): Promise<Answer> {
    const { attempt, resumed, deadlineMs } = await taken(write, call, holder)
    try {
      const sending = { upstreamKey: upstreamKey(write, attempt), mayHaveRun: resumed, deadlineMs }
      return write.render(await call.send(sending))
    } catch (error) {
      // Should the database be away, the claim runs out by itself; the caller is told what the upstream said.
      await releaseClaim(database, write, holder, stateAfter(error, call.repeatable)).catch(() => undefined)
      throw error
    }
  }

  async function taken(
    write: Write<never>,
    call: UpstreamCall<unknown>,
    holder: string,
  ): Promise<Held & { deadlineMs: number }> {
    const { repeatable } = call
    const terms = { holder, repeatable, busyMs: call.budgetMs + GRACE_MS, keyLifeMs: KEY_LIFE_MS }
    const waitedMs = clock.elapsedMs() + waitMs
    for (;;) {
      // From before the claim: its own time has begun when we learn that we hold it.
      const deadlineMs = clock.elapsedMs() + call.budgetMs
      const held = await database.transaction(async (transaction) => {
        const free = await takeClaim(transaction, write, terms)
        const mine = free ?? (repeatable ? await resumeClaim(transaction, write, terms) : undefined)
        // After the claim, not before it: whoever stored the answer has deleted the claim in the same transaction.
        if (await findAnswer(transaction, write)) throw new KeyTaken()
        return mine
      })
      if (held) return { ...held, deadlineMs }
      const other = await findClaim(database, write, terms)
      // Free just now: the next turn gets it.
      if (!other || other.standing === 'refused') continue
      if (!other.fingerprint.equals(write.key.fingerprint)) throw new Problem('idempotency_key_reused')
      if (other.standing === 'lost') throw new UpstreamProblem('upstream_outcome_unknown', { outcomeUnknown: true })
      if (clock.elapsedMs() > waitedMs) throw inProgress()
      await sleep(POLL_MS)
    }
  }

  async function store(write: Write<never>, answer: Answer): Promise<void> {
    await database.transaction(async (transaction) => {
      if (!(await insertAnswer(transaction, write, closedAnswer(seal, write, answer)))) throw new KeyTaken()
      await deleteClaim(transaction, write)
    })
  }

  return { once }
}

/** A refusal is final; all else may have had its effect, also what we failed to understand. */
function stateAfter(error: unknown, repeatable: boolean): 'sent' | 'refused' | 'unknown' {
  const known = error instanceof Problem && !(error instanceof UpstreamProblem && error.outcomeUnknown)
  if (known) return 'refused'
  return repeatable ? 'sent' : 'unknown'
}

/** The same for the same request, also after a crash; another one after a refusal. */
function upstreamKey({ caller, key }: Write<never>, attempt: number): string {
  return hash('sha256', `${caller.organisationId} ${key.hash.toString('hex')} ${attempt}`, 'base64url')
}
