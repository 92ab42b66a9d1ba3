import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { setNoon } from '../../../test/support/bank-time.ts'
import { type Consumer, makeEndpoint, openConsumer } from '../../../test/support/consumer.ts'
import { eventsAfter, lastSequence } from '../../../test/support/events.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { expectSoundLedger, makePayer, pay } from '../../../test/support/ledger.ts'
import type { PaymentLimits } from '../../banking/accounts/account-limits.ts'
import { getOrganisationLimits, setOrganisationLimits } from './organisation-limits.ts'

const none = { soft: null, hard: null }
const limits: PaymentLimits = { payment: none, day: { soft: 50_00, hard: 80_00 }, month: none }

let bank: TestBank
let consumer: Consumer
let id: string
beforeAll(async () => {
  bank = await openTestBank({ webhooks: { pollMs: 100 } })
  await setNoon(bank)
  consumer = await openConsumer()
  const [row] = await bank.database.query<{ id: number }>(`select id from organisation where name = 'first'`)
  id = String(row?.id)
})
afterAll(async () => {
  // The events are links of the chain.
  await expectSoundLedger(bank)
  await bank.close()
  await consumer.close()
})

const set = (to: PaymentLimits | null) => setOrganisationLimits(bank.database, 'first', to)

/** The data and versions of the events that a change emits. */
async function emittedBy(change: () => Promise<void>) {
  const before = await lastSequence(bank)
  await change()
  return (await eventsAfter(bank, before)).map(({ type, entityId, version, data }) => {
    expect([type, entityId]).toEqual(['organisation.limitsChanged', id])
    return { version, data }
  })
}

describe('A change of the limits of an organisation', () => {
  test('is one event with the new limits and what is used of them', async () => {
    expect((await pay(bank, await makePayer(bank, 100_00), { amount: 30_00 })).status).toBe(201)
    const [first, ...others] = await emittedBy(() => set(limits))
    const day = { ...limits.day, used: 30_00 }
    expect(first?.data).toEqual({ id, payment: none, day, month: { ...none, used: 30_00 } })
    expect(others).toEqual([])

    const payment = { soft: null, hard: 9_00 }
    const [second] = await emittedBy(() => set({ ...limits, payment }))
    expect(second?.data).toEqual({ id, payment, day, month: { ...none, used: 30_00 } })
    expect(second?.version).toBe((first?.version ?? 0) + 1)
  })

  test('is no event where the organisation has these limits, or none to remove', async () => {
    await set(limits)
    expect(await emittedBy(() => set(structuredClone(limits)))).toEqual([])
    const removed = { ...none, used: null }
    expect(await emittedBy(() => set(null))).toMatchObject([
      { data: { id, payment: none, day: removed, month: removed } },
    ])
    expect(await emittedBy(() => set(null))).toEqual([])
  })

  test('is an event once it is enforced, and not where a command ended before', async () => {
    const begin = () =>
      bank.database.query(`update organisation set limits = $1::jsonb where name = 'first'`, [
        JSON.stringify({ ...limits, since: '2026-01-01', enforced: false }),
      ])
    await set(null)
    await begin()
    expect(await emittedBy(() => set(null))).toEqual([])
    expect(await getOrganisationLimits(bank.database, 'first')).toBeNull()
    await begin()
    expect(await emittedBy(() => set(limits))).toMatchObject([{ data: { day: limits.day } }])
  })

  test('is one event for each of several commands at once that change something', async () => {
    await set(null)
    const emitted = await emittedBy(async () => {
      await Promise.all(Array.from({ length: 6 }, () => set(limits)))
    })
    expect(emitted).toHaveLength(1)
  })

  test('is refused where another command removes the limits before they are enforced', async () => {
    await set(null)
    const isCounting = async () => expect(await getOrganisationLimits(bank.database, 'first')).not.toBeNull()
    const emitted = await emittedBy(async () => {
      const setting = await bank.database.transaction(async (earlier) => {
        // The first limits wait for the transactions that began before them.
        await earlier.query('select pg_current_xact_id()')
        const refused = expect(set(limits)).rejects.toThrow('removed by another command')
        await vi.waitFor(isCounting, { timeout: 20_000 })
        await set(null)
        return { refused }
      })
      await setting.refused
    })
    expect(emitted).toEqual([])
  })

  test('reaches the organisation alone: its webhooks by pattern, and its audit log', async () => {
    await set(null)
    await makeEndpoint(bank, consumer.url, ['organisation.*'])
    await makeEndpoint(bank, consumer.url, ['organisation.*'], bank.otherKey)
    const second = await lastSequence(bank, 'second')
    await set(limits)
    await vi.waitFor(() => expect(consumer.received.length).toBeGreaterThan(0), { timeout: 20_000 })
    const [event, ...others] = consumer.received.map((received) => received.event)
    const data = { id, day: limits.day }
    expect(event).toMatchObject({ type: 'organisation.limitsChanged', entity: { type: 'organisation', id }, data })
    expect(others).toEqual([])
    expect(await lastSequence(bank, 'second')).toBe(second)
    const { json } = await bank.call('GET', '/v0/audit-log?limit=1')
    const actor = { type: 'bank', id: null, name: null }
    expect(json.data).toMatchObject([{ action: 'organisation.limitsChanged', actor, record: { id } }])
  })
})
