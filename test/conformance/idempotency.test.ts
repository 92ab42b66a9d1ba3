import { hash, randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CommitLost, type Database, DatabaseUnavailable } from '../../src/database/database.ts'
import { createDatabase, openTestBank, type Reply, type TestBank, type TestDatabase } from '../support/harness.ts'
import { locksAwaited } from '../support/ledger.ts'
import { makeAccount, makeCustomer } from '../support/world.ts'

let bank: TestBank
let customer: string

beforeAll(async () => {
  bank = await openTestBank()
  customer = await makeCustomer(bank)
})
afterAll(() => bank.close())

const newKey = () => randomUUID()
const problem = ({ status, json }: Reply) => [status, json?.code]
const replayed = ({ headers }: Reply) => headers['idempotent-replayed'] === 'true'

function open(key: string, options: Parameters<TestBank['call']>[2] = {}): Promise<Reply> {
  const { headers, ...rest } = options
  return bank.call('POST', '/v0/banking/accounts', {
    ...(options.raw === undefined && { body: { customerId: customer } }),
    ...rest,
    headers: { 'idempotency-key': key, ...headers },
  })
}

function move(id: string, name: string, key: string, options: Parameters<TestBank['call']>[2] = {}): Promise<Reply> {
  const body = name === 'close' ? { body: { reason: 'ByCustomer' } } : {}
  const headers = { 'idempotency-key': key }
  return bank.call('POST', `/v0/banking/accounts/${id}/${name}`, { ...body, headers, ...options })
}

async function countAccounts(of: TestBank = bank, owner: string = customer): Promise<number> {
  const { json } = await of.call('GET', `/v0/banking/accounts?customerId=${owner}&limit=1000`)
  return json.data.length
}

describe('a replay', () => {
  test('repeats the first answer byte for byte, is marked, and has no second effect', async () => {
    const key = newKey()
    const before = await countAccounts()
    const first = await open(key)
    expect([first.status, replayed(first)]).toEqual([201, false])
    await bank.call('POST', `/v0/banking/accounts/${first.json.data.id}/freeze`)
    for (let time = 0; time < 3; time++) {
      const again = await open(key)
      expect([again.status, again.text, replayed(again)]).toEqual([201, first.text, true])
      expect(again.headers.etag).toBe(first.headers.etag)
      expect(again.headers['content-type']).toBe(first.headers['content-type'])
    }
    expect(await countAccounts()).toBe(before + 1)
  })

  test('never answers a request without a key', async () => {
    const body = { customerId: customer }
    const first = await bank.call('POST', '/v0/banking/accounts', { body })
    const second = await bank.call('POST', '/v0/banking/accounts', { body })
    expect(second.json.data.id).not.toBe(first.json.data.id)
    expect([replayed(first), replayed(second)]).toEqual([false, false])
  })

  test('does not depend on the order of members, white space or a trailing slash', async () => {
    const key = newKey()
    const first = await open(key, { raw: `{"customerId":"${customer}","tags":{"a":"1","b":"2"}}` })
    const raw = ` {\n "tags" : { "b":"\\u0032", "a":"1" } ,\t"customerId":"${customer}"} `
    const again = await open(key, { raw })
    expect([first.status, again.text, replayed(again)]).toEqual([201, first.text, true])
    const slashed = await bank.call('POST', '/v0/banking/accounts/', { raw, headers: { 'idempotency-key': key } })
    expect(slashed.text).toBe(first.text)
  })

  test('treats an absent, an empty and a null body as the same', async () => {
    const id = await makeAccount(bank)
    const key = newKey()
    const first = await move(id, 'freeze', key)
    for (const raw of ['', '{}', 'null']) {
      const again = await move(id, 'freeze', key, { raw, headers: { 'idempotency-key': key } })
      expect([again.status, again.text, replayed(again)], raw).toEqual([200, first.text, true])
    }
  })

  test('is refused with 422 for another body or another path', async () => {
    const key = newKey()
    const first = await open(key)
    expect(problem(await open(key, { body: { customerId: customer, tags: {} } }))).toEqual([
      422,
      'idempotency_key_reused',
    ])
    expect((await open(key)).text).toBe(first.text)
    const [one, two] = [await makeAccount(bank), await makeAccount(bank)]
    await move(one, 'freeze', `moves-${key}`)
    for (const [id, name] of [
      [two, 'freeze'],
      [one, 'unfreeze'],
    ] as const) {
      expect(problem(await move(id, name, `moves-${key}`))).toEqual([422, 'idempotency_key_reused'])
    }
    const statusOf = async (id: string) => (await bank.call('GET', `/v0/banking/accounts/${id}`)).json.data.status
    expect([await statusOf(one), await statusOf(two)]).toEqual(['Frozen', 'Open'])
  })

  test('needs the scope of its operation', async () => {
    const key = newKey()
    await open(key)
    const reader = await bank.makeKey('first', ['banking:read'])
    expect(problem(await open(key, { key: reader }))).toEqual([403, 'forbidden'])
  })
})

