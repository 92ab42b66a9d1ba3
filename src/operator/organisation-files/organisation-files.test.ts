import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, openTestBank, type TestBank, type TestDatabase } from '../../../test/support/harness.ts'
import { expectSoundLedger } from '../../../test/support/ledger.ts'
import { type SignedInPerson, signIn } from '../../../test/support/people/sign-in.ts'
import { PNG, refusalOf } from '../../../test/support/review/reviewer.ts'
import { operate, runInProcess } from '../../../test/support/run/command-line.ts'
import { connect, databaseUrl } from '../../../test/support/service.ts'
import { encrypterFor, identitiesIn, readEncrypted, writeEncrypted } from './age.ts'
import { archivedTables } from './tables.ts'

const folder = mkdtempSync(join(tmpdir(), 'purser-organisation-'))
const secret = join(folder, 'secret.txt')
const archive = join(folder, 'first.age')
let bank: TestBank
let recipient: string
let world: Record<string, string>
let ada: SignedInPerson
let proposal: string
const targets: TestDatabase[] = []

const environmentOf = (server: TestDatabase['server']) => ({
  DATABASE_URL: databaseUrl(server),
  PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  PURSER_DATA_DIR: folder,
  PURSER_ROUTING_NUMBER: '812345678',
})
const exported = (to: string, ...words: string[]) =>
  operate(
    ['export', 'organisation', 'first', '--to', to, '--recipient', recipient, ...words],
    environmentOf(bank.server),
  )
const imported = (target: TestDatabase, file: string, ...words: string[]) =>
  operate(['import', file, '--identity', secret, ...words], environmentOf(target.server))

async function newTarget(): Promise<TestDatabase> {
  const target = await createDatabase()
  targets.push(target)
  return target
}

beforeAll(async () => {
  bank = await openTestBank({ own: true, signatures: { from: { personalExport: 0 }, expiryMs: 7 * 86_400_000 } })
  world = (await bank.call('POST', '/v0/sandbox/scenarios', { body: { seed: 7, debits: true } })).json.data
  const upload = { file: PNG, contentType: 'image/png' }
  const path = `/v0/banking/applications/${world.applicationId}/documents/${world.documentId}`
  expect((await bank.call('POST', path, { body: upload })).status).toBe(201)
  // Another organisation, whose records stay where they are.
  await bank.call('POST', '/v0/sandbox/scenarios', { body: { seed: 8 }, key: bank.otherKey })
  // The id of the person is the highest one that the records name.
  ada = await signIn(bank, { first: 'reviewer' })
  proposal = (await ada.call('POST', '/v0/permits/exports/customers', { body: { reason: 'For the audit' } })).json.data
    .id
  // The background work of a service does so.
  await bank.database.query('update reseal set done = true')
  await bank.database.query('delete from copy_move')
  ;[{ recipient }] = (await operate(['keys', 'identity', secret], {})) as [{ recipient: string }]
  await exported(archive)
})
afterAll(async () => {
  await bank?.close()
  for (const target of targets) await target.drop()
  rmSync(folder, { recursive: true })
})

/** The answers of a bank about the records of the world. */
async function answersOf(one: TestBank, key: string): Promise<Record<string, string>> {
  const { customerId, accountId, cardId, paymentId, transactionId, statementId, applicationId } = world
  const paths = [
    `/v0/banking/customers/${customerId}`,
    `/v0/banking/accounts/${accountId}`,
    `/v0/banking/cards/${cardId}`,
    `/v0/banking/payments/${paymentId}`,
    `/v0/banking/transactions/${transactionId}?accountId=${accountId}`,
    `/v0/banking/transactions?accountId=${accountId}&limit=1000`,
    `/v0/banking/customers/${customerId}/external-accounts?limit=1000`,
    `/v0/banking/statements?accountId=${accountId}`,
    `/v0/banking/statements/${statementId}`,
    `/v0/banking/applications/${applicationId}`,
    '/v0/banking/payments?limit=1000',
    '/v0/ledger/accounts?limit=1000',
    '/v0/ledger/transfers?limit=1000',
    '/v0/rewards/rewards',
    '/v0/events?limit=1000',
    '/v0/audit-log/head',
  ]
  const answers = await Promise.all(paths.map(async (path) => [path, (await one.call('GET', path, { key })).text]))
  const pdf = await one.call('GET', `/v0/banking/statements/${statementId}/pdf`, { key })
  return { ...Object.fromEntries(answers), pdf: pdf.bytes.toString('base64') }
}

