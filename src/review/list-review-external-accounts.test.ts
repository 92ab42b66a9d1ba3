import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { makeExternalAccount } from '../../test/support/ledger.ts'
import { decide, refusalOf } from '../../test/support/review/reviewer.ts'
import { makeCustomer } from '../../test/support/world.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank({ screening: 'http://127.0.0.1:9/' })
})
afterAll(() => bank.close())

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)

describe('the queue of external accounts', () => {
  test('shows those that wait, oldest first', async () => {
    const customerId = await makeCustomer(bank)
    const add = () => makeExternalAccount(bank, customerId)
    const [first, second, third, deleted] = [await add(), await add(), await add(), await add()]
    await bank.call('DELETE', `/v0/banking/external-accounts/${deleted}`)
    await decide(bank, `external-accounts/${first}/approve`)
    const path = '/v0/review/external-accounts'
    const rows = await ask(bank, 'GET', path)
    expect(idsOf(rows)).toEqual([second, third])
    expect(rows).toEqual(
      (await ask(bank, 'GET', `/v0/banking/customers/${customerId}/external-accounts`)).filter(
        (each: { id: string }) => each.id !== first,
      ),
    )
    const page = await bank.call('GET', `${path}?limit=1`)
    const [, next] = /<([^>]+)>; rel="next"/.exec(String(page.headers.link)) ?? []
    expect(idsOf((await bank.call('GET', next ?? '')).json.data)).toEqual([third])
    expect(idsOf(await ask(bank, 'GET', `${path}?sort=-createdAt`))).toEqual([third, second])
    expect((await bank.call('GET', path, { key: bank.otherKey })).json.data).toEqual([])
    const key = await bank.makeKey('first', null)
    expect(refusalOf(await bank.call('GET', path, { key }))).toEqual([403, 'forbidden'])
  })
})
