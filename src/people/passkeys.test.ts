import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { openAuthenticator } from '../../test/support/people/authenticator.ts'
import { DatabaseUnavailable } from '../database/database.ts'
import { openRecordIds } from '../database/record-ids.ts'
import { invite, inviteAnew, remove } from './manage-people.ts'
import { personOfPasskey } from './passkeys.ts'
import { beginSession } from './sessions.ts'

const ORIGIN = 'http://localhost:4000'
let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank({ own: true })
  // The first attempt would load the library within its time-out.
  await import('@simplewebauthn/server')
})
afterAll(() => bank.close())

const page = { host: 'localhost:4000', origin: ORIGIN, 'sec-fetch-site': 'same-origin' }
const post = (name: string, body: unknown, headers: Record<string, string> = {}) =>
  bank.call('POST', `/session/${name}`, { key: null, body, headers: { ...page, ...headers } })

const invited = (name = 'Ada Lovelace') =>
  invite({ database: bank.database, ids: openRecordIds(bank.database) }, { name, roles: { first: 'reviewer' } })

function cookieIn({ headers }: Awaited<ReturnType<typeof post>>): string {
  return String(headers['set-cookie']).split(';')[0] ?? ''
}

const me = (cookie: string) =>
  bank.call('GET', '/v0/me', { key: null, headers: { cookie, 'sec-fetch-site': 'same-origin' } })

async function registered() {
  const { id, secret } = await invited()
  const device = openAuthenticator(ORIGIN)
  const { data: options } = (await post('invitation', { invitation: secret })).json
  const reply = await post('registration', { response: device.register(options) })
  expect(reply.status).toBe(200)
  return { id, device, secret, cookie: cookieIn(reply), reply }
}

const refusal = (status: number, detail: string) => [status, expect.stringContaining(detail)]
const seen = ({ status, json }: Awaited<ReturnType<typeof post>>) => [status, json?.detail]

describe('an invitation', () => {
  test('lets a person register a passkey once, and signs them in', async () => {
    const { secret, cookie, reply } = await registered()
    expect(String(reply.headers['set-cookie'])).toMatch(
      /^__Host-purser=prs_ps_[\w-]{43}; Path=\/; Max-Age=43200; Secure; HttpOnly; SameSite=Strict$/,
    )
    expect(reply.headers['cache-control']).toBe('no-store')
    expect((await me(cookie)).json.data.person).toMatchObject({ name: 'Ada Lovelace', role: 'reviewer' })
    expect(seen(await post('invitation', { invitation: secret }))).toEqual(refusal(403, 'Ask for a new one'))
  })

  test('works for one of two devices that use it at the same time', async () => {
    const { secret } = await invited()
    // Both have asked for it before either has used it up.
    const asked = await Promise.all([1, 2].map(() => post('invitation', { invitation: secret })))
    const replies = await Promise.all(
      asked.map(({ json }) => post('registration', { response: openAuthenticator(ORIGIN).register(json.data) })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 403])
  })

  test('is refused with the passkey of another person, and takes no transport that is none', async () => {
    const { device } = await registered()
    const register = async (by: typeof device, transports: unknown) => {
      const { secret } = await invited()
      const { json } = await post('invitation', { invitation: secret })
      const made = by.register(json.data)
      return post('registration', { response: { ...made, response: { ...made.response, transports } } })
    }
    expect(seen(await register(device, ['usb']))).toEqual(refusal(403, 'used already'))
    for (const transports of [['\0'], [{}], 'usb', null]) {
      expect((await register(openAuthenticator(ORIGIN), transports)).status, String(transports)).toBe(200)
    }
  })

  test('ends when it has run out, and when the person is removed or invited anew', async () => {
    const endings = [
      (id: number) =>
        bank.database.query('update people_ticket set expires_at = clock_timestamp() where person_id = $1::bigint', [
          id,
        ]),
      (id: number) => remove(bank.database, id),
      (id: number) => inviteAnew(bank.database, id),
    ]
    for (const end of endings) {
      const { id, secret } = await invited()
      await end(id)
      expect((await post('invitation', { invitation: secret })).status).toBe(403)
    }
    for (const odd of [undefined, null, '', 5, { secret: 'x' }, { toString: 1, valueOf: 1 }]) {
      expect((await post('invitation', { invitation: odd })).status).toBe(403)
    }
  })
})

