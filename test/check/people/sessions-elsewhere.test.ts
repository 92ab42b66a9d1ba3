import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { clock } from '../../../src/base/clock.ts'
import { changeRole, remove } from '../../../src/people/manage-people.ts'
import { createDatabase, openTestBank, type TestBank } from '../../support/harness.ts'
import { type SignedInPerson, signIn } from '../../support/people/sign-in.ts'

// Two services on one database that do not know of each other, as on two machines.

const EVERYWHERE_MS = 5_000
let place: Awaited<ReturnType<typeof createDatabase>>
let here: TestBank
let there: TestBank

beforeAll(async () => {
  place = await createDatabase()
  here = await openTestBank({ on: place })
  there = await openTestBank({ on: place })
})
afterEach(() => {
  vi.restoreAllMocks()
})
afterAll(async () => {
  await there?.close()
  await here?.close()
  await place?.drop()
})

/** The answer of a service to the session of a person. */
const meAt = (bank: TestBank, { token }: SignedInPerson) =>
  bank.call('GET', '/v0/me', {
    key: null,
    headers: { cookie: `__Host-purser=${token}`, 'sec-fetch-site': 'same-origin' },
  })

const statusesOf = async (person: SignedInPerson) => [
  (await meAt(here, person)).status,
  (await meAt(there, person)).status,
]

function pass(ms: number): void {
  const atMs = performance.now() + ms
  vi.spyOn(clock, 'elapsedMs').mockImplementation(() => atMs)
}

test('a session that ends in one process ends there at once, and in another within five seconds', async () => {
  const ada = await signIn(here, { first: 'viewer' })
  expect(await statusesOf(ada)).toEqual([200, 200])
  const headers = { cookie: `__Host-purser=${ada.token}`, 'sec-fetch-site': 'same-origin' }
  expect((await here.call('POST', '/session/end', { key: null, headers, body: {} })).status).toBe(200)
  expect((await meAt(here, ada)).status).toBe(401)
  pass(EVERYWHERE_MS)
  expect((await meAt(there, ada)).status).toBe(401)
})

test('a person who is removed can do nothing within five seconds, in no process', async () => {
  const ada = await signIn(here, { first: 'administrator' })
  expect(await statusesOf(ada)).toEqual([200, 200])
  expect(await remove(here.database, ada.id)).toBe(true)
  pass(EVERYWHERE_MS)
  expect(await statusesOf(ada)).toEqual([401, 401])
})

test('a role that is taken is gone within five seconds, in every process', async () => {
  const ada = await signIn(here, { first: 'administrator', second: 'viewer' })
  expect(await statusesOf(ada)).toEqual([200, 200])
  await changeRole(here.database, { id: ada.id, organisation: 'first', role: null })
  pass(EVERYWHERE_MS)
  for (const bank of [here, there]) {
    expect((await meAt(bank, ada)).json.data.person).toMatchObject({ organisations: [{ name: 'second' }] })
  }
})

test('sessions outlive a restart, but not those that have ended', async () => {
  const [ada, eve] = [await signIn(there, { first: 'viewer' }), await signIn(there, { first: 'viewer' })]
  expect([(await meAt(there, ada)).status, (await meAt(there, eve)).status]).toEqual([200, 200])
  await there.database.query('update people_session set ended_at = clock_timestamp() where person_id = $1::bigint', [
    eve.id,
  ])
  await there.close()
  there = await openTestBank({ on: place })
  expect([(await meAt(there, ada)).status, (await meAt(there, eve)).status]).toEqual([200, 401])
})
