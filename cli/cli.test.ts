import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { spawn as spawnTerminal } from '@lydell/node-pty'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sign } from '../client/src/index.ts'
import { installPackages } from '../test/support/examples/compile.ts'
import { openTestBank, root, version } from '../test/support/harness.ts'
import { runInProcess } from '../test/support/run/command-line.ts'
import {
  endServices,
  preparedDataDir,
  runPurser,
  type Service,
  scratchFolder,
  startService,
} from '../test/support/service.ts'
import { commands } from './commands.ts'
import { dataDirOption } from './operate.ts'

let service: Service
let environment: Record<string, string>

beforeAll(async () => {
  service = await startService({ PURSER_DATA_DIR: await preparedDataDir() })
  environment = { PURSER_URL: service.url, PURSER_API_KEY: service.key }
})
afterAll(endServices)

/** Runs a command and returns its lines of JSON. */
async function lines(...words: string[]) {
  const { code, stdout, stderr } = await runInProcess(words, { environment })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

describe('status', () => {
  test('shows the service, the key, the clock and the laws', async () => {
    const [status] = await lines('status')
    expect(status).toMatchObject({
      address: service.url,
      version,
      mode: 'sandbox',
      providers: { banking: 'builtin', rewards: 'builtin' },
      organisation: { name: 'default' },
      key: { scopes: 'all' },
      clock: { frozen: false },
      laws: { status: expect.stringMatching(/NotRun|Holds/) },
    })
  })

  test('is a few lines on a terminal', async () => {
    const { stdout } = await runInProcess(['status'], { environment, columns: 80 })
    expect(stdout.split('\n').map((line) => line.slice(0, 13).trim())).toEqual([
      ...['service', 'providers', 'organisation', 'key', 'bank time', 'ledger', ''],
    ])
    expect(stdout).toContain(`${service.url}, version ${version}, sandbox mode\n`)
    expect(stdout).toContain('banking: builtin, rewards: builtin\n')
  })

  test('warns of a live bank from which no money leaves', async () => {
    const bank = await openTestBank({ mode: 'live' })
    const live = { PURSER_URL: await bank.app.listen({ port: 0, host: '127.0.0.1' }), PURSER_API_KEY: bank.key }
    const [people, record] = [
      await runInProcess(['status'], { environment: live, columns: 80 }),
      await runInProcess(['status'], { environment: live }),
    ]
    expect(people.stdout).toMatch(/^warning +PURSER_ACH=instant in live mode/m)
    expect(JSON.parse(record.stdout).warnings).toEqual([expect.stringContaining('no money leaves')])
    await bank.close()
  })

  test('says so if nothing runs', async () => {
    const nowhere = { PURSER_URL: '127.0.0.1:1', PURSER_API_KEY: 'sk_12345678' }
    for (const words of [['status'], ['payments', 'list']]) {
      const { code, stdout, stderr } = await runInProcess(words, { environment: nowhere })
      expect({ code, stdout }).toEqual({ code: 5, stdout: '' })
      expect(stderr).toBe(
        'purser: http://127.0.0.1:1 cannot be reached (ECONNREFUSED). `purser start` starts the service; --server names another address\n',
      )
    }
  })

  test('says so if something else answers', async () => {
    const server = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { code, stderr } = await runPurser([
      'status',
      '--server',
      `http://127.0.0.1:${port}`,
      '--api-key',
      'sk_12345678',
    ])
    server.close()
    expect({ code, stderr }).toEqual({
      code: 5,
      stderr: 'purser: the answer is not one of Purser: is this its address?\n',
    })
  })
})

describe('clock', () => {
  test('advances by a duration, to a time and to the next due thing', async () => {
    const [{ now }] = await lines('clock')
    const day = (days: number) => new Date(Date.parse(now) + days * 86_400_000).toISOString().slice(0, 10)
    expect((await lines('clock', 'advance', 'P2D'))[0].now).toContain(day(2))
    expect((await lines('clock', 'to', day(9)))[0].now).toContain(day(9))
    expect(Date.parse((await lines('clock', 'next'))[0].now)).toBeGreaterThanOrEqual(Date.parse(day(9)))
  })

  test('is refused for a time in the past', async () => {
    const { code, stdout, stderr } = await runInProcess(['clock', 'to', '2001-01-01'], { environment })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^purser: \w+: .+\n$/)
  })
})

