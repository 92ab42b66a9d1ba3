import type { FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import type { Problem } from '../base/problem.ts'
import { addressFor, type Hosts, hostCheck, hostWarning } from './hosts.ts'

/** The refusal of a request with these headers, or undefined. */
function refusalOf(hosts: Partial<Hosts>, headers: Record<string, string>): Problem | undefined {
  let refusal: Error | undefined
  const check = hostCheck({ boundTo: '127.0.0.1', names: [], ...hosts })
  check({ raw: { headers } } as unknown as FastifyRequest, undefined, (error) => {
    refusal = error
  })
  return refusal as Problem | undefined
}

describe('a service on a loopback address', () => {
  test.each(['127.0.0.1', 'localhost', '::1', '127.0.0.2'])('on %s answers for the names of one', (boundTo) => {
    for (const host of ['localhost', 'LOCALHOST:1', '127.0.0.1:4000', '[::1]', '[::1]:4000']) {
      expect(refusalOf({ boundTo }, { host })).toBeUndefined()
    }
    expect(refusalOf({ boundTo }, { host: boundTo === '::1' ? '[::1]' : boundTo })).toBeUndefined()
  })

  test.each([
    'attacker.example',
    'attacker.example:4000',
    'localhost.attacker.example',
    'attacker@localhost',
    'localhost:4000@attacker.example',
    '127.0.0.1.nip.example',
    '10.0.0.7',
    '[::2]',
    'localhost:',
    'localhost/',
    '',
  ])('refuses the host %j', (host) => {
    expect(refusalOf({}, { host })).toMatchObject({
      status: 403,
      message: expect.stringMatching(/The header Host .* localhost, 127\.0\.0\.1, \[::1\].*PURSER_HOSTS/),
    })
  })

  test('refuses a request without a host', () => {
    expect(refusalOf({}, {})).toMatchObject({ code: 'forbidden' })
  })

  test.each(['http://localhost:3000', 'http://127.0.0.1:4000', 'https://[::1]'])('answers a page of %s', (origin) => {
    expect(refusalOf({}, { host: 'localhost', origin })).toBeUndefined()
  })

  test.each([
    'https://attacker.example',
    'http://localhost.attacker.example',
    'null',
    'chrome-extension://abcdef',
    'http://localhost@attacker.example',
    '',
  ])('refuses a page of %j', (origin) => {
    expect(refusalOf({}, { host: 'localhost', origin })?.message).toMatch(/The header Origin/)
  })

  test('does not believe X-Forwarded-Host, which a page of a stranger can send', () => {
    const headers = { host: 'attacker.example', 'x-forwarded-host': 'localhost', origin: 'http://attacker.example' }
    expect(refusalOf({}, headers)).toMatchObject({ status: 403 })
  })

  test('answers for the names in PURSER_HOSTS, too, as behind a proxy', () => {
    const names = ['bank.example.com']
    expect(refusalOf({ names }, { host: 'bank.example.com' })).toBeUndefined()
    expect(refusalOf({ names }, { host: 'localhost' })).toBeUndefined()
  })
})

describe('a service on another address', () => {
  test('answers for the names in PURSER_HOSTS, on any port', () => {
    const hosts = { boundTo: '0.0.0.0', names: ['bank.example.com', '[fd00::1]'] }
    expect(refusalOf(hosts, { host: 'Bank.example.com:443', origin: 'https://bank.example.com' })).toBeUndefined()
    expect(refusalOf(hosts, { host: '[fd00::1]:4000' })).toBeUndefined()
    expect(refusalOf(hosts, { host: 'localhost' })).toMatchObject({ status: 403 })
  })

  test('answers for no name without PURSER_HOSTS', () => {
    expect(refusalOf({ boundTo: '0.0.0.0' }, { host: 'localhost' })?.message).toMatch(/for no host name yet/)
  })

  test('says at its start that it answers for no name', () => {
    const warning = hostWarning({ boundTo: '0.0.0.0', names: [] })
    expect(warning).toMatch(/^\/console and \/mcp answer for no host name yet: set PURSER_HOSTS/)
    expect(hostWarning({ boundTo: '0.0.0.0', names: ['bank.example.com'] })).toBeUndefined()
    expect(hostWarning({ boundTo: '127.0.0.1', names: [] })).toBeUndefined()
  })
})

test('the printed address has a host name for which the service answers', () => {
  const printed = (boundTo: string, names: string[]) =>
    addressFor('/console', 'http://127.0.0.1:4000', { boundTo, names })?.href
  expect(printed('127.0.0.1', ['bank.example'])).toBe('http://127.0.0.1:4000/console')
  expect(printed('0.0.0.0', ['bank.example', 'other.example'])).toBe('http://bank.example:4000/console')
  expect(printed('0.0.0.0', ['[::1]'])).toBe('http://[::1]:4000/console')
  expect(printed('0.0.0.0', [])).toBeUndefined()
})
