import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { openTestBank, type TestBank } from '../../support/harness.ts'

const HOST = 'localhost:4000'
const KEYS_ARE_READ_AGAIN_MS = 61_000

interface SigningKey {
  kid: string
  privateKey: KeyObject
  publicKey: KeyObject
}

let bank: TestBank
let idp: Server
let issuer: string
/** The keys that the provider publishes. */
let published: SigningKey[]
/** The token with which the provider answers the next code. */
let idToken = ''

function signingKey(kid: string): SigningKey {
  return { kid, ...generateKeyPairSync('rsa', { modulusLength: 2048 }) }
}

beforeAll(async () => {
  published = [signingKey('first')]
  idp = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answerTo(request.url ?? '')))
  }).listen(0, '127.0.0.1')
  await once(idp, 'listening')
  issuer = `http://127.0.0.1:${(idp.address() as AddressInfo).port}`
  const roles = [{ group: 'staff', role: 'viewer', organisation: 'first' }]
  const provider = {
    ...{ issuer, clientId: 'purser', clientSecret: 'secret-of-purser', scope: 'openid', claim: 'groups', roles },
  }
  bank = await openTestBank({ own: true, people: { provider } })
})
afterEach(() => {
  vi.useRealTimers()
})
afterAll(async () => {
  await bank?.close()
  idp?.closeAllConnections()
  idp?.close()
})

function answerTo(path: string): unknown {
  if (path === '/keys') {
    return {
      keys: published.map(({ kid, publicKey }) => ({ ...publicKey.export({ format: 'jwk' }), kid, use: 'sig' })),
    }
  }
  if (path === '/token') return { access_token: 'x', token_type: 'bearer', id_token: idToken }
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    id_token_signing_alg_values_supported: ['RS256'],
  }
}

const encoded = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')

function signed(claims: object, { kid, privateKey }: SigningKey, alg = 'RS256'): string {
  const text = `${encoded({ alg, kid })}.${encoded(claims)}`
  if (alg === 'none') return `${text}.`
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`
}

const get = (path: string, cookie?: string) =>
  bank.call('GET', path, { key: null, headers: { host: HOST, ...(cookie && { cookie }) } })

/** Signs in with a token whose good claims `change` replaces; returns the status of the answer. */
async function signInWith(change: Record<string, unknown> = {}, key = published[0] as SigningKey, alg?: string) {
  const begun = await get('/session/provider')
  const asked = new URL(String(begun.headers.location)).searchParams
  const now = Math.floor(Date.now() / 1_000)
  const claims = { iss: issuer, sub: 'ada', aud: 'purser', iat: now, exp: now + 60, nonce: asked.get('nonce') }
  idToken = signed({ ...claims, groups: ['staff'], ...change }, key, alg)
  const cookie = String(begun.headers['set-cookie']).split(';')[0]
  return (await get(`/session/callback?code=x&state=${asked.get('state')}`, cookie)).status
}

const ago = (seconds: number) => Math.floor(Date.now() / 1_000) - seconds
const refused: [what: string, change: () => Record<string, unknown>][] = [
  ['another nonce', () => ({ nonce: 'another' })],
  ['no nonce', () => ({ nonce: undefined })],
  ['another audience', () => ({ aud: 'another' })],
  ['a second audience that it was issued to', () => ({ aud: ['purser', 'another'], azp: 'another' })],
  ['no audience', () => ({ aud: undefined })],
  ['another issuer', () => ({ iss: 'https://evil.example' })],
  ['a time that is over', () => ({ iat: ago(7_200), exp: ago(3_600) })],
  ['no end', () => ({ exp: undefined })],
  ['a time that has not begun', () => ({ nbf: ago(-3_600) })],
  ['no subject', () => ({ sub: undefined })],
  ['a subject that holds a control character', () => ({ sub: 'ada\0' })],
]

test.each(refused)('a token with %s lets nobody in', async (_what, change) => {
  expect(await signInWith()).toBe(303)
  expect(await signInWith(change())).toBe(403)
})

const names: [given: unknown, kept: string][] = [
  ['Ada Lovelace', 'Ada Lovelace'],
  ['Ada\0\u001b[31m \ud800Lovelace', 'Ada  [31m  Lovelace'],
  ['Ada \u202eecarG', 'Ada  ecarG'],
  ['\u0007 ', 'ada'],
  ['👩'.repeat(300), '👩'.repeat(255)],
  [{ toString: 1 }, 'ada'],
  [undefined, 'ada'],
]

test.each(names)('a person whose name is %j is kept as %j', async (name, kept) => {
  expect(await signInWith({ name })).toBe(303)
  expect(await bank.database.query('select name from people')).toEqual([{ name: kept }])
})

test('a token that the provider has not signed lets nobody in', async () => {
  const [own] = published as [SigningKey]
  expect(await signInWith({}, own, 'none')).toBe(403)
  expect(await signInWith({}, { ...signingKey('first'), kid: own.kid })).toBe(403)
  expect(await signInWith({}, signingKey('unknown'))).toBe(403)
})

test('a new key of the provider works when the keys are read again, and the former one does not', async () => {
  const [former] = published as [SigningKey]
  expect(await signInWith()).toBe(303)
  const next = signingKey('second')
  published = [next]
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + KEYS_ARE_READ_AGAIN_MS })
  expect(await signInWith({}, next)).toBe(303)
  expect(await signInWith({}, former)).toBe(403)
})
