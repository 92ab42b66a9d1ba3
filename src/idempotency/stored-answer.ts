import type { Answer, Write } from '../base/operation.ts'
import type { Queryable } from '../database/database.ts'
import type { Seal, SealedColumn } from '../secrets/seal.ts'
import { insertAnswer, type NewAnswer, type StoredAnswer } from './answers.sql.ts'

/** The stored form of an answer: sealed where it carries a secret. */
export function closedAnswer(seal: Seal, write: Write<never>, { status, body }: Answer): NewAnswer {
  return write.secret ? { status, body: '', sealed: seal.seal(body, columnOf(write)) } : { status, body, sealed: null }
}

export function openedAnswer(seal: Seal, write: Write<never>, { status, body, sealed }: StoredAnswer): Answer {
  return { status, body: sealed ? seal.unseal(sealed, columnOf(write)).toString() : body, replayed: false }
}

/** Stores an answer with its effects; false where the key has an answer. */
export function storeAnswer(transaction: Queryable, seal: Seal, write: Write<never>, answer: Answer): Promise<boolean> {
  return insertAnswer(transaction, write, closedAnswer(seal, write, answer))
}

function columnOf({ caller, key }: Write<never>): SealedColumn {
  return { table: 'answer', row: `${caller.organisationId}/${key.hash.toString('hex')}`, column: 'sealed' }
}
