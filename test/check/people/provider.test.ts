import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../support/harness.ts'
import { until } from '../../support/service.ts'
import { checkPackages } from '../browser/support/browser.ts'

const ORIGIN = 'http://localhost:4000'
let bank: TestBank
let idp: Server
let issuer: string
/** The groups of each account. */
const groups: Record<string, unknown> = {}

const providerOf = (from: string) => ({
  issuer: from,
  clientId: 'purser',
  clientSecret: 'secret-of-purser',
  scope: 'openid profile',
  claim: 'groups',
  roles: [
    { group: 'bank-admins', role: 'administrator', organisation: 'first' },
    { group: 'bank-viewers', role: 'viewer', organisation: 'second' },
  ],
})

beforeAll(async () => {
  idp = createServer().listen(0, '127.0.0.1')
  await once(idp, 'listening')
  issuer = `http://127.0.0.1:${(idp.address() as AddressInfo).port}`
  const { default: Provider } = await import(checkPackages.resolve('oidc-provider'))
  const provider = new Provider(issuer, {
    clients: [
      { client_id: 'purser', client_secret: 'secret-of-purser', redirect_uris: [`${ORIGIN}/session/callback`] },
    ],
    claims: { openid: ['sub'], profile: ['name', 'groups'] },
    conformIdTokenClaims: false,
    findAccount: (_context: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ sub, name: `Name of ${sub}`, groups: groups[sub] }),
    }),
  })
  idp.on('request', provider.callback())
  bank = await openTestBank({ own: true, people: { provider: providerOf(issuer) } })
})
afterAll(async () => {
  await bank?.close()
  idp?.closeAllConnections()
  idp?.close()
})

const get = (path: string, cookie?: string) =>
  bank.call('GET', path, { key: null, headers: { host: 'localhost:4000', ...(cookie && { cookie }) } })

const cookiesOf = (header: unknown) => [header].flat().map((one) => String(one).split(';')[0] ?? '')

/** Begins a sign-in: the address at the provider, and the cookie of the state. */
async function begin() {
  const reply = await get('/session/provider')
  expect(reply.status).toBe(303)
  return { url: String(reply.headers.location), cookie: cookiesOf(reply.headers['set-cookie'])[0] ?? '' }
}

/** Signs an account in at the provider, as its browser would, and returns the path to which it comes back. */
async function atProvider(account: string, start: string): Promise<string> {
  const jar = new Map<string, string>()
  let url = start
  for (let step = 0; step < 12; step++) {
    const prompt = /\/interaction\//.test(url) ? await promptOf(url, jar) : undefined
    const body = prompt && new URLSearchParams({ prompt, login: account, password: 'x' })
    const response = await fetch(url, {
      method: body ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: [...jar.values()].join('; ') },
      ...(body && { body }),
    })
    keep(response, jar)
    const location = response.headers.get('location')
    if (!location) throw new Error(`${response.status} ${await response.text()}`)
    url = new URL(location, url).href
    if (url.startsWith(ORIGIN)) return url.slice(ORIGIN.length)
  }
  throw new Error('the provider leads nowhere')
}

function keep(response: Response, jar: Map<string, string>): void {
  for (const pair of cookiesOf(response.headers.getSetCookie())) jar.set(pair.split('=')[0] ?? '', pair)
}

async function promptOf(url: string, jar: Map<string, string>): Promise<string> {
  const response = await fetch(url, { headers: { cookie: [...jar.values()].join('; ') } })
  keep(response, jar)
  return /name="prompt" value="(\w+)"/.exec(await response.text())?.[1] ?? 'login'
}

async function signIn(account: string) {
  const { url, cookie } = await begin()
  return get(await atProvider(account, url), cookie)
}

async function me(cookie: string | undefined) {
  const { json } = await bank.call('GET', '/v0/me', { key: null, headers: { cookie: cookie ?? '' } })
  return json.data?.person
}

