import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { schemaStatements } from '../../scripts/schema-text.ts'
import type { Database } from '../../src/database/database.ts'
import { visitDatabase } from '../../src/database/visit.ts'
import { type BaselineRequest, baselineEnvironment, type Golden } from '../support/baseline/baseline.ts'
import { version } from '../support/harness.ts'
import { type Service, scratchFolder, startService } from '../support/service.ts'
import { readMigrationRows, readRows, readSequenceValues, type TableRows } from './baseline.sql.ts'

/** Tables of the shared catalogue: large, and filled anew by the next start. */
const LEFT_OUT = ['merchant', 'offer']

/** Writes the database of this version, with a few records, as SQL that later versions upgrade in a test, and its events. */
export async function writeBaseline(folder: string): Promise<void> {
  const dataDir = join(scratchFolder(), 'data')
  const service = await startService({ PURSER_DATA_DIR: dataDir, PURSER_DEMO: 'on', ...baselineEnvironment })
  const scenario = await service.call('POST', '/v0/sandbox/scenarios')
  const { accountId, externalAccountId } = scenario.json.data
  await service.call('POST', '/v0/webhook-endpoints', { body: { url: 'http://127.0.0.1:9/', events: ['*'] } })
  const path = `/v0/banking/accounts/${accountId}/payments`
  const body = { amount: 2000, counterpartyAccountId: externalAccountId, description: 'Lunch', originalType: 'ACH' }
  const key = 'baseline-payment'
  const payment = await service.call('POST', path, { body, idempotencyKey: key })
  if (payment.status !== 201) throw new Error(`the payment was answered ${payment.status}: ${payment.text}`)
  const golden: Golden = { events: await eventsOf(service), answers: [] }
  await service.stop('SIGTERM')
  const request: BaselineRequest = { path, key, body, answer: payment.text }
  const sql = await visitDatabase({ databaseUrl: undefined, dataDir }, dump)
  const head = `-- Written by \`npm run baseline\`. Do not edit.\n-- ${JSON.stringify(request)}\n\n`
  writeFileSync(join(folder, `${version}.sql`), head + sql)
  writeFileSync(join(folder, `${version}.golden.json`), `${JSON.stringify(golden, null, 2)}\n`)
}

/** The answers to `GET /v0/events/:id` for all events. */
async function eventsOf(service: Service): Promise<string[]> {
  const texts: string[] = []
  for (;;) {
    const { json } = await service.call('GET', `/v0/events?limit=100&after=${texts.length}`)
    if (json.data.length === 0) return texts
    for (const { id } of json.data) texts.push((await service.call('GET', `/v0/events/${id}`)).text)
  }
}

async function dump(database: Database): Promise<string> {
  const { first, last } = await schemaStatements(database)
  const tables = (await readRows(database)).filter(({ name }) => !LEFT_OUT.includes(name))
  return [
    // Functions stand in the order of their names, and one may call another.
    'set check_function_bodies = off',
    ...first,
    ...tables.flatMap(inserts),
    ...(await readSequenceValues(database)),
    ...(await readMigrationRows(database)),
    ...last,
  ]
    .map((statement) => `${statement};\n`)
    .join('\n')
}

function inserts({ name, columns, rows }: TableRows): string[] {
  if (rows.length === 0) return []
  return [`insert into ${name} (${columns.join(', ')}) overriding system value values\n${rows.join(',\n')}`]
}