describe('a command line', () => {
  test.each([
    [['statsu'], /unknown command 'statsu' \(did you mean status\?\)/],
    [['customers', 'create'], /unknown command 'create': `purser sandbox customers create` exists; there are /],
    [['accounts', 'clsoe'], /unknown command 'clsoe'; there are /],
    [['clock', 'advnce', 'P3D'], /unknown command 'advnce' \(did you mean advance\?\)/],
    [['status', '--jsno'], /unknown option '--jsno'\n\(Did you mean --json\?\)/],
    [['clock', 'advance'], /missing required argument 'duration'/],
    [['account-limits', 'set', '1000042'], /replaces everything: name what stays, or --data '\{\}' for nothing/],
    [['status', 'more'], /too many arguments/],
    [['status', '--server', 'ftp://x'], /not an http or https URL/],
    [['keys', 'list', '--server', 'http://127.0.0.1:1'], /purser keys list calls no service and takes no --server/],
    [['--api-key', 'key', 'ach', 'check', 'a.ach'], /purser ach check calls no service and takes no --api-key/],
  ])('that is wrong is refused with exit code 2: %j', async (words, message) => {
    const { code, stdout, stderr } = await runInProcess(words)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
    expect(stderr).toMatch(/^purser: /)
  })

  test.each([
    [['completion', 'powershell'], 'shell takes bash, zsh, fish; not powershell'],
    [['start', '--mode', 'banana'], '--mode takes sandbox, live; not banana'],
    [['clock', 'advance', '3d'], 'duration takes ISO 8601, such as P3D or PT12H; not 3d'],
  ])('with a value that does not exist names those that do: %j', async (words, message) => {
    const { code, stdout, stderr } = await runInProcess(words, { environment })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr.split('\n')[0]).toBe(`purser: ${message}`)
  })

  test('may have the words of other command lines', async () => {
    const inOwnWords = async (...words: string[]) => (await runInProcess(words, { environment, columns: 120 })).stdout
    expect(await inOwnWords('help', 'payments', 'create')).toBe(await inOwnWords('payments', 'create', '--help'))
    expect(await inOwnWords('version')).toBe(await inOwnWords('--version'))
    expect(JSON.parse(await inOwnWords('me', 'get', '-o', 'json'))).toMatchObject({ mode: 'sandbox' })
    await lines('scenario')
    const made = await inOwnWords('payments', 'list', '--status', 'SENT', '--json', '--limit', '1')
    expect(JSON.parse(made)).toMatchObject({ status: 'Sent' })
  })

  test.each([
    [['payments', 'get', '1'], { code: 'payment_not_found', status: 404, exitCode: 1 }],
    [['payments', 'gte', '1'], { message: expect.stringContaining("unknown command 'gte'"), exitCode: 2 }],
    [['status', '--jsno'], { message: expect.stringContaining("unknown option '--jsno'"), exitCode: 2 }],
    [['status', '--server', '127.0.0.1:1'], { message: expect.stringContaining('cannot be reached'), exitCode: 5 }],
  ])('with --json is refused in one line of JSON: %j', async (words, error) => {
    const { code, stderr } = await runInProcess([...words, '--json'], { environment })
    expect(JSON.parse(stderr)).toMatchObject({ error })
    expect(code).toBe(error.exitCode)
  })

  test('of a list shows who at 80 columns', async () => {
    const [{ accountId, cardId }] = await lines('scenario')
    const table = async (...words: string[]) => (await runInProcess(words, { environment, columns: 80 })).stdout
    const [payments, transactions, cards] = await Promise.all([
      table('payments', 'list', '--account-id', accountId),
      table('transactions', 'list', '--account-id', accountId),
      table('cards', 'list', '--account-id', accountId),
    ])
    expect(payments).toContain('Grace Sample')
    expect(transactions).toMatch(/SUMMARY/)
    const [card] = await lines('cards', 'get', cardId)
    expect(cards).toContain(card.last4Digits)
    const { stdout } = await runInProcess(['logs', '--operation', 'listCards'], { environment, columns: 80 })
    expect(stdout).toContain('/v0/banking/cards')
    for (const line of [payments, transactions, cards, stdout].join('').split('\n'))
      expect(line.length).toBeLessThanOrEqual(80)
  })

  test('that asks for help lists an address and a key where they have an effect', async () => {
    for (const { path, isLocal, options = [] } of commands) {
      const { stdout } = await runInProcess([...path.split(' '), '--help'])
      expect([stdout.includes('--server'), stdout.includes('--api-key')], path).toEqual([!isLocal, !isLocal])
      // Every command of the operator's program is local: it reads the settings of the service.
      if (options.includes(dataDirOption)) expect(isLocal, path).toBe(true)
    }
  })

  test('that names a group lists its commands, the common ones first', async () => {
    const { stdout } = await runInProcess(['accounts'])
    expect(
      [...stdout.matchAll(/^ {2}([a-z]+)(?: \[options\])?(?: <[a-z-]+>)* {2,}[A-Z]/gm)].map(([, word]) => word),
    ).toEqual([...['create', 'list', 'get', 'reopen', 'close', 'freeze', 'unfreeze']])
    const all = (await runInProcess(['--help'])).stdout
    expect(all).toMatch(/^ {2}agent +Connects an agent .+: setup$/m)
    expect(all).toMatch(/^ {2}ach +ACH files: check, take/m)
    expect(all).not.toContain('undefined')
  })

  test('that names nothing or a group shows help', async () => {
    const help = await runPurser([])
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toContain('Usage: purser')
    expect((await runPurser(['--version'])).stdout).toBe(`${version}\n`)
  })

  test('with --dry-run prints a curl command without the key and sends nothing', async () => {
    const { code, stdout } = await runPurser(['clock', 'advance', "P1D'$(touch x)", '--dry-run'], { environment })
    expect(code).toBe(0)
    expect(stdout).toContain(`curl -X POST ${service.url}/v0/sandbox/clock/advance \\\n`)
    expect(stdout).toContain('-H "x-service-api-key: $PURSER_API_KEY"')
    expect(stdout).toContain(`-d '{"by":"P1D'\\''$(touch x)"}'`)
    expect(stdout).not.toContain(service.key)
  })

  test('with --dry-run reads the key where the command would', async () => {
    const keyOf = async (words: string[], own: Record<string, string>) => {
      const { stdout, stderr } = await runInProcess(['me', 'get', '--dry-run', ...words], { environment: own })
      return [/x-service-api-key: (.*)" *\\?$/m.exec(stdout)?.[1], stderr.trimEnd()]
    }
    const place = { PURSER_URL: service.url, PURSER_DATA_DIR: join(service.dataDir, '..', 'my data') }
    expect(await keyOf([], place)).toEqual([`$(cat '${place.PURSER_DATA_DIR}/api-key')`, ''])
    expect(await keyOf([], { ...place, PURSER_API_KEY_FILE: 'k' })).toEqual(['$(cat "$PURSER_API_KEY_FILE")', ''])
    expect(await keyOf([], { ...place, PURSER_API_KEY: 'k' })).toEqual(['$PURSER_API_KEY', ''])
    expect(await keyOf(['--api-key', 'k'], place)).toEqual([
      '$PURSER_API_KEY',
      'PURSER_API_KEY stands for the key of --api-key: set it first.',
    ])
  })
})

