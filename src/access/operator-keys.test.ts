import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, root, type TestBank } from '../../test/support/harness.ts'
import { eventsOf, statusWith } from '../../test/support/keys.ts'
import { administer, databaseNamed } from '../../test/support/server.ts'
import { databaseUrl } from '../../test/support/service.ts'

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
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: url,
    PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  }
  return promisify(execFile)(process.execPath, ['bin/run.js', 'scripts/keys.ts', ...args], { cwd: root, env })
    .then(({ stdout, stderr }) => ({ code: 0, stdout, stderr }))
    .catch(({ code, stdout, stderr }) => ({ code, stdout, stderr }))
}

const lines = (text: string) => text.trim().split('\n')

describe('npm run keys', () => {
  test('create makes a full key of the default organisation and prints it once', async () => {
    const { code, stdout } = await keys('create')
    const [key = '', , notice] = lines(stdout)
    expect([code, key]).toEqual([0, expect.stringMatching(/^prs_sk_test_[0-9A-Za-z]{42}$/)])
    const id = /key (\d+) of the organisation default/.exec(notice ?? '')?.[1] ?? ''
    expect(await statusWith(bank, key)).toBe(200)
    expect(await eventsOf(bank, id, 'default')).toMatchObject([
      { type: 'apiKey.created', version: 1, data: { id, scopes: null } },
    ])
    expect((await keys('list')).stdout).not.toContain(key)
  })

  test('create makes the organisation of a new name, and a restricted key where scopes are named', async () => {
    const made = await keys('create', '--organisation', 'Acme', '--name', 'CI', '--scopes', 'rewards:read,keys:write')
    const [key = ''] = lines(made.stdout)
    expect(key).toMatch(/^prs_rk_test_/)
    expect(await statusWith(bank, key)).toBe(403)
    const again = await keys('create', '--organisation', 'Acme', '--name', 'Full')
    const { json } = await bank.call('GET', '/v0/api-keys', { key: lines(again.stdout)[0] ?? '' })
    expect(json.data.map(({ name }: { name: string }) => name)).toEqual(['Full', 'CI'])
  })

  test('list shows the keys of all organisations and their state', async () => {
    const { stdout } = await keys('list')
    const [head = '', ...rows] = lines(stdout)
    expect(head).toMatch(/^ID +ORGANISATION +NAME +SCOPES +STATE +CREATED +EXPIRES +LAST USED$/)
    expect(rows.map((row) => row.split(/ {2,}/)[1])).toEqual(expect.arrayContaining(['first', 'second']))
    expect(rows.every((row) => / (works|revoked|expired) /.test(row))).toBe(true)
  })

  test('revoke ends a key of any organisation once, even the last one', async () => {
    const made = await keys('create', '--organisation', 'Brief')
    const [key = '', , notice = ''] = lines(made.stdout)
    const id = /key (\d+)/.exec(notice)?.[1] ?? ''
    expect(await keys('revoke', id)).toMatchObject({ code: 0, stdout: expect.stringContaining('revoked') })
    expect(await statusWith(bank, key)).toBe(401)
    expect((await eventsOf(bank, id, 'Brief')).map(({ type }) => type)).toEqual(['apiKey.created', 'apiKey.revoked'])
    expect((await keys('list')).stdout).toMatch(new RegExp(`^${id} .* revoked `, 'm'))
    expect(await keys('revoke', id)).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no key') })
  })

  test('a command that is not understood prints the usage and changes nothing', async () => {
    const before = (await keys('list')).stdout
    for (const args of [
      [],
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
      expect([code, stderr], args.join(' ')).toEqual([1, expect.stringMatching(/^purser: /)])
      expect(stderr, args.join(' ')).not.toContain('    at ')
    }
    expect((await keys('list')).stdout).toBe(before)
  }, 120_000)

  test('makes a first key in an empty database', async () => {
    const name = `purser_keys_${process.pid}`
    await administer(bank.server, `create database ${name}`)
    try {
      const { code, stdout } = await keysOn(databaseUrl(databaseNamed(bank.server, name)), 'create')
      expect([code, lines(stdout)[0]]).toEqual([0, expect.stringMatching(/^prs_sk_test_/)])
    } finally {
      await administer(bank.server, `drop database ${name} with (force)`)
    }
  })
})