describe('a key', () => {
  test('is the same key bare, quoted and as a member of the body', async () => {
    const key = newKey()
    const first = await open(key)
    const quoted = await open(`"${key}"`)
    const member = await bank.call('POST', '/v0/banking/accounts', {
      body: { idempotencyKey: key, customerId: customer },
    })
    const both = await open(key, { body: { customerId: customer, idempotencyKey: key } })
    for (const again of [quoted, member, both]) {
      expect([again.status, again.text, replayed(again)]).toEqual([201, first.text, true])
    }
  })

  test('may hold quotes and backslashes, escaped where it is quoted', async () => {
    const key = `a"b\\c-${newKey()}`
    const first = await bank.call('POST', '/v0/banking/accounts', {
      body: { customerId: customer, idempotencyKey: key },
    })
    const quoted = await open(`"${key.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`)
    expect([first.status, quoted.text, replayed(quoted)]).toEqual([201, first.text, true])
  })

  test('must be the same in header and body', async () => {
    const reply = await open(newKey(), { body: { customerId: customer, idempotencyKey: newKey() } })
    expect(problem(reply)).toEqual([400, 'invalid_request'])
    expect(reply.json.errors[0]).toMatchObject({ pointer: '/idempotencyKey', code: 'conflict' })
  })

  test('has 1 to 255 visible ASCII characters', async () => {
    const long = 'k'.repeat(255)
    for (const key of ['!', '~', long, `"${long.replaceAll('k', 'q')}"`]) {
      expect((await open(key)).status, key).toBe(201)
    }
    for (const key of [
      '',
      `${long}k`,
      `"${long}k"`,
      'two words',
      '"two words"',
      '""',
      '"open',
      'tab\tbed',
      'schlüssel',
    ]) {
      const reply = await open(key)
      expect(problem(reply), key).toEqual([400, 'invalid_request'])
      expect(reply.json.errors[0], key).toMatchObject({ parameter: 'Idempotency-Key', code: 'bad_format' })
    }
    for (const idempotencyKey of ['', `${long}k`, 'two words', 'a\u0000', 'schlüssel', 1, null, {}, [], true]) {
      const reply = await bank.call('POST', '/v0/banking/accounts', { body: { customerId: customer, idempotencyKey } })
      expect(problem(reply), String(idempotencyKey)).toEqual([400, 'invalid_request'])
      expect(reply.json.errors[0]).toMatchObject({ pointer: '/idempotencyKey', code: 'bad_format' })
    }
  })

  test('is accepted by every POST, with and without a body of its own', async () => {
    const id = await makeAccount(bank)
    for (const name of ['freeze', 'unfreeze', 'close', 'reopen']) {
      const key = newKey()
      const first = await move(id, name, key)
      const again = await move(id, name, key)
      expect([first.status, again.text, replayed(again)], name).toEqual([200, first.text, true])
    }
    const key = newKey()
    const options = { body: { name: 'Ada Example', idempotencyKey: key } }
    const first = await bank.call('POST', '/v0/sandbox/customers', options)
    expect((await bank.call('POST', '/v0/sandbox/customers', options)).text).toBe(first.text)
  })

  test('is ignored on GET, even a malformed one', async () => {
    const key = newKey()
    await open(key)
    for (const header of [key, 'two words', '']) {
      const reply = await bank.call('GET', '/v0/banking/accounts', { headers: { 'idempotency-key': header } })
      expect([reply.status, replayed(reply)]).toEqual([200, false])
    }
  })

  test('belongs to the organisation, not to the API key', async () => {
    const key = newKey()
    const first = await open(key)
    const again = await open(key, { key: await bank.makeKey('first', null) })
    expect([again.text, replayed(again)]).toEqual([first.text, true])
    expect(problem(await open(key, { key: bank.otherKey }))).toEqual([404, 'customer_not_found'])
    const theirs = await bank.call('POST', '/v0/sandbox/customers', {
      key: bank.otherKey,
      body: { name: 'Grace Example' },
    })
    const other = await open(key, { key: bank.otherKey, body: { customerId: theirs.json.data.id } })
    expect([other.status, replayed(other)]).toEqual([201, false])
    expect(other.json.data.id).not.toBe(first.json.data.id)
  })

  test('is never stored in clear text', async () => {
    const key = newKey()
    await open(key)
    const rows = await bank.database.query<{ text: string }>('select a::text as text from answer a')
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.filter(({ text }) => text.includes(key))).toEqual([])
    expect(rows.some(({ text }) => text.includes(hash('sha256', key)))).toBe(true)
  })
})