test('a person signs in at the provider with the roles of the groups that the operator has named', async () => {
  groups.ada = ['bank-admins', 'bank-viewers', 'others']
  const reply = await signIn('ada')
  expect([reply.status, reply.headers.location]).toEqual([303, '/console'])
  const [session, state] = [reply.headers['set-cookie']].flat().map(String)
  expect(session).toMatch(/^__Host-purser=prs_ps_[\w-]{43}; Path=\/; Max-Age=43200; Secure; HttpOnly; SameSite=Strict$/)
  expect(state).toBe('__Host-purser-sign-in=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Lax')
  const first = await me(session?.split(';')[0])
  expect(first).toMatchObject({ name: 'Name of ada', role: 'administrator' })
  groups.ada = 'bank-viewers'
  const again = await me(cookiesOf((await signIn('ada')).headers['set-cookie'])[0])
  expect(again).toMatchObject({ id: first.id, organisations: [{ name: 'second', role: 'viewer' }] })
})

test('a group without a role, and a role that a claim names itself, let nobody in', async () => {
  for (const claim of [
    undefined,
    [],
    'administrator',
    ['administrator@first', 'bank-admins@first'],
    { 'bank-admins': true },
    5,
  ]) {
    groups.eve = claim
    expect((await signIn('eve')).status, JSON.stringify(claim)).toBe(403)
  }
})

test('a person whose last group is gone has no role and no session any more', async () => {
  groups.kim = ['bank-admins']
  const session = cookiesOf((await signIn('kim')).headers['set-cookie'])[0]
  const { id } = await me(session)
  groups.kim = []
  expect((await signIn('kim')).json.detail).toContain('None of your groups')
  await expect.poll(() => me(session)).toBeUndefined()
  const [person] = await bank.database.query('select roles from people where id = $1::bigint', [Number(id)])
  expect(person).toEqual({ roles: {} })
})

test('a code is of no use to another browser, a second time, with another state, or without one', async () => {
  groups.bob = ['bank-admins']
  const { url, cookie } = await begin()
  const path = await atProvider('bob', url)
  const other = await begin()
  // The sign-in of the other browser is used up by the attempt, that of the victim is not.
  expect((await get(path, other.cookie)).status).toBe(403)
  expect((await get(path)).status).toBe(403)
  expect((await get(path.replace(/state=[^&]+/, 'state=wrong'), (await begin()).cookie)).status).toBe(403)
  expect((await get(path, cookie)).status).toBe(303)
  expect((await get(path, cookie)).status).toBe(403)
})

test('a sign-in leads to the provider and to the console alone, whatever its address asks for', async () => {
  groups.ivy = ['bank-admins']
  for (const name of ['redirect', 'redirect_uri', 'next', 'return_to', 'url']) {
    const asked = `${name}=${encodeURIComponent('https://evil.example')}&${name}=//evil.example`
    const begun = await get(`/session/provider?${asked}`)
    const url = new URL(String(begun.headers.location))
    expect([url.origin, url.searchParams.get('redirect_uri')]).toEqual([issuer, `${ORIGIN}/session/callback`])
    expect(String(url)).not.toContain('evil')
    const cookie = cookiesOf(begun.headers['set-cookie'])[0]
    const back = await get(`${await atProvider('ivy', String(url))}&${asked}`, cookie)
    if (back.status === 303) expect(back.headers.location).toBe('/console')
    else expect([back.status, back.headers.location]).toEqual([403, undefined])
  }
  const { status, headers } = await bank.call('GET', '/session/provider', {
    key: null,
    headers: { host: 'evil.example' },
  })
  expect([status, headers.location]).toEqual([403, undefined])
})

test('a session that a stranger has planted before is not taken over by a sign-in', async () => {
  groups.joe = ['bank-admins']
  const planted = `__Host-purser=prs_ps_${'x'.repeat(43)}`
  const { url, cookie } = await begin()
  const reply = await get(await atProvider('joe', url), `${planted}; ${cookie}`)
  const [session] = cookiesOf(reply.headers['set-cookie'])
  expect([reply.status, session]).toEqual([303, expect.stringMatching(/^__Host-purser=prs_ps_/)])
  expect(session).not.toBe(planted)
  expect(await me(planted)).toBeUndefined()
  // Two cookies of the state are those of nobody.
  const other = await begin()
  const path = await atProvider('joe', other.url)
  expect((await get(path, `${cookie}; ${other.cookie}`)).status).toBe(403)
})

