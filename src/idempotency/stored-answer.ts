import type { Answer, Write } from '../base/operation.ts'
import type { Queryable } from '../database/database.ts'
import type { ReadFirstStates } from '../events/stored/complete-events.ts'
import type { Seal, SealedColumn } from '../secrets/seal.ts'
import { insertAnswer, type NewAnswer, type StoredAnswer } from './answers.sql.ts'

/** The stored form of an answer: sealed where it carries a secret. */
export function closedAnswer(seal: Seal, write: Write<never>, { status, body }: Answer): NewAnswer {
  return write.secret ? { status, body: '', sealed: seal.seal(body, columnOf(write)) } : { status, body, sealed: null }
}

/** The parts by which a stored answer is read. */
export interface AnswerParts {
  seal: Seal
  readFirstStates: ReadFirstStates
}

/** An answer as it was sent, to the byte. */
export async function openedAnswer(
  database: Queryable,
  { seal, readFirstStates }: AnswerParts,
  write: Write<never>,
  { status, body, paymentId, sealed }: StoredAnswer,
): Promise<Answer> {
  if (sealed) return { status, body: seal.unseal(sealed, columnOf(write)).toString(), replayed: false }
  if (paymentId === null) return { status, body, replayed: false }
  const { payments } = await readFirstStates(database, { payments: [paymentId], transactions: [] })
  const json = payments.get(paymentId)
  if (json === undefined) throw new Error(`the answer shows payment ${paymentId}, which is missing`)
  // Not every renderer takes JSON text.
  return { ...write.render(JSON.parse(json) as never, json), status }
}

/** Stores an answer with its effects; false where the key has an answer. */
export function storeAnswer(transaction: Queryable, seal: Seal, write: Write<never>, answer: Answer): Promise<boolean> {
  return insertAnswer(transaction, write, closedAnswer(seal, write, answer))
}

function columnOf({ caller, key }: Write<never>): SealedColumn {
  return { table: 'answer', row: `${caller.organisationId}/${key.hash.toString('hex')}`, column: 'sealed' }
}