describe('a profile', () => {
  test('names the address and the key of a service', async () => {
    const folder = scratchFolder()
    const own = { XDG_CONFIG_HOME: folder, PURSER_URL: '127.0.0.1:1', PURSER_API_KEY: 'sk_12345678' }
    const status = (...words: string[]) => runInProcess(['status', ...words], { environment: own })
    expect((await status('--profile', 'staging')).stderr).toMatch(/there is no profile staging .*: write \{"staging": /)
    mkdirSync(join(folder, 'purser'))
    const profiles = {
      staging: { url: service.url, apiKey: service.key },
      wrong: { url: service.url, apiKey: 'sk_another' },
    }
    writeFileSync(join(folder, 'purser/profiles.json'), JSON.stringify(profiles))
    const { code, stdout } = await status('--profile', 'staging')
    expect([code, JSON.parse(stdout).address]).toEqual([0, service.url])
    expect((await status('--profile', 'wrong')).stderr).toContain(
      'does not accept the API key from the profile wrong. ',
    )
    expect((await status('--profile', 'other')).stderr).toContain('it has staging, wrong')
    const local = await runInProcess(['keys', 'list', '--profile', 'staging'], { environment: own })
    expect(local.stderr).toContain('purser keys list calls no service and takes no --profile')
  })
})

describe('init', () => {
  test('writes three files, and replaces one that differs only by force', async () => {
    const cwd = scratchFolder()
    const init = (...words: string[]) => runPurser(['init', ...words], { cwd })
    const { stdout, stderr } = await init()
    const made = stdout.trimEnd().split('\n')
    expect(stderr).toContain('Install purser and purser-client first')
    const [, ...runner] = /Run the test:\n {2}(.+)$/m.exec(stderr)?.[1]?.split(' ') ?? []
    expect(stderr.split('\n').filter((line) => line.length > 80)).toEqual([])
    // Without its packages the test is found, and fails.
    const tested = spawnSync(process.execPath, [...runner, '--test-reporter=tap'], { cwd, encoding: 'utf8' })
    expect(tested.stdout).toContain("Cannot find package 'purser'")
    const names = ['compose.purser.yaml', 'test/purser.test.mjs', 'purser-webhooks.mjs']
    expect(made.map((line) => JSON.parse(line))).toEqual(names.map((file) => ({ file, state: 'written' })))
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    for (const name of names.slice(0, 2)) {
      const text = readFileSync(join(cwd, name), 'utf8').replace(/^#.*\n/gm, '')
      expect(readme).toContain(text)
    }
    writeFileSync(join(cwd, names[2] ?? ''), 'mine')
    expect(await init()).toMatchObject({ code: 1, stderr: expect.stringContaining('is there and differs: --force') })
    expect(readFileSync(join(cwd, names[2] ?? ''), 'utf8')).toBe('mine')
    expect((await init('--force')).stdout).toContain('{"file":"purser-webhooks.mjs","state":"replaced"}')
  })

  test('writes a receiver that takes what is signed, and nothing else', async () => {
    const cwd = scratchFolder()
    await runPurser(['init'], { cwd })
    installPackages(cwd)
    const path = join(cwd, 'purser-webhooks.mjs')
    // A free port, which the receiver prints.
    const text = readFileSync(path, 'utf8').replace('3000, () =>', '0, () =>')
    writeFileSync(path, text.replace("'listening on port 3000'", "'port', server.address().port"))
    const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
    const receiver = spawn(process.execPath, [path], { cwd, env: { PURSER_WEBHOOK_SECRET: secret } })
    const printed = createInterface(receiver.stdout)[Symbol.asyncIterator]()
    const nextLine = async () => String((await printed.next()).value)
    const port = (await nextLine()).replace('port ', '')
    const event = { id: 'evt_1000000_1', type: 'payment.returned' }
    const headers = await sign(event, secret)
    const send = async (body: string) =>
      (await fetch(`http://localhost:${port}/`, { method: 'POST', headers, body })).status
    expect([await send('{}'), await send(JSON.stringify(event))]).toEqual([400, 204])
    expect(await nextLine()).toBe('payment.returned evt_1000000_1')
    receiver.kill()
  })
})

describe('the address', () => {
  test('is that of the service that started last on the data folder', async () => {
    const own = { PURSER_DATA_DIR: service.dataDir }
    const { code, stdout } = await runInProcess(['status'], { environment: own })
    expect([code, JSON.parse(stdout).address]).toEqual([0, service.url])
  })
})

describe('the key', () => {
  test('is read from the data folder of a service on this machine', async () => {
    const folder = scratchFolder()
    mkdirSync(join(folder, 'data'))
    writeFileSync(join(folder, 'data/api-key'), `${service.key}\n`)
    const there = { cwd: folder, environment: { PURSER_URL: service.url } }
    expect(await runPurser(['status'], there)).toMatchObject({ code: 0, stderr: '' })
    const other = await runPurser(['status', '--server', 'https://bank.example'], there)
    expect(other).toMatchObject({ code: 4, stderr: expect.stringContaining('no API key for https://bank.example') })
  })

  test('is named if it is missing or wrong', async () => {
    const server = { PURSER_URL: service.url }
    expect(await runPurser(['status'], { environment: server })).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('/data/api-key; the folder in which the service was started has data/api-key'),
    })
    const wrong = await runPurser(['status', '--api-key', 'sk_another'], { environment: server })
    expect(wrong).toMatchObject({ code: 4, stderr: expect.stringMatching(/^purser: unauthorized: .+\n$/) })
    expect(wrong.stderr).toContain(`${service.url} does not accept the API key from --api-key. `)
    const variable = await runInProcess(['me', 'get'], {
      environment: { ...environment, PURSER_API_KEY: 'sk_another' },
    })
    expect(variable.stderr).toContain('does not accept the API key from PURSER_API_KEY. ')
  })

  test('is read from the file that PURSER_API_KEY_FILE names', async () => {
    const file = join(scratchFolder(), 'key')
    const status = () => {
      const settings = { PURSER_URL: service.url, PURSER_API_KEY_FILE: file }
      return runInProcess(['me', 'get'], { environment: settings })
    }
    expect((await status()).stderr).toContain('PURSER_API_KEY_FILE cannot be read (ENOENT)')
    writeFileSync(file, '\n')
    expect((await status()).stderr).toContain('PURSER_API_KEY_FILE names an empty file')
    writeFileSync(file, `${service.key}\n`)
    expect(await status()).toMatchObject({ code: 0, stderr: '' })
    writeFileSync(file, 'sk_another')
    expect((await status()).stderr).toContain('does not accept the API key from PURSER_API_KEY_FILE. ')
  })
})

