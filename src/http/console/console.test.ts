import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { statementStyle } from '../../banking/statements/statement-html.ts'
import { openServer } from '../server.ts'
import { serveConsole } from './console.ts'

let bank: TestBank
let live: TestBank
/** The assets that the page names. */
let assets: string[]

beforeAll(async () => {
  ;[bank, live] = await Promise.all([openTestBank({ own: true }), openTestBank({ own: true, mode: 'live' })])
  assets = [...(await get('/console')).text.matchAll(/(?:src|href)="(\/console\/[^"]*)"/g)].map(([, path = '']) => path)
})
afterAll(() => Promise.all([bank.close(), live.close()]))

/** As a browser asks, for the name that the service is bound to. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  return bank.call(method, path, { key: null, headers: { host: '127.0.0.1:4000', ...headers } })
}

const asset = (end: string) => assets.find((path) => path.endsWith(end)) ?? ''

describe('the page of the console', () => {
  test('is served without a key, in both modes, with a policy that lets it load from this host alone', async () => {
    const host = { host: 'localhost' }
    const { status, headers, text } = await live.call('GET', '/console', { key: null, headers: host })
    expect(status).toBe(200)
    expect(text).toBe((await get('/console')).text)
    const styleHash = createHash('sha256').update(statementStyle).digest('base64')
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self' 'sha256-${styleHash}'; img-src 'self' data: blob:; connect-src 'self'; frame-src blob:; base-uri 'self'; form-action 'none'; frame-ancestors 'none'`,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(text).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|https?:/)
  })

  test('answers for the address of every screen', async () => {
    const { text } = await get('/console')
    const screens = [
      '/',
      '/payments',
      '/payments/1',
      '/records/payment/%2e%2e',
      '/reference/createPayment?x=1',
      '/a/b/c/',
    ]
    for (const screen of screens) {
      const reply = await get(`/console${screen}`)
      expect([reply.status, reply.text], screen).toEqual([200, text])
    }
    expect((await get('/consoles')).status).toBe(404)
  })

  test('is not sent again to a browser that has it', async () => {
    const { headers } = await get('/console')
    const again = await get('/console/payments', { 'if-none-match': String(headers.etag) })
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag])
    expect((await get('/console', { 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('answers HEAD without a body and refuses other methods', async () => {
    const { headers, text } = await get('/console')
    const head = await get('/console', {}, 'HEAD')
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', String(Buffer.byteLength(text))])
    for (const path of ['/console', '/console/payments', asset('.js')]) {
      const post = await get(path, {}, 'POST')
      expect([post.status, post.json.code, post.headers.allow], path).toEqual([405, 'method_not_allowed', 'GET, HEAD'])
    }
    expect(headers.allow).toBeUndefined()
  })

  test('is refused for the name of another host, and for a page of one', async () => {
    const foreign = { host: 'rebound.example' }
    for (const path of ['/console', '/console/payments', asset('.js')]) {
      const { status, json } = await get(path, foreign)
      expect([status, json.code], path).toEqual([403, 'forbidden'])
      expect((await get(path, { origin: 'https://rebound.example' })).status).toBe(403)
    }
    const named = await openTestBank({ host: '0.0.0.0', hosts: ['bank.example'] })
    const statusFor = async (host: string) => (await named.call('GET', '/console', { headers: { host } })).status
    expect([await statusFor('bank.example'), await statusFor('localhost')]).toEqual([200, 403])
    await named.close()
  })
})

describe('the assets of the console', () => {
  test('have their contents in their names, and may be kept for ever', async () => {
    expect(assets).toEqual([
      expect.stringMatching(/^\/console\/assets\/main-[A-Z0-9]{8}\.css$/),
      expect.stringMatching(/^\/console\/assets\/main-[A-Z0-9]{8}\.js$/),
    ])
    for (const [end, type] of [
      ['.js', 'text/javascript'],
      ['.css', 'text/css'],
    ] as const) {
      const { status, headers } = await get(asset(end))
      expect(status).toBe(200)
      expect(headers).toMatchObject({
        'content-type': `${type}; charset=utf-8`,
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        vary: 'Accept-Encoding',
      })
      expect((await get(asset(end), { 'if-none-match': String(headers.etag) })).status).toBe(304)
    }
  })

  test('are compressed as the caller accepts it', async () => {
    const plain = await get(asset('.js'))
    expect(plain.headers['content-encoding']).toBeUndefined()
    const withCoding = (accepted: string) => get(asset('.js'), { 'accept-encoding': accepted })
    const brotli = await withCoding('gzip, deflate, br, zstd')
    expect(brotli.headers['content-encoding']).toBe('br')
    // Not by toEqual, which takes seconds for a megabyte.
    expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true)
    expect(brotli.bytes.length).toBeLessThan(plain.bytes.length / 2)
    const gzip = await withCoding('br;q=0, GZIP;q=0.5')
    expect(gzip.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true)
    expect(new Set([plain, brotli, gzip].map(({ headers }) => headers.etag)).size).toBe(3)
    for (const odd of ['', 'identity', 'br;q=0', '*', ',;,;q=1', 'x'.repeat(10_000)]) {
      expect((await withCoding(odd)).headers['content-encoding'], odd).toBeUndefined()
    }
  })

  test('of the first screen are at most 120 KB of compressed script', async () => {
    const loaded = new Map<string, number>()
    const load = async (path: string): Promise<void> => {
      if (loaded.has(path)) return
      loaded.set(path, 0)
      const { text } = await get(path)
      loaded.set(path, gzipSync(text).length)
      // A screen is loaded by import(…) when it is opened.
      const imported = text.matchAll(
        /(?:^|[;}])\s*(?:import|export)\s?(?:[^'"()]*?from\s?)?["'](\/console\/[^"']+\.js)["']/g,
      )
      await Promise.all([...imported].map(([, name = '']) => load(name)))
    }
    await load(asset('.js'))
    expect(loaded.size).toBeGreaterThan(1)
    expect([...loaded.values()].reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(120_000)
  })

  test('are the only files: no path leads to another one', async () => {
    const paths = [
      'assets',
      'assets/',
      'assets/none.js',
      'assets/index.html',
      'assets/../index.html',
      'assets/../../package.json',
      'assets/..%2f..%2fpackage.json',
      'assets/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
      'assets//etc/passwd',
      'assets/..\\..\\package.json',
      'assets/%00',
      `assets/${'a'.repeat(20_000)}`,
      'assets/__proto__',
      'assets/constructor',
    ]
    const { text } = await get('/console')
    const service = new URL(await bank.app.listen({ port: 0, host: '127.0.0.1' }))
    for (const path of paths) {
      const reply = await getAsWritten(service, `/console/${path}`)
      expect([reply.status, JSON.parse(reply.text).code], path).toEqual([404, 'route_not_found'])
    }
    // Outside of the assets there is the page alone.
    for (const path of ['../package.json', '..%2fpackage.json', '%2e%2e/data/api-key', 'index.html', 'assetsx/a.js']) {
      expect(await getAsWritten(service, `/console/${path}`), path).toEqual({ status: 200, text })
    }
  })
})

/** Sends a path as it is written; a URL would be shortened first. */
async function getAsWritten({ hostname, port }: URL, path: string): Promise<{ status: number; text: string }> {
  const sent = request({ hostname, port, path, agent: false }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, text: await textOf(response) }
}

test('a console that could not be built answers why', async () => {
  const options = { mode: 'sandbox' as const, log: pino({ level: 'silent' }), trustedProxies: [], body: {} as never }
  const { app } = openServer(options)
  const files = () => Promise.reject(new Error('console/main.tsx:1:7: ERROR: Could not resolve "react"'))
  serveConsole(app, { hosts: { boundTo: '127.0.0.1', names: [] }, files })
  const reply = await app.inject({ url: '/console', headers: { host: 'localhost' } })
  expect([reply.statusCode, reply.json().detail]).toEqual([
    503,
    'The console could not be built. console/main.tsx:1:7: ERROR: Could not resolve "react"',
  ])
  await app.close()
})
