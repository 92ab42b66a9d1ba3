import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type Reply, type TestBank } from '../../test/support/harness.ts'
import { eventsOf, inSeconds, issueKey, statusWith } from '../../test/support/keys.ts'

let bank: TestBank
let organisations = 0
beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

const remove = (id: string, key = bank.key) => bank.call('DELETE', `/v0/api-keys/${id}`, { key })
const problem = ({ status, json }: Reply) => [status, json?.code]
const idOf = async (key: string) => {
  const { json } = await bank.call('GET', '/v0/api-keys?limit=1000', { key })
  return json.data.find(({ name }: { name: string }) => name === key).id as string
}
/** The one full key of an organisation of its own. */
const onlyKey = () => bank.makeKey(`alone-${organisations++}`, null)

describe('Deleting an API key', () => {
  test('answers 204 without a body, and neither the key nor its earlier secrets work any more', async () => {
    const { key, ...made } = await issueKey(bank)
    const rotated = await bank.call('POST', `/v0/api-keys/${made.id}/rotate`, { body: { graceSeconds: 60 } })
    expect([await statusWith(bank, key), await statusWith(bank, rotated.json.data.key)]).toEqual([200, 200])
    const { status, text } = await remove(made.id)
    expect([status, text]).toEqual([204, ''])
    expect([await statusWith(bank, key), await statusWith(bank, rotated.json.data.key)]).toEqual([401, 401])
    expect((await eventsOf(bank, made.id)).at(-1)).toEqual({ type: 'apiKey.revoked', version: 3, data: made })
  })

  test('succeeds once', async () => {
    const { id } = await issueKey(bank)
    const replies = await Promise.all([remove(id), remove(id), remove(id)])
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 404, 404])
  })

  test('is allowed to the key itself', async () => {
    const { id, key } = await issueKey(bank, { scopes: ['keys:write'] })
    expect((await remove(id, key)).status).toBe(204)
    expect(problem(await remove(id, key))).toEqual([401, 'unauthorized'])
  })

  test('is allowed to a key with fewer scopes', async () => {
    const leaked = await issueKey(bank)
    const keeper = await bank.makeKey('first', ['keys:write'])
    expect((await remove(leaked.id, keeper)).status).toBe(204)
  })

  test('is refused for the last full key, to itself and to others', async () => {
    const key = await onlyKey()
    const id = await idOf(key)
    const keeper = await issueKey(bank, { scopes: ['keys:write'] }, key)
    for (const caller of [key, keeper.key]) expect(problem(await remove(id, caller))).toEqual([409, 'last_api_key'])
    expect((await remove(keeper.id, key)).status).toBe(204)
    const other = await issueKey(bank, {}, key)
    expect((await remove(id, key)).status).toBe(204)
    expect(problem(await remove(other.id, other.key))).toEqual([409, 'last_api_key'])
  })

  test('does not count an expired full key, and can delete it', async () => {
    const key = await onlyKey()
    const expired = await issueKey(bank, { expiresAt: inSeconds(3600) }, key)
    await bank.database.query(`update api_key set expires_at = now() where id = $1::bigint`, [expired.id])
    expect(problem(await remove(await idOf(key), key))).toEqual([409, 'last_api_key'])
    expect((await remove(expired.id, key)).status).toBe(204)
  })

  test('leaves one of two full keys that delete each other at the same moment', async () => {
    for (let round = 0; round < 10; round++) {
      const one = await onlyKey()
      const two = await issueKey(bank, {}, one)
      const replies = await Promise.all([remove(two.id, one), remove(await idOf(one), two.key)])
      const statuses = replies.map(({ status }) => status)
      expect(statuses.filter((status) => status === 204)).toHaveLength(1)
      const left = await Promise.all([one, two.key].map((key) => statusWith(bank, key)))
      expect(left.sort()).toEqual([200, 401])
    }
  })

  test('leaves one of many full keys that delete one another at the same moment', async () => {
    const own = await bank.makeKey('crowd', null)
    const made = []
    for (let number = 0; number < 5; number++) made.push(await issueKey(bank, {}, own))
    const [first] = (await bank.call('GET', '/v0/api-keys?sort=createdAt', { key: own })).json.data
    const ids = [first.id, ...made.map(({ id }) => id)]
    const keys = [own, ...made.map(({ key }) => key)]
    // Each deletes the next one, the last one the first.
    await Promise.all(
      ids.map((id, place) => bank.call('DELETE', `/v0/api-keys/${id}`, { key: keys.at(place - 1) ?? own })),
    )
    const left = await bank.database.query(
      `select k.id from api_key k join organisation o on o.id = k.organisation_id
       where o.name = 'crowd' and k.revoked_at is null`,
    )
    expect(left.length).toBeGreaterThanOrEqual(1)
  })

  test('answers 404 for an unknown id and for a key of another organisation', async () => {
    const { id, key } = await issueKey(bank)
    for (const unknown of ['1000', 'abc']) {
      expect(problem(await remove(unknown)), unknown).toEqual([404, 'api_key_not_found'])
    }
    expect(problem(await remove(id, bank.otherKey))).toEqual([404, 'api_key_not_found'])
    expect(await statusWith(bank, key)).toBe(200)
  })
})
