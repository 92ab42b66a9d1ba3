import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advance, bankNow } from '../../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makePayer, pay } from '../../../test/support/ledger.ts'
import { sha256 } from '../../base/sha256.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank({ inventedEvents: true })
})
afterAll(() => bank.close())

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as the JSON they are
async function log(query = '', key = bank.key): Promise<any[]> {
  await bank.denials.save()
  const { status, text, json } = await bank.call('GET', `/v0/audit-log?${query}`, { key })
  expect(status, text).toBe(200)
  return json.data
}

/** All entries that the links lead to. */
// biome-ignore lint/suspicious/noExplicitAny: tests read answers as the JSON they are
async function pagesFrom(path: string, key: string): Promise<any[]> {
  const entries = []
  for (let next: string | undefined = path; next; ) {
    const { status, text, json, headers } = await bank.call('GET', next, { key })
    expect(status, text).toBe(200)
    entries.push(...json.data)
    next = /^<(.*)>; rel="next"$/.exec(String(headers.link))?.[1]
  }
  return entries
}

const keyActor = (id: string, name: string | undefined) => ({ type: 'apiKey', id, name, session: null })
const keyOf = async (key: string) => {
  const [row] = await bank.database.query<{ id: number; name: string }>(
    `select id, name from api_key where hash = $1::bytea`,
    [sha256(key)],
  )
  return keyActor(String(row?.id), row?.name)
}