test('a person who was removed is not let in again', async () => {
  groups.dan = ['bank-admins']
  const session = cookiesOf((await signIn('dan')).headers['set-cookie'])[0]
  const { id } = await me(session)
  await bank.database.query('update people set removed_at = clock_timestamp() where id = $1::bigint', [Number(id)])
  expect((await signIn('dan')).json.detail).toContain('You were removed')
})

test('roles that the groups change, and a sign-in that they refuse, are in the audit log', async () => {
  groups.fay = ['bank-admins']
  const { id } = await me(cookiesOf((await signIn('fay')).headers['set-cookie'])[0])
  groups.fay = ['bank-admins', 'bank-viewers']
  expect((await signIn('fay')).status).toBe(303)
  groups.fay = []
  expect((await signIn('fay')).status).toBe(403)
  groups.fay = ['bank-admins', 'bank-viewers']
  expect((await signIn('fay')).status).toBe(303)
  await bank.database.query('update people set removed_at = clock_timestamp() where id = $1::bigint', [Number(id)])
  groups.fay = ['bank-admins']
  expect((await signIn('fay')).status).toBe(403)
  const entriesOf = async (key: string) => {
    const { json } = await bank.call('GET', '/v0/audit-log?limit=1000', { key })
    // biome-ignore lint/suspicious/noExplicitAny: tests read answers as the JSON they are
    const own = json.data.filter(({ record }: any) => record?.id === id).reverse()
    // biome-ignore lint/suspicious/noExplicitAny: tests read answers as the JSON they are
    return own.map(({ action, actor, detail }: any) => [action, actor.session.address, detail.role, detail.cause])
  }
  const changed = 'The groups at the identity provider have changed'
  const there = await until('the entries are written', async () => {
    const found = await entriesOf(bank.otherKey)
    return found.length === 6 && found
  })
  expect(there).toEqual([
    ['person.roleChanged', '127.0.0.1', 'viewer', changed],
    ['person.signedIn', '127.0.0.1', 'viewer', null],
    ['person.roleChanged', '127.0.0.1', null, changed],
    ['person.roleChanged', '127.0.0.1', 'viewer', changed],
    ['person.signedIn', '127.0.0.1', 'viewer', null],
    ['person.signInRefused', '127.0.0.1', null, 'The person was removed'],
  ])
  expect((await entriesOf(bank.key)).map(([action]: string[]) => action)).toEqual([
    ...['person.roleChanged', 'person.signedIn', 'person.signedIn'],
    ...['person.roleChanged', 'person.roleChanged', 'person.signedIn', 'person.signInRefused'],
  ])
})

test('a page of another site that leads browsers back here does not lock their address out', async () => {
  const people = { provider: providerOf(issuer) }
  const live = await openTestBank({ own: true, mode: 'live', people: { ...people, origin: ORIGIN } })
  const headers = { host: 'localhost:4000' }
  const statuses: number[] = []
  for (let times = 0; times < 12; times++) {
    statuses.push((await live.call('GET', '/session/callback?code=x&state=y', { key: null, headers })).status)
  }
  expect(new Set(statuses)).toEqual(new Set([403]))
  expect((await live.call('GET', '/session/provider', { key: null, headers })).status).toBe(303)
  await live.close()
})

test('an issuer that is another one, or none, is refused', async () => {
  for (const wrong of [`${issuer}/other`, 'http://127.0.0.1:9']) {
    const other = await openTestBank({ own: true, people: { provider: providerOf(wrong) } })
    const reply = await other.call('GET', '/session/provider', { key: null, headers: { host: 'localhost:4000' } })
    expect([reply.status, reply.json.code]).toEqual([503, 'unavailable'])
    await other.close()
  }
})
