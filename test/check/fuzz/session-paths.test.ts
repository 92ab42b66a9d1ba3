import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRecordIds } from '../../../src/database/record-ids.ts'
import { invite } from '../../../src/people/manage-people.ts'
import { openTestBank, type TestBank } from '../../support/harness.ts'
import { expectSoundLedger } from '../../support/ledger.ts'
import { openAuthenticator } from '../../support/people/authenticator.ts'
import { type SignedInPerson, signIn } from '../../support/people/sign-in.ts'
import { choicesOfTest } from '../../support/random.ts'

// Paths of the console that are no operations, so that no other test of odd values knows them.

const ORIGIN = 'http://localhost:4000'
const TRIES = process.env.SOAK ? 2_000 : 60
let bank: TestBank
let admin: SignedInPerson

beforeAll(async () => {
  bank = await openTestBank({ own: true })
  admin = await signIn(bank, { first: 'administrator' })
})
afterAll(async () => {
  await expectSoundLedger(bank)
  await bank.close()
})

const page = { host: 'localhost:4000', origin: ORIGIN }
const post = (name: string, body: unknown, headers: Record<string, string> = {}) =>
  admin.call('POST', `/session/${name}`, { body, headers: { ...page, ...headers } })

const paths = [
  ...['ways', 'invitation', 'registration', 'challenge', 'passkey', 'list', 'end', 'login', 'allow', 'exchange'],
  ...['list', 'roles', 'invite', 'link', 'role', 'remove', 'sessions', 'end'].map((name) => `people/${name}`),
]
const members = ['invitation', 'response', 'id', 'challenge', 'code', 'verifier', 'name', 'role', 'session']
const values: unknown[] = [
  ...[null, true, 0, -1, 1.5, 1e300, '', ' ', '0', '-1', '1e3', '9007199254740993', '9'.repeat(400)],
  ...['a\0b', '\ud800', '\u202e', 'constructor', '__proto__', 'administrator', 'é'.repeat(5_000), 'a'.repeat(64)],
  ...[[], [[]], ['viewer'], {}, { toString: 1 }, { length: 1 }, JSON.parse('{"__proto__":1}')],
]

test('no value of any member, and no text in place of a body, is answered with an error of the service', async () => {
  const { pick, below } = choicesOfTest()
  for (const path of paths) {
    for (const body of [null, [], 'text', 5, {}, ...values])
      expect((await post(path, body)).status, path).toBeLessThan(500)
    for (let time = 0; time < TRIES; time++) {
      const body = Object.fromEntries(members.filter(() => below(2) === 0).map((name) => [name, pick(...values)]))
      const { status, text } = await post(path, body)
      expect(status, `${path} ${JSON.stringify(body)} ${text}`).toBeLessThan(500)
      if (path === 'end' || path === 'people/end') admin = await again()
    }
  }
})

/** The administrator anew, whose session may have ended. */
const again = () => signIn(bank, {}, { as: admin.id })

/** A copy with another value at one place. */
function changed(value: unknown, pick: <T>(...items: T[]) => T): unknown {
  if (typeof value !== 'object' || value === null || pick(false, false, true)) return pick(...values)
  const name = pick(...Object.keys(value))
  return { ...value, [name]: changed((value as Record<string, unknown>)[name], pick) }
}

test('no answer of a device is answered with an error of the service, whatever stands in its place', async () => {
  const { pick } = choicesOfTest()
  const device = openAuthenticator(ORIGIN)
  const people = { database: bank.database, ids: openRecordIds(bank.database) }
  const invited = async () => {
    const { secret } = await invite(people, { name: 'Ada Lovelace', roles: { first: 'viewer' } })
    return device.register((await post('invitation', { invitation: secret })).json.data)
  }
  expect((await post('registration', { response: await invited() })).status).toBe(200)
  for (let time = 0; time < TRIES; time++) {
    const response = changed(device.signIn((await post('challenge', {})).json.data), pick)
    const signed = await post('passkey', { response })
    expect(signed.status, `${JSON.stringify(response)} ${signed.text}`).toBeLessThan(500)
    const made = changed(await invited(), pick)
    const registered = await post('registration', { response: made })
    expect(registered.status, `${JSON.stringify(made)} ${registered.text}`).toBeLessThan(500)
  }
})

test('no header with an organisation opens another one, or is answered with an error of the service', async () => {
  const role = await signIn(bank, { second: 'viewer' })
  const odd = [
    'first',
    'first,second',
    'second,first',
    'FIRST',
    ' first',
    'first%00',
    '%66irst',
    '%',
    '%ff',
    'constructor',
    '__proto__',
    '',
    'a'.repeat(5_000),
  ]
  for (const name of odd) {
    const headers = { 'x-purser-organisation': name }
    const { status, json } = await role.call('GET', '/v0/me', { headers })
    expect([status, json.code], name).toEqual([403, 'forbidden'])
  }
  for (const name of ['second', '%73econd']) {
    const { json } = await role.call('GET', '/v0/me', { headers: { 'x-purser-organisation': name } })
    expect(json.data.organisation.name).toBe('second')
  }
})
