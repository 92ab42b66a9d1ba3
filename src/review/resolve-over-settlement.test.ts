import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, authorize, makeFunded, makeVirtualCard } from '../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { expectSoundLedger } from '../../test/support/ledger.ts'
import { auditOf, decide, refusalOf } from '../../test/support/review/reviewer.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(async () => {
  await expectSoundLedger(bank)
  await bank.close()
})

const settle = (id: string, body: object) => ask(bank, 'POST', `/v0/sandbox/authorizations/${id}/settle`, body)
const resolve = (id: string, options = {}) =>
  decide(bank, `over-settlements/${id}/resolve`, { reason: 'The merchant refunds it' }, options)

async function openAuthorization(): Promise<string> {
  const { id } = await makeVirtualCard(bank, await makeFunded(bank, 500_00))
  return (await authorize(bank, id, 10_00)).id
}

describe('resolve over-settlement', () => {
  test('leaves the list, keeps the reason, and moves no money', async () => {
    const id = await openAuthorization()
    await settle(id, { amount: 20_00, final: false })
    const resolved = await resolve(id)
    expect([resolved.status, resolved.json.data]).toMatchObject([200, { id, status: 'Resolved', settled: 20_00 }])
    expect(await ask(bank, 'GET', '/v0/review/over-settlements')).toEqual([])
    const action = 'authorization.reviewed'
    expect((await auditOf(bank, action, id)).reason).toBe('The merchant refunds it')
    const [event] = await ask(bank, 'GET', `/v0/events?type=${action}`)
    expect([event.data, event.entity.version]).toEqual([resolved.json.data, 4])
    await settle(id, { amount: 1 })
    expect(await ask(bank, 'GET', '/v0/review/over-settlements')).toMatchObject([{ id, status: 'Open' }])
  })

  test('refuses other states, ids, organisations and keys', async () => {
    const id = await openAuthorization()
    expect(refusalOf(await resolve(id))).toEqual([409, 'over_settlement_not_open'])
    await settle(id, { amount: 20_00 })
    expect(refusalOf(await resolve(id, { key: bank.otherKey }))).toEqual([404, 'authorization_not_found'])
    expect(refusalOf(await resolve('999999999'))).toEqual([404, 'authorization_not_found'])
    const key = await bank.makeKey('first', ['banking:write', 'processor:write'])
    expect(refusalOf(await resolve(id, { key }))).toEqual([403, 'forbidden'])
    expect(refusalOf(await decide(bank, `over-settlements/${id}/resolve`, {}))).toEqual([400, 'invalid_request'])
    expect((await resolve(id)).status).toBe(200)
    expect(refusalOf(await resolve(id))).toEqual([409, 'over_settlement_not_open'])
  })
})
