import type { Answer, Write } from '../base/operation.ts'
import type { Place, Seal } from '../secrets/seal.ts'
import type { StoredAnswer } from './answers.sql.ts'

/** An answer as it is stored: sealed where it carries a secret. */
export function closedAnswer(
  seal: Seal,
  write: Write<never>,
  { status, body }: Answer,
): Omit<StoredAnswer, 'fingerprint'> {
  return write.secret ? { status, body: '', sealed: seal.seal(body, placeOf(write)) } : { status, body, sealed: null }
}

export function openedAnswer(seal: Seal, write: Write<never>, { status, body, sealed }: StoredAnswer): Answer {
  return { status, body: sealed ? seal.unseal(sealed, placeOf(write)).toString() : body, replayed: false }
}

function placeOf({ caller, key }: Write<never>): Place {
  return { table: 'answer', row: `${caller.organisationId}/${key.hash.toString('hex')}`, column: 'sealed' }
}
