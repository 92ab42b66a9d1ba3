import type { Answer, Write } from '../base/operation.ts'
import type { Queryable } from '../database/database.ts'
import { formerKey, noneWanted, type ReadFirstStates } from '../events/stored/complete-events.ts'
import type { SealedColumn } from '../secrets/seal.ts'
import type { Seals } from '../secrets/seals.ts'
import { insertAnswer, type NewAnswer, type StoredAnswer } from './answers.sql.ts'

type Opened = Pick<Seals, 'of'>

/** The status of an answer that was erased with its customer. No request was answered so: only successes are stored. */
export const ERASED_STATUS = 410

/** The stored form of an answer: sealed if it carries a secret. */
async function closedAnswer(seals: Opened, write: Write<never>, { status, body }: Answer): Promise<NewAnswer> {
  if (!write.secret) return { status, body, sealed: null }
  const seal = await seals.of(write.caller.organisationId)
  return { status, body: write.secret === 'number' ? idIn(body) : '', sealed: seal.seal(body, columnOf(write)) }
}

/** The parts by which a stored answer is read. */
export interface AnswerParts {
  seals: Pick<Seals, 'of'>
  readFirstStates: ReadFirstStates
}

const listOfStatus = {
  Pending: 'pending',
  PendingReview: 'pendingReview',
  Sent: 'sent',
  Rejected: 'rejected',
  Canceled: 'canceled',
  Returned: 'returned',
} as const

/** The version of a payment that was approved once. Answers of former versions do not say it. */
const APPROVED_VERSION = '2'

/** An answer as it was sent, to the byte. */
export async function openedAnswer(
  database: Queryable,
  { seals, readFirstStates }: AnswerParts,
  write: Write<never>,
  { status, body, paymentId, paymentStatus, sealed }: StoredAnswer,
): Promise<Answer> {
  if (sealed) {
    const seal = await seals.of(write.caller.organisationId)
    return { status, body: seal.unseal(sealed, columnOf(write)).toString(), replayed: false }
  }
  if (paymentId === null) return { status, body, replayed: false }
  const list = paymentStatus === null ? 'payments' : listOfStatus[paymentStatus]
  const found = await readFirstStates(database, { ...noneWanted(), [list]: [paymentId] })
  const former =
    list === 'pending' ? found.formerPending.get(formerKey(paymentId, body || APPROVED_VERSION)) : undefined
  const json = former ?? found[list].get(paymentId)
  if (json === undefined) throw new Error(`the answer shows payment ${paymentId}, which is missing`)
  // Not every renderer takes JSON text.
  return { ...write.render(JSON.parse(json) as never, json), status }
}

/** Stores an answer with its effects; false if the key has an answer. */
export async function storeAnswer(
  transaction: Queryable,
  seals: Opened,
  write: Write<never>,
  answer: Answer,
): Promise<boolean> {
  return insertAnswer(transaction, write, await closedAnswer(seals, write, answer))
}

/** The part of a body that names its record, which is found by the idempotency key. */
function idIn(body: string): string {
  const id: unknown = JSON.parse(body)?.data?.id
  return typeof id === 'string' ? JSON.stringify({ data: { id } }) : ''
}

function columnOf({ caller, key }: Write<never>): SealedColumn {
  return { table: 'answer', row: `${caller.organisationId}/${key.hash.toString('hex')}`, column: 'sealed' }
}