const stateOf = async (target: TestDatabase) => {
  const other = await openTestBank({ on: target })
  const found = { answers: await answersOf(other, bank.key), other }
  return found
}

describe('an organisation that is exported and imported', () => {
  test('has the same ids, numbers, balances, statements and events, and goes on', async () => {
    const before = await answersOf(bank, bank.key)
    const target = await newTarget()
    const [result] = await imported(target, archive, '--take-over')
    expect(result).toMatchObject({ organisation: 'first', state: 'imported' })
    for (const { archive: there, bank: here } of result.figures) expect(here).toBe(there)
    const { answers, other } = await stateOf(target)
    expect(answers).toEqual(before)
    await expectSoundLedger(other)
    // New ids follow the ones that came.
    const customer = await other.call('POST', '/v0/sandbox/customers', { body: { name: 'Ada Example' }, key: bank.key })
    expect(customer.status).toBe(201)
    const body = { customerId: customer.json.data.id }
    const account = await other.call('POST', '/v0/banking/accounts', { body, key: bank.key })
    expect(account.status).toBe(201)
    const paid = await other.call('POST', `/v0/sandbox/accounts/${account.json.data.id}/receive-ach`, {
      body: { amount: 100, companyName: 'Sample Payroll' },
      key: bank.key,
    })
    expect(paid.status).toBe(201)
    await expectSoundLedger(other)
    const { code } = await runInProcess(['verify'], { environment: environmentOf(target.server) })
    expect(code).toBe(0)
    await other.close()
  })

  test('is checked without a trace, imported once, and has no keys without --take-over', async () => {
    const target = await newTarget()
    expect(await imported(target, archive, '--check')).toMatchObject([{ state: 'checked' }])
    expect(await imported(target, archive)).toMatchObject([{ state: 'imported' }])
    expect(await imported(target, archive)).toMatchObject([{ state: 'known' }])
    const { code } = await runInProcess(['verify'], { environment: environmentOf(target.server) })
    expect(code).toBe(0)
    const other = await openTestBank({ on: target })
    expect((await other.call('GET', '/v0/banking/customers', { key: bank.key })).status).toBe(401)
    await other.close()
    // The bank has given out ids by now.
    const later = join(folder, 'later.age')
    await exported(later)
    await expect(imported(target, later)).rejects.toThrow('the bank has an organisation first already')
  })

  test('brings a second organisation of the same bank along, as long as the new one has not started', async () => {
    const target = await newTarget()
    const second = join(folder, 'second.age')
    await operate(
      ['export', 'organisation', 'second', '--to', second, '--recipient', recipient],
      environmentOf(bank.server),
    )
    expect(await imported(target, archive)).toMatchObject([{ state: 'imported' }])
    expect(await imported(target, second)).toMatchObject([{ organisation: 'second', state: 'imported' }])
    const { code } = await runInProcess(['verify'], { environment: environmentOf(target.server) })
    expect(code).toBe(0)
  })

  test('leaves persons behind: new ones have other ids, and sign no decision that waited', async () => {
    const target = await newTarget()
    await imported(target, archive)
    const other = await openTestBank({ on: target })
    const grace = await signIn(other, { first: 'reviewer' })
    expect(grace.id).not.toBe(ada.id)
    expect(refusalOf(await grace.call('POST', `/v0/proposals/${proposal}/approve`, { body: {} }))).toEqual([
      409,
      'proposal_not_waiting',
    ])
    expect(
      (await other.call('POST', '/v0/sandbox/clock/advance', { body: { by: 'PT1S' }, key: other.key })).status,
    ).toBe(200)
    expect((await grace.call('GET', `/v0/proposals/${proposal}`)).json.data).toMatchObject({
      ...{ state: 'Expired', proposedBy: { id: String(ada.id), name: 'Ada Lovelace' } },
    })
    await other.close()
    const { code } = await runInProcess(['verify'], { environment: environmentOf(target.server) })
    expect(code).toBe(0)
  })

  test('moves into a bank with other ids as files, with the map of ids and numbers', async () => {
    const files = join(folder, 'as-files')
    const [told] = (await operate(['import', archive, '--identity', secret, '--files', files], {})).slice(-1)
    expect(told).toMatchObject({ folder: files, customers: expect.any(Number) })
    const target = await newTarget()
    const elsewhere = environmentOf(target.server)
    const other = await openTestBank({ on: target })
    await other.call('POST', '/v0/sandbox/scenarios', { body: { seed: 9 } })
    const key = await other.makeKey('Moved', null)
    const [result] = await operate(['import', files, '--organisation', 'Moved'], elsewhere)
    for (const { files: there, bank: here } of result.figures) expect(here).toBe(there)
    const map = await operate(['organisations', 'former-ids', 'Moved'], elsewhere)
    const newId = new Map(map.map(({ former, id }) => [former, id]))
    const numbers = new Map(map.flatMap(({ former, number }) => (number === null ? [] : [[former, number]])))

    const before = (await bank.call('GET', '/v0/banking/accounts?limit=1000')).json.data
    expect(before.length).toBeGreaterThan(1)
    for (const account of before) {
      const after = (await other.call('GET', `/v0/banking/accounts/${newId.get(account.id)}`, { key })).json.data
      const { balance, status, name, createdAt } = account
      expect(after).toMatchObject({ balance, status, name, createdAt })
      expect(after.accountNumber).toBe(numbers.get(account.accountNumber))
      const list = (id: string) => `/v0/banking/transactions?accountId=${id}&limit=1000&sort=createdAt`
      const shown = (each: Record<string, unknown>) => [
        each.createdAt,
        each.direction,
        each.amount,
        each.balance,
        each.summary,
      ]
      const was = (await bank.call('GET', list(account.id))).json.data
      const is = (await other.call('GET', list(after.id), { key })).json.data
      expect(is.map(shown)).toEqual(was.map(shown))
      expect(is.map((each: { id: string }) => each.id)).toEqual(was.map((each: { id: string }) => newId.get(each.id)))
    }
    await expectSoundLedger(other)
    await other.close()
    const { code } = await runInProcess(['verify'], { environment: elsewhere })
    expect(code).toBe(0)
  })

  test('is not written in clear, or readable to others', async () => {
    expect(statSync(archive).mode & 0o777).toBe(0o600)
    expect(readFileSync(archive).includes('purser-organisation')).toBe(false)
    expect(readFileSync(archive, 'latin1')).toMatch(/^age-encryption\.org\/v1\n/)
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
  })
})

