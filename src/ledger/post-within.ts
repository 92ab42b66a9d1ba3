import type { Write } from '../base/operation.ts'
import type { Queryable } from '../database/database.ts'
import type { EventSink } from '../events/event.ts'
import { type Books, noState } from './books.ts'
import { decideAll } from './decide.ts'
import * as ledgerSql from './ledger.sql.ts'
import { writeReviews } from './reviews.sql.ts'
import { writeChangedPayments, writeRows } from './write-batch.sql.ts'

/** A movement of money between accounts of customers, or a stop of their payments, which a transaction makes beside other changes. */
interface Posting {
  write: Write<never>
  /** The accounts that it changes. It uses no internal accounts. */
  accountIds: number[]
  /** Those among them whose payments that have not left are read. */
  pendingOf?: number[]
  decide(books: Books): void
}

/**
 * Decides and writes transfers and their payments in a transaction that is under way, as the lane does in its own: with the
 * locks of the accounts, in the order of their ids, which stay until the transaction ends. Most changes go through the lane,
 * which commits many of them together; this is for one that also writes rows that the lane does not. The events go to the sink.
 */
export async function postWithin(transaction: Queryable, events: EventSink, posting: Posting): Promise<void> {
  const { write, accountIds, pendingOf = [], decide } = posting
  const { organisationId } = write.caller
  const accounts = await ledgerSql.lockAccounts(transaction, [...new Set(accountIds)])
  const { times } = await ledgerSql.readTimesAndKeys(transaction, [organisationId], [])
  const payments = await ledgerSql.readPending(transaction, pendingOf)
  const render = () => ({ status: 200, body: '', replayed: false })
  const command = { write: { ...write, render }, accountIds, decide: (books: Books) => decide(books) as never }
  const { outcomes, rows } = decideAll({ ...noState(), accounts, payments, times }, [command])
  const [outcome] = outcomes
  if (outcome && 'refused' in outcome) throw outcome.refused
  if (!outcome || !('answer' in outcome)) throw new Error('a posting within a transaction lacks something')
  await writeChangedPayments(transaction, rows)
  await writeReviews(transaction, rows)
  if (rows.transfers.length > 0) await writeRows(transaction, { ...rows, answers: [] })
  for (const { event } of rows.events) events.push(event)
}
