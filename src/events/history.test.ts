import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, openTestBank, type TestBank, type TestDatabase } from '../../test/support/harness.ts'
import { makePayer, type Payer, pay } from '../../test/support/ledger.ts'
import { openDatabase, plainTimeouts } from '../database/database.ts'

let own: TestDatabase
let bank: TestBank
let payer: Payer
beforeAll(async () => {
  own = await createDatabase()
  bank = await openTestBank({ on: own })
  payer = await makePayer(bank, 1_000_00)
})
afterAll(async () => {
  await bank.close()
  await own.drop()
})

interface Shown {
  id: string
  sequence: number
}
const events = async (query = '') => (await bank.call('GET', `/v0/events?limit=1000${query}`)).json.data as Shown[]

/** Lets the next connection find a server that was restored, or promoted. */
async function restore(): Promise<void> {
  await bank.database.query(`update database_history set place = 'another server' where number = 1`)
  const connections = openDatabase({ servers: [bank.server], connections: 3, timeouts: plainTimeouts })
  await Promise.all([1, 2, 3].map(() => connections.query('select 1')))
  await connections.close()
}

test('ids end with a mark after the history of the database began anew, and earlier ones stay as they are', async () => {
  await pay(bank, payer, { amount: 1 })
  const before = await events()
  const last = before.at(-1)?.sequence ?? 0
  for (const { id } of before) expect(id).toMatch(/^evt_\d+_\d+$/)

  await restore()
  const histories = await bank.database.query<{ mark: string | null }>(
    'select mark from database_history order by number',
  )
  expect(histories).toEqual([{ mark: null }, { mark: expect.stringMatching(/^[0-9a-f]{8}$/) }])

  await pay(bank, payer, { amount: 1 })
  const after = await events()
  expect(after.slice(0, before.length)).toEqual(before)
  const added = after.slice(before.length)
  expect(added.length).toBeGreaterThan(0)
  for (const { id, sequence } of added) {
    expect(id).toMatch(new RegExp(`^evt_\\d+_${sequence}_${histories[1]?.mark}$`))
    expect((await bank.call('GET', `/v0/events/${id}`)).json.data.id).toBe(id)
    // The number alone is the id of an event that the restore has undone.
    const undone = id.slice(0, -9)
    expect((await bank.call('GET', `/v0/events/${undone}`)).json.code).toBe('event_not_found')
  }
  const { json } = await bank.call('GET', `/v0/events?after=${last + 1_000}`)
  expect([json.code, json.resumeAfter]).toEqual(['events_rewound', last])
  const entries = (await bank.call('GET', '/v0/audit-log?limit=1000')).json.data as { eventId: string | null }[]
  expect(entries.map(({ eventId }) => eventId)).toContain(added.at(-1)?.id)
})
