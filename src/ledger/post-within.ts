import { emptyAnswer, type Write } from '../base/operation.ts'
import type { Queryable } from '../database/database.ts'
import type { EventSink } from '../events/event.ts'
import { recordsOf, writeBehind, writeRecords } from './batch-records.ts'
import type { Books, Command } from './books.ts'
import { decideAll } from './decide.ts'
import type { AnyKind } from './kinds.ts'
import * as ledgerSql from './ledger.sql.ts'
import { rowsWriter } from './write-batch.sql.ts'

/** A movement of money between accounts of customers, or a change of records of theirs, which a transaction makes beside other changes. */
interface Posting extends Pick<Command<never>, 'reads'> {
  write: Write<never>
  /** The accounts that it changes. It uses no internal accounts. */
  accountIds: number[]
  decide(books: Books): void
}

/**
 * Decides and writes transfers and their records in a transaction that is under way, as the lane does in its own: with the
 * locks of the accounts, in the order of their ids, which stay until the transaction ends. Most changes go through the lane,
 * which commits many of them together; this is for one that also writes rows that the lane does not. The events go to the sink.
 */
export async function postWithin(
  transaction: Queryable,
  kinds: AnyKind[],
  events: EventSink,
  { write, accountIds, reads = [], decide }: Posting,
): Promise<void> {
  const { organisationId } = write.caller
  const read = recordsOf(transaction, kinds, [{ reads }], { locking: 'wait', slot: 0, exact: false })
  const accounts = await ledgerSql.lockAccounts(transaction, [...new Set(accountIds)])
  await read.readEarly()
  const { times } = await ledgerSql.readTimesAndKeys(transaction, [organisationId], [])
  Object.assign(read.batch, { accounts, times })
  await read.readOthers()
  const render = () => emptyAnswer
  const command = { write: { ...write, render }, accountIds, decide: (books: Books) => decide(books) as never }
  const state = { accounts, internals: new Map(), times, limits: new Map(), records: read.rows }
  const { outcomes, rows, records } = decideAll(state, [command])
  const [outcome] = outcomes
  if (outcome && 'refused' in outcome) throw outcome.refused
  if (!outcome || !('answer' in outcome)) throw new Error('a posting within a transaction lacks something')
  await writeRecords(transaction, kinds, records, 0)
  if (rows.transfers.length > 0) await rowsWriter(kinds)(transaction, { ...rows, answers: [] }, records)
  await Promise.all(writeBehind(transaction, kinds, records))
  for (const { event } of rows.events) events.push(event)
}
