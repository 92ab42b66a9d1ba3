import type { Database, Queryable } from '../../../src/database/database.ts'
import { joinEvents, splitEvents } from '../../../src/events/stored/event-pages.ts'

/** The texts that a former version would have stored. */
interface Copies {
  /** The data of an event, by its number in the organisation. */
  dataOf(organisationId: number, sequence: number): string
  /** The body of the answer that shows a payment, as it was made or returned. */
  bodyOf(paymentId: number, status: 'Returned' | null): string
  /** The number of every external account. */
  number?: string
}

interface Page {
  organisationId: number
  last: number
  count: number
  events: string
}

const PART = '\x1f'

/** Stores events and answers as former versions did, with copies of payments, and has them removed again. */
export async function storeCopies(database: Database, { dataOf, bodyOf, number }: Copies): Promise<void> {
  await database.transaction(async (transaction) => {
    // As the triggers of append-only tables are left out in the restoration of a backup.
    await transaction.query(`set local session_replication_role = replica`)
    const pages = await transaction.query<Page>(
      `select organisation_id as "organisationId", last, count, events from event_page`,
    )
    for (const { organisationId, last, count, events } of pages) {
      const whole = splitEvents(events).map(({ text, data }, place) => {
        const parts = text.split(PART)
        // Sealing differs each time, so that a chain over sealed data would not hold after another one.
        if (data === '' || (number !== undefined && data.startsWith('~')))
          parts[3] = dataOf(organisationId, last - count + place + 1)
        return parts.join(PART)
      })
      await transaction.query(
        `update event_page set events = $3::text where organisation_id = $1::bigint and last = $2::bigint`,
        [organisationId, last, joinEvents(whole)],
      )
    }
    const answers = await transaction.query<{ paymentId: number; status: 'Returned' | null }>(
      `select payment_id as "paymentId", payment_status as status from answer where payment_id is not null`,
    )
    for (const { paymentId, status } of answers) {
      await transaction.query(
        `update answer set body = $2::text, payment_id = null, payment_status = null
         where payment_id = $1::bigint and payment_status is not distinct from $3::text`,
        [paymentId, bodyOf(paymentId, status), status],
      )
    }
    if (number !== undefined) await storeNumbers(transaction, number)
    await transaction.query(`insert into copy_move (source) values ('event_page'), ('answer') on conflict do nothing`)
  })
}

async function storeNumbers(transaction: Queryable, number: string): Promise<void> {
  await transaction.query(`update external_account set account_number = $1::text, number_digest = null`, [number])
  await transaction.query(
    `update payment set counterparty_account_number = $1::text where external_account_id is not null`,
    [number],
  )
  await transaction.query(
    `insert into copy_move (source) values ('external_account'), ('payment') on conflict do nothing`,
  )
}

/** How many events and answers are stored without a copy. */
export async function storedWithout(database: Database): Promise<{ events: number; answers: number }> {
  const [row] = await database.query<{ events: number; answers: number }>(
    `select (select count(*) from event where data is null) as events,
       (select count(*) from answer where payment_id is not null and body = '') as answers`,
  )
  return row ?? { events: 0, answers: 0 }
}