describe('a passkey', () => {
  test('sign-ins that are begun and never ended do not grow without bound, and leave invitations alone', async () => {
    const { secret } = await invited()
    await bank.database.query(
      `insert into people_ticket (hash, kind, content, expires_at)
       select sha256(n::text::bytea), 'passkey', 'null', clock_timestamp() + make_interval(secs => 60 + n / 1000.0)
       from generate_series(1, 10500) n`,
    )
    const device = openAuthenticator(ORIGIN)
    expect(
      (
        await post('registration', {
          response: device.register((await post('invitation', { invitation: secret })).json.data),
        })
      ).status,
    ).toBe(200)
    const [row] = await bank.database.query<{ left: number }>(
      `select count(*)::int as left from people_ticket where kind = 'passkey'`,
    )
    expect(row?.left).toBe(9_999)
    await bank.database.query(`delete from people_ticket where kind = 'passkey'`)
  })

  test.each([
    ['is no text', { toString: 1, valueOf: 1 }],
    ['holds what no id holds', 'a\0b'],
    ['is too long', 'a'.repeat(60_000)],
  ])('is refused if its id %s', async (_what, id) => {
    expect((await post('passkey', { response: { id } })).status).toBe(403)
  })

  const challenge = async () => (await post('challenge', {})).json.data

  test('signs its person in with a session of its own', async () => {
    const { device, cookie: first } = await registered()
    // A cookie that a stranger has set before is not taken over.
    const planted = `__Host-purser=prs_ps_${'x'.repeat(43)}`
    const reply = await post('passkey', { response: device.signIn(await challenge()) }, { cookie: planted })
    expect(reply.status).toBe(200)
    expect([first, planted]).not.toContain(cookieIn(reply))
    expect((await me(cookieIn(reply))).status).toBe(200)
  })

  test('is refused for another origin, a used challenge, and a challenge of another ceremony', async () => {
    const { device } = await registered()
    const wrong = device.signIn(await challenge(), 'https://evil.example')
    expect(seen(await post('passkey', { response: wrong }))).toEqual(refusal(403, 'could not be verified'))
    const otherHost = device.signIn({ ...(await challenge()), rpId: 'evil.example' })
    expect((await post('passkey', { response: otherHost })).status).toBe(403)
    const asked = await challenge()
    expect((await post('passkey', { response: device.signIn(asked) })).status).toBe(200)
    expect((await post('passkey', { response: device.signIn(asked) })).status).toBe(403)
    const { secret } = await invited()
    const { data: other } = (await post('invitation', { invitation: secret })).json
    const crossed = device.signIn({ challenge: other.challenge, rpId: 'localhost' })
    expect((await post('passkey', { response: crossed })).status).toBe(403)
  })

  test('of a copy that counts behind is refused', async () => {
    const { device } = await registered()
    const early = device.signIn(await challenge())
    expect((await post('passkey', { response: device.signIn(await challenge()) })).status).toBe(200)
    expect((await post('passkey', { response: early })).status).toBe(403)
  })

  test('that many try at once keeps nobody else out', async () => {
    const [{ device: stolen }, { device: own }] = [await registered(), await registered()]
    const forged = () => post('passkey', { response: stolen.signIn({ challenge: 'x'.repeat(43), rpId: 'localhost' }) })
    const wanted = await challenge()
    const tries = Array.from({ length: 30 }, forged)
    expect((await post('passkey', { response: own.signIn(wanted) })).status).toBe(200)
    expect(new Set((await Promise.all(tries)).map(({ status }) => status))).toEqual(new Set([403]))
  })

  test('is not blamed if the database is away', async () => {
    const { device } = await registered()
    const broken = new Proxy(bank.database, {
      get: (database, name) =>
        name !== 'query'
          ? Reflect.get(database, name)
          : (text: string, values: unknown[]) => {
              if (text.includes('people_ticket')) throw new DatabaseUnavailable()
              return database.query(text, values)
            },
    })
    const response = device.signIn(await challenge()) as unknown as AuthenticationResponseJSON
    await expect(personOfPasskey(broken, ORIGIN, response)).rejects.toThrow(DatabaseUnavailable)
  })

  test('of a lost device, and of a removed person, signs nobody in and ends their sessions', async () => {
    for (const end of [inviteAnew, remove]) {
      const { id, device, cookie } = await registered()
      await end(bank.database, id)
      expect(seen(await post('passkey', { response: device.signIn(await challenge()) }))).toEqual(
        refusal(403, 'not known'),
      )
      expect((await me(cookie)).status).toBe(401)
    }
  })

  test('that is lost between the check of its signature and the session begins none', async () => {
    const { id, device } = await registered()
    const response = device.signIn(await challenge()) as unknown as AuthenticationResponseJSON
    const signed = await personOfPasskey(bank.database, ORIGIN, response)
    await inviteAnew(bank.database, id)
    const parts = { database: bank.database, ids: openRecordIds(bank.database) }
    const session = beginSession(parts, { ...signed, kind: 'browser', address: '127.0.0.1' })
    await expect(session).rejects.toThrow('has ended meanwhile')
  })

  test('that no device sent is refused', async () => {
    for (const response of [undefined, null, 'x', {}, { id: 'x' }, { id: 'x', response: {} }, []]) {
      expect((await post('passkey', { response })).status).toBe(403)
      expect((await post('registration', { response })).status).toBe(403)
    }
  })
})