describe('a refusal', () => {
  test('is not stored, so that the same key runs once the cause is gone', async () => {
    const id = await makeAccount(bank)
    const key = newKey()
    for (let time = 0; time < 2; time++) {
      expect(problem(await move(id, 'reopen', key))).toEqual([409, 'account_not_closed'])
    }
    await move(id, 'close', newKey())
    const reopened = await move(id, 'reopen', key)
    expect([reopened.status, reopened.json.data.status, replayed(reopened)]).toEqual([200, 'Open', false])
    await move(id, 'close', newKey())
    const again = await move(id, 'reopen', key)
    expect([again.text, replayed(again)]).toEqual([reopened.text, true])
    expect((await bank.call('GET', `/v0/banking/accounts/${id}`)).json.data.status).toBe('Closed')
  })

  test('leaves the key free for another request', async () => {
    const key = newKey()
    expect(problem(await open(key, { body: { customerId: '1' } }))).toEqual([404, 'customer_not_found'])
    expect(problem(await open(key, { body: {} }))).toEqual([400, 'invalid_request'])
    const first = await open(key)
    expect([first.status, replayed(first)]).toEqual([201, false])
  })
})

describe('of parallel requests', () => {
  test('40 requests with one key answer 40 × 201 with one account', async () => {
    const key = newKey()
    const before = await countAccounts()
    const replies = await Promise.all(Array.from({ length: 40 }, () => open(key)))
    expect(replies.map(({ status }) => status)).toEqual(Array(40).fill(201))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect(replies.filter(replayed)).toHaveLength(39)
    expect(await countAccounts()).toBe(before + 1)
  })

  test('40 moves with one key answer 40 × 200 and move once', async () => {
    const id = await makeAccount(bank)
    const version = async () => {
      const [row] = await bank.database.query<{ version: number }>('select version from account where id = $1', [id])
      return row?.version ?? 0
    }
    for (const name of ['close', 'reopen', 'freeze', 'unfreeze']) {
      const before = await version()
      const key = newKey()
      const replies = await Promise.all(Array.from({ length: 40 }, () => move(id, name, key)))
      expect(replies.map(({ status }) => status)).toEqual(Array(40).fill(200))
      expect(replies.filter(replayed)).toHaveLength(39)
      expect(await version(), name).toBe(before + 1)
    }
  })

  test('requests that share a key and differ leave one winner; the others answer 422', async () => {
    const key = newKey()
    const before = await countAccounts()
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        open(key, { body: { customerId: customer, tags: { kind: String(at % 2) } } }),
      ),
    )
    const won = replies.filter(({ status }) => status === 201)
    expect(won).toHaveLength(10)
    expect(new Set(won.map(({ text }) => text)).size).toBe(1)
    expect(replies.filter(({ json }) => json.code === 'idempotency_key_reused')).toHaveLength(10)
    expect(await countAccounts()).toBe(before + 1)
  })

  test('each refused one gets its own refusal', async () => {
    const id = await makeAccount(bank)
    const key = newKey()
    const replies = await Promise.all(Array.from({ length: 40 }, () => move(id, 'reopen', key)))
    expect(new Set(replies.map(({ json }) => json.code))).toEqual(new Set(['account_not_closed']))
  })
})

