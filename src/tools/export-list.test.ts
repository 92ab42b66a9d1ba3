import { get, type IncomingMessage } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openTestBank, type Reply, type TestBank } from '../../test/support/harness.ts'
import { makePayer, type Payer, pay } from '../../test/support/ledger.ts'
import { signIn } from '../../test/support/people/sign-in.ts'
import { insertPayments } from '../../test/support/sets/payments.ts'
import { clock } from '../base/clock.ts'
import { keyScopes as scopes } from '../base/operation.ts'
import { sha256 } from '../base/sha256.ts'
import { changeRole } from '../people/manage-people.ts'

let bank: TestBank
let payer: Payer
beforeAll(async () => {
  bank = await openTestBank({ own: true })
  payer = await makePayer(bank, 500_00)
})
afterAll(() => bank.close())

const exported = (path: string, key = bank.key): Promise<Reply> => bank.call('GET', `/v0/exports/${path}`, { key })

function linesOf({ status, text }: Pick<Reply, 'status' | 'text'>): string[] {
  expect(status, text).toBe(200)
  return text.trimEnd().split(/\r?\n/)
}

/** The values of a line without quotes. */
function rowOf([head = '', line = '']: string[]): Record<string, string> {
  const values = line.split(',')
  return Object.fromEntries(head.split(',').map((name, at) => [name, values[at] ?? '']))
}

