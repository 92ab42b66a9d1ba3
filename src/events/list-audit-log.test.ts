import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advance, bankNow } from '../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { makePayer, pay } from '../../test/support/ledger.ts'
import { sha256 } from '../base/sha256.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as the JSON they are
async function log(query = '', key = bank.key): Promise<any[]> {
  await bank.denials.save()
  const { status, text, json } = await bank.call('GET', `/v0/audit-log?${query}`, { key })
  expect(status, text).toBe(200)
  return json.data
}

const keyOf = async (key: string) => {
  const [row] = await bank.database.query<{ id: number; name: string }>(
    `select id, name from api_key where hash = $1::bytea`,
    [sha256(key)],
  )
  return { type: 'apiKey', id: String(row?.id), name: row?.name }
}

describe('list audit log', () => {
  test('tells which key did what to which record by which request, newest first', async () => {
    const payer = await makePayer(bank, 100_00)
    const headers = { 'x-request-id': 'request-of-rent' }
    const { id } = (await pay(bank, payer, { amount: 1_00 }, { headers })).json.data
    const [, entry] = await log()
    const [, event] = (await bank.call('GET', '/v0/events?limit=1000')).json.data.slice(-2).reverse()
    expect(entry).toEqual({
      at: event.timestamp,
      outcome: 'Done',
      action: 'payment.created',
      actor: await keyOf(bank.key),
      record: { type: 'payment', id },
      requestId: 'request-of-rent',
      eventId: event.id,
      denial: null,
    })
  })

  test('tells what the bank did by itself', async () => {
    const { accountId } = await makePayer(bank, 1_00)
    await advance(bank, { by: 'P32D' })
    const made = (await log('limit=1000')).find(
      ({ action, record }) => action === 'statement.created' && record !== null,
    )
    expect(made).toMatchObject({ actor: { type: 'bank', id: null, name: null }, requestId: null, outcome: 'Done' })
    expect(accountId).toBeDefined()
  })

  test('tells of requests that a key was not allowed to make, with the address and the path', async () => {
    const key = await bank.makeKey('first', ['banking:read'])
    const denied = await bank.call('POST', '/v0/banking/accounts/77/close?x=1', { key, body: { reason: 'Fraud' } })
    expect(denied.status).toBe(403)
    const [entry] = await log()
    expect(entry).toEqual({
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      outcome: 'Denied',
      action: 'closeAccount',
      actor: await keyOf(key),
      record: null,
      requestId: denied.headers['x-request-id'],
      eventId: null,
      denial: { code: 'forbidden', path: '/v0/banking/accounts/77/close', address: '127.0.0.1', unwritten: 0 },
    })
  })

  test('tells of keys that were good once, and not of those that never were', async () => {
    const revoked = await bank.makeKey('first', null)
    const expired = await bank.makeKey('first', null)
    await bank.database.query(`update api_key set revoked_at = now() where hash = $1::bytea`, [sha256(revoked)])
    await bank.database.query(`update api_key set expires_at = now() where hash = $1::bytea`, [sha256(expired)])
    const before = (await log('limit=1000')).length
    for (const key of [revoked, expired, 'never-was-a-key', null]) {
      expect((await bank.call('GET', '/v0/banking/accounts', { key })).status).toBe(401)
    }
    const entries = await log('limit=1000')
    expect(entries).toHaveLength(before + 2)
    expect(entries.slice(0, 2).map(({ actor, denial, action }) => [actor, denial.code, action])).toEqual([
      [await keyOf(expired), 'unauthorized', 'listAccounts'],
      [await keyOf(revoked), 'unauthorized', 'listAccounts'],
    ])
  })

  test('tells of a secret that its key had before', async () => {
    const { json } = await bank.call('POST', '/v0/api-keys', { body: { name: 'Rotated' } })
    await bank.call('POST', `/v0/api-keys/${json.data.id}/rotate`, { body: { graceSeconds: 0 } })
    expect((await bank.call('GET', '/v0/banking/accounts', { key: json.data.key })).status).toBe(401)
    const [entry] = await log()
    expect([entry.outcome, entry.actor]).toEqual(['Denied', { type: 'apiKey', id: json.data.id, name: 'Rotated' }])
  })

  test('writes ten denials of a key a minute and counts the rest', async () => {
    const key = await bank.makeKey('first', [])
    for (let time = 0; time < 25; time++) await bank.call('GET', '/v0/banking/accounts', { key })
    const { id } = await keyOf(key)
    const own = (await log('limit=1000')).filter(({ actor }) => actor.id === id)
    expect(own).toHaveLength(10)
    expect(own.map(({ denial }) => denial.unwritten)).toEqual(Array(10).fill(0))
  })

  test('keeps both in one order, which paging and times go along', async () => {
    const key = await bank.makeKey('fourth', null)
    const restricted = await bank.makeKey('fourth', [])
    const act = (who: string) => bank.call('POST', '/v0/sandbox/customers', { key: who, body: { name: 'Ada' } })
    const later = async () => {
      await bank.denials.save()
      await bank.call('POST', '/v0/sandbox/clock/advance', { key, body: { by: 'PT1H' } })
    }
    for (const who of [key, restricted, restricted, key, restricted]) {
      await act(who)
      await later()
    }
    const all = await log('', key)
    expect(all.map(({ outcome }) => outcome)).toEqual(['Denied', 'Done', 'Denied', 'Denied', 'Done'])
    expect(all.map(({ at }) => at)).toEqual(
      all
        .map(({ at }) => at)
        .sort()
        .reverse(),
    )
    for (let offset = 0; offset < 5; offset++) {
      expect(await log(`limit=2&offset=${offset}`, key)).toEqual(all.slice(offset, offset + 2))
    }
    for (const [place, { at }] of all.entries()) {
      expect(await log(`since=${at}`, key)).toEqual(all.slice(0, place))
      expect(await log(`until=${at}`, key)).toEqual(all.slice(place + 1))
    }
    const { headers } = await bank.call('GET', '/v0/audit-log?limit=2', { key })
    expect(headers.link).toBe('</v0/audit-log?limit=2&offset=2>; rel="next"')
    expect(await log(`since=${await bankNow(bank)}`)).toEqual([])
  })

  test("shows nothing of another organisation's", async () => {
    const ours = new Set((await log('limit=1000')).map(({ requestId }) => requestId))
    const theirs = await log('limit=1000', bank.otherKey)
    expect(theirs.filter(({ requestId }) => ours.has(requestId))).toEqual([])
  })

  test('cannot be changed, not even in the database', async () => {
    for (const sql of [
      `update denied_request set path = ''`,
      'delete from denied_request',
      'truncate denied_request',
    ]) {
      await expect(bank.database.query(sql)).rejects.toThrow('append-only')
    }
  })
})
