import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { type SignedInPerson, signIn } from '../../test/support/people/sign-in.ts'
import { runInProcess } from '../../test/support/run/command-line.ts'
import { scratchFolder } from '../../test/support/service.ts'

let bank: TestBank
let url: string
let ada: SignedInPerson
let environment: Record<string, string>

beforeAll(async () => {
  bank = await openTestBank({ own: true, signatures: { from: { limits: 0 }, expiryMs: 86_400_000 } })
  url = await bank.app.listen({ port: 0, host: '127.0.0.1' })
  ada = await signIn(bank, { first: 'operator', second: 'administrator' }, { name: 'Ada' })
})
beforeEach(() => {
  environment = { PURSER_URL: url, XDG_CONFIG_HOME: scratchFolder(), PURSER_DATA_DIR: scratchFolder() }
})
afterAll(() => bank.close())

const run = (...words: string[]) => runInProcess(words, { environment })
const file = () => join(environment.XDG_CONFIG_HOME ?? '', 'purser/sessions.json')

interface Begun {
  challenge: string
  state: string
  port: number
  code: string
}

/** Runs `purser login`, and `answer` in place of the browser. */
async function login(answer: (begun: Begun) => Promise<unknown>, ...words: string[]) {
  let answered: Promise<unknown> | undefined
  const written = (text: string) => {
    const shown = JSON.parse(text) as { url: string; code: string }
    const [challenge = '', port, state = ''] = new URL(shown.url).hash.replace('#command=', '').split('.')
    answered = answer({ challenge, port: Number(port), state, code: shown.code })
  }
  const result = await runInProcess(['login', ...words], { environment, written })
  await answered
  return result
}

/** Sends the browser back. */
async function sendBack({ port, state }: Begun, parameters: Record<string, string>) {
  const response = await fetch(`http://127.0.0.1:${port}/?${new URLSearchParams({ state, ...parameters })}`)
  return { status: response.status, text: await response.text() }
}

async function codeOf({ challenge }: Begun, person = ada): Promise<string> {
  return (await person.call('POST', '/session/allow', { body: { challenge } })).json.data.code
}

const allowed = async (begun: Begun) => sendBack(begun, { code: await codeOf(begun) })
const me = async () => JSON.parse((await run('me', 'get')).stdout)

describe('purser login', () => {
  test('keeps a session that this user alone can read, and with which commands act as the person', async () => {
    let shown: string | undefined
    const { code, stderr } = await login((begun) => {
      shown = begun.code
      expect(begun.challenge.toUpperCase()).toContain(begun.code.replace('-', ''))
      return allowed(begun).then(({ status, text }) =>
        expect([status, text]).toEqual([200, expect.stringContaining('signed in')]),
      )
    })
    expect([code, stderr]).toEqual([0, expect.stringContaining(`You are signed in at ${url}`)])
    expect(stderr).toContain(String(shown))
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    expect(await me()).toMatchObject({ person: { name: 'Ada', role: 'operator' }, organisation: { name: 'first' } })
  })

  test('acts in the organisation that is named, and ends an earlier session', async () => {
    await login(allowed)
    const [earlier] = Object.values(JSON.parse(readFileSync(file(), 'utf8'))) as [{ token: string }]
    await login(allowed, '--organisation', 'second')
    expect(await me()).toMatchObject({ organisation: { name: 'second' }, person: { role: 'administrator' } })
    expect((await bank.call('GET', '/v0/me', { key: earlier.token })).status).toBe(401)
    const { stdout } = await run('me', 'get', '--dry-run')
    expect(stdout).toContain('x-purser-organisation: second')
    expect(stdout).not.toContain('prs_ps_')
  })

  test('comes after a key that is given, and is sent to its own address alone', async () => {
    await login(allowed)
    const [{ token }] = Object.values(JSON.parse(readFileSync(file(), 'utf8'))) as [{ token: string }]
    environment.PURSER_API_KEY = bank.key
    expect((await me()).person).toBeUndefined()
    delete environment.PURSER_API_KEY
    environment.PURSER_URL = url.replace('127.0.0.1', '127.0.0.2')
    const elsewhere = await run('me', 'get')
    expect([elsewhere.code, elsewhere.stderr]).toEqual([4, expect.stringContaining('purser login')])
    environment.PURSER_URL = url
    writeFileSync(join(environment.XDG_CONFIG_HOME ?? '', 'purser/profiles.json'), JSON.stringify({ here: { url } }))
    expect(JSON.parse((await run('me', 'get', '--profile', 'here')).stdout).person).toMatchObject({ name: 'Ada' })
    // The console asks the person to sign in there: the secret is in no address.
    expect((await run('open')).stdout).not.toContain(token)
  })

  test('takes a file over that others could read, and one that is spoilt', async () => {
    for (const content of ['{"http://127.0.0.1:1":{"token":"x"}}', 'not JSON', '[]', 'null']) {
      mkdirSync(join(environment.XDG_CONFIG_HOME ?? '', 'purser'), { recursive: true })
      writeFileSync(file(), content)
      chmodSync(file(), 0o644)
      expect((await login(allowed)).code).toBe(0)
      expect(statSync(file()).mode & 0o777).toBe(0o600)
      expect((await me()).person).toMatchObject({ name: 'Ada' })
    }
  })

  test('is not ended by calls of other pages', async () => {
    const { code } = await login(async (begun) => {
      const own = await codeOf(begun)
      for (const parameters of [
        { state: 'x', code: own },
        { state: '', code: own },
      ] as Record<string, string>[]) {
        expect((await sendBack(begun, parameters)).status).toBe(400)
      }
      expect((await fetch(`http://127.0.0.1:${begun.port}/favicon.ico`)).status).toBe(400)
      expect((await sendBack(begun, { code: own })).status).toBe(200)
    })
    expect(code).toBe(0)
  })

  const refusals: [name: string, answer: (begun: Begun) => Promise<unknown>, reason: string][] = [
    ['was refused', (begun) => sendBack(begun, {}), 'was refused in the console'],
    [
      'has a code that was used before',
      async (begun) => {
        const code = await codeOf(begun)
        const exchange = { key: null, body: { code, verifier: 'x' } }
        await bank.call('POST', '/session/exchange', exchange)
        return sendBack(begun, { code })
      },
      'was used before',
    ],
    [
      'has a code that has run out',
      async (begun) => {
        const code = await codeOf(begun)
        await bank.database.query('update people_ticket set expires_at = clock_timestamp()')
        return sendBack(begun, { code })
      },
      'has run out',
    ],
    [
      'has the code of another sign-in',
      async (begun) => {
        return sendBack(begun, { code: await codeOf({ ...begun, challenge: 'a'.repeat(64) }) })
      },
      'Run purser login again',
    ],
  ]
  test.each(refusals)('that %s keeps no session, and says so', async (_name, answer, reason) => {
    let page: unknown
    const { code, stderr } = await login(async (begun) => {
      page = await answer(begun)
    })
    expect([code, stderr]).toEqual([4, expect.stringContaining(reason)])
    expect(page).toEqual({ status: 403, text: expect.stringContaining(reason) })
    expect(existsSync(file())).toBe(false)
  })

  test('says that the service is away, or that nobody could sign in', async () => {
    environment.PURSER_URL = 'http://127.0.0.1:9'
    const away = await run('login')
    expect([away.code, away.stderr]).toEqual([5, expect.stringContaining('nothing answers at http://127.0.0.1:9')])
    const empty = await openTestBank({ own: true })
    environment.PURSER_URL = await empty.app.listen({ port: 0, host: '127.0.0.1' })
    const nobody = await run('login')
    expect([nobody.code, nobody.stderr]).toEqual([4, expect.stringContaining('purser people invite')])
    await empty.close()
  })

  test('with --dry-run prints a request without a secret', async () => {
    expect((await run('login', '--dry-run')).stdout).toContain(`${url}/session/login`)
    await login(allowed)
    const { stdout } = await run('logout', '--dry-run')
    expect(stdout).toContain('"x-service-api-key: $PURSER_API_KEY"')
    expect((await me()).person).toMatchObject({ name: 'Ada' })
  })
})

