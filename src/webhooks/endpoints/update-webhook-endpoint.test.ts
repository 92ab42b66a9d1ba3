import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeEndpoint } from '../../../test/support/consumer.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

const update = (id: string, body: unknown, key = bank.key) =>
  bank.call('PATCH', `/v0/webhook-endpoints/${id}`, { key, body })

const eventsOf = async (id: string) => {
  const { json } = await bank.call('GET', '/v0/events?type=webhookEndpoint.*&limit=1000')
  return json.data.filter(({ entity }: { entity: { id: string } }) => entity.id === id)
}

describe('update webhook endpoint', () => {
  test('changes the given members and leaves the others', async () => {
    const { secret: _, ...endpoint } = await makeEndpoint(bank, 'https://example.com/a')
    const moved = await update(endpoint.id, { url: 'https://example.com/b' })
    expect([moved.status, moved.json.data]).toEqual([200, { ...endpoint, url: 'https://example.com/b' }])
    const { json } = await update(endpoint.id, { events: ['card.*', 'card.*'], description: 'Cards' })
    expect(json.data).toEqual({ ...moved.json.data, events: ['card.*'], description: 'Cards' })
    const bare = await update(endpoint.id, { description: null })
    expect(bare.json.data.description).toBeNull()
    expect((await bank.call('GET', `/v0/webhook-endpoints/${endpoint.id}`)).json.data).toEqual({
      ...bare.json.data,
      failingSince: null,
      lastDay: { succeeded: 0, retried: 0, failed: 0 },
    })
    const told = await eventsOf(endpoint.id)
    expect(
      told.map(({ type, entity }: { type: string; entity: { version: number } }) => [type, entity.version]),
    ).toEqual([
      ['webhookEndpoint.created', 1],
      ['webhookEndpoint.updated', 2],
      ['webhookEndpoint.updated', 3],
      ['webhookEndpoint.updated', 4],
    ])
    expect(told.at(-1).data).toEqual(bare.json.data)
  })

  test('disables and enables an endpoint', async () => {
    const { id } = await makeEndpoint(bank, 'https://example.com/a')
    const disabled = await update(id, { status: 'Disabled' })
    expect(disabled.json.data).toMatchObject({ status: 'Disabled', disabledReason: 'Requested' })
    const enabled = await update(id, { status: 'Enabled' })
    expect(enabled.json.data).toMatchObject({ status: 'Enabled', disabledReason: null })
    expect((await eventsOf(id)).map(({ type }: { type: string }) => type)).toEqual([
      'webhookEndpoint.created',
      'webhookEndpoint.disabled',
      'webhookEndpoint.updated',
    ])
  })

  test('emits no event when nothing changes', async () => {
    const { secret: _, ...endpoint } = await makeEndpoint(bank, 'https://example.com/a')
    for (const body of [
      {},
      { url: 'https://example.com/a' },
      { status: 'Enabled', events: ['payment.*'], description: null },
    ]) {
      expect((await update(endpoint.id, body)).json.data).toEqual(endpoint)
    }
    expect(await eventsOf(endpoint.id)).toHaveLength(1)
  })

  test('keeps the reason of an endpoint that is already disabled', async () => {
    const { id } = await makeEndpoint(bank, 'https://example.com/a')
    await bank.database.query(
      `update webhook_endpoint set status = 'Disabled', disabled_reason = 'Gone' where id = $1::bigint`,
      [id],
    )
    expect((await update(id, { status: 'Disabled' })).json.data.disabledReason).toBe('Gone')
  })

  test('refuses forbidden addresses and unknown endpoints', async () => {
    const { id } = await makeEndpoint(bank, 'https://example.com/a')
    expect((await update(id, { url: 'https://u:p@example.com/' })).json.errors[0].pointer).toBe('/url')
    const refused = await update(id, { url: 'http://169.254.169.254/' })
    expect([refused.status, refused.json.code]).toEqual([422, 'webhook_url_refused'])
    const foreign = await update(id, { status: 'Disabled' }, bank.otherKey)
    expect([foreign.status, foreign.json.code]).toEqual([404, 'webhook_endpoint_not_found'])
    expect((await bank.call('GET', `/v0/webhook-endpoints/${id}`)).json.data.url).toBe('https://example.com/a')
  })
})
