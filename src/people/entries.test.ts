import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { expectSoundLedger } from '../../test/support/ledger.ts'
import { openAuthenticator } from '../../test/support/people/authenticator.ts'
import { signIn } from '../../test/support/people/sign-in.ts'
import { until } from '../../test/support/service.ts'
import { firstStatesReader } from '../bank/first-states/first-states.ts'
import { openRecordIds } from '../database/record-ids.ts'
import { openRunOnce } from '../idempotency/run-once.ts'
import { openEntries } from './entries.ts'
import { changeRole, invite, inviteAnew, remove } from './manage-people.ts'

const ORIGIN = 'http://localhost:4000'
let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank({ own: true })
  await import('@simplewebauthn/server')
})
afterAll(async () => {
  await expectSoundLedger(bank)
  await bank.close()
})

const page = { host: 'localhost:4000', origin: ORIGIN, 'sec-fetch-site': 'same-origin' }
const post = (name: string, body: unknown, headers: Record<string, string> = {}) =>
  bank.call('POST', `/session/${name}`, { key: null, body, headers: { ...page, ...headers } })

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as the JSON they are
async function entriesOf(id: number, key = bank.key): Promise<any[]> {
  const entries = await ask(bank, 'GET', '/v0/audit-log?limit=1000', undefined, key)
  return entries.filter(({ record }: { record: { id: string } | null }) => record?.id === String(id)).reverse()
}

/** The entries of a person when all that waited are written. A request of another person lets them be. */
async function written(id: number, key = bank.key) {
  const { cookie } = await registered()
  expect((await post('end', {}, { cookie })).status).toBe(200)
  await until('the entries are written', async () => {
    const [row] = await bank.database.query<{ left: number }>('select count(*)::int as left from people_entry')
    return row?.left === 0
  })
  return entriesOf(id, key)
}

async function registered(roles: Record<string, string> = { first: 'viewer' }) {
  const parts = { database: bank.database, ids: openRecordIds(bank.database) }
  const { id, secret } = await invite(parts, { name: 'Ada Lovelace', roles })
  const device = openAuthenticator(ORIGIN)
  const { data: options } = (await post('invitation', { invitation: secret })).json
  const reply = await post('registration', { response: device.register(options) })
  expect(reply.status).toBe(200)
  return { id, device, cookie: String(reply.headers['set-cookie']).split(';')[0] ?? '' }
}

const challenge = async () => (await post('challenge', {})).json.data
const operator = { type: 'operator', id: null, name: null, session: null }
const person = (id: number, session: unknown) => ({ type: 'person', id: String(id), name: 'Ada Lovelace', session })
const here = (id: unknown) => ({ id, address: '127.0.0.1' })