describe('Listing the audit log', () => {
  test('shows which key changed which record by which request, newest first', async () => {
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
      reason: null,
      requestId: 'request-of-rent',
      eventId: event.id,
      detail: null,
      denial: null,
    })
  })

  test('shows changes that the bank made by itself', async () => {
    const { accountId } = await makePayer(bank, 1_00)
    await advance(bank, { by: 'P32D' })
    const made = (await log('limit=1000')).find(
      ({ action, record }) => action === 'statement.created' && record !== null,
    )
    expect(made).toMatchObject({
      actor: { type: 'bank', id: null, name: null, session: null },
      requestId: null,
      outcome: 'Done',
    })
    expect(accountId).toBeDefined()
  })

  test('shows denied requests of a key, with address and path', async () => {
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
      reason: null,
      requestId: denied.headers['x-request-id'],
      eventId: null,
      detail: null,
      denial: { code: 'forbidden', path: '/v0/banking/accounts/77/close', address: '127.0.0.1', unwritten: 0 },
    })
  })

  test('shows denied requests of keys that once worked, and not of unknown keys', async () => {
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

  test('shows denied requests of an earlier secret under its key', async () => {
    const { json } = await bank.call('POST', '/v0/api-keys', { body: { name: 'Rotated' } })
    await bank.call('POST', `/v0/api-keys/${json.data.id}/rotate`, { body: { graceSeconds: 0 } })
    expect((await bank.call('GET', '/v0/banking/accounts', { key: json.data.key })).status).toBe(401)
    const [entry] = await log()
    expect([entry.outcome, entry.actor]).toEqual(['Denied', keyActor(json.data.id, 'Rotated')])
  })

  test('contains ten denials of a key a minute', async () => {
    const key = await bank.makeKey('first', [])
    for (let time = 0; time < 25; time++) await bank.call('GET', '/v0/banking/accounts', { key })
    const { id } = await keyOf(key)
    const own = (await log('limit=1000')).filter(({ actor }) => actor.id === id)
    expect(own).toHaveLength(10)
    expect(own.map(({ denial }) => denial.unwritten)).toEqual(Array(10).fill(0))
  })

  test('keeps changes and denials in one order, for pages and for ranges of time', async () => {
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
    for (const [place, { at, eventId }] of all.entries()) {
      if (eventId) expect(await log(`before=e${eventId.split('_').at(-1)}`, key)).toEqual(all.slice(place + 1))
      expect(await log(`since=${at}`, key)).toEqual(all.slice(0, place))
      expect(await log(`until=${at}`, key)).toEqual(all.slice(place + 1))
    }
    for (const [path, shown] of [
      ['limit=1', all],
      ['limit=2', all],
      ['limit=2&offset=1', all.slice(1)],
      [`limit=1&since=${all[4].at}&until=${all[0].at}`, all.slice(1, 4)],
    ] as const) {
      expect(await pagesFrom(`/v0/audit-log?${path}`, key), path).toEqual(shown)
    }
    expect(await log(`since=${await bankNow(bank)}`)).toEqual([])
  })

  test('keeps denials of one millisecond together before its events, and pages through them', async () => {
    const key = await bank.makeKey('fifth', null)
    const [organisation] = await bank.database.query<{ id: number }>(`select id from organisation where name = 'fifth'`)
    await bank.database.query(
      `with counted as (insert into event_counter values ($1::bigint, 6))
       insert into event_page (organisation_id, last, count, created_at, events)
       select $1, 2 * i, 2, timestamptz '2026-03-01' + make_interval(secs => i), concat_ws(e'\\x1e', created, created)
       from generate_series(1, 3) i, concat_ws(e'\\x1f', 'payment.created', 'a', 1, '{}') created`,
      [organisation?.id],
    )
    await bank.database.query(
      `insert into denied_request (organisation_id, api_key_id, created_at, code, operation_id, path, address, request_id, unwritten)
       select $1::bigint, 1, timestamptz '2026-03-01' + make_interval(secs => i / 2.0), 'forbidden', 'denied' || i, '', '', '', 0
       from generate_series(1, 6) i, generate_series(1, 2)`,
      [organisation?.id],
    )
    const all = await log('', key)
    const name = ({ eventId, action }: { eventId: string | null; action: string }) =>
      eventId?.split('_').at(-1) ?? action
    expect(all.map(name)).toEqual([
      ...['denied6', 'denied6', '6', '5', 'denied5', 'denied5', 'denied4', 'denied4', '4', '3', 'denied3', 'denied3'],
      ...['denied2', 'denied2', '2', '1', 'denied1', 'denied1'],
    ])
    for (const limit of [1, 2, 3, 5]) expect(await pagesFrom(`/v0/audit-log?limit=${limit}`, key)).toEqual(all)
    const { at } = all[4]
    expect((await pagesFrom(`/v0/audit-log?limit=1&until=${at}`, key)).map(name)).toEqual(all.slice(6).map(name))
    expect((await pagesFrom(`/v0/audit-log?limit=1&since=${at}`, key)).map(name)).toEqual(all.slice(0, 4).map(name))
    // A cursor counts together with an earlier end of time.
    expect((await log(`before=e6&until=${at}`, key)).map(name)).toEqual(all.slice(6).map(name))
  })

  test('filters by outcome, action, actor and record, and leads on past entries that do not match', async () => {
    const key = await bank.makeKey('first', ['banking:read'])
    const { accountId } = await makePayer(bank, 1_00)
    await bank.call('POST', `/v0/banking/accounts/${accountId}/freeze`)
    await bank.call('POST', `/v0/banking/accounts/${accountId}/freeze`, { key })
    const { id, name = '' } = await keyOf(key)
    const found = async (query: string) => (await log(query)).map(({ action }) => action)
    expect(await found(`recordId=${accountId}`)).toEqual(['account.frozen', 'account.created'])
    expect(await found(`recordId=${accountId}&action=FROZEN`)).toEqual(['account.frozen'])
    expect(await found(`actor=${id}`)).toEqual(['freezeAccount'])
    expect(await found(`actor=${encodeURIComponent(name.toUpperCase())}&outcome=Denied&limit=1`)).toEqual([
      'freezeAccount',
    ])
    expect(await found(`actor=${id}&outcome=Done`)).toEqual([])
    expect(await found(`recordId=${accountId}&offset=1`)).toEqual(['account.created'])
    expect(await pagesFrom(`/v0/audit-log?recordId=${accountId}&limit=1`, bank.key)).toHaveLength(2)
    expect(await pagesFrom(`/v0/audit-log?recordId=${accountId}`, bank.otherKey)).toEqual([])
  })

  test('refuses an offset over 1,000 and a malformed position, and finds nothing at an unknown one', async () => {
    const fault = async (query: string) => {
      const { status, json } = await bank.call('GET', `/v0/audit-log?${query}`)
      return [status, json.errors?.[0]?.parameter, json.errors?.[0]?.code]
    }
    expect(await fault('offset=1000')).toEqual([200, undefined, undefined])
    expect(await fault('offset=1001')).toEqual([400, 'offset', 'out_of_range'])
    expect(await fault('offset=1000000000000')).toEqual([400, 'offset', 'out_of_range'])
    for (const odd of ['42', 'e', 'e0', 'x1', 'e12345678901234567', 'e-1']) {
      expect(await fault(`before=${odd}`), odd).toEqual([400, 'before', 'bad_format'])
    }
    for (const unknown of ['e9999999999999999', 'd9999999999999999']) expect(await log(`before=${unknown}`)).toEqual([])
    // The position of another organisation's denial is unknown.
    const [denial] = await bank.database.query<{ id: number }>('select id from denied_request order by id limit 1')
    expect(await log(`before=d${denial?.id}`, bank.otherKey)).toEqual([])
  })

  test('shows nothing of another organisation', async () => {
    const ours = new Set((await log('limit=1000')).map(({ requestId }) => requestId))
    const theirs = await log('limit=1000', bank.otherKey)
    expect(theirs.filter(({ requestId }) => ours.has(requestId))).toEqual([])
  })

  test('reads tables that refuse changes, even by SQL', async () => {
    for (const sql of [
      `update denied_request set path = ''`,
      'delete from denied_request',
      'truncate denied_request',
    ]) {
      await expect(bank.database.query(sql)).rejects.toThrow('append-only')
    }
  })
})
