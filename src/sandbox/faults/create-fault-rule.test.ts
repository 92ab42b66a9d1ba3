import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { timestamp } from '../../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { accountOf, expectSoundLedger, makePayer, type Payer, pay } from '../../../test/support/ledger.ts'
import { makeFaultRule, makeSandboxOrganisation } from '../../../test/support/organisations.ts'
import { openActiveFaults } from '../../bank/faults/active-faults.ts'
import { openListener } from '../../database/listen.ts'

const path = '/v0/sandbox/faults'

let bank: TestBank
let url: string
let payer: Payer

beforeAll(async () => {
  bank = await openTestBank({ own: true })
  url = await bank.app.listen({ port: 0, host: '127.0.0.1' })
  payer = await makePayer(bank, 10_000_00)
})
afterEach(async () => {
  expect((await bank.call('DELETE', path)).status).toBe(204)
})
afterAll(async () => {
  await expectSoundLedger(bank)
  await bank.close()
})

const get = (key = bank.key) => bank.call('GET', '/v0/banking/accounts', { key })
const balance = async () => (await accountOf(bank, payer.accountId)).balance
const remaining = async ({ id }: { id: string }, at = bank) =>
  (await at.call('GET', `${path}/${id}`)).json.data.remaining

/** Pays over a real connection. */
function send(idempotencyKey: string): Promise<Response> {
  return fetch(`${url}/v0/banking/accounts/${payer.accountId}/payments`, {
    method: 'POST',
    headers: {
      'x-service-api-key': bank.key,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify({
      amount: 20_00,
      counterpartyAccountId: payer.externalAccountId,
      description: 'Rent',
      originalType: 'ACH',
    }),
  })
}

describe('create fault rule', () => {
  test('answers the rule with its defaults', async () => {
    const match = { operation: 'createPayment', accountId: payer.accountId }
    expect(await makeFaultRule(bank, { match, effect: { status: 503 } })).toEqual({
      id: expect.stringMatching(/^\d{7,}$/),
      match,
      effect: { status: 503 },
      probability: 1,
      times: null,
      remaining: null,
      seed: null,
      createdAt: expect.stringMatching(timestamp),
    })
  })

  test.each([
    [{ operation: 'createPayment' }, { duplicate: true }, 422],
    [{ eventType: 'payment.*' }, { status: 500 }, 422],
    [{ eventType: 'payment.*' }, { duplicate: true, delayMs: 5 }, 422],
    [{ eventType: 'payment.*', accountId: '1' }, { reorder: true }, 422],
    [{ operation: 'createPaiment' }, { status: 500 }, 422],
    [{ operation: 'deleteFaultRules' }, { status: 500 }, 422],
    [{ operation: 'createFaultRule' }, { delayMs: 5 }, 422],
    [{ operation: 'createCard', accountId: '1' }, { status: 500 }, 422],
    [{ operation: 'createPayment', accountId: '1' }, { status: 500 }, 404],
    [{ operation: 'createPayment' }, { status: 503, dropAfterCommit: true }, 400],
    [{ eventType: '*' }, { duplicate: true, reorder: true }, 400],
    [{ operation: 'createPayment' }, {}, 400],
    [{ operation: 'createPayment' }, { status: 404 }, 400],
    [{ operation: 'createPayment', eventType: '*' }, { status: 500 }, 400],
    [{}, { status: 500 }, 400],
  ])('refuses match %j with effect %j: %i', async (match, effect, status) => {
    const reply = await bank.call('POST', path, { body: { match, effect } })
    expect(reply.status, reply.text).toBe(status)
    expect(reply.json.code).toBe(
      { 400: 'invalid_request', 404: 'account_not_found', 422: 'fault_rule_mismatch' }[status],
    )
  })

  test('refuses the 101st rule, and lets one that is used up give way', async () => {
    const rule = { match: { operation: 'getClock' }, effect: { delayMs: 1 }, probability: 0 }
    const used = await makeFaultRule(bank, { ...rule, probability: 1, times: 1 })
    expect((await bank.call('GET', '/v0/sandbox/clock')).headers['x-purser-fault']).toBe(used.id)
    await bank.database.query(
      `insert into fault_rule (id, organisation_id, match, effect, probability, created_at)
       select -n, r.organisation_id, r.match, r.effect, 0, r.created_at
       from fault_rule r cross join generate_series(1, 99) n where r.id = $1::bigint`,
      [used.id],
    )
    await makeFaultRule(bank, rule)
    expect((await bank.call('GET', `${path}/${used.id}`)).status).toBe(404)
    const { status, json } = await bank.call('POST', path, { body: rule })
    expect([status, json.code]).toEqual([422, 'too_many_fault_rules'])
    expect((await bank.call('GET', path)).json.data.length).toBe(100)
  })
})

describe('a fault rule for requests', () => {
  test('describes its header in the OpenAPI document, for answers of every status that it can have', async () => {
    const { paths, components } = (await bank.call('GET', '/openapi.json')).json
    const { responses } = paths['/v0/banking/accounts/{accountId}'].get
    const named = Object.entries<{ $ref?: string; headers?: object }>(responses).filter(([, { $ref, headers }]) => {
      const response = $ref ? components.responses[$ref.split('/').at(-1) ?? ''] : { headers }
      return 'X-Purser-Fault' in response.headers
    })
    const statuses = Object.keys(responses).filter((status) => !['401', '405', '431'].includes(status))
    expect(named.map(([status]) => status)).toEqual(statuses)
    expect(components.headers['X-Purser-Fault'].schema).toEqual({ type: 'string' })
    expect(paths[path].get.responses[200].headers).not.toHaveProperty('X-Purser-Fault')
  })

  test.each([
    [429, 'rate_limited', '1'],
    [500, 'internal_error', undefined],
    [503, 'unavailable', '1'],
  ])('answers %i with its problem, does nothing and leaves the idempotency key free', async (status, code, retry) => {
    const before = await balance()
    const { id } = await makeFaultRule(bank, { match: { operation: 'createPayment' }, effect: { status }, times: 1 })
    const headers = { 'idempotency-key': `status-${status}` }
    const hit = await pay(bank, payer, {}, { headers })
    expect([hit.status, hit.json.code, hit.json.status]).toEqual([status, code, status])
    expect([hit.headers['retry-after'], hit.headers['x-purser-fault']]).toEqual([retry, id])
    expect(await balance()).toBe(before)
    // The same key with another body: the first request has not used it.
    const next = await pay(bank, payer, { amount: 1_00 }, { headers })
    expect([next.status, next.headers['idempotent-replayed'], next.headers['x-purser-fault']]).toEqual([
      201,
      undefined,
      undefined,
    ])
    expect(await balance()).toBe(before - 1_00)
    expect(await remaining({ id })).toBe(0)
    const logged = (await bank.call('GET', `/v0/requests?idempotencyKey=status-${status}`)).json.data
    expect(logged.map((entry: { status: number; code: string | null }) => [entry.status, entry.code])).toEqual([
      [status, code],
      [201, null],
    ])
  })

  test('closes the connection after the commit: a retry gets the stored answer and pays once', async () => {
    const before = await balance()
    const rule = {
      match: { operation: 'createPayment', accountId: payer.accountId },
      effect: { dropAfterCommit: true },
    }
    const { id } = await makeFaultRule(bank, { ...rule, times: 1 })
    await expect(send('dropped')).rejects.toThrow('fetch failed')
    expect(await balance()).toBe(before - 20_00)
    const retry = await send('dropped')
    expect([retry.status, retry.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
    expect(await balance()).toBe(before - 20_00)
    const [entry] = (await bank.call('GET', '/v0/requests?idempotencyKey=dropped')).json.data
    const { response, events } = (await bank.call('GET', `/v0/requests/${entry.id}`)).json.data
    expect(response.headers['x-purser-fault']).toBe(id)
    expect(events.length).toBeGreaterThan(0)
  })

  test('closes the connection of a read, and of a write that is refused', async () => {
    await makeFaultRule(bank, { match: { operation: 'getAccount' }, effect: { dropAfterCommit: true } })
    const headers = { 'x-service-api-key': bank.key }
    for (const account of [payer.accountId, '1']) {
      await expect(fetch(`${url}/v0/banking/accounts/${account}`, { headers })).rejects.toThrow('fetch failed')
    }
  })

  test('delays a request, which holds up no other and ends with its caller', async () => {
    await makeFaultRule(bank, { match: { operation: 'createPayment' }, effect: { delayMs: 30_000 } })
    const before = await balance()
    const leaving = new AbortController()
    const slow = fetch(`${url}/v0/banking/accounts/${payer.accountId}/payments`, {
      method: 'POST',
      headers: { 'x-service-api-key': bank.key, 'idempotency-key': 'left' },
      signal: leaving.signal,
    })
    const sleeping = Array.from({ length: 20 }, (_, at) =>
      pay(bank, payer, {}, { headers: { 'idempotency-key': `slow-${at}` } }),
    )
    expect((await get()).status).toBe(200)
    expect(await Promise.race([Promise.any(sleeping), nextTurn()])).toBeUndefined()
    leaving.abort()
    await expect(slow).rejects.toThrow('aborted')
    await expect
      .poll(async () => (await bank.call('GET', '/v0/requests?idempotencyKey=left')).json.data[0]?.code)
      .toBe('invalid_request')
    expect(await balance()).toBe(before)
  })

  test('delays 200 requests of an organisation at a time, and other rules take effect meanwhile', async () => {
    const { key } = await makeSandboxOrganisation(bank)
    await makeFaultRule(bank, { match: { operation: 'listAccounts' }, effect: { delayMs: 30_000 } }, key)
    await makeFaultRule(bank, { match: { operation: 'getClock' }, effect: { status: 429 }, times: 1 }, key)
    const sleeping = Array.from({ length: 200 }, () => get(key))
    const further = await get(key)
    expect([further.status, further.json.code]).toEqual([503, 'unavailable'])
    expect((await bank.call('GET', '/v0/sandbox/clock', { key })).status).toBe(429)
    expect(await Promise.race([...sleeping, nextTurn()])).toBeUndefined()
  })

  test('applies to requests that name the account, to the operation and to the organisation only', async () => {
    const other = await makePayer(bank, 100_00)
    await makeFaultRule(bank, {
      match: { operation: 'createPayment', accountId: payer.accountId },
      effect: { status: 500 },
    })
    await makeFaultRule(bank, {
      match: { operation: 'listTransactions', accountId: payer.accountId },
      effect: { status: 500 },
    })
    expect((await pay(bank, payer)).status).toBe(500)
    expect((await pay(bank, other)).status).toBe(201)
    const list = (accountId: string) => bank.call('GET', `/v0/banking/transactions?accountId=${accountId}`)
    expect([(await list(payer.accountId)).status, (await list(other.accountId)).status]).toEqual([500, 200])
    await makeFaultRule(bank, { match: { operation: 'listAccounts' }, effect: { status: 503 } })
    expect([(await get()).status, (await get(bank.otherKey)).status]).toEqual([503, 200])
    expect((await bank.call('GET', '/v0/banking/accounts', { key: 'an-unknown-key' })).status).toBe(401)
  })

  test('is drawn the same way by the same seed, and counts its effects across parallel requests', async () => {
    const match = { operation: 'listAccounts' }
    const hits = async (rule: Record<string, unknown>) => {
      await bank.call('DELETE', path)
      await makeFaultRule(bank, { match, effect: { status: 503 }, ...rule })
      const statuses = []
      for (let request = 0; request < 16; request++) statuses.push((await get()).status)
      return statuses.join()
    }
    const first = await hits({ probability: 0.5, seed: 7 })
    expect(await hits({ probability: 0.5, seed: 7 })).toBe(first)
    expect(await hits({ probability: 0.5, seed: 8 })).not.toBe(first)
    expect(new Set(first.split(','))).toEqual(new Set(['200', '503']))
    expect(await hits({ probability: 0 })).not.toContain('503')
    await bank.call('DELETE', path)
    await makeFaultRule(bank, { match, effect: { status: 503 }, times: 3 })
    const replies = await Promise.all(Array.from({ length: 20 }, () => get()))
    expect(replies.filter(({ status }) => status === 503).length).toBe(3)
  })

  test('gives way to the rule before it', async () => {
    const match = { operation: 'listAccounts' }
    await makeFaultRule(bank, { match, effect: { status: 429 }, times: 1 })
    await makeFaultRule(bank, { match, effect: { status: 500 }, times: 1 })
    expect([(await get()).status, (await get()).status, (await get()).status]).toEqual([429, 500, 200])
  })

  test('ends with its organisation', async () => {
    const { key } = await makeSandboxOrganisation(bank)
    await makeFaultRule(bank, { match: { operation: 'listAccounts' }, effect: { status: 503 } }, key)
    expect((await get(key)).status).toBe(503)
    expect((await bank.call('POST', '/v0/sandbox/reset', { key })).status).toBe(200)
    expect((await get(key)).status).toBe(200)
    expect((await bank.call('GET', path, { key })).json.data).toEqual([])
  })

  test('belongs to the organisation that another process has just given the key', async () => {
    const [former, next] = [await makeSandboxOrganisation(bank), await makeSandboxOrganisation(bank)]
    expect((await get(former.key)).status).toBe(200)
    const ids = [former.id, next.id]
    await bank.database.query('update api_key set organisation_id = $2 where organisation_id = $1', ids)
    await bank.database.query('update organisation set ended_at = now() where id = $1', [former.id])
    const rule = await makeFaultRule(bank, { match: { operation: 'getClock' }, effect: { status: 503 } }, former.key)
    expect((await bank.call('GET', `${path}/${rule.id}`, { key: next.key })).status).toBe(200)
  })

  test('reaches every process, also one that missed the notification', async () => {
    const another = openActiveFaults(bank.database)
    const { json } = await bank.call('GET', '/v0/me')
    const organisationId = Number(json.data.organisation.id)
    const rule = await makeFaultRule(bank, { match: { operation: 'getClock' }, effect: { status: 503 } })
    const listener = openListener({
      servers: [bank.server],
      channel: 'purser_event',
      heard: (payload) => void another.heard(payload),
    })
    const known = () => another.rulesOf(organisationId)?.map(({ id }) => String(id))
    await expect.poll(known).toEqual([rule.id])
    await bank.call('DELETE', `${path}/${rule.id}`)
    await expect.poll(known).toBeUndefined()
    await listener.close()
  })

  test('does not exist in live mode', async () => {
    const live = await openTestBank({ own: true, mode: 'live' })
    const { status, json } = await live.call('POST', path, { body: {} })
    expect([status, json.code]).toEqual([404, 'route_not_found'])
    await live.close()
  })
})

test('a stop ends the delays, and the requests are carried out', async () => {
  const stopping = await openTestBank({ own: true })
  const rule = { match: { operation: 'listAccounts' }, effect: { delayMs: 30_000 }, times: 1 }
  const made = await makeFaultRule(stopping, rule)
  const slow = stopping.call('GET', '/v0/banking/accounts')
  await expect.poll(() => remaining(made, stopping)).toBe(0)
  await Promise.all([stopping.close(), slow])
  expect((await slow).status).toBe(200)
})