describe('a key whose request still runs elsewhere', () => {
  let on: TestDatabase
  /** Waits 300 ms for a request of another process, and as long as it takes for one of its own. */
  let hasty: TestBank
  /** The other way round. */
  let patient: TestBank
  let owner: string
  let elsewhere: pg.Client

  beforeAll(async () => {
    on = await createDatabase()
    hasty = await openTestBank({ on, waitMs: 60_000, lockTimeoutMs: 300 })
    patient = await openTestBank({ on, waitMs: 300, lockTimeoutMs: 60_000 })
    owner = await makeCustomer(hasty)
    elsewhere = new pg.Client(hasty.server)
    await elsewhere.connect()
  })
  afterAll(async () => {
    await elsewhere.end()
    for (const bank of [hasty, patient]) await bank.close()
    await on.drop()
  })

  const openFor = (key: string, bank = hasty) =>
    bank.call('POST', '/v0/banking/accounts', {
      body: { customerId: owner },
      headers: { 'idempotency-key': key },
    })

  test('in this process answers 409 with Retry-After after the wait, then replays', async () => {
    const key = newKey()
    await elsewhere.query('begin')
    await elsewhere.query('lock table account in share mode')
    const first = openFor(key, patient)
    await locksAwaited(patient)
    const second = await openFor(key, patient)
    expect(problem(second)).toEqual([409, 'idempotency_in_progress'])
    expect(second.headers['retry-after']).toBe('1')
    await elsewhere.query('rollback')
    expect((await first).status).toBe(201)
    const third = await openFor(key, patient)
    expect([third.text, replayed(third)]).toEqual([(await first).text, true])
  })

  test('in another process answers 409 with Retry-After after the wait, then runs', async () => {
    const key = newKey()
    await elsewhere.query('begin')
    await holdAnswer(key)
    const waited = await openFor(key)
    expect(problem(waited)).toEqual([409, 'idempotency_in_progress'])
    expect(waited.headers['retry-after']).toBe('1')
    expect(await countAccounts(hasty, owner)).toBe(1)
    await elsewhere.query('rollback')
    const free = await openFor(key)
    expect([free.status, replayed(free)]).toEqual([201, false])
  })

  test('in another process that commits in time replays its answer', async () => {
    const key = newKey()
    const before = await countAccounts(hasty, owner)
    const twin = newKey()
    const model = await openFor(twin)
    await elsewhere.query('begin')
    await holdAnswer(key, { likeKey: twin })
    const waiting = openFor(key, patient)
    await locksAwaited(patient)
    await elsewhere.query('commit')
    const reply = await waiting
    expect([reply.status, reply.text, replayed(reply)]).toEqual([201, model.text, true])
    expect(await countAccounts(hasty, owner)).toBe(before + 1)
  })

  /** Writes an answer under this key as another process that has not committed yet. */
  async function holdAnswer(key: string, { likeKey }: { likeKey?: string } = {}): Promise<void> {
    const organisation = `(select organisation_id from customer where id = ${owner})`
    if (likeKey === undefined) {
      await elsewhere.query(
        `insert into answer (organisation_id, key_hash, fingerprint, status, body, created_at)
         values (${organisation}, $1, $1, 201, '{}', now())`,
        [hash('sha256', key, 'buffer')],
      )
    } else {
      await elsewhere.query(
        `insert into answer (organisation_id, key_hash, fingerprint, status, body, created_at)
         select organisation_id, $1, fingerprint, status, body, created_at from answer where key_hash = $2`,
        [hash('sha256', key, 'buffer'), hash('sha256', likeKey, 'buffer')],
      )
    }
  }
})

