import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Answer, Write } from '../base/operation.ts'
import { noneWanted } from '../events/stored/complete-events.ts'
import { findDurableAnswers, type StoredAnswer } from './answers.sql.ts'
import { replayOf, type SettleParts } from './settle.ts'

/** A replay, or the refusal of a key that was used for another request; undefined if the key has no answer. */
export type Replay = PromiseSettledResult<Answer> | undefined

/** Answers that are rendered in one turn of the event loop: a thousand would hold up other requests. */
const PORTION = 100

/** The keys of a batch that are looked up first, the first and the last one among them. */
const PROBES = 16

/**
 * The same as `findReplays` for a batch, which nearly always is new: all keys are looked up only if one of a few has an
 * answer. To look a thousand random keys up took the database 7 ms, a sixteenth of the CPU time of their payments. A key that has an
 * answer and is passed over here is found when its write is attempted.
 */
export async function findReplaysOfBatch(parts: SettleParts, writes: Write<never>[]): Promise<Replay[]> {
  if (writes.length <= PROBES) return findReplays(parts, writes)
  const step = (writes.length - 1) / (PROBES - 1)
  const probes = Array.from({ length: PROBES }, (_, number) => writes[Math.round(number * step)] as Write<never>)
  const replays = await findReplays(parts, probes)
  return replays.some((replay) => replay) ? findReplays(parts, writes) : writes.map(() => undefined)
}

/** Replays the stored answers of writes of one organisation: with one look-up for all keys, and one for all payments. */
async function findReplays(parts: SettleParts, writes: Write<never>[]): Promise<Replay[]> {
  const keyed = writes.filter(({ key }) => key.fromCaller)
  const [first] = keyed
  if (!first) return writes.map(() => undefined)
  const { organisationId } = first.caller
  const stored = await findDurableAnswers(
    parts.database,
    organisationId,
    keyed.map(({ key }) => key.hash),
  )
  if (stored.length === 0) return writes.map(() => undefined)
  const answers = new Map(stored.map((answer) => [answer.keyHash.toString('latin1'), answer]))
  const together = await withPayments(parts, stored)
  const found: Replay[] = []
  for (let at = 0; at < writes.length; at += PORTION) {
    if (at > 0) await nextTurn()
    const replays = writes.slice(at, at + PORTION).map((write) => {
      const answer = write.key.fromCaller ? answers.get(write.key.hash.toString('latin1')) : undefined
      return answer && replayOf(together, write, answer)
    })
    const settled = await Promise.allSettled(replays.map((replay) => replay ?? Promise.resolve(undefined)))
    found.push(
      ...settled.map((outcome, place) => (replays[place] ? (outcome as PromiseSettledResult<Answer>) : undefined)),
    )
  }
  return found
}

/**
 * Replays stored answers one by one, and looks those up together that are asked for in one turn of the event loop: the writes
 * of a batch fail together. One look-up each took 2 s for 600 payments that another process had made.
 */
export function openReplays(parts: SettleParts): (write: Write<never>) => Promise<Answer | undefined> {
  let asked: { write: Write<never>; resolve(answer: Answer | undefined): void; reject(reason: unknown): void }[] = []

  async function find(): Promise<void> {
    const together = asked
    asked = []
    try {
      const replays = await findReplays(
        parts,
        together.map(({ write }) => write),
      )
      for (const [place, { resolve, reject }] of together.entries()) {
        const replay = replays[place]
        if (replay?.status === 'rejected') reject(replay.reason)
        else resolve(replay?.value)
      }
    } catch (error) {
      for (const { reject } of together) reject(error)
    }
  }

  return (write) =>
    new Promise((resolve, reject) => {
      if (asked.length === 0) setImmediate(find)
      asked.push({ write, resolve, reject })
    })
}

/** The same parts, with the payments of the answers read already. */
async function withPayments(parts: SettleParts, stored: StoredAnswer[]): Promise<SettleParts> {
  const ids = stored.flatMap(({ paymentId, paymentStatus }) => (paymentStatus === null ? (paymentId ?? []) : []))
  if (ids.length === 0) return parts
  const found = await parts.readFirstStates(parts.database, { ...noneWanted(), payments: ids })
  return {
    ...parts,
    readFirstStates: async (database, wanted) =>
      wanted.payments.length > 0 ? found : parts.readFirstStates(database, wanted),
  }
}