test('a refusal names the command that helps, and a command needs no global fetch', async () => {
  // Loading it takes longer than a command takes to run.
  vi.stubGlobal('fetch', () => expect.fail('the global fetch is used'))
  const refused = await runInProcess(['payments', 'get', '999'], { environment })
  vi.unstubAllGlobals()
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(
    /^purser: payment_not_found: There is no payment with this id\. `purser payments create` creates one\. \(request \S+\)\n$/,
  )
})

describe('commands by hand', () => {
  test('get shows a record with related records and actions, and names several of the same id', async () => {
    const [world] = await lines('scenario', '--seed', '3')
    const [looked] = await lines('get', world.paymentId)
    expect(looked).toMatchObject({ type: 'payment', record: { id: world.paymentId } })
    expect(looked.related.length).toBeGreaterThan(0)
    expect(looked.actions.map(({ operation }: { operation: string }) => operation)).toContain('returnPayment')
    expect(looked.history[0]).toMatchObject({ summary: 'Payment created', changes: [{ type: 'payment.created' }] })
    expect(looked.history[0].transfers).toHaveLength(1)
    const { stdout } = await runInProcess(['get', world.paymentId], { environment, columns: 120 })
    expect(stdout).toMatch(/\nHistory\nAT +WHAT +BY\n\S+ +Payment created +\S/)
    const [card] = await lines('get', world.cardId, '--type', 'card')
    expect(card.type).toBe('card')
    const none = await runInProcess(['get', '99999999999'], { environment })
    expect(none).toMatchObject({ code: 1, stdout: '', stderr: 'purser: no record has the id 99999999999\n' })
    expect(await lines('open', world.paymentId, '--type', 'payment')).toEqual([
      { url: `${service.url}/console/records/payment/${world.paymentId}#key=${encodeURIComponent(service.key)}` },
    ])
  })

  test('open leads to the console: with the key of a sandbox, without one if there is none', async () => {
    const fragment = `#key=${encodeURIComponent(service.key)}`
    expect(await lines('open')).toEqual([{ url: `${service.url}/console${fragment}` }])
    const without = await runPurser(['open'], { environment: { PURSER_URL: service.url } })
    expect(without).toMatchObject({ code: 0, stdout: `${JSON.stringify({ url: `${service.url}/console` })}\n` })
    const wrong = await runPurser(['open', '--api-key', 'sk_another'], { environment: { PURSER_URL: service.url } })
    expect(wrong).toMatchObject({ code: 4, stderr: expect.stringContaining('unauthorized') })
  })

  test('api sends typed fields, inner members and lists', async () => {
    const dry = await runInProcess(
      [
        'api',
        'createApiKey',
        '-f',
        'name=x=y',
        '-f',
        'scopes[]=banking:read',
        '-f',
        'scopes[]=events:read',
        '--dry-run',
      ],
      { environment },
    )
    expect(dry.stdout).toContain(`-d '{"name":"x=y","scopes":["banking:read","events:read"]}'`)
    const inner = await runInProcess(
      ['api', 'createFaultRule', '-f', 'match.operation=getMe', '-F', 'effect.delayMs=5', '--dry-run'],
      { environment },
    )
    expect(inner.stdout).toContain(`{"match":{"operation":"getMe"},"effect":{"delayMs":5}}`)
    expect(await lines('api', 'getMe')).toMatchObject([{ mode: 'sandbox' }])
    for (const [words, message] of [
      [['api', 'getMee'], /there is no operation getMee \(did you mean getMe\?\)/],
      [['api', 'getPayment'], /paymentId is missing/],
      [['api', 'getMe', '-f', 'x=1'], /getMe has no field x/],
      [['api', 'createApiKey', '-F', 'name=x'], /-F name is not JSON/],
      [['payments', 'create', '1', '--amount', '20.00'], /it is in cents, 2000 for 20\.00/],
      [['payments', 'create', '1'], /missing --amount, --counterparty-account-id, --description/],
      [['payments', 'create', '1', '--data', '[]'], /--data is no JSON object/],
    ] as const) {
      const { code, stderr } = await runInProcess([...words], { environment })
      expect({ words, code }).toEqual({ words, code: 2 })
      expect(stderr).toMatch(message)
    }
  })

  test('a body comes from a file or standard input, and flags replace its members', async () => {
    const words = ['sandbox', 'customers', 'create', '--data', '-', '--name', 'Ada Example', '--address.city', 'Troy']
    const { stdout } = await runPurser([...words, '--dry-run'], { environment, input: '{"name":"B","phone":"+1"}' })
    expect(stdout).toContain('{"name":"Ada Example","phone":"+1","address":{"city":"Troy"}}')
  })

  test('a repeated idempotency key is answered once and said so', async () => {
    const words = ['sandbox', 'customers', 'create', '--name', 'Ada Example', '--idempotency-key', 'ada-1']
    const first = await runInProcess(words, { environment })
    const second = await runInProcess(words, { environment })
    expect(second.stdout).toBe(first.stdout)
    expect(second.stderr).toContain('An earlier request with this idempotency key had this answer.')
  })

  test('a list follows its pages with --all', async () => {
    expect(await lines('customers', 'list', '--limit', '1')).toHaveLength(1)
    expect((await lines('customers', 'list', '--limit', '1', '--all')).length).toBeGreaterThan(1)
  })

  test('the completions of bash complete commands, flags and values', async () => {
    const { stdout } = await runInProcess(['completion', 'bash'])
    const ask = (...words: string[]) => {
      const list = words.map((word) => `'${word}'`).join(' ')
      const text = `${stdout}\nCOMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _purser; echo "\${COMPREPLY[@]}"`
      return execFileSync('bash', ['-u', '-c', text], { encoding: 'utf8', stdio: 'pipe' }).trim().split(' ')
    }
    expect(ask('purser', 'paym')).toEqual(['payments'])
    expect(ask('purser', 'payments', 'create', '--am')).toEqual(['--amount'])
    expect(ask('purser', 'payments', 'list', '--direction', '')).toEqual(['Credit', 'Debit'])
  })

  test.skipIf(isMissing('zsh'))(`the completions of zsh do the same${remark('zsh')}`, async () => {
    const { stdout } = await runInProcess(['completion', 'zsh'])
    // The shell's own compadd leaves out the words that do not begin with the one at the cursor.
    const ask = (...words: string[]) => {
      const list = words.map((word) => `'${word}'`).join(' ')
      const text = `${stdout}\ncompadd() { shift; print -r -- $@ }; words=(${list}); CURRENT=${words.length}; _purser`
      return execFileSync('zsh', ['-f', '-u', '-c', text], { encoding: 'utf8', stdio: 'pipe' }).trim().split(' ')
    }
    expect(ask('purser', 'paym')).toEqual(expect.arrayContaining(['payments', 'snapshot', '--json']))
    expect(ask('purser', 'payments', 'create', '--am')).toContain('--amount')
    expect(ask('purser', 'payments', 'list', '--direction', '')).toEqual(['Credit', 'Debit'])
  })

  test.skipIf(isMissing('fish'))(`the completions of fish load${remark('fish')}`, async () => {
    const { stdout } = await runInProcess(['completion', 'fish'])
    expect(spawnSync('fish', ['-c', stdout], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
  })
})

function isMissing(shell: string): boolean {
  return spawnSync(shell, ['-c', 'exit']).error !== undefined
}

function remark(shell: string): string {
  return isMissing(shell) ? `: ${shell} is not installed on this machine` : ''
}

describe('attention', () => {
  test('shows what needs a person, as records for programs and with the next command on a terminal', async () => {
    const { code, stdout } = await runInProcess(['attention'], { environment })
    expect(code).toBe(0)
    expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      kind: 'ledgerCheck',
      level: expect.stringMatching(/soon|inOrder/),
    })
    const shown = await runInProcess(['attention'], { environment, columns: 160 })
    expect(shown.stdout).toMatch(/^LEVEL +WHAT +SINCE +NEXT/)
    expect(shown.stdout).toContain('purser api getLedgerVerification')
  })
})