/** The tables that are not in an archive. docs/guides/move-out.md names what people would look for. */
const leftOut: Record<string, string> = {
  ...ofTheBank('the catalogue of offers is shared by all organisations', 'merchant', 'offer'),
  ...ofTheBank(
    'persons belong to a bank',
    'people',
    'people_entry',
    'people_passkey',
    'people_session',
    'people_ticket',
  ),
  ...ofTheBank(
    'the settlement account and its days belong to a bank',
    ...['bank_statement', 'statement_file', 'settlement_item', 'item_match', 'closed_day'],
  ),
  ...ofTheBank('the journal of the outgoing folder belongs to a bank', 'ach_journal'),
  ...ofTheBank('the cells of a bank', 'cell', 'cell_range', 'organisation_move', 'organisation_move_mark'),
  ...ofTheBank(
    'the state of a database',
    ...['database_history', 'encryption_marker', 'first_organisation', 'migration', 'reseal', 'copy_move'],
    ...['retention', 'retention_progress', 'organisation_import'],
  ),
  // The manifest has both: the row, and the content of the keys.
  ...ofTheBank('in the manifest', 'organisation', 'organisation_key'),
}

function ofTheBank(reason: string, ...tables: string[]): Record<string, string> {
  return Object.fromEntries(tables.map((table) => [table, reason]))
}

