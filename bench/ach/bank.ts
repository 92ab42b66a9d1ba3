import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, openDatabase, plainTimeouts } from '../../src/database/database.ts'
import { bankingDaysAfter, dayNumberOf, departureOf, easternOf } from '../../src/rails/ach/calendar.ts'
import { writeAchFile } from '../../src/rails/ach/write-file.ts'
import { sealedNumber } from '../../src/secrets/numbers.ts'
import type { Seal } from '../../src/secrets/seal.ts'
import { openSeals } from '../../src/secrets/seals.ts'
import { insertPayments, type PaymentSet } from '../../test/support/sets/payments.ts'
import { type Service, scratchFolder, startService } from '../service.ts'

const STEP = 10_000

/** A service whose database holds payments that wait for one cut-off. */
export interface Bank {
  service: Service
  database: Database
  set: PaymentSet
  cutoffAt: string
  settlesAt: string
}

/** Payments of so many accounts, one each, with sealed account numbers and their events, all pending. */
export async function makeBank(payments: number, nodeFlags: string[]): Promise<Bank> {
  const service = await startService(scratchFolder(), { environment: { PURSER_ACH: 'windows' }, nodeFlags })
  const database = openDatabase({
    servers: [{ ...service.connection, ssl: false }],
    connections: 3,
    timeouts: { ...plainTimeouts, statementMs: 0 },
  })
  const startsAt = quietMorning()
  const [organisation] = await database.query<{ id: number }>(
    `update organisation set clock_offset = $1::timestamptz - clock_timestamp(),
       statements_from = date_trunc('month', $1::timestamptz at time zone 'UTC')::date
     returning id`,
    [startsAt],
  )
  const organisationId = organisation?.id ?? 0
  const set = await insertPayments(database, { organisationId, accounts: payments, payments })
  const { cutoff: cutoffAt, settles: settlesAt } = departureOf(startsAt, false)
  const seal = await openSeals(database, service.encryptionKeys).of(organisationId)
  await makePending(database, set, { seal, cutoffAt, settlesAt })
  for (const table of ['payment', 'external_account']) await database.query(`vacuum full ${table}`, [], 'once')
  await database.query('vacuum analyze', [], 'once')
  await database.query('checkpoint', [], 'once')
  return { service, database, set, cutoffAt, settlesAt }
}

/** A morning in the middle of next month, before the first cut-off of a banking day. No statements are due on the way. */
function quietMorning(): string {
  const now = new Date()
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 10)).toISOString()
  return `${bankingDaysAfter(next.slice(0, 10), 0)}T12:00:00.000Z`
}

/** Turns payments that were sent at once into payments that leave with a file, each to a number of its own. */
async function makePending(
  database: Database,
  { firstExternal, payments, paymentId }: PaymentSet,
  { seal, cutoffAt, settlesAt }: Pick<Bank, 'cutoffAt' | 'settlesAt'> & { seal: Seal },
): Promise<void> {
  for (let from = 0; from < payments; from += STEP) {
    const numbers = Array.from({ length: Math.min(STEP, payments - from) }, (_, at) => from + at)
    const stored = numbers.map((number) => sealedNumber(seal, firstExternal + number, String(1_000_000_000 + number)))
    await database.query(
      `with changed as (
         update external_account e set account_number = n.stored
         from unnest($1::bigint[], $3::text[]) n (id, stored) where e.id = n.id)
       update payment p set status = 'Pending', first_status = 'Pending', same_day = false, sec_code = 'CCD',
         cutoff_at = $4::timestamptz, settles_at = $5::timestamptz, counterparty_account_number = n.stored
       from unnest($2::bigint[], $3::text[]) n (id, stored) where p.id = n.id`,
      [
        ...[numbers.map((number) => firstExternal + number), numbers.map((number) => paymentId(number)), stored],
        ...[cutoffAt, settlesAt],
      ],
      'once',
    )
  }
}

/** Puts a file into the incoming folder that returns every entry that settled. */
export async function sendReturns({ service, database, set, settlesAt }: Bank): Promise<void> {
  const entries = await database.query<{ traceNumber: string; amount: number }>(
    `select trace_number as "traceNumber", amount from payment where settles_at = $1::timestamptz and status = 'Sent' order by id`,
    [settlesAt],
    'once',
  )
  const { day } = easternOf(settlesAt)
  const bank = '02100002'
  const { bytes } = writeAchFile({
    header: {
      ...{ destination: '812345678', origin: ' 061000146', createdOn: day, createdAt: '09:00', modifier: 'A' },
      ...{ destinationName: 'PURSER', originName: 'OPERATOR', reference: '' },
    },
    batches: [
      {
        ...{ serviceClass: 220, companyName: 'SAMPLE', companyData: '', companyId: '1234567890', secCode: 'CCD' },
        ...{ description: 'RENT', descriptiveDate: '', effectiveDate: day, settlementDay: dayNumberOf(day) },
        ...{ originatorStatus: '1', bank, number: 1, authentication: '' },
        entries: entries.map(({ traceNumber, amount }, index) => ({
          ...{ code: 21, routingNumber: '812345678', accountNumber: '1', amount, identification: '', name: 'LANDLORD' },
          ...{ discretionary: '', traceNumber: bank + String(index + 1).padStart(7, '0') },
          addenda: {
            ...{ type: 'return' as const, code: 'R03', originalTrace: traceNumber, dateOfDeath: '' },
            ...{ originalBank: bank, information: '' },
          },
        })),
      },
    ],
  })
  if (!bytes) throw new Error('the file of returns is not valid')
  const folder = join(service.dataDir, 'ach', 'in', String(set.organisationId))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, '.returns.ach'), bytes)
  renameSync(join(folder, '.returns.ach'), join(folder, 'returns.ach'))
}