describe('export', () => {
  const file = join(scratchFolder(), 'payments.csv')
  const run = (...words: string[]) => runInProcess(['export', ...words], { environment })

  test('writes a list to a file, with the filters of the list', async () => {
    await lines('scenario', '--seed', '8')
    const { code, stdout, stderr } = await run(
      'payments',
      '--since',
      '2020-01-01',
      '-f',
      'status=Sent',
      '-f',
      'status=Returned',
      '-o',
      file,
    )
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    const text = readFileSync(file, 'utf8')
    expect(stderr).toBe(`Wrote ${file}, ${Buffer.byteLength(text)} bytes.\n`)
    expect(text).toMatch(/^id,type,amount,/)
    const piped = await run('payments', '--limit', '1', '--format', 'jsonl')
    expect(JSON.parse(piped.stdout)).toMatchObject({ id: expect.any(String) })
  })

  test('leaves no file if the list is refused or unknown', async () => {
    const other = join(scratchFolder(), 'nothing.csv')
    const { code, stderr } = await run('paymnts', '-o', other)
    expect(code).toBe(1)
    expect(stderr).toContain('There is no list with this name')
    expect((await run('payments', '-f', 'state=x', '-o', other)).stderr).toContain('state is not known')
    expect([existsSync(other), existsSync(`${other}.part`)]).toEqual([false, false])
  })

  test('fails if the connection ends in the middle, and leaves no file', async () => {
    const other = join(scratchFolder(), 'cut.csv')
    const cutting = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/csv' })
      response.write('id,type\r\n', () => response.destroy())
    }).listen(0, '127.0.0.1')
    await once(cutting, 'listening')
    const { port } = cutting.address() as AddressInfo
    const { code, stderr } = await run('payments', '-o', other, '--server', `http://127.0.0.1:${port}`)
    cutting.close()
    expect([code, stderr]).toEqual([5, 'purser: the connection ended before the export was complete\n'])
    expect([existsSync(other), existsSync(`${other}.part`)]).toEqual([false, false])
  })
})