describe('export list', () => {
  test('is a file with a line for the names of the columns and one for each record', async () => {
    const { json } = await pay(bank, payer, { amount: 12_34, description: 'Rent' })
    const reply = await exported('payments')
    const lines = linesOf(reply)
    const { data } = (await bank.call('GET', '/v0/banking/payments')).json
    expect(lines).toHaveLength(data.length + 1)
    expect(rowOf(lines)).toMatchObject({
      id: json.data.id,
      amount: '1234',
      description: 'Rent',
      status: data[0].status,
      'counterparty.name': data[0].counterparty.name,
      createdAt: data[0].createdAt,
    })
    expect(reply.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="payments.csv"',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
  })

  test('has all members of JSON Lines as the list shows them', async () => {
    const reply = await exported('payments?format=jsonl')
    const { data } = (await bank.call('GET', '/v0/banking/payments')).json
    expect(linesOf(reply).map((line) => JSON.parse(line))).toEqual(data)
    expect(reply.headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
  })

  test('makes texts harmless that a spreadsheet would run, and quotes what needs it', async () => {
    const made = await pay(bank, payer, { amount: 2_00, description: '=A1,"x"' })
    expect(made.status, made.text).toBe(201)
    const [, line = ''] = linesOf(await exported('payments?fromAmount=200&toAmount=200'))
    expect(line).toContain(`"'=A1,""x"""`)
    const [, event = ''] = linesOf(await exported('events?sort=-sequence&limit=1'))
    expect(event).toContain('"{""type"":""')
  })

  test('takes filters, order, limit and parameters of the path of the list', async () => {
    const all = linesOf(await exported('payments?sort=createdAt'))
    expect(linesOf(await exported('payments?sort=createdAt&limit=1'))).toEqual(all.slice(0, 2))
    expect(linesOf(await exported(`payments?accountId=${payer.accountId}`))).toHaveLength(all.length)
    expect(linesOf(await exported('payments?until=2020-01-01'))).toHaveLength(1)
    const { accountId } = payer
    await bank.call('POST', `/v0/banking/accounts/${accountId}/holds`, { body: { amount: 1_00, reason: 'Other' } })
    expect(linesOf(await exported(`account-holds?accountId=${accountId}`))).toHaveLength(2)
  })

  test('reads every list that the service has', async () => {
    const key = await bank.makeKey('first', [...scopes])
    const { json } = await exported('nothing')
    expect(json).toMatchObject({
      code: 'route_not_found',
      detail: expect.stringContaining('payments, external-accounts'),
    })
    const names = String(json.detail)
      .replace(/^.*there are |\.$/g, '')
      .split(', ')
    const needsMore: string[] = []
    for (const name of names) {
      const { status, json: refused } = await exported(`${name}?limit=2`, key)
      if (status !== 200)
        needsMore.push(`${name} ${status} ${refused.errors?.map((each: { code: string }) => each.code)}`)
    }
    expect(needsMore).toEqual([
      'authorizations 400 required,required',
      'external-accounts 400 required',
      'statements 400 required',
      'account-holds 400 required',
      'recurring-payment-runs 400 required',
      'planned-payments 400 required',
      'ach-entries 400 required',
      'merchant-bills 400 required',
      'partner-user-offers 400 required',
      'closing-days 400 required',
      'processor-cards 400 required',
      'deliveries 400 required',
      'history 400 required,required',
    ])
  })

  test('refuses what the list refuses, parameters of pages, and a key without the scope of the list', async () => {
    const refusal = async (path: string) => (await exported(path)).json.errors?.[0]
    expect(await refusal('payments?status=Gone')).toMatchObject({ parameter: 'status', code: 'not_allowed' })
    for (const name of ['cursor', 'offset', 'count', 'custmerId'])
      expect(await refusal(`payments?${name}=1`)).toMatchObject({ parameter: name, code: 'unknown' })
    expect(await refusal('payments?format=xml')).toMatchObject({ parameter: 'format', code: 'not_allowed' })
    expect(await refusal('payments?limit=0')).toMatchObject({ parameter: 'limit', code: 'out_of_range' })
    expect(await refusal('payments?limit=1000001')).toMatchObject({ parameter: 'limit', code: 'out_of_range' })
    expect((await exported('payments?limit=1000000')).status).toBe(200)
    expect(await refusal('payments?fromAmount=2&toAmount=1')).toMatchObject({ parameter: 'fromAmount' })
    expect(await refusal('api-keys?since=2026-01-01')).toMatchObject({ parameter: 'since', code: 'unknown' })
    const events = await bank.makeKey('first', ['events:read'])
    const { status, json } = await exported('payments', events)
    expect([status, json.code, json.detail]).toEqual([403, 'forbidden', expect.stringContaining('banking:read')])
    expect((await exported('events', events)).status).toBe(200)
  })

  test('shows nothing of another organisation', async () => {
    expect(linesOf(await exported('payments', bank.otherKey))).toHaveLength(1)
    expect(linesOf(await exported(`payments?accountId=${payer.accountId}`, bank.otherKey))).toHaveLength(1)
  })
})

/** Many times what the buffers of a connection hold. */
const PAYMENTS = process.env.SOAK ? 1_000_000 : 30_000
const MOST_GROWTH = 30_000_000

/** An access that has ended works nowhere after this time. */
const EVERYWHERE_MS = 5_000
const LONGEST_MS = process.env.SOAK ? 600_000 : 120_000

describe('a long export', { timeout: LONGEST_MS }, () => {
  let url: string
  beforeAll(async () => {
    const [of] = await bank.database.query<{ id: number }>(
      'select organisation_id as id from account where id = $1::bigint',
      [payer.accountId],
    )
    await insertPayments(bank.database, { organisationId: of?.id ?? 0, accounts: 100, payments: PAYMENTS })
    url = await bank.app.listen({ port: 0, host: '127.0.0.1' })
  }, LONGEST_MS)

  const open = (key = bank.key) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { 'x-service-api-key': key }
      get(`${url}/v0/exports/payments?format=jsonl`, { headers }, resolve).on('error', reject)
    })

  test('has every record once, in flat memory', async () => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const heap: number[] = []
    let lines = 0
    const at = 10_000
    for await (const bytes of await open()) {
      const before = Math.floor(lines / at)
      for (const byte of bytes as Buffer) if (byte === 10) lines++
      if (Math.floor(lines / at) > before) {
        collect()
        heap.push(process.memoryUsage().heapUsed)
      }
    }
    const { headers } = await bank.call('GET', '/v0/banking/payments?limit=1&count=true')
    expect(headers['x-total-count']).toBe('10000+')
    expect(lines).toBeGreaterThanOrEqual(PAYMENTS)
    const [first = 0, ...later] = heap
    expect(Math.max(...later) - first).toBeLessThan(MOST_GROWTH)
  })

  test('is cut if the key or the role of its caller ends meanwhile', async () => {
    const key = await bank.makeKey('first', ['banking:read'])
    const ada = await signIn(bank, { first: 'viewer' }, { kind: 'command' })
    const begun = await Promise.all([open(key), open(ada.token)])
    for (const response of begun) response.pause()
    await bank.database.query('update api_key set revoked_at = clock_timestamp() where hash = $1::bytea', [sha256(key)])
    await changeRole(bank.database, { id: ada.id, organisation: 'first', role: null })
    const atMs = performance.now() + EVERYWHERE_MS
    vi.spyOn(clock, 'elapsedMs').mockImplementation(() => atMs)
    const failed = begun.map((response) => new Promise((resolve) => response.once('error', resolve)))
    for (const response of begun) response.resume()
    expect(await Promise.all(failed)).toMatchObject([{ code: 'ECONNRESET' }, { code: 'ECONNRESET' }])
    vi.restoreAllMocks()
  })

  test('ends its work when the caller goes away', async () => {
    const response = await open()
    response.destroy()
    // Its place is free again: two of an organisation run at a time.
    for (let again = 0; again < 4; again++) (await open()).destroy()
    expect((await exported('payments?limit=1')).status).toBe(200)
  })

  test('is cut if the database fails in the middle, so that the caller gets an error', async () => {
    const response = await open()
    response.pause()
    await bank.database.query('alter table payment rename to payment_away')
    const failed = new Promise((resolve) => response.once('error', resolve))
    response.resume()
    expect(await failed).toMatchObject({ code: 'ECONNRESET' })
    expect(response.complete).toBe(false)
    const refused = await exported('payments')
    expect([refused.status, refused.json.code]).toEqual([500, 'internal_error'])
    await bank.database.query('alter table payment_away rename to payment')
  })
})
