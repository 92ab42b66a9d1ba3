import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Purser } from '../../client/src/index.ts'
import { openTestBank, root, type TestBank } from '../../test/support/harness.ts'
import { runInProcess } from '../../test/support/run/command-line.ts'
import { launchPurser } from '../../test/support/service.ts'

let bank: TestBank
let purser: Purser
let environment: Record<string, string>
let customerId: string

beforeAll(async () => {
  bank = await openTestBank({ own: true })
  const url = await bank.app.listen({ port: 0, host: '127.0.0.1' })
  purser = new Purser({ url, apiKey: bank.key })
  environment = { PURSER_URL: url, PURSER_API_KEY: bank.key }
  for (let made = 0; made < 25; made++) {
    customerId = (await purser.sandbox.customers.create({ name: `Ada ${made}` })).id
  }
  const account = await purser.accounts.create({ customerId }, { headers: { 'x-request-id': 'opening' } })
  await purser.accounts.freeze(account.id, { idempotencyKey: 'freeze-it' })
  await purser.cards.get('9').catch(() => undefined)
})
afterAll(() => bank.close())

/** The lines of JSON that a command prints. */
async function lines(...words: string[]) {
  const { code, stdout, stderr } = await runInProcess(words, { environment })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

describe('events', () => {
  const typesOf = (events: { type: string }[]) => events.map(({ type }) => type)

  test('shows the latest 20, oldest first, as they are in the feed', async () => {
    const shown = await lines('events')
    expect(shown).toEqual((await purser.events.list({ limit: 1000 }).page()).data.slice(-20))
    expect(typesOf(shown).slice(-3)).toEqual(['customer.created', 'account.created', 'account.frozen'])
  })

  test('shows those of a type, a record, a request, and after a number', async () => {
    expect(typesOf(await lines('events', '--types', 'account.*,card.created', '-n', '1'))).toEqual(['account.frozen'])
    expect(typesOf(await lines('events', '--entity', `customer/${customerId}`))).toEqual(['customer.created'])
    expect(typesOf(await lines('events', '--entity', 'account'))).toEqual(['account.created', 'account.frozen'])
    expect(typesOf(await lines('events', '--request', 'opening'))).toEqual(['account.created'])
    expect((await lines('events', '--after', '1')).map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 26 }, (_, at) => at + 2),
    )
    expect((await lines('events', '--after', '0', '--limit', '2')).length).toBe(2)
  })

  test('prints each as it comes, and ends with 130 at Ctrl-C', async () => {
    const words = ['events', '--follow', '--after', '26', '--entity', `customer/${customerId}`]
    const followed = new Promise<void>((resolve) => {
      bank.app.server.on('request', ({ url = '' }) => url.includes(`entityId=${customerId}`) && resolve())
    })
    const none = launchPurser(words, { environment })
    const all = launchPurser(['events', '-f', '--after', '26'], { environment })
    await all.printed(/account\.frozen.*\n/)
    await purser.sandbox.customers.create({ name: 'Grace Sample' })
    await all.printed(/Grace Sample.*\n/)
    expect((await all.stop('SIGINT')).code).toBe(130)
    await followed
    expect(await none.stop('SIGINT')).toMatchObject({ code: 130, stdout: '', stderr: '' })
  })

  test('ends quietly when its reader has seen enough', async () => {
    const command = `node ${root}/bin/purser.js events --after 0 | head -n 1; echo "\${PIPESTATUS[0]}"`
    const env = { PATH: process.env.PATH, ...environment }
    const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', command], { env })
    expect([stdout.split('\n').length, stdout.trimEnd().at(-1), stderr]).toEqual([3, '0', ''])
  })

  test.each([
    [['--entity', 'customer/'], 2, /--entity takes a kind of record and an id/],
    [['--entity', 'nobody/1'], 1, /invalid_request: .*entityType/],
    [['--after', 'now'], 2, /--after takes a sequence number/],
    [['--limit', '0'], 2, /--limit takes a number from 1/],
    [['--follow', '--limit', '3'], 2, /--follow takes no --limit/],
    [['--types', 'a,,b'], 2, /separated by commas/],
  ])('is refused: %j', async (words, code, message) => {
    const exit = await runInProcess(['events', ...words], { environment })
    expect(exit).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) })
  })
})

describe('logs', () => {
  test('shows requests by status, operation, code and idempotency key', async () => {
    const refused = { operation: 'getCard', status: 404, code: 'card_not_found' }
    for (const filter of [
      ['--status', '4xx'],
      ['--operation', 'getCard'],
      ['--code', 'card_not_found'],
    ]) {
      expect((await lines('logs', ...filter)).at(-1)).toMatchObject(refused)
    }
    expect(await lines('logs', '--idempotency-key', 'freeze-it')).toMatchObject([{ operation: 'freezeAccount' }])
    expect((await lines('logs')).length).toBe(20)
    expect((await lines('logs', '--after', '0')).length).toBeGreaterThan(25)
  })

  test('shows the number, the status, the path and the time on a narrow terminal', async () => {
    const { stdout } = await runInProcess(['logs', '--limit', '3'], { environment, columns: 80 })
    expect(stdout).toMatch(/^ *SEQUENCE +STATUS +PATH +AT/)
    expect(stdout).toMatch(/^ *\d+ +\d{3} +\/v0\/\S+ +\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ( |$)/m)
  })

  test('shows one request with its answer and its events, by either id', async () => {
    const [entry] = await lines('logs', '--operation', 'createAccount')
    const [byId] = await lines('logs', entry.id)
    expect(byId).toMatchObject({ requestId: 'opening', events: [expect.stringMatching(/^evt_/)] })
    expect(JSON.parse(byId.request.body)).toEqual({ customerId })
    expect(await lines('logs', 'opening')).toEqual([byId])
    expect(await lines('logs', String(entry.sequence))).toEqual([byId])
    const unknown = await runInProcess(['logs', 'nothing'], { environment })
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringMatching(/no request with the id nothing is kept/) })
    const both = await runInProcess(['logs', 'opening', '--status', '4xx'], { environment })
    expect(both).toMatchObject({ code: 2, stderr: expect.stringMatching(/takes no other option/) })
  })

  test('prints each as it comes, and no request of its own', async () => {
    const following = launchPurser(['logs', '--follow', '--after', '0', '--operation', 'getCustomer'], { environment })
    const reading = async () => {
      await purser.customers.get(customerId)
      expect(following.output()).toContain('getCustomer')
    }
    await vi.waitFor(reading, { timeout: 20_000, interval: 200 })
    expect((await following.stop('SIGINT')).code).toBe(130)
    expect(await lines('logs', '--operation', 'listRequests')).toEqual([])
  })
})
