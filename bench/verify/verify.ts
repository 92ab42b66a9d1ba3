import { visitDatabase } from '../../src/database/visit.ts'
import { verifyLedger } from '../../src/ledger/verify.ts'
import { insertPayments } from '../../test/support/sets/payments.ts'
import type { Desk } from '../desk.ts'
import { scratchFolder, startService } from '../service.ts'

export const verifyCounts = [100_000, 1_000_000] as const
/** Each account makes ten payments, one a day. */
const PAYMENTS_PER_ACCOUNT = 10
const DAYS = 10

/**
 * Checks of the laws on fresh tables of which PostgreSQL has no statistics: of everything, and of the last day. The smaller
 * number of payments is inserted in sets, measured, and filled up to the larger one.
 */
export async function verifyRounds(desk: Desk): Promise<void> {
  const folder = scratchFolder()
  // A start makes the tables and the organisation.
  await (await startService(folder)).stop()
  await visitDatabase({ databaseUrl: undefined, dataDir: folder }, async (database) => {
    for (const table of ['account', 'customer', 'transfer', 'payment', 'answer', 'event_page']) {
      await database.query(`alter table ${table} set (autovacuum_enabled = off)`, [], 'once')
    }
    let made = 0
    for (const payments of verifyCounts) {
      const missing = payments - made
      desk.say(`${missing} payments are inserted`)
      const set = await insertPayments(database, {
        organisationId: await newOrganisation(database, made + 1),
        accounts: missing / PAYMENTS_PER_ACCOUNT,
        payments: missing,
        days: DAYS,
      })
      made = payments
      for (let round = 1; round <= desk.options.rounds; round++) {
        await measureCheck(desk, database, `verify ${payments}`)
        await measureCheck(desk, database, `verify a day of ${payments}`, set.timeOf(missing * (1 - 1 / DAYS)))
      }
    }
  })
}

type Database = Parameters<typeof verifyLedger>[0]

async function measureCheck({ figures, say, fault }: Desk, database: Database, name: string, since?: string) {
  const startedMs = performance.now()
  const breaches = await verifyLedger(database, since ? { since } : {})
  const ms = performance.now() - startedMs
  figures.add(name, ms)
  say(`${name} payments: ${(ms / 1_000).toFixed(1)} s`)
  for (const { law, rows } of breaches) fault(`broken: ${law}, ${JSON.stringify(rows[0])}`)
}

/** Each set has an organisation of its own, because it has internal accounts of its own. */
async function newOrganisation(database: Database, id: number): Promise<number> {
  const [row] = await database.query<{ id: number }>(
    `insert into organisation (id, name, created_at) values ($1::bigint, 'payments ' || $1::bigint, now()) returning id`,
    [id],
  )
  return row?.id ?? 0
}