describe('the sessions of a person', () => {
  test('are listed and ended by that person alone', async () => {
    const { device, cookie } = await registered()
    const { cookie: stranger } = await registered()
    const data = (await post('challenge', {})).json.data
    const second = cookieIn(await post('passkey', { response: device.signIn(data) }, { 'user-agent': 'Second' }))
    const { json } = await post('list', {}, { cookie })
    expect(json.data).toEqual([
      expect.objectContaining({ agent: 'Second', kind: 'browser', address: '127.0.0.1', current: false }),
      expect.objectContaining({ current: true }),
    ])
    const [{ id }] = json.data
    expect((await post('end', { id }, { cookie: stranger })).status).toBe(200)
    expect((await me(second)).status).toBe(200)
    expect((await post('end', { id }, { cookie })).status).toBe(200)
    expect((await me(second)).status).toBe(401)
    const left = await post('end', {}, { cookie })
    expect(String(left.headers['set-cookie'])).toContain('Max-Age=0')
    expect((await me(cookie)).status).toBe(401)
    expect((await post('list', {}, { cookie })).status).toBe(401)
  })
})

test('a sign-in is refused to pages of other sites and hosts', async () => {
  for (const headers of [
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: 'http://localhost:5000' },
    { host: 'evil.example', origin: 'http://evil.example' },
  ] as Record<string, string>[]) {
    expect((await post('challenge', {}, headers)).status, JSON.stringify(headers)).toBe(403)
  }
  expect((await post('ways', {})).json.data).toEqual({ passkeys: true, keys: true, provider: false, signedIn: false })
  const numbered = { host: '127.0.0.1:4000', origin: 'http://127.0.0.1:4000' }
  expect((await post('ways', {}, numbered)).json.data).toEqual({
    passkeys: false,
    keys: true,
    provider: false,
    signedIn: false,
  })
  expect(seen(await post('challenge', {}, numbered))).toEqual(refusal(403, 'PURSER_CONSOLE_ORIGIN'))
})
