import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openConsumer } from '../../test/support/consumer.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { expectSoundLedger } from '../../test/support/ledger.ts'
import { operate, runInProcess } from '../../test/support/run/command-line.ts'
import { databaseUrl, until } from '../../test/support/service.ts'

const root = mkdtempSync(join(tmpdir(), 'purser-move-in-'))
let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank({ own: true })
})
afterAll(async () => {
  await expectSoundLedger(bank)
  await bank.close()
  rmSync(root, { recursive: true })
})

const environment = () => ({
  DATABASE_URL: databaseUrl(bank.server),
  PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  PURSER_DATA_DIR: root,
  PURSER_ROUTING_NUMBER: '812345678',
})
const run = (...words: string[]) => operate(words, environment())

type Files = Record<string, string | Buffer>

const whole: Files = {
  'customers.csv': [
    'id,name,email,phone,street,city,state,postalCode,createdAt',
    'C-1,Ada Example,ada@example.com,+12125550123,1 Sample Street,Springfield,IL,62701,2025-01-05',
    '"C-2","Grace ""G"" Sample",,,,,,,2025-02-01T09:30:00Z',
  ].join('\r\n'),
  'accounts.jsonl': [
    '{"id": "A-1", "customerId": "C-1", "openedAt": "2025-01-05", "openingBalance": 10000, "balance": 8500}',
    '{"id": "A-2", "customerId": "C-2", "openedAt": "2025-02-01T09:30:00Z", "balance": 300}',
    '{"id": "A-3", "customerId": "C-2", "openedAt": "2025-03-10", "openingBalance": -250, "balance": -250}',
  ].join('\n'),
  'external-accounts.csv':
    'id,customerId,name,type,routingNumber,accountNumber,accountType\nE-1,C-1,Landlord,Business,021000021,9876543210,Checking\n',
  'cards.csv': [
    'id,accountId,type,last4Digits,expirationDate,status,createdAt,processorReference,street,city,state,postalCode',
    'K-1,A-1,individualDebitCard,4242,2030-07,Active,2025-01-06,card_1,1 Sample Street,Springfield,IL,62701',
    'K-2,A-2,individualVirtualDebitCard,1881,2029-01,Frozen,2025-02-02,,,,,',
  ].join('\n'),
  'history.csv': [
    'id,accountId,at,amount,counterparty,description',
    'T-1,A-1,2025-01-31T12:00:00.250Z,-2000,Landlord,"Rent, January"',
    ',A-1,2025-02-01T12:00:00Z,500,Sample Payroll,',
    'T-3,A-2,2025-02-03T08:00:00-05:00,300,,',
  ].join('\n'),
}

