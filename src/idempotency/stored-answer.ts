import type { Answer, Write } from '../base/operation.ts'
import type { Seal, SealedColumn } from '../secrets/seal.ts'
import type { StoredAnswer } from './answers.sql.ts'

/** The stored form of an answer: sealed where it carries a secret. */
export function closedAnswer(
  seal: Seal,
  write: Write<never>,
  { status, body }: Answer,
): Omit<StoredAnswer, 'fingerprint'> {
  return write.secret ? { status, body: '', sealed: seal.seal(body, columnOf(write)) } : { status, body, sealed: null }
}

export function openedAnswer(seal: Seal, write: Write<never>, { status, body, sealed }: StoredAnswer): Answer {
  return { status, body: sealed ? seal.unseal(sealed, columnOf(write)).toString() : body, replayed: false }
}

function columnOf({ caller, key }: Write<never>): SealedColumn {
  return { table: 'answer', row: `${caller.organisationId}/${key.hash.toString('hex')}`, column: 'sealed' }
}