describe('campaign-offers import', () => {
  const file = join(scratchFolder(), 'campaign-offers.jsonl')
  const offer = (own: object) => JSON.stringify({ title: 'Cash back', amount: 100, ...own })
  const run = (campaign: string) => runInProcess(['campaign-offers', 'import', campaign, file], { environment })
  let campaign: string

  beforeAll(async () => {
    const [made] = await lines('campaigns', 'create', '--name', 'Import')
    campaign = made.id
  })

  test('adds each offer of a file, and imported again none twice', async () => {
    writeFileSync(file, `${offer({ merchantName: 'Osprey Tea' })}\n\n${offer({ merchantName: 'Heron Tea' })}\n`)
    const made = await run(campaign)
    expect(made).toMatchObject({ code: 0, stderr: '' })
    const shown = made.stdout.trimEnd().split('\n')
    const offers = await lines('campaign-offers', 'list', '--campaign-id', campaign)
    expect(offers.map(({ merchantName }) => merchantName).toSorted()).toEqual(['Heron Tea', 'Osprey Tea'])
    expect(shown.map((line) => JSON.parse(line).line)).toEqual([1, 3])
    expect(await run(campaign)).toEqual(made)
    expect(await lines('campaign-offers', 'list', '--campaign-id', campaign)).toHaveLength(2)
  })

  test('names the lines that were refused, and sends nothing of a file that cannot be read', async () => {
    writeFileSync(file, `${offer({ amount: 0, merchantName: 'Crane Tea' })}\n${offer({ merchantName: 'Ibis Tea' })}\n`)
    const { code, stdout, stderr } = await run(campaign)
    expect([code, stderr]).toEqual([1, '1 of 2 offers were refused.\n'])
    const [refused, added] = stdout.trimEnd().split('\n')
    expect(JSON.parse(refused ?? '')).toMatchObject({ line: 1, problem: 'invalid_request', detail: /amount/ })
    expect(JSON.parse(added ?? '')).toEqual({ line: 2, id: expect.any(String) })
    writeFileSync(file, `${offer({ merchantName: 'Egret Tea' })}\n{\n`)
    expect(await run(campaign)).toMatchObject({ code: 2, stdout: '', stderr: /line 2 is not JSON/ })
    expect(await lines('campaign-offers', 'list', '--campaign-id', campaign)).toHaveLength(3)
    writeFileSync(file, '\n')
    expect(await run(campaign)).toMatchObject({ code: 2, stderr: /has no offer/ })
    writeFileSync(file, offer({ merchantName: 'Egret Tea' }))
    expect(await run('9')).toMatchObject({ code: 1, stdout: /campaign_not_found/ })
    expect(await run('')).toMatchObject({ code: 2, stdout: '', stderr: 'purser: campaign-id is missing\n' })
  })
})

