import { bigint, bytea, rowSet, text } from '../../../database/arrays.ts'
import type { Queryable } from '../../../database/database.ts'

/** A table from which copies are removed, and the key of the last row that was read. */
export interface CopyMove {
  source: 'event_page' | 'answer'
  afterOrganisation: number
  afterLast: number
  afterKey: Buffer
}

/** The tables that are left. */
export async function movesLeft(database: Queryable): Promise<CopyMove['source'][]> {
  const rows = await database.query<Pick<CopyMove, 'source'>>(`select source from copy_move order by source`)
  return rows.map(({ source }) => source)
}

/** Locks the position in a table; undefined where another process works on it, or it is done. */
export async function lockMove(transaction: Queryable, source: CopyMove['source']): Promise<CopyMove | undefined> {
  const [row] = await transaction.query<CopyMove>(
    `select source, after_organisation as "afterOrganisation", after_last as "afterLast", after_key as "afterKey"
     from copy_move where source = $1::text for update skip locked`,
    [source],
  )
  return row
}

export async function saveMove(transaction: Queryable, move: CopyMove): Promise<void> {
  await transaction.query(
    `update copy_move set after_organisation = $2::bigint, after_last = $3::bigint, after_key = $4::bytea
     where source = $1::text`,
    [move.source, move.afterOrganisation, move.afterLast, move.afterKey],
  )
}

export async function endMove(transaction: Queryable, source: CopyMove['source']): Promise<void> {
  await transaction.query(`delete from copy_move where source = $1::text`, [source])
}

export interface StoredPage {
  organisationId: number
  last: number
  events: string
}

export function readPages(transaction: Queryable, { afterOrganisation, afterLast }: CopyMove, take: number) {
  return transaction.query<StoredPage>(
    `select organisation_id as "organisationId", last, events from event_page
     where (organisation_id, last) > ($1::bigint, $2::bigint) order by organisation_id, last limit $3`,
    [afterOrganisation, afterLast, take],
    'once',
  )
}

const pageRows = rowSet<StoredPage>({
  organisation_id: bigint(({ organisationId }) => organisationId),
  last: bigint(({ last }) => last),
  events: text(({ events }) => events),
})

export async function updatePages(transaction: Queryable, pages: StoredPage[]): Promise<void> {
  await transaction.query(
    `update event_page p set events = n.events from (${pageRows.select}) n
     where p.organisation_id = n.organisation_id and p.last = n.last`,
    pageRows.values(pages),
    'once',
  )
}

export interface AnswerBody {
  organisationId: number
  keyHash: Buffer
  /** Null where the answer cannot show a payment. */
  body: string | null
}

export function readBodies(transaction: Queryable, { afterOrganisation, afterKey }: CopyMove, take: number) {
  return transaction.query<AnswerBody>(
    `select organisation_id as "organisationId", key_hash as "keyHash",
       case when sealed is null and payment_id is null and body like '{"data":{"id":"%","type":"achPayment",%'
         then body end as body
     from answer where (organisation_id, key_hash) > ($1::bigint, $2::bytea) order by organisation_id, key_hash limit $3`,
    [afterOrganisation, afterKey, take],
    'once',
  )
}

export interface AnswerOfPayment extends Pick<AnswerBody, 'organisationId' | 'keyHash'> {
  paymentId: number
}

const answerRows = rowSet<AnswerOfPayment>({
  organisation_id: bigint(({ organisationId }) => organisationId),
  key_hash: bytea(({ keyHash }) => keyHash),
  payment_id: bigint(({ paymentId }) => paymentId),
})

export async function updateAnswers(transaction: Queryable, answers: AnswerOfPayment[]): Promise<void> {
  await transaction.query(
    `update answer a set body = '', payment_id = n.payment_id from (${answerRows.select}) n
     where a.organisation_id = n.organisation_id and a.key_hash = n.key_hash`,
    answerRows.values(answers),
    'once',
  )
}
