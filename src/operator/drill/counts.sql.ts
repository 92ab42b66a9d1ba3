import type { Queryable } from '../../database/database.ts'

/** The size of a bank, and the bank time of its last event. */
export interface BankCounts {
  organisations: number
  accounts: number
  payments: number
  transfers: number
  events: number
  lastEventAt: string | null
}

export async function bankCounts(database: Queryable): Promise<BankCounts> {
  const [row] = await database.query<BankCounts>(
    `select (select count(*) from organisation where ended_at is null)::int as organisations,
       (select count(*) from account where id > 0)::bigint as accounts, (select count(*) from payment)::bigint as payments,
       (select count(*) from transfer)::bigint as transfers, (select coalesce(sum(sequence), 0) from event_counter)::bigint as events,
       (select max(linked_at) from event_counter) as "lastEventAt"`,
    [],
    'once',
  )
  if (!row) throw new Error('counts without a row')
  return row
}