describe('purser logout', () => {
  test('ends the session at the service, and removes it', async () => {
    await login(allowed)
    const [{ token }] = Object.values(JSON.parse(readFileSync(file(), 'utf8'))) as [{ token: string }]
    expect((await run('logout')).stderr).toContain('You are signed out')
    expect((await bank.call('GET', '/v0/me', { key: token })).status).toBe(401)
    expect(readFileSync(file(), 'utf8')).toBe('{}\n')
    const again = await run('logout')
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('You were not signed in')])
  })

  test('removes a session that has ended, and one whose service is away', async () => {
    await login(allowed)
    await bank.database.query(
      'update people_session set ended_at = clock_timestamp() where ended_at is null and kind = $1',
      ['command'],
    )
    await expect.poll(async () => (await run('me', 'get')).stderr).toContain('your session at')
    expect((await run('logout')).code).toBe(0)
    writeFileSync(file(), JSON.stringify({ 'http://127.0.0.1:9': { token: 'prs_ps_x' } }))
    environment.PURSER_URL = 'http://127.0.0.1:9'
    const { code, stderr } = await run('logout')
    expect([code, stderr]).toEqual([5, expect.stringContaining('ends by itself')])
    expect(readFileSync(file(), 'utf8')).toBe('{}\n')
  })
})

test('Persons sign proposals with commands, and a key is refused with the reason', async () => {
  await login(allowed)
  const bob = { ...environment, XDG_CONFIG_HOME: scratchFolder() }
  const adas = environment
  environment = bob
  const other = await signIn(bank, { first: 'risk' }, { name: 'Bob' })
  await login(async (begun) => sendBack(begun, { code: await codeOf(begun, other) }))
  const by = (own: Record<string, string>) => async (line: string) => {
    const { code, stdout, stderr } = await runInProcess(line.split(' '), { environment: own })
    return [code, stderr || JSON.parse(stdout)]
  }
  const key = await bank.makeKey('first', ['review:write', 'risk:write'])
  const [first, second, third] = [by(adas), by(bob), by({ ...bob, PURSER_API_KEY: key })]
  const { json } = await bank.call('POST', '/v0/sandbox/scenarios', { body: { seed: 1 } })
  const propose = async (cents: number) => {
    const [, { id, state }] = await first(`account-limits set ${json.data.accountId} --overdraft ${cents}`)
    expect(state).toBe('Waiting')
    return id as string
  }
  const refused = [1, expect.stringContaining('second_person_required: A proposal is approved by a person')]
  const id = await propose(500)
  expect(await second('proposals list --state Waiting')).toEqual([0, expect.objectContaining({ id })])
  expect(await first(`proposals approve ${id}`)).toEqual(refused)
  expect(await third(`proposals approve ${id}`)).toEqual(refused)
  expect(await second(`proposals approve ${id} --reason Checked`)).toMatchObject([0, { state: 'Executed' }])
  const withdrawn = await propose(600)
  expect(await second(`proposals withdraw ${withdrawn}`)).toMatchObject([1, expect.stringContaining('not_proposer')])
  expect(await first(`proposals withdraw ${withdrawn}`)).toMatchObject([0, { state: 'Withdrawn' }])
  const rejected = await propose(700)
  expect(await second(`proposals reject ${rejected} --reason Wrong`)).toMatchObject([0, { state: 'Rejected' }])
})
