import { afterAll, beforeAll, expect, test } from 'vitest'
import { Purser } from '../client/src/index.ts'
import * as app from '../examples/invoices/app.js'
import { subjectOf } from '../examples/invoices/storm.js'
import { commandAppFrom } from '../storm/command-app.ts'
import { type TestKind, testFile } from '../storm/test-file.ts'
import { type ActionInput, type Bank, type Life, type StormBank, StormFailure, startPurser, storm } from './index.ts'

let bank: Bank

beforeAll(async () => {
  bank = await startPurser({ environment: { PURSER_ACH: 'windows' } })
})
afterAll(() => bank.stop())

/** An app that takes a returned payment for paid. */
class Forgetful extends app.InvoiceApp {
  override get invoices() {
    return super.invoices.map((invoice) => ({ ...invoice, state: invoice.paymentId ? 'paid' : invoice.state }))
  }
}

test('a sound app survives, and what it met is counted', async () => {
  const { lives, met, seed } = await storm({ ...subjectOf(app), bank, seed: 1, lives: 3 })
  expect({ lives, seed }).toEqual({ lives: 3, seed: 1 })
  expect(met).toContainEqual({ kind: 'actions', met: 'pay invoice, done', times: expect.any(Number) })
  expect(met).toContainEqual({ kind: 'events', met: 'payment.created', times: expect.any(Number) })
})

test('a bug is found, shortened to a story, and found again by the same seed and by a replay', async () => {
  const subject = subjectOf({ ...app, InvoiceApp: Forgetful })
  const broken = () => storm({ ...subject, bank, seed: 2, lives: 20 }).catch((error) => error)
  const [first, second] = [await broken(), await broken()]
  expect(first).toBeInstanceOf(StormFailure)
  expect(first.law).toBe('an invoice is paid exactly when its payment was sent and not returned')
  expect(first.life.steps.length).toBeLessThanOrEqual(3)
  expect(second.life).toEqual(first.life)
  expect(first.message).toMatch(
    /the app does "pay invoice" .*, and answers: (paying|paid)[\s\S]*→ POST [\s\S]*← payment\.created/,
  )
  await expect(storm({ ...subject, bank, replay: first.life })).rejects.toThrow(first.law)
  await expect(storm({ ...subjectOf(app), bank, replay: first.life })).resolves.toMatchObject({ lives: 1 })
})

test('an error of the app’s own start ends the storm at once', async () => {
  const start = () => Promise.reject(new Error('no such module'))
  let lives = 0
  const progress = () => lives++
  await expect(storm({ ...subjectOf(app), start, bank, progress })).rejects.toThrow('no such module')
  expect(lives).toBe(0)
})

test('laws may be answered together, and an error of the app in calm weather is a story, too', async () => {
  const replay = { now: '2026-03-06T14:00:00Z', steps: [] }
  const told = async (own: object) =>
    storm({ ...subjectOf(app), ...own, bank, replay }).then(String, ({ name, message }) => `${name}: ${message}`)
  const story = '\n\nThe life, 0 steps, which begins at 2026-03-06T14:00:00Z:\n'
  const cases: [object, string][] = [
    [{ laws: async () => ({ first: true, second: 'it does not' }) }, 'second: it does not'],
    [{ laws: () => Promise.reject(new Error('500')) }, 'the app answers its laws: Error: 500'],
    [{ laws: { one: () => Promise.reject(new Error('no page')) } }, 'one: Error: no page'],
    [{ calm: () => Promise.reject(new Error('job failed')) }, 'the app does its regular work: Error: job failed'],
  ]
  for (const [own, sentence] of cases)
    expect((await told(own)).trimEnd()).toBe(`StormFailure: ${sentence}${story}`.trimEnd())
})

