import type { Answer, Write } from '../base/operation.ts'
import { noneWanted } from '../events/stored/complete-events.ts'
import { findDurableAnswers, type StoredAnswer } from './answers.sql.ts'
import { replayOf, type SettleParts } from './settle.ts'

/** A replay, or the refusal of a key that was used for another request; undefined where the key has no answer. */
export type Replay = PromiseSettledResult<Answer> | undefined

/** Replays the stored answers of writes of one organisation: with one look-up for all keys, and one for all payments. */
export async function findReplays(parts: SettleParts, writes: Write<never>[]): Promise<Replay[]> {
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
  const replays = writes.map((write) => {
    const answer = write.key.fromCaller ? answers.get(write.key.hash.toString('latin1')) : undefined
    return answer && replayOf(together, write, answer)
  })
  const settled = await Promise.allSettled(replays.map((replay) => replay ?? Promise.resolve(undefined)))
  return settled.map((outcome, place) => (replays[place] ? (outcome as PromiseSettledResult<Answer>) : undefined))
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
