import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, root, type TestBank } from '../../support/harness.ts'
import { eventsOf, statusWith } from '../../support/keys.ts'
import { administer, databaseNamed } from '../../support/server.ts'
import { databaseUrl } from '../../support/service.ts'
import { makeAccount } from '../../support/world.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

interface Ended {
  code: number
  stdout: string
  stderr: string
}

/** The command as the operator runs it. */
async function keys(...args: string[]): Promise<Ended> {
  return keysOn(databaseUrl(bank.server), ...args)
}

async function keysOn(url: string, ...args: string[]): Promise<Ended> {
  return operate(['keys', ...args], { DATABASE_URL: url })
}

async function operate(args: string[], settings: Record<string, string>): Promise<Ended> {
  const env = {
    PATH: process.env.PATH,
    PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    ...settings,
  }
  return promisify(execFile)(process.execPath, ['bin/purser.js', ...args], { cwd: root, env })
    .then(({ stdout, stderr }) => ({ code: 0, stdout, stderr }))
    .catch(({ code, stdout, stderr }) => ({ code, stdout, stderr }))
}

const lines = (text: string) => text.trim().split('\n')

describe('purser keys', () => {
  test('create makes a full key of the default organisation and prints it once', async () => {
    const { code, stdout } = await keys('create')
    const { id, key, ...others } = JSON.parse(stdout)
    expect([code, key]).toEqual([0, expect.stringMatching(/^prs_sk_test_[0-9A-Za-z]{42}$/)])
    expect(others).toEqual({ organisation: 'default', name: 'operator', scopes: null })
    expect(await statusWith(bank, key)).toBe(200)
    expect(await eventsOf(bank, id, 'default')).toMatchObject([
      { type: 'apiKey.created', version: 1, data: { id, scopes: null } },
    ])
    expect((await keys('list')).stdout).not.toContain(key)
  })

  test('create makes the organisation of a new name, and a restricted key if scopes are named', async () => {
    const made = await keys('create', '--organisation', 'Acme', '--name', 'CI', '--scopes', 'rewards:read,keys:write')
    const { key } = JSON.parse(made.stdout)
    expect(key).toMatch(/^prs_rk_test_/)
    expect(await statusWith(bank, key)).toBe(403)
    const again = await keys('create', '--organisation', 'Acme', '--name', 'Full')
    const { json } = await bank.call('GET', '/v0/api-keys', { key: JSON.parse(again.stdout).key })
    expect(json.data.map(({ name }: { name: string }) => name)).toEqual(['Full', 'CI'])
  })

  test('list shows the keys of all organisations and their state', async () => {
    const rows = lines((await keys('list')).stdout).map((line) => JSON.parse(line))
    expect(rows.map(({ organisation }) => organisation)).toEqual(expect.arrayContaining(['first', 'second']))
    expect(rows.every(({ state }) => ['works', 'revoked', 'expired'].includes(state))).toBe(true)
    expect(Object.keys(rows[0])).toEqual([
      'id',
      'organisation',
      'name',
      'scopes',
      'state',
      'createdAt',
      'expiresAt',
      'lastUsedAt',
    ])
  })

  test('grant adds scopes to a key, and refuses unknown ones', async () => {
    const { id, key } = JSON.parse((await keys('create', '--scopes', 'rewards:read')).stdout)
    const granted = await keys('grant', id, '--scopes', 'risk:write,banking:read')
    expect([granted.code, JSON.parse(granted.stdout)]).toEqual([
      0,
      { id, scopes: ['banking:read', 'rewards:read', 'risk:write'] },
    ])
    expect(await statusWith(bank, key)).toBe(200)
    for (const [args, code, message] of [
      [['1', '--scopes', 'risk:write'], 1, 'there is no key 1 that works'],
      [[id, '--scopes', 'risk:read'], 2, 'not risk:read'],
      [[id], 2, "required option '--scopes <list>' not specified"],
    ] as const) {
      const ended = await keys('grant', ...args)
      expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(message)])
    }
  })

  test('doctor names the live keys that set limits before the scope for it', async () => {
    const { id, key } = JSON.parse((await keys('create', '--organisation', 'first', '--name', 'App')).stdout)
    const accountId = await makeAccount(bank)
    const limited = await bank.call('PUT', `/v0/banking/accounts/${accountId}/limits`, { key, body: { overdraft: 1 } })
    expect(limited.status).toBe(200)
    await bank.database.query(`update migration set applied_at = clock_timestamp() where name = '0015_ledger'`)
    const env = { DATABASE_URL: databaseUrl(bank.server), PURSER_MODE: 'live', PURSER_ACH: 'instant' }
    const findings = async () => lines((await operate(['doctor'], env)).stdout).map((line) => JSON.parse(line))
    const of = (check: string, all: { check: string }[]) => all.filter((each) => each.check === check)
    expect(of('risk keys', await findings())).toMatchObject([
      { status: 'warning', detail: expect.stringContaining(`the key ${id} (App) of first has set limits`) },
      { status: 'ok', detail: expect.stringContaining('cannot set limits') },
    ])
    await keys('grant', id, '--scopes', 'risk:write')
    expect(of('risk keys', await findings())).toMatchObject([{ status: 'ok' }])
  })

  test('revoke ends a key of any organisation once, even the last one', async () => {
    const made = await keys('create', '--organisation', 'Brief')
    const { id, key } = JSON.parse(made.stdout)
    expect(await keys('revoke', id)).toMatchObject({ code: 0, stdout: `{"id":"${id}","revoked":true}\n` })
    expect(await statusWith(bank, key)).toBe(401)
    expect((await eventsOf(bank, id, 'Brief')).map(({ type }) => type)).toEqual(['apiKey.created', 'apiKey.revoked'])
    const listed = lines((await keys('list')).stdout).map((line) => JSON.parse(line))
    expect(listed.find((each) => each.id === id)).toMatchObject({ organisation: 'Brief', state: 'revoked' })
    expect(await keys('revoke', id)).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no key') })
  })

  test('a command that is not understood prints the usage and changes nothing', async () => {
    const before = (await keys('list')).stdout
    for (const args of [
      ['make'],
      ['list', 'all'],
      ['revoke'],
      ['revoke', '1', '2'],
      ['revoke', 'abc'],
      ['create', 'extra'],
      ['create', '--color', 'red'],
      ['create', '--name', ''],
      ['create', '--name', 'x'.repeat(256)],
      ['create', '--organisation', 'a\u0007b'],
      ['create', '--scopes', ''],
      ['create', '--scopes', 'banking:all'],
    ]) {
      const { code, stderr } = await keys(...args)
      const expected = args[1] === 'abc' ? 1 : 2
      expect([code, stderr], args.join(' ')).toEqual([expected, expect.stringMatching(/^purser: /)])
      expect(stderr, args.join(' ')).not.toContain('    at ')
    }
    expect((await keys('list')).stdout).toBe(before)
  })

  test('makes a first key in an empty database', async () => {
    const name = `purser_keys_${process.pid}`
    await administer(bank.server, `create database ${name}`)
    try {
      const { code, stdout } = await keysOn(databaseUrl(databaseNamed(bank.server, name)), 'create')
      expect([code, JSON.parse(stdout).key]).toEqual([0, expect.stringMatching(/^prs_sk_test_/)])
    } finally {
      await administer(bank.server, `drop database ${name} with (force)`)
    }
  })
})