let folders = 0
function folderOf(files: Files): string {
  const folder = join(root, `files-${folders++}`)
  mkdirSync(folder)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

async function newOrganisation(name: string): Promise<string> {
  const key = await bank.makeKey(name, null)
  return key
}

describe('records of a former system', () => {
  let key: string
  const folder = folderOf(whole)
  const ids = new Map<string, string>()

  beforeAll(async () => {
    key = await newOrganisation('Moved')
    expect(await run('import', folder, '--organisation', 'Moved', '--check')).toMatchObject([
      { faults: 0, customers: 2 },
    ])
    const [result] = await run('import', folder, '--organisation', 'Moved')
    expect(result).toMatchObject({ organisation: 'Moved', state: 'imported' })
    for (const { files, bank: found } of result.figures) expect(found).toBe(files)
    for (const { former, id } of await run('organisations', 'former-ids', 'Moved')) ids.set(former, id)
  })

  const get = async (path: string) => (await bank.call('GET', path, { key })).json.data
  const idOf = (former: string) => ids.get(former) ?? ''

  test('have the values and times of the files, and are found by their former ids', async () => {
    expect(await get(`/v0/banking/customers/${idOf('C-1')}`)).toMatchObject({
      name: 'Ada Example',
      email: 'ada@example.com',
      createdAt: '2025-01-05T00:00:00.000Z',
      address: { street: '1 Sample Street', city: 'Springfield', state: 'IL', postalCode: '62701' },
    })
    expect(await get(`/v0/banking/customers/${idOf('C-2')}`)).toMatchObject({ name: 'Grace "G" Sample' })
    for (const [former, balance] of [
      ['A-1', 8500],
      ['A-2', 300],
      ['A-3', -250],
    ] as const) {
      expect(await get(`/v0/banking/accounts/${idOf(former)}`)).toMatchObject({
        balance,
        available: balance,
        status: 'Open',
      })
    }
    expect(await get(`/v0/banking/customers/${idOf('C-1')}/external-accounts`)).toMatchObject([
      { id: idOf('E-1'), name: 'Landlord', routingNumber: '021000021', accountNumber: '9876543210' },
    ])
    expect(await get(`/v0/banking/cards/${idOf('K-1')}`)).toMatchObject({
      last4Digits: '4242',
      expirationDate: '2030-07',
      status: 'Active',
      accountId: idOf('A-1'),
    })
    expect(await run('organisations', 'former-ids', 'Moved', '--former', 'K-2')).toEqual([
      { kind: 'card', former: 'K-2', id: idOf('K-2'), number: null },
    ])
  })

  test('have their history at its own time, each balance after the one before', async () => {
    const shown = (await get(`/v0/banking/transactions?accountId=${idOf('A-1')}&sort=createdAt`)).map(
      (each: Record<string, unknown>) => [each.createdAt, each.direction, each.amount, each.balance, each.summary],
    )
    expect(shown).toEqual([
      ['2025-01-05T00:00:00.000Z', 'Credit', 10000, 10000, 'Moved in  |  Opening balance'],
      ['2025-01-31T12:00:00.250Z', 'Debit', 2000, 8000, 'Landlord  |  Rent, January'],
      ['2025-02-01T12:00:00.000Z', 'Credit', 500, 8500, 'Sample Payroll  |  '],
    ])
    const [later] = await get(`/v0/banking/transactions?accountId=${idOf('A-2')}`)
    expect(later).toMatchObject({ id: idOf('T-3'), createdAt: '2025-02-03T13:00:00.000Z' })
  })

  test('are against one internal account that ends with what all of them have', async () => {
    const accounts = await get('/v0/ledger/accounts?limit=1000')
    const internal = accounts.filter((each: { kind: string }) => each.kind === 'movedIn')
    expect(internal).toMatchObject([{ balance: -(8500 + 300 - 250) }])
  })

  test('have statements of their months', async () => {
    await bank.catchUp()
    const statements = await get(`/v0/banking/statements?accountId=${idOf('A-1')}&limit=1000`)
    const january = statements.find(({ period }: { period: string }) => period === '2025-01')
    const balances =
      'select opening_balance as opening, closing_balance as closing from statement where id = $1::bigint'
    expect(await bank.database.query(balances, [january.id])).toEqual([{ opening: 0, closing: 8000 }])
  })

  test('have an event each, which no webhook was sent for', async () => {
    const events = await get('/v0/events?limit=1000')
    const count = (type: string) => events.filter((each: { type: string }) => each.type === type).length
    expect(
      ['customer', 'account', 'externalAccount', 'card', 'transaction'].map((each) => count(`${each}.created`)),
    ).toEqual([2, 3, 1, 2, 5])
  })

  test('are imported once, and not into accounts that are there', async () => {
    expect(await run('import', folder, '--organisation', 'Moved')).toMatchObject([{ state: 'known' }])
    const other = folderOf({ ...whole, 'cards.csv': '' })
    rmSync(join(other, 'cards.csv'))
    await expect(run('import', other, '--organisation', 'Moved')).rejects.toThrow('has customers already')
  })

  test('go on as records of this bank', async () => {
    const body = { amount: 100, counterpartyAccountId: idOf('E-1'), description: 'Rent', originalType: 'ACH' }
    const paid = await bank.call('POST', `/v0/banking/accounts/${idOf('A-1')}/payments`, { body, key })
    expect(paid.status).toBe(201)
    const { code, stdout } = await runInProcess(['verify'], { environment: environment() })
    expect({ code, broken: stdout.match(/.*"holds":false.*/g) }).toEqual({ code: 0, broken: null })
  })
})

test('webhooks are sent for records only if the operator agrees', async () => {
  const consumer = await openConsumer()
  const followed = await openTestBank({ own: true, webhooks: {} })
  const of = { ...environment(), DATABASE_URL: databaseUrl(followed.server) }
  const folder = folderOf({ 'customers.csv': 'id,name,createdAt\nC-1,Ada Example,2025-01-05\n' })
  const other = folderOf({ 'customers.csv': 'id,name,createdAt\nC-2,Grace Sample,2025-01-05\n' })
  for (const [name, from, words] of [
    ['Silent', folder, []],
    ['Sent', other, ['--webhooks']],
  ] as const) {
    const key = await followed.makeKey(name, null)
    const body = { url: consumer.url, events: ['customer.*'] }
    expect((await followed.call('POST', '/v0/webhook-endpoints', { body, key })).status).toBe(201)
    expect(await operate(['import', from, '--organisation', name, ...words], of)).toMatchObject([{ state: 'imported' }])
    // A later record: its webhook is the first one of the organisation, or the second.
    await followed.call('POST', '/v0/sandbox/customers', { body: { name: 'Later Example' }, key })
  }
  await until('the webhooks', async () => consumer.received.length >= 3)
  const got = consumer.received.map(({ event }) => event.data.name)
  expect(got.toSorted()).toEqual(['Grace Sample', 'Later Example', 'Later Example'])
  await followed.close()
  await consumer.close()
})

test('an endpoint that is behind keeps records out, so that no earlier webhook is lost', async () => {
  const key = await newOrganisation('Behind')
  const body = { url: 'https://example.com/webhooks', events: ['*'] }
  expect((await bank.call('POST', '/v0/webhook-endpoints', { body, key })).status).toBe(201)
  const earlier = { name: 'Earlier', scopes: ['events:read'] }
  expect((await bank.call('POST', '/v0/api-keys', { body: earlier, key })).status).toBe(201)
  const folder = folderOf({ 'customers.csv': 'id,name,createdAt\nC-3,Ada Example,2025-01-05\n' })
  await expect(run('import', folder, '--organisation', 'Behind')).rejects.toThrow('webhooks of earlier events to send')
  expect(await run('import', folder, '--organisation', 'Behind', '--webhooks')).toMatchObject([{ state: 'imported' }])
})

test('an organisation that does not exist, or whose clock is behind, takes no records', async () => {
  const folder = folderOf(whole)
  await expect(run('import', folder, '--organisation', 'Nobody')).rejects.toThrow('there is no organisation Nobody')
})

const csv = (text: string | Buffer | undefined) => String(text).split(/\r?\n/)
/** Replaces a line of a file. */
const line = (file: string, number: number, text: string) => ({
  [file]: csv(whole[file])
    .map((each, at) => (at === number - 1 ? text : each))
    .join('\n'),
})
const closedAccount = (cents: string) =>
  `{"id":"A-3","customerId":"C-2","openedAt":"2025-03-10","openingBalance":${cents},"balance":${cents},"status":"Closed"}`
const card = 'individualVirtualDebitCard,1881,2029-01,Frozen,2025-02-02,,,,,'

const faulty: [what: string, files: Files, file: string, line: number, fault: RegExp][] = [
  ['an unknown column', line('customers.csv', 1, 'id,name,mail,createdAt'), 'customers.csv', 1, /no column "mail"/],
  ['a column twice', line('customers.csv', 1, 'id,name,name,createdAt'), 'customers.csv', 1, /name occurs twice/],
  ['a column less', line('customers.csv', 1, 'id,name'), 'customers.csv', 1, /createdAt is missing/],
  ['a cell less', line('customers.csv', 2, 'C-1,Ada Example'), 'customers.csv', 2, /2 cells/],
  ['a cell more', line('history.csv', 3, ',A-1,2025-02-01,500,,,,'), 'history.csv', 3, /8 cells/],
  ['a name that is empty', line('customers.csv', 2, 'C-1,,,,,,,,2025-01-05'), 'customers.csv', 2, /name is missing/],
  [
    'an id twice',
    line('customers.csv', 3, 'C-1,Eve Example,,,,,,,2025-01-05'),
    'customers.csv',
    3,
    /id is that of line 2/,
  ],
  [
    'an address in part',
    line('customers.csv', 2, 'C-1,Ada,,,1 Street,,,,2025-01-05'),
    'customers.csv',
    2,
    /no city, state/,
  ],
  [
    'a wrong e-mail address',
    line('customers.csv', 2, 'C-1,Ada,ada,,,,,,2025-01-05'),
    'customers.csv',
    2,
    /email is no/,
  ],
  [
    'a wrong phone number',
    line('customers.csv', 2, 'C-1,Ada,,5550123,,,,,2025-01-05'),
    'customers.csv',
    2,
    /phone is no/,
  ],
  ['a day that does not exist', line('customers.csv', 2, 'C-1,Ada,,,,,,,2025-02-30'), 'customers.csv', 2, /no time/],
  [
    'a time of the future',
    line('customers.csv', 2, 'C-1,Ada,,,,,,,2999-01-01'),
    'customers.csv',
    2,
    /lies in the future/,
  ],
  ['a finer time', line('history.csv', 3, ',A-1,2025-02-01T12:00:00.12345Z,500,,'), 'history.csv', 3, /three decimals/],
  [
    'a quote that is not closed',
    line('customers.csv', 3, 'C-2,"Grace,,,,,,,2025-01-05'),
    'customers.csv',
    3,
    /quote is not closed/,
  ],
  [
    'a quote within a cell',
    line('customers.csv', 3, 'C-2,Gr"ac"e,,,,,,,2025-01-05'),
    'customers.csv',
    3,
    /quote stands within/,
  ],
  [
    'a control character',
    line('customers.csv', 3, 'C-2,Gr\u0007ace,,,,,,,2025-01-05'),
    'customers.csv',
    3,
    /control character/,
  ],
  [
    'bytes that are no text',
    { 'customers.csv': Buffer.from([0x69, 0x64, 0xff, 0x0a]) },
    'customers.csv',
    1,
    /no UTF-8/,
  ],
  ['a line without an end', { 'customers.csv': 'x'.repeat(70_000) }, 'customers.csv', 1, /more than 65536 bytes/],
  ['no lines', { 'customers.csv': '' }, 'customers.csv', 1, /the file is empty/],
  [
    'an account of nobody',
    line('accounts.jsonl', 2, '{"id":"A-2","customerId":"C-9","openedAt":"2025-02-01","balance":300}'),
    'accounts.jsonl',
    2,
    /"C-9" is in no line/,
  ],
  ['no JSON', line('accounts.jsonl', 2, '{"id":"A-2"'), 'accounts.jsonl', 2, /no JSON/],
  ['a list', line('accounts.jsonl', 2, '[]'), 'accounts.jsonl', 2, /no object/],
  [
    'an unknown member',
    line('accounts.jsonl', 2, '{"id":"A-2","owner":"C-2"}'),
    'accounts.jsonl',
    2,
    /no member "owner"/,
  ],
  ['a member within another', line('accounts.jsonl', 2, '{"id":["A-2"]}'), 'accounts.jsonl', 2, /list or an object/],
  [
    'a number with decimals',
    line('accounts.jsonl', 2, '{"id":"A-2","customerId":"C-2","openedAt":"2025-02-01","balance":3.5}'),
    'accounts.jsonl',
    2,
    /no whole number/,
  ],
  [
    'a balance that the history does not make',
    line('accounts.jsonl', 2, '{"id":"A-2","customerId":"C-2","openedAt":"2025-02-01T09:30:00Z","balance":301}'),
    'accounts.jsonl',
    2,
    /make 300/,
  ],
  [
    'a closed account with money',
    line('accounts.jsonl', 3, closedAccount('250')),
    'accounts.jsonl',
    3,
    /is closed, and has money/,
  ],
  [
    'a card of a closed account',
    { ...line('accounts.jsonl', 3, closedAccount('0')), ...line('cards.csv', 3, `K-2,A-3,${card}`) },
    'cards.csv',
    3,
    /account of the card is closed/,
  ],
  [
    'an account number that is the id of another account',
    line('accounts.jsonl', 3, closedAccount('0').replace('}', ',"accountNumber":"A-1"}')),
    'accounts.jsonl',
    3,
    /accountNumber is that of line 1/,
  ],
  [
    'a routing number of eight digits',
    line('external-accounts.csv', 2, 'E-1,C-1,Landlord,Business,02100002,98,Checking'),
    'external-accounts.csv',
    2,
    /routingNumber is no/,
  ],
  [
    'a kind of account that is unknown',
    line('external-accounts.csv', 2, 'E-1,C-1,Landlord,Business,021000021,98,Checks'),
    'external-accounts.csv',
    2,
    /accountType is no/,
  ],
  [
    'five last digits',
    line('cards.csv', 3, `K-2,A-2,${card.replace('1881', '18811')}`),
    'cards.csv',
    3,
    /last4Digits is no/,
  ],
  [
    'a card that has ended',
    line('cards.csv', 3, `K-2,A-2,${card.replace('Frozen', 'Lost')}`),
    'cards.csv',
    3,
    /status is no/,
  ],
  [
    'a month that does not exist',
    line('cards.csv', 3, `K-2,A-2,${card.replace('2029-01', '2029-13')}`),
    'cards.csv',
    3,
    /expirationDate is no/,
  ],
  [
    'a plastic card without an address',
    line('cards.csv', 3, `K-2,A-2,${card.replace('Virtual', '')}`),
    'cards.csv',
    3,
    /address has no street/,
  ],
  [
    'a reference of two cards',
    line('cards.csv', 3, `K-2,A-2,${card.replace('02,,', '02,card_1,')}`),
    'cards.csv',
    3,
    /processorReference is that of line 2/,
  ],
  ['a card of no account', line('cards.csv', 3, `K-2,A-9,${card}`), 'cards.csv', 3, /"A-9" is in no line/],
  [
    'times out of order',
    line('history.csv', 4, 'T-3,A-2,2025-02-01T10:00:00Z,300,,'),
    'history.csv',
    4,
    /before that of line 3/,
  ],
  [
    'a booking before the account',
    line('history.csv', 2, 'T-1,A-3,2025-01-31,-2000,,'),
    'history.csv',
    2,
    /before the account was opened/,
  ],
  [
    'an amount in dollars',
    line('history.csv', 3, ',A-1,2025-02-01T12:00:00Z,5.00,,'),
    'history.csv',
    3,
    /no number of cents/,
  ],
  ['an amount of zero', line('history.csv', 3, ',A-1,2025-02-01T12:00:00Z,0,,'), 'history.csv', 3, /amount is zero/],
  [
    'an amount past the largest',
    line('history.csv', 3, ',A-1,2025-02-01T12:00:00Z,9007199254740993,,'),
    'history.csv',
    3,
    /no number of cents/,
  ],
  [
    'a balance past the largest',
    line('history.csv', 3, ',A-1,2025-02-01T12:00:00Z,9007199254740991,,'),
    'history.csv',
    3,
    /becomes too large/,
  ],
  ['a file that is unknown', { 'payments.csv': 'id\n' }, 'payments.csv', 0, /the file is unknown/],
  ['a file in both forms', { 'customers.jsonl': '' }, 'customers.jsonl', 0, /customers.csv as well/],
]

test.each(faulty)('%s is named with its line, and nothing is imported', async (_what, files, file, number, fault) => {
  const folder = folderOf({ ...whole, ...files })
  const { code, stdout } = await runInProcess(['import', folder, '--organisation', 'first'], {
    environment: environment(),
  })
  const found = stdout
    .trim()
    .split('\n')
    .map((each) => JSON.parse(each))
  expect(code).toBe(1)
  expect(found).toContainEqual({ file, line: number, fault: expect.stringMatching(fault) })
  const customers = await bank.call('GET', '/v0/banking/customers')
  expect(customers.json.data).toEqual([])
})

test('a file that is missing under its name is the only fault', async () => {
  const { 'customers.csv': customers = '', ...others } = whole
  const folder = folderOf({ ...others, 'clients.csv': customers })
  const { stdout } = await runInProcess(['import', folder, '--organisation', 'first', '--check'], {
    environment: environment(),
  })
  const found = stdout.trim().split('\n')
  expect(found.map((each) => JSON.parse(each).file)).toEqual(['clients.csv', 'customers.csv', undefined])
})

test('all faults of all files are named at once', async () => {
  const folder = folderOf({
    ...line('customers.csv', 2, 'C-1,,x,,,,,,2025-01-05'),
    ...line('history.csv', 2, 'T-1,A-1,yesterday,zero,,'),
    'accounts.jsonl': whole['accounts.jsonl'] ?? '',
  })
  const { stdout } = await runInProcess(['import', folder, '--organisation', 'first', '--check'], {
    environment: environment(),
  })
  const found = stdout
    .trim()
    .split('\n')
    .map((each) => JSON.parse(each))
  // The rows of others that are about the unread ones have no fault.
  expect(found).toEqual([
    { file: 'customers.csv', line: 2, fault: expect.stringMatching(/name is missing/) },
    { file: 'history.csv', line: 2, fault: expect.stringMatching(/at is no time/) },
    { file: 'history.csv', line: 2, fault: expect.stringMatching(/amount is no number/) },
    { faults: 3 },
  ])
})