describe('payments batch', () => {
  const head = 'accountId,counterpartyAccountId,amount,description'
  const file = join(scratchFolder(), 'payments.csv')
  const run = (options: string[] = [], columns?: number) =>
    runInProcess(['payments', 'batch', '--file', file, ...options], { environment, ...(columns && { columns }) })
  let row: string

  beforeAll(async () => {
    const [world] = await lines('scenario', '--seed', '7')
    row = `${world.accountId},${world.externalAccountId}`
  })

  test('makes each payment of a file, and sent again under its key none twice', async () => {
    writeFileSync(file, `${head},addenda\n${row},100,Rent,\n${row},200,Food,"a, b"\n`)
    const made = await run(['--idempotency-key', 'november'])
    expect(made).toMatchObject({ code: 0, stderr: '' })
    const records = made.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(records).toMatchObject([
      { item: 1, idempotencyKey: 'november/0', status: 201, payment: { amount: 100, description: 'Rent' } },
      { item: 2, idempotencyKey: 'november/1', status: 201, payment: { amount: 200 } },
    ])
    expect((await run(['--idempotency-key', 'november'])).stdout).toBe(made.stdout)
    const [accountId, counterpartyAccountId] = row.split(',')
    const payment = { accountId, counterpartyAccountId, originalType: 'ACH', amount: 100, description: 'Rent' }
    const piped = await runPurser(['payments', 'batch', '--file', '-', '--idempotency-key', 'november'], {
      environment,
      input: JSON.stringify([payment]),
    })
    expect(piped).toMatchObject({ code: 0, stdout: `${made.stdout.split('\n')[0]}\n`, stderr: '' })
  })

  test('shows a terminal the payments that were not made first, with the reason and how to send them again', async () => {
    writeFileSync(file, `${head}\n${row},100,Rent\n${row},999999999,Castle\n`)
    const { code, stdout, stderr } = await run(['--idempotency-key', 'castle'], 120)
    expect(code).toBe(1)
    const [heading, ...rows] = stdout.trimEnd().split('\n')
    expect(heading?.split(/ {2,}/).map((word) => word.trim())).toEqual([
      'ITEM',
      'OUTCOME',
      'AMOUNT',
      'PAYMENT',
      'PROBLEM',
    ])
    expect(rows[0]).toMatch(/^ +2 {2}Refused +9999999\.99 {2,}insufficient_funds: /)
    expect(rows[1]).toMatch(/^ +1 {2}Sent +1\.00 {2}\d+$/)
    expect(stderr).toBe(
      '1 of 2 payments was made. To send the list again, without paying twice, add --idempotency-key castle\n',
    )
  })

  test('sends more than a thousand payments in several requests', async () => {
    const none = { accountId: '9', counterpartyAccountId: '9', amount: 1, description: 'x', originalType: 'ACH' }
    writeFileSync(file, JSON.stringify(Array.from({ length: 1_001 }, () => none)))
    const { code, stdout, stderr } = await run()
    const last = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')
    expect(last).toMatchObject({ item: 1_001, status: 404, problem: { code: 'account_not_found' } })
    expect(last.idempotencyKey).toMatch(/^[\w-]+\/1000$/)
    expect(code).toBe(1)
    expect(stderr).toContain('0 of 1001 payments were made.')
  })

  test('sends nothing of a list that cannot be read, and names the line', async () => {
    writeFileSync(file, `${head}\n${row},25.00,Rent\n`)
    expect(await run()).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: `purser: ${file}: line 2: amount is in cents, 2500 for 25.00; not "25.00"\n`,
    })
    expect(await run(['--idempotency-key', 'a b'])).toMatchObject({ code: 2, stderr: /--idempotency-key takes/ })
    const missing = await runInProcess(['payments', 'batch', '--file', `${file}.none`], { environment })
    expect(missing).toMatchObject({ code: 1, stderr: /ENOENT/ })
    expect((await runInProcess(['payments', 'batch'], { environment })).code).toBe(2)
  })

  test('is worth a retry if the service does not answer, and names the key', async () => {
    writeFileSync(file, `${head}\n${row},100,Rent\n`)
    const nowhere = { ...environment, PURSER_URL: '127.0.0.1:1' }
    const words = ['payments', 'batch', '--file', file, '--idempotency-key', 'again']
    const { code, stderr } = await runInProcess(words, { environment: nowhere })
    expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringContaining('add --idempotency-key again') })
  })

  test.each([
    [5, { unavailable: 503, idempotency_in_progress: 409 }],
    [1, { unavailable: 503, insufficient_funds: 422 }],
    [1, { insufficient_funds: 422, account_not_found: 404 }],
  ])('exits with %i where two payments fail with %j', async (exit, problems) => {
    writeFileSync(file, `${head}\n${row},100,Rent\n${row},200,Food\n`)
    const data = Object.entries(problems).map(([code, status]) => ({ status, problem: { code, status, detail: code } }))
    const server = createServer((_request, response) => response.end(JSON.stringify({ data }))).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const words = ['payments', 'batch', '--file', file, '--server', `http://127.0.0.1:${port}`]
    expect((await runInProcess(words, { environment })).code).toBe(exit)
    server.closeAllConnections()
    server.close()
  })
})