describe('the audit log of an organisation', () => {
  test('names who invited, signed in, was refused and signed out, in the order in which it happened', async () => {
    const { id, device, cookie } = await registered({ first: 'viewer', second: 'risk' })
    const forged = device.signIn(await challenge(), 'https://evil.example')
    expect((await post('passkey', { response: forged })).status).toBe(403)
    const sessions = (await post('list', {}, { cookie })).json.data
    expect((await post('end', {}, { cookie })).status).toBe(200)
    const entries = await written(id)
    const session = sessions[0].id
    const own = { id: String(id), name: 'Ada Lovelace', role: 'viewer', formerRole: null, session: null, cause: null }
    expect(entries.map(({ action, actor, detail }) => ({ action, actor, detail }))).toEqual([
      { action: 'person.invited', actor: operator, detail: own },
      { action: 'person.signedIn', actor: person(id, here(session)), detail: { ...own, session } },
      {
        action: 'person.signInRefused',
        actor: person(id, here(null)),
        detail: { ...own, cause: 'A passkey could not be verified' },
      },
      { action: 'person.signedOut', actor: person(id, here(session)), detail: { ...own, session } },
    ])
    const there = await entriesOf(id, bank.otherKey)
    expect(there.map(({ action, detail }) => [action, detail.role])).toEqual(
      entries.map(({ action }) => [action, 'risk']),
    )
  })

  test('names what the command line changed', async () => {
    const { id } = await registered()
    await changeRole(bank.database, { id, organisation: 'first', role: 'risk' })
    await changeRole(bank.database, { id, organisation: 'first', role: 'risk' })
    await inviteAnew(bank.database, id)
    await remove(bank.database, id)
    const entries = (await written(id)).slice(2)
    expect(entries.map(({ action, actor, detail }) => [action, actor, detail.formerRole, detail.role])).toEqual([
      ['person.roleChanged', operator, 'viewer', 'risk'],
      ['person.invited', operator, null, 'risk'],
      ['person.removed', operator, 'risk', null],
    ])
  })

  test('names a session that was ended from another one', async () => {
    const { id, device, cookie } = await registered()
    await post('passkey', { response: device.signIn(await challenge()) })
    const [second, first] = (await post('list', {}, { cookie })).json.data
    await post('end', { id: second.id }, { cookie })
    const ended = (await written(id)).at(-1)
    expect([ended.action, ended.detail.session, ended.actor]).toEqual([
      'person.sessionEnded',
      second.id,
      person(id, here(first.id)),
    ])
  })

  test('has ten refused sign-ins of a person a minute', async () => {
    const { id, device } = await registered()
    for (let time = 0; time < 13; time++) {
      await post('passkey', { response: device.signIn(await challenge(), 'https://evil.example') })
    }
    const actions = (await written(id)).map(({ action }) => action)
    expect(actions.filter((action) => action === 'person.signInRefused')).toHaveLength(10)
  })

  test('has refused sign-ins by a bounded number of seats', async () => {
    const { id, device } = await registered()
    const refuse = async () => {
      const response = device.signIn(await challenge(), 'https://evil.example')
      expect((await post('passkey', { response })).status).toBe(403)
      const { actor } = (await written(id)).at(-1)
      const [seats] = await bank.database.query<{ count: number }>(
        'select count(*)::int as count from api_key where person_id = $1::bigint and session_id is null',
        [id],
      )
      return [actor.session.address, seats?.count]
    }
    expect([await refuse(), await refuse()]).toEqual([
      ['127.0.0.1', 1],
      ['127.0.0.1', 1],
    ])
    const moved = `update api_key set address = '192.0.2.1' where person_id = $1::bigint and session_id is null`
    await bank.database.query(moved, [id])
    await bank.database.query(
      `insert into api_key (id, organisation_id, name, hash, scopes, created_at, person_id, address)
       select -k.id * 100 - n, k.organisation_id, k.name, sha256((k.id || ' ' || n)::bytea), '{}', k.created_at, k.person_id, '192.0.2.' || n
       from api_key k, generate_series(2, 50) n where k.person_id = $1::bigint and k.session_id is null`,
      [id],
    )
    expect([await refuse(), await refuse()]).toEqual([
      ['other', 51],
      ['other', 51],
    ])
  })

  test('has nothing of a person without a role there, and nothing waits for an organisation that is nowhere', async () => {
    const { id } = await registered({ first: 'viewer', nowhere: 'viewer' })
    expect((await written(id)).map(({ action }) => action)).toEqual(['person.invited', 'person.signedIn'])
    expect(await entriesOf(id, bank.otherKey)).toEqual([])
  })

  test('gets an entry once, also if a process ended before it could forget it', async () => {
    const { id } = await registered()
    const before = (await written(id)).length
    for (const sql of [
      'create table kept (like people_entry)',
      `create function keep() returns trigger language plpgsql as 'begin insert into kept select old.*; return old; end'`,
      'create trigger keep before delete on people_entry for each row execute function keep()',
    ]) {
      await bank.database.query(sql)
    }
    await changeRole(bank.database, { id, organisation: 'first', role: 'risk' })
    expect(await written(id)).toHaveLength(before + 1)
    await bank.database.query('drop trigger keep on people_entry')
    const again =
      'insert into people_entry overriding system value select * from kept where person_id = $1::bigint returning id'
    expect(await bank.database.query(again, [id])).toHaveLength(1)
    expect(await written(id)).toHaveLength(before + 1)
  })

  test('gets an entry whose name a caller has sent before as an idempotency key', async () => {
    const { id } = await registered()
    const before = (await written(id)).length
    const [next] = await bank.database.query<{ entry: number; version: number }>(
      `select (select last_value + 1 from people_entry_id_seq) as entry, version + 2 as version from people where id = $1::bigint`,
      [id],
    )
    const members = ['entry', next?.entry, 'person.roleChanged', id, next?.version, null, null]
    for (const name of [JSON.stringify(members), ['person', ...members].join(' ')]) {
      const headers = { 'idempotency-key': name }
      await bank.call('POST', '/v0/api-keys', { body: { name: 'Taken' }, headers })
    }
    await changeRole(bank.database, { id, organisation: 'first', role: 'risk' })
    const [waiting] = await bank.database.query('select id, version from people_entry where person_id = $1::bigint', [
      id,
    ])
    expect(waiting).toEqual({ id: next?.entry, version: next?.version })
    expect(await written(id)).toHaveLength(before + 1)
  })
})