describe('a COMMIT whose answer is lost', () => {
  type Fate = 'committed' | 'not committed' | 'away'
  let fates: Fate[] = []
  let frail: TestBank
  /** The same bank, with one second to settle an outcome. */
  let hasty: TestBank
  let on: TestDatabase
  let owner: string

  /** A database that loses the COMMIT of the next transactions, each in its own way. */
  const around = (database: Database): Database => ({
    ...database,
    async transaction(work) {
      const fate = fates.shift()
      if (fate === 'away') throw new DatabaseUnavailable('away')
      if (fate === 'not committed') {
        await database
          .transaction(async (transaction) => {
            await work(transaction)
            throw new Error('never committed')
          })
          .catch(() => undefined)
        throw new CommitLost('lost')
      }
      const result = await database.transaction(work)
      if (fate === 'committed') throw new CommitLost('lost')
      return result
    },
  })

  beforeAll(async () => {
    on = await createDatabase()
    frail = await openTestBank({ around, on })
    hasty = await openTestBank({ around, on, settleMs: 1_000 })
    owner = await makeCustomer(frail)
  })
  afterAll(async () => {
    for (const bank of [frail, hasty]) await bank.close()
    await on.drop()
  })

  const openWith = (headers: Record<string, string>, bank = frail) =>
    bank.call('POST', '/v0/banking/accounts', { body: { customerId: owner }, headers })

  const stories: Fate[][] = [
    ['committed'],
    ['not committed'],
    ['committed', 'away', 'away'],
    ['not committed', 'away', 'not committed'],
    ['committed', 'committed'],
    ['not committed', 'committed', 'committed', 'committed'],
  ]
  for (const story of stories) {
    for (const keyed of [true, false]) {
      test(`is settled to one effect and one 201 ${keyed ? 'with' : 'without'} a key: ${story.join(', ')}`, async () => {
        const before = await countAccounts(frail, owner)
        const key = newKey()
        const headers: Record<string, string> = keyed ? { 'idempotency-key': key } : {}
        fates = [...story]
        const first = await openWith(headers)
        expect(fates).toEqual([])
        expect([first.status, replayed(first)]).toEqual([201, false])
        expect(await countAccounts(frail, owner)).toBe(before + 1)
        const { id } = first.json.data
        expect((await frail.call('GET', `/v0/banking/accounts/${id}`)).json.data).toEqual(first.json.data)
        if (!keyed) return
        const again = await openWith(headers)
        expect([again.text, replayed(again)]).toEqual([first.text, true])
      })
    }
  }

  for (const keyed of [true, false]) {
    test(`that cannot be settled in time is 503 outcome_unknown ${keyed ? 'with' : 'without'} a key, not a refusal`, async () => {
      const before = await countAccounts(frail, owner)
      const headers: Record<string, string> = keyed ? { 'idempotency-key': newKey() } : {}
      fates = ['committed', ...Array<Fate>(1_000).fill('away')]
      const reply = await openWith(headers, hasty)
      fates = []
      expect([...problem(reply), reply.headers['retry-after']]).toEqual([503, 'outcome_unknown', '1'])
      expect(await countAccounts(frail, owner)).toBe(before + 1)
      if (!keyed) return
      const again = await openWith(headers)
      expect([again.status, replayed(again)]).toEqual([201, true])
      expect(await countAccounts(frail, owner)).toBe(before + 1)
    })
  }

  test('of a state change is settled too', async () => {
    const id = await makeAccount(frail, { customerId: owner })
    for (const fate of ['committed', 'not committed'] as const) {
      fates = [fate]
      const closed = await frail.call('POST', `/v0/banking/accounts/${id}/close`, { body: { reason: 'Fraud' } })
      expect([closed.status, closed.json.data.status], fate).toEqual([200, 'Closed'])
      expect((await frail.call('POST', `/v0/banking/accounts/${id}/reopen`)).status).toBe(200)
    }
  })

  test('leaves no row behind when it is looked up', async () => {
    const [row] = await frail.database.query<{ count: number }>('select count(*) from answer where status = 0')
    expect(row?.count).toBe(0)
  })
})
