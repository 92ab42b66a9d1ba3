import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { makeSandboxOrganisation } from '../../test/support/organisations.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

const path = '/v0/sandbox/organisations/current'

describe('delete organisation', () => {
  test('ends every key of the organisation at once, and touches no other', async () => {
    const [gone, other] = [await makeSandboxOrganisation(bank), await makeSandboxOrganisation(bank)]
    const second = (await bank.call('POST', '/v0/api-keys', { key: gone.key, body: { name: 'Second' } })).json.data.key
    for (const key of [gone.key, second, other.key])
      expect((await bank.call('GET', '/v0/events', { key })).status).toBe(200)
    expect((await bank.call('DELETE', path, { key: gone.key })).status).toBe(204)
    for (const key of [gone.key, second]) {
      const { status, json } = await bank.call('GET', '/v0/events', { key })
      expect([status, json.code]).toEqual([401, 'unauthorized'])
    }
    for (const key of [other.key, bank.key]) expect((await bank.call('GET', '/v0/events', { key })).status).toBe(200)
  })

  test('answers 401 the second time, also at the same time', async () => {
    const { key } = await makeSandboxOrganisation(bank)
    const both = await Promise.all([1, 2].map(() => bank.call('DELETE', path, { key })))
    expect(both.map(({ status }) => status).sort()).toEqual([204, 401])
  })

  test('refuses an organisation that no request made, and changes nothing', async () => {
    const { status, json } = await bank.call('DELETE', path)
    expect([status, json.code]).toEqual([409, 'organisation_not_deletable'])
    expect((await bank.call('GET', '/v0/events')).status).toBe(200)
  })

  test('disables the webhooks of the organisation', async () => {
    const { id, key } = await makeSandboxOrganisation(bank)
    const body = { url: 'https://example.com/', events: ['*'] }
    expect((await bank.call('POST', '/v0/webhook-endpoints', { key, body })).status).toBe(201)
    await bank.call('DELETE', path, { key })
    const rows = await bank.database.query(
      `select id from webhook_endpoint where organisation_id = $1 and deleted_at is null`,
      [id],
    )
    expect(rows).toEqual([])
  })

  test('a key that another process still remembers deletes nothing else', async () => {
    const { id, key } = await makeSandboxOrganisation(bank)
    await bank.call('GET', '/v0/events', { key })
    // As another process does it, of which this one knows nothing.
    await bank.database.query(`update api_key set revoked_at = clock_timestamp() where organisation_id = $1::bigint`, [
      id,
    ])
    expect((await bank.call('DELETE', path, { key })).status).toBe(401)
  })

  test('refuses a change of the organisation that comes late, and none of another that runs with it', async () => {
    const [gone, other] = [await makeSandboxOrganisation(bank), await makeSandboxOrganisation(bank)]
    const funded = await Promise.all(
      [gone, other].map(async ({ key }) => {
        const { accountId } = (await bank.call('POST', '/v0/sandbox/scenarios', { key })).json.data
        return { key, accountId }
      }),
    )
    // As another process does it, of which this one has not heard yet.
    await bank.database.query(`update organisation set ended_at = clock_timestamp() where id = $1::bigint`, [gone.id])
    const body = { amount: 100, companyName: 'Sample Payroll' }
    const transfers = [...funded, ...funded].map(({ key, accountId }) =>
      bank.call('POST', `/v0/sandbox/accounts/${accountId}/receive-ach`, { key, body }),
    )
    const late = bank.call('POST', '/v0/sandbox/customers', { key: gone.key, body: { name: 'Ada Example' } })
    expect((await Promise.all(transfers)).map(({ status }) => status)).toEqual([401, 201, 401, 201])
    expect((await late).status).toBe(401)
    const [row] = await bank.database.query<{ sum: number }>(
      `select count(*) as sum from transfer where organisation_id = $1::bigint and amount = 100`,
      [gone.id],
    )
    expect(row?.sum).toBe(0)
  })
})
