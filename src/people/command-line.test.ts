import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { type SignedInPerson, signIn } from '../../test/support/people/sign-in.ts'
import { changeRole, inviteAnew, remove } from './manage-people.ts'

const verifier = 'v'.repeat(43)
const challenge = createHash('sha256').update(verifier).digest('hex')
let bank: TestBank
let ada: SignedInPerson

beforeAll(async () => {
  bank = await openTestBank({ own: true })
})
afterAll(() => bank.close())

/** A request of the command line, which is no browser. */
const post = (name: string, body: unknown, headers: Record<string, string> = {}) =>
  bank.call('POST', `/session/${name}`, { key: null, body, headers })
const begun = async () => {
  ada = await signIn(bank, { first: 'viewer' })
  const { status, json } = await ada.call('POST', '/session/allow', { body: { challenge } })
  expect(status).toBe(200)
  return json.data.code as string
}
const me = (token: string) => bank.call('GET', '/v0/me', { key: token })

describe('a sign-in of the command line', () => {
  test('begins nowhere while nobody could sign in', async () => {
    const { status, json } = await post('login', {})
    expect([status, json.detail]).toEqual([403, expect.stringContaining('purser people invite')])
  })

  test('begins at the console under a name that has passkeys', async () => {
    await signIn(bank, { first: 'viewer' })
    for (const host of ['127.0.0.1:4000', 'localhost:4000', '[::1]:4000']) {
      expect((await post('login', {}, { host })).json.data).toEqual({ console: 'http://localhost:4000' })
    }
    const live = await openTestBank({ own: true, people: { mode: 'live' } })
    await signIn(live, { first: 'viewer' })
    const { status, json } = await live.call('POST', '/session/login', { key: null, body: {} })
    expect([status, json.detail]).toEqual([403, expect.stringContaining('PURSER_CONSOLE_ORIGIN')])
    await live.close()
  })

  test('gives the command line a session of its own, which the person sees and ends', async () => {
    const code = await begun()
    const { status, json, headers } = await post(
      'exchange',
      { code, verifier },
      { 'user-agent': 'purser on a machine' },
    )
    expect([status, headers['set-cookie'], headers['cache-control']]).toEqual([200, undefined, 'no-store'])
    const { token } = json.data
    expect((await me(token)).json.data.person).toMatchObject({ id: String(ada.id), role: 'viewer' })
    const rows = (await ada.call('POST', '/session/list', { body: {} })).json.data
    const own = rows.find(({ kind }: { kind: string }) => kind === 'command')
    expect(own).toMatchObject({ agent: 'purser on a machine', current: false })
    expect((await ada.call('POST', '/session/end', { body: { id: own.id } })).status).toBe(200)
    expect((await me(token)).status).toBe(401)
  })

  test('is refused if the browser that agreed has signed out meanwhile', async () => {
    const code = await begun()
    expect((await ada.call('POST', '/session/end', { body: {} })).status).toBe(200)
    const { status, json } = await post('exchange', { code, verifier })
    expect([status, json.detail]).toEqual([403, expect.stringContaining('has ended meanwhile')])
  })

  test('ends by the command line itself, and leaves the browser signed in', async () => {
    const code = await begun()
    const { token } = (await post('exchange', { code, verifier })).json.data
    expect((await me(token)).status).toBe(200)
    const own = { 'x-service-api-key': token }
    expect((await post('end', {}, own)).status).toBe(200)
    expect((await me(token)).status).toBe(401)
    expect((await post('end', {}, own)).status).toBe(401)
    expect((await ada.call('GET', '/v0/me')).status).toBe(200)
  })

  test('is allowed by a session of a browser alone, from a page of this host', async () => {
    const command = await signIn(bank, { first: 'viewer' }, { kind: 'command' })
    expect((await command.call('POST', '/session/allow', { body: { challenge } })).status).toBe(401)
    expect((await post('allow', { challenge }, { 'sec-fetch-site': 'same-origin' })).status).toBe(401)
    const { token } = await signIn(bank, { first: 'viewer' })
    const cookie = `__Host-purser=${token}`
    for (const headers of [{}, { origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      expect((await post('allow', { challenge }, { cookie, ...headers })).status).toBe(403)
    }
    // A secret of another kind in the header takes the cookie's place, and is no way around.
    const both = { cookie, 'x-service-api-key': command.token }
    expect((await post('allow', { challenge }, both)).status).toBe(401)
    for (const odd of [
      undefined,
      null,
      '',
      'x',
      challenge.toUpperCase(),
      `${challenge}0`,
      [challenge],
      { challenge },
    ]) {
      const own = { cookie, 'sec-fetch-site': 'same-origin' }
      expect((await post('allow', { challenge: odd }, own)).status).toBe(400)
    }
  })
})

describe('a code of the command line', () => {
  const refused = (reply: Awaited<ReturnType<typeof post>>) =>
    expect([reply.status, reply.json.detail]).toEqual([403, expect.stringContaining('Run purser login again')])

  test('works once, also if it is used 20 times together', async () => {
    const code = await begun()
    const replies = await Promise.all(Array.from({ length: 20 }, () => post('exchange', { code, verifier })))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    refused(await post('exchange', { code, verifier }))
  })

  test('is of no use without the verifier, and used up by a guess', async () => {
    for (const wrong of [undefined, null, '', challenge, [verifier], { verifier }, 5]) {
      const code = await begun()
      refused(await post('exchange', { code, verifier: wrong }))
      refused(await post('exchange', { code, verifier }))
    }
  })

  test('of another kind, and one that is no text, is refused', async () => {
    for (const code of [undefined, null, 5, [], {}, '', 'x', ada.token])
      refused(await post('exchange', { code, verifier }))
    const host = { host: 'localhost:4000', origin: 'http://localhost:4000' }
    const { data } = (await post('challenge', {}, host)).json
    refused(await post('exchange', { code: data.challenge, verifier }))
  })

  test('ends after a minute, and when the person is removed or invited anew', async () => {
    const expiry = `update people_ticket set expires_at = clock_timestamp() where person_id = $1::bigint`
    const endings = [
      () => bank.database.query(expiry, [ada.id]),
      () => remove(bank.database, ada.id),
      () => inviteAnew(bank.database, ada.id),
    ]
    for (const end of endings) {
      const code = await begun()
      await end()
      refused(await post('exchange', { code, verifier }))
    }
  })

  test('gives the rights that the person has when they are used', async () => {
    const code = await begun()
    await changeRole(bank.database, { id: ada.id, organisation: 'first', role: null })
    const { token } = (await post('exchange', { code, verifier })).json.data
    expect((await me(token)).status).toBe(403)
    // Without any role, too, one can end the session.
    expect((await post('end', {}, { 'x-service-api-key': token })).status).toBe(200)
  })
})