describe('the process', () => {
  test('a reader that leaves is no fault', () => {
    const line = `"${process.execPath}" "${join(root, 'bin/purser.js')}" api | head -n 1; echo "\${PIPESTATUS[0]}"`
    const { stdout, stderr } = spawnSync('bash', ['-c', line], { encoding: 'utf8' })
    expect({ lines: stdout.trim().split('\n').length, stderr }).toEqual({ lines: 2, stderr: '' })
    expect(stdout).toMatch(/\n0\n$/)
  })

  test('Ctrl-C on a terminal ends a command that waits, with exit code 130', async () => {
    const server = createServer(() => undefined).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const terminal = onTerminal(['status', '--server', `http://127.0.0.1:${port}`, '--api-key', 'sk_12345678'])
    await once(server, 'connection')
    terminal.pty.write('\u0003')
    expect(await terminal.exit).toBe(130)
    server.closeAllConnections()
    server.close()
  })

  test('says what a checkout without its development packages needs', () => {
    const checkout = scratchFolder()
    for (const path of ['bin/purser.js', 'bin/bundle.js', 'cli/main.ts']) {
      mkdirSync(join(checkout, dirname(path)), { recursive: true })
      copyFileSync(join(root, path), join(checkout, path))
    }
    const { status, stderr } = spawnSync(process.execPath, [join(checkout, 'bin/purser.js'), 'start'], {
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'purser: a checkout needs its development packages: run npm ci, without --omit=dev\n',
    })
  })

  test('a terminal gets a table in its width with dollars, and colours unless NO_COLOR', async () => {
    await lines('scenario')
    const shown = onTerminal(['accounts', 'list', '--limit', '100'], { cols: 60, environment })
    expect(await shown.exit).toBe(0)
    const [head = '', ...rows] = plain(shown.text()).trimEnd().split(/\r?\n/)
    expect(head).toMatch(/^ID +STATUS +NAME +AVAILABLE/)
    expect(rows.pop()).toMatch(/^Not shown for lack of width: (\w+, )*CREATED AT, .*\. --json prints all members\.$/)
    for (const row of rows) expect(row.length).toBeLessThanOrEqual(60)
    expect(shown.text()).toContain('\u001b[1m')
    const bare = onTerminal(['accounts', 'list'], { environment: { ...environment, NO_COLOR: '1' } })
    expect(await bare.exit).toBe(0)
    expect(bare.text()).not.toContain('\u001b[1m')
    expect(bare.text()).toMatch(/\d\.\d\d\b/)
  })
})

/** Runs a command on a pseudo-terminal. */
function onTerminal(words: string[], { cols = 100, environment = {} as Record<string, string> } = {}) {
  const program = [join(root, 'bin/purser.js'), ...words]
  const pty = spawnTerminal(process.execPath, program, {
    ...{ cols, rows: 40, cwd: scratchFolder() },
    env: { PATH: process.env.PATH ?? '', ...environment },
  })
  let text = ''
  pty.onData((data) => {
    text += data
  })
  const exit = new Promise<number>((ended) => pty.onExit(({ exitCode }) => ended(exitCode)))
  return { pty, exit, text: () => text }
}

/** A text without the codes of colours. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes begin with one
  return text.replace(/\u001b\[[\d;]*m/g, '')
}