test('every table is in an archive, or left out for a reason', async () => {
  const tables = await bank.database.query<{ name: string }>(
    `select table_name::text as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  const decided = [...archivedTables.map(({ name }) => name), ...Object.keys(leftOut)]
  expect(tables.map(({ name }) => name)).toEqual(decided.toSorted())
})

describe('a bank refuses', () => {
  const refusals: [string, Record<string, string>, string[], RegExp][] = [
    ['another routing number', { PURSER_ROUTING_NUMBER: '021000021' }, [], /PURSER_ROUTING_NUMBER=812345678/],
    ['invented money', { PURSER_MODE: 'live', PURSER_ACH: 'instant' }, [], /money is invented/],
  ]
  test.each(refusals)('%s', async (_what, settings, words, message) => {
    const target = await newTarget()
    const { code, stderr } = await runInProcess(['import', archive, '--identity', secret, ...words], {
      environment: { ...environmentOf(target.server), ...settings },
    })
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(message) })
  })

  test('an archive if it has given out ids of its own', async () => {
    const target = await newTarget()
    await operate(['organisations', 'create', 'Acme'], environmentOf(target.server))
    // Its first id is that of the archive, too.
    await expect(imported(target, archive)).rejects.toThrow('the bank has an organisation Acme already')
    const other = await newTarget()
    await imported(other, archive)
    await operate(['organisations', 'create', 'Acme'], environmentOf(other.server))
    const second = join(folder, 'other.age')
    await operate(
      ['export', 'organisation', 'second', '--to', second, '--recipient', recipient],
      environmentOf(bank.server),
    )
    await expect(imported(other, second)).rejects.toThrow('given out ids of its own')
  })

  test('an archive for somebody else, one that was changed, and one that is cut off', async () => {
    const target = await newTarget()
    const foreign = join(folder, 'foreign.txt')
    await operate(['keys', 'identity', foreign], {})
    const { stderr } = await runInProcess(['import', archive, '--identity', foreign], {
      environment: environmentOf(target.server),
    })
    expect(stderr).toContain('cannot be opened with this identity')
    const bytes = readFileSync(archive)
    for (const [name, content] of [
      ['changed.age', Buffer.concat([bytes.subarray(0, -40), Buffer.alloc(40)])],
      ['cut.age', bytes.subarray(0, -1_000)],
    ] as const) {
      writeFileSync(join(folder, name), content)
      await expect(imported(target, join(folder, name))).rejects.toThrow('was changed, or is not whole')
    }
  })
})

/** The lines of the archive, each as JSON. */
async function linesOfArchive(path = archive): Promise<string[]> {
  let text = ''
  for await (const chunk of await readEncrypted(path, identitiesIn(secret))) text += chunk
  return text.trimEnd().split('\n')
}

async function forged(name: string, lines: string[], ending = '\n'): Promise<string> {
  const path = join(folder, `${name}.age`)
  async function* text() {
    yield lines.join('\n') + ending
  }
  await writeEncrypted(path, encrypterFor([recipient]), text())
  return path
}

// biome-ignore lint/suspicious/noExplicitAny: tests change lines as the JSON they are
type Line = any
type Forgery = [fault: string, forge: (lines: string[]) => string[], message: RegExp]

const changed = (place: number, change: (line: Line) => void) => (lines: string[]) =>
  lines.map((line, at) => {
    if (at !== (place < 0 ? lines.length + place : place)) return line
    const value = JSON.parse(line)
    change(value)
    return JSON.stringify(value)
  })
/** Changes the first row of a table. */
const inRow = (table: string, change: (row: Line) => void) => (lines: string[]) => {
  const at = lines.findIndex((line) => line.startsWith(`{"table":"${table}"`))
  return changed(at, ({ row }) => change(row))(lines)
}
const without = (table: string) => (lines: string[]) => {
  const at = lines.findIndex((line) => line.startsWith(`{"table":"${table}"`))
  return lines.toSpliced(at, 1)
}

const forgeries: Forgery[] = [
  ['another format', changed(0, (line) => (line.format = 'purser-organisation-9')), /no archive of an organisation/],
  ['no manifest', (lines) => lines.slice(1), /no archive of an organisation/],
  ['no JSON in the manifest', (lines) => ['{', ...lines.slice(1)], /line 1 .*no JSON/],
  ['a manifest that is a list', (lines) => ['[]', ...lines.slice(1)], /no archive of an organisation/],
  ['a path in place of a number', changed(0, (line) => (line.archive = '../../etc/passwd')), /no valid archive/],
  ['an organisation without an id', changed(0, (line) => (line.organisation.id = 'x')), /no valid organisation/],
  ['a negative count', changed(0, (line) => (line.figures.counts.customer = -1)), /no valid figures/],
  ['a key that is too short', changed(0, (line) => (line.keys.data = 'AAAA')), /no valid keys/],
  ['another column in the organisation', changed(0, (line) => (line.organisation.x = 1)), /other columns/],
  ['tables of another version', changed(0, (line) => line.migrations.push('9999_later.sql')), /older version/],
  ['more customers than it counts', changed(0, (line) => (line.figures.counts.customer = 1)), /more rows than/],
  [
    'fewer customers than it counts',
    changed(0, (line) => line.figures.counts.customer++),
    /customer has \d+ rows here/,
  ],
  ['another sum of balances', changed(0, (line) => line.figures.balance++), /balances differ/],
  ['an unknown table', changed(1, (line) => (line.table = 'people')), /line 2 .*unknown/],
  [
    'a table with SQL in its name',
    changed(1, (line) => (line.table = 'account; drop table account')),
    /line 2 .*unknown/,
  ],
  ['a row without a table', changed(1, (line) => (line.table = undefined)), /line 2 .*unknown/],
  ['a row that is a list', changed(1, (line) => (line.row = [])), /line 2 .*no row/],
  ['a line that is a number', (lines) => lines.with(1, '7'), /line 2 .*no row/],
  ['a line that is no JSON', (lines) => lines.with(2, '{"table":'), /line 3 .*no JSON/],
  ['a row of another organisation', inRow('customer', (row) => row.organisation_id++), /of another organisation/],
  ['a row of two organisations', (lines) => twice(lines), /of another organisation/],
  ['a further column', inRow('account', (row) => (row.x = 1)), /other columns/],
  ['a column less', inRow('account', (row) => (row.status = undefined)), /other columns/],
  ['a value of another type', inRow('account', (row) => (row.balance = 'much')), /rows of account.* do not fit/],
  ['an amount past the largest', inRow('account', (row) => (row.balance = '9223372036854775807')), /do not fit|differ/],
  ['a value that is nested deeply', (lines) => nested(lines), /do not fit/],
  ['a row twice', (lines) => lines.toSpliced(2, 0, lines[1] ?? ''), /more rows than|do not fit|come too late/],
  ['a row less', without('transfer'), /rows are here/],
  ['a row less, and an end that agrees', (lines) => endless(without('transfer')(lines)), /transfer has \d+ rows here/],
  [
    'tables in another order',
    (lines) => [...lines.slice(0, 1), ...lines.slice(1, -1).reverse(), ...lines.slice(-1)],
    /too late|do not fit/,
  ],
  ['no end', (lines) => lines.slice(0, -1), /last line is missing/],
  ['a line behind the end', (lines) => [...lines, '{}'], /goes on behind its end/],
  ['a balance that no transfer explains', inRow('account', (row) => (row.balance += 1)), /balances differ/],
  ['another amount of a transfer', inRow('transfer', (row) => (row.amount += 1)), /laws of the ledger do not hold/],
  ['another name of a customer', inRow('customer', (row) => (row.name = 'Eve')), /not as its events show it: customer/],
  ['another text of an event', inRow('event_page', (row) => (row.events += ' ')), /chain of events does not hold/],
]

/** The first customer with a second organisation after its own: of two members with a name, the later one counts. */
function twice(lines: string[]): string[] {
  const at = lines.findIndex((line) => line.startsWith('{"table":"customer"'))
  return lines.map((line, place) =>
    place === at ? line.replace(/"organisation_id":(\d+)/, '"organisation_id":$1,"organisation_id":1') : line,
  )
}

function nested(lines: string[]): string[] {
  const deep = '['.repeat(20_000) + ']'.repeat(20_000)
  const at = lines.findIndex((line) => line.startsWith('{"table":"account"'))
  return lines.map((line, place) => (place === at ? line.replace('"tags":{}', `"tags":${deep}`) : line))
}

/** The lines with an end that counts them. */
function endless(lines: string[]): string[] {
  return lines.with(-1, JSON.stringify({ end: lines.length - 2 }))
}

describe('no payment leaves from two banks:', () => {
  test.each([
    ['a rehearsal', { served: false }, [], /2 payments of the archive would leave from here, too/],
    [
      'an archive of a bank that ran',
      { served: true },
      ['--take-over'],
      /ran when the archive was written.* may have sent/,
    ],
  ])('a live bank refuses %s', async (name, { served }, words, message) => {
    const live = (line: Line) => Object.assign(line, { mode: 'live', served, figures: { ...line.figures, leaving: 2 } })
    const path = await forged(name.replaceAll(' ', '-'), changed(0, live)(await linesOfArchive()))
    const target = await newTarget()
    const { code, stderr } = await runInProcess(['import', path, '--identity', secret, ...words], {
      environment: { ...environmentOf(target.server), PURSER_MODE: 'live', PURSER_ACH: 'instant' },
    })
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(message) })
  })

  test('an archive knows whether a service ran', async () => {
    const [manifest = ''] = await linesOfArchive()
    expect(JSON.parse(manifest).served).toBe(true)
    const target = await newTarget()
    await imported(target, archive)
    const client = await connect(target.server)
    await client.query('update reseal set done = true')
    await client.query('delete from copy_move')
    await client.end()
    const path = join(folder, 'stopped.age')
    await operate(
      ['export', 'organisation', 'first', '--to', path, '--recipient', recipient],
      environmentOf(target.server),
    )
    const [first = ''] = await linesOfArchive(path)
    expect(JSON.parse(first).served).toBe(false)
  })
})

describe('a forged archive is refused, and leaves nothing', () => {
  let target: TestDatabase
  beforeAll(async () => {
    target = await newTarget()
  })

  test.each(forgeries)('with %s', async (fault, forge, message) => {
    const lines = forge(await linesOfArchive())
    const path = await forged(fault.replaceAll(/\W+/g, '-'), lines)
    await expect(imported(target, path)).rejects.toThrow(message)
  })

  test('with a line that never ends', async () => {
    const path = await forged('endless', ['x'.repeat(9 * 1024 * 1024)], '')
    await expect(imported(target, path)).rejects.toThrow('line 1 of the archive: the line is too long')
  })

  test('and the bank takes the true one then', async () => {
    expect(await imported(target, archive)).toMatchObject([{ state: 'imported' }])
  })
})

test.each([
  [['export', 'organisation'], /missing required argument 'name'/],
  [['export', 'organisation', 'first'], /needs --to and --recipient/],
  [['export', 'organisation', 'first', '--to', 'x'], /needs --to and --recipient/],
  [['export', 'organisation', 'first', '--to', 'x', '--recipient', 'age1x'], /no recipient of age/],
  [['import'], /missing required argument 'from'/],
  [['import', import.meta.filename], /--identity/],
  [['import', import.meta.filename, '--identity', '/nowhere'], /the identity \/nowhere cannot be read/],
  [['import', import.meta.filename, '--identity', import.meta.filename], /holds no identity/],
  [['import', import.meta.filename, '--organisation', 'first'], /are for a folder/],
  [['import', import.meta.dirname, '--identity', 'x'], /are for an archive/],
  [['import', import.meta.dirname], /--organisation/],
  [['keys', 'identity'], /missing required argument 'file'/],
])('%j is refused', async (words, message) => {
  const { code, stderr } = await runInProcess(words, {
    environment: { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' },
  })
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) })
})