test('a description of an app that lacks something is refused with a sentence', () => {
  const whole = { start: ['node', 'app.js'], webhooks: '/hooks', laws: '/laws', actions: { pay: '/pay' } }
  expect(commandAppFrom(JSON.stringify(whole))).toEqual(whole)
  const cases: [object, RegExp][] = [
    [{ ...whole, start: 'node app.js' }, /`start` is a list/],
    [{ ...whole, start: [] }, /`start` is a list/],
    [{ ...whole, webhooks: 'hooks' }, /`webhooks` is a path/],
    [{ ...whole, laws: undefined }, /`laws` is a path/],
    [{ ...whole, calm: 1 }, /`calm` is a path/],
    [{ ...whole, clam: '/nightly' }, /`clam` is none of start, webhooks, actions, laws, calm/],
    [{ ...whole, actions: {} }, /`actions` has one or more names/],
    [{ ...whole, actions: { pay: 'pay' } }, /`actions` has one or more names/],
  ]
  for (const [described, message] of cases) expect(() => commandAppFrom(JSON.stringify(described))).toThrow(message)
  expect(() => commandAppFrom('null')).toThrow(/JSON object/)
})

test('a story is a test for Vitest, node:test and pytest, of a module and of a description', () => {
  const life = { now: '2026-03-06T14:00:00Z', steps: [{ do: 'restart' as const }] }
  const text = (kind: TestKind, file: string) => testFile(kind, { law: 'a law', life, file })
  expect(text('vitest', './storm.mjs')).toMatch(/subject } from "\.\/storm.mjs"\n.*from 'vitest'/)
  expect(text('node', './storm.mjs')).toMatch(/from 'node:test'[\s\S]*"restart"[\s\S]*replay: life/)
  expect(text('vitest', './storm.json')).toMatch(
    /from 'vitest'[\s\S]*commandApp\("\.\/storm.json"\)[\s\S]*replay: life/,
  )
  expect(text('pytest', './storm.json')).toMatch(/'--no'[\s\S]*def test_storm[\s\S]*'--replay', '-'/)
})

test('a life ends after its days, and one with a step that does not exist is refused', async () => {
  const [wait, act] = [
    { do: 'wait', by: 'P7D' },
    { do: 'act', action: 'pay invoice', customer: 0, number: 0, amount: 1 },
  ]
  const now = '2026-03-06T14:00:00Z'
  const replay = (days: number, steps: object[]) => ({ now, days, steps: steps as Life['steps'] })
  const subject = { ...subjectOf(app), laws: { never: () => 'told' } }
  const lived = (life: Life) => storm({ ...subject, bank, replay: life }).catch(({ message }) => message)
  expect(await lived(replay(8, [wait, wait, act]))).toMatch(/Fri, 13 Mar 2026 14:00 {2}the app does "pay invoice"/)
  expect(await lived(replay(8, [{ do: 'sleep' }]))).toBe('the storm has no step "sleep"')
})

test('a debit that the app collects is returned until its holder can no longer say that it was not authorized', async () => {
  const now = '2026-06-15T13:00:00Z'
  const invoices = subjectOf(app)
  let purser = bank.purser
  const start = (own: StormBank) => {
    purser = new Purser({ url: own.url, apiKey: own.apiKey })
    return invoices.start(own)
  }
  const link = async (_app: app.InvoiceApp, { customer }: ActionInput) => {
    const [id = ''] = customer.externalAccountIds
    await purser.externalAccounts.startVerification(id, { method: 'Prenote' })
    await purser.externalAccounts.giveMandate(id, {
      authorization: 'Online',
      textVersion: '1',
      authorizedAt: now,
      address: '203.0.113.7',
    })
  }
  const collect = (_app: app.InvoiceApp, { customer: { accountId, externalAccountIds }, amount }: ActionInput) => {
    const debit = { amount, originalType: 'ACH', direction: 'Debit', description: 'Top up' } as const
    return purser.payments.create(accountId, { ...debit, counterpartyAccountId: externalAccountIds[0] ?? '' })
  }
  const act = (action: string) => ({ do: 'act', action, customer: 0, number: 0, amount: 1_000 })
  const steps = [act('link'), { do: 'wait', by: 'P7D' }, act('collect'), { do: 'wait', by: 'P7D' }]
  const replay = { now, days: 90, steps: [...steps, { do: 'return', which: 0, code: 'R02', lastDay: true }] }
  const subject = { ...invoices, start, actions: { link, collect }, laws: { never: () => 'told' } }
  await expect(storm({ ...subject, bank, replay })).rejects.toThrow(
    /returns payment \d+ with R10, on 2026-08-2\d, the last day/,
  )
})
