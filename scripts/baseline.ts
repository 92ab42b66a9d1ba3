import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../src/database/database.ts'
import { visitDatabase } from '../src/database/visit.ts'
import { fail } from '../src/startup-errors.ts'
import { type BaselineRequest, baselineEnvironment } from '../test/support/baseline/baseline.ts'
import { endServices, scratchFolder, startService } from '../test/support/service.ts'
import { readMigrationRows, readRows, readSequenceValues, type TableRows } from './baseline.sql.ts'
import { schemaStatements } from './schema-text.ts'

const root = join(import.meta.dirname, '..')

/** Tables of the shared catalogue: large, and filled anew by the next start. */
const LEFT_OUT = ['merchant', 'offer', 'zip_code']

/** Writes the database of this version, with a few records, as SQL that later versions upgrade in a test. */
async function writeBaseline(): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const dataDir = join(scratchFolder(), 'data')
  const service = await startService(
    { PURSER_DATA_DIR: dataDir, PURSER_DEMO: 'on', ...baselineEnvironment },
    { checkout: root },
  )
  const scenario = await service.call('POST', '/v0/sandbox/scenarios')
  const { accountId, externalAccountId } = scenario.json.data
  await service.call('POST', '/v0/webhook-endpoints', { body: { url: 'http://127.0.0.1:9/', events: ['*'] } })
  const path = `/v0/banking/accounts/${accountId}/payments`
  const body = { amount: 2000, counterpartyAccountId: externalAccountId, description: 'Lunch', originalType: 'ACH' }
  const key = 'baseline-payment'
  const payment = await service.call('POST', path, { body, idempotencyKey: key })
  if (payment.status !== 201) throw new Error(`the payment was answered ${payment.status}: ${payment.text}`)
  await service.stop('SIGTERM')
  const request: BaselineRequest = { path, key, body, answer: payment.text }
  const sql = await visitDatabase({ databaseUrl: undefined, dataDir }, dump)
  const file = join(root, `test/support/baseline/${version}.sql`)
  writeFileSync(file, `-- Written by scripts/baseline.ts. Do not edit.\n-- ${JSON.stringify(request)}\n\n${sql}`)
  await endServices()
}

async function dump(database: Database): Promise<string> {
  const { first, last } = await schemaStatements(database)
  const tables = (await readRows(database)).filter(({ name }) => !LEFT_OUT.includes(name))
  return [
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

writeBaseline().catch(fail)