test('the log of an organisation in another cell gets its entries, after it was away, too', async () => {
  const cell = await openTestBank({ own: true })
  const key = await cell.makeKey('elsewhere', null)
  let away = true
  const cellOf = ({ database, seals }: TestBank, isAway: () => boolean) => {
    const readFirstStates = firstStatesReader(seals)
    const runOnce = openRunOnce({ database, seals, readFirstStates, waitMs: 1_000, settleMs: 1_000 })
    return { database, ids: openRecordIds(database), runOnce, isAway }
  }
  const failures: unknown[] = []
  const tasks = { failed: (_task: string, error: unknown) => void failures.push(error), succeeded: () => undefined }
  const cells = [cellOf(bank, () => false), cellOf(cell, () => away)]
  const entries = openEntries({ database: bank.database, cells: () => cells, tasks })
  const ada = await signIn(bank, { first: 'viewer', elsewhere: 'risk' })
  await entries.write()
  const there = () => ask(cell, 'GET', '/v0/audit-log?limit=1000', undefined, key)
  const before = await there()
  expect((await entriesOf(ada.id)).map(({ action }) => action)).toEqual(['person.signedIn'])
  const waiting = await bank.database.query<{ organisation: string }>('select organisation from people_entry')
  expect(waiting).toEqual([{ organisation: 'elsewhere' }])
  away = false
  await Promise.all([entries.write(), entries.write()])
  const [entry] = await there()
  expect(entry).toMatchObject({ actor: person(ada.id, { address: '127.0.0.1' }), detail: { role: 'risk' } })
  expect(await there()).toHaveLength(before.length + 1)
  expect(failures).toEqual([])
  await expectSoundLedger(cell)
  await cell.close()
})

test('a person of hundreds of organisations can act in more than fifty of them', async () => {
  const roles = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`many ${index}`, 'viewer']))
  for (const name of Object.keys(roles)) await bank.makeKey(name, null)
  const { id, cookie } = await registered({ ...roles, first: 'viewer' })
  await written(id)
  const [seats] = await bank.database.query<{ count: number }>(
    'select count(*)::int as count from api_key where person_id = $1::bigint',
    [id],
  )
  expect(seats?.count).toBe(61)
  const headers = { cookie, 'sec-fetch-site': 'same-origin' }
  expect((await bank.call('GET', '/v0/me', { key: null, headers })).status).toBe(200)
  const again = await signIn(bank, {}, { as: id })
  expect((await again.call('GET', '/v0/me', { in: 'many 59' })).status).toBe(200)
})
