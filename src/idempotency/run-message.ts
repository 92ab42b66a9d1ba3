import type { Answer, IdempotencyKey, Write } from '../base/operation.ts'
import { Problem } from '../base/problem.ts'
import { retryAfter } from '../base/retry-after.ts'
import { sha256 } from '../base/sha256.ts'
import { CommitLost, type Database } from '../database/database.ts'
import type { Seals } from '../secrets/seals.ts'
import { insertAnswer } from './answers.sql.ts'
import { KeyTaken, type RunOnce } from './run-once.ts'

interface MessageParts {
  runOnce: RunOnce
  seals: Pick<Seals, 'of'>
  database: Database
}

/** A message of the card processor: its id, and the content that a repetition has to share. */
interface ProcessorMessage {
  processorId: string
  content: (string | number | boolean | null)[]
}

/**
 * Runs a message once for each processor id. Its answer is stored under the id, as other answers are under the caller's
 * idempotency key; retention spares it, because its key is longer. If the caller sent a key too, the answer is stored
 * under both, in the same transaction.
 */
export async function runMessage<Data>(
  { runOnce, seals, database }: MessageParts,
  write: Write<Data>,
  { processorId, content }: ProcessorMessage,
  run: (write: Write<Data>) => Promise<Answer>,
): Promise<Answer> {
  const { digest } = await seals.of(write.caller.organisationId)
  const key: IdempotencyKey = {
    text: write.key.text,
    hash: messageHash(processorId),
    fingerprint: digest(JSON.stringify(content)),
    fromCaller: true,
  }
  if (!write.key.fromCaller) return run({ ...write, key }).catch(refuseMessage)
  return runOnce.attempt(write, async () => {
    const answer = await run({ ...write, key, alsoKey: write.key }).catch(refuseMessage)
    // A key that comes with a message from before belongs to this request from now on.
    if (answer.replayed && !(await insertAnswer(database, write, { ...answer, sealed: null }))) throw new KeyTaken()
    return answer
  })
}

/** One byte longer than the hash of a caller's key, so that the two are never the same. */
function messageHash(processorId: string): Buffer {
  return Buffer.concat([Buffer.from([1]), sha256(processorId)])
}

/** A lost COMMIT was looked into already: what is left is that the outcome is not known. */
function refuseMessage(error: unknown): never {
  if (error instanceof CommitLost) throw new Problem('outcome_unknown', { headers: retryAfter(1) })
  const isReused = error instanceof Problem && error.code === 'idempotency_key_reused'
  throw isReused ? new Problem('processor_id_reused') : error
}
