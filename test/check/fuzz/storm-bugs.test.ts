import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { subjectOf } from '../../../examples/invoices/storm.js'
import { type Bank, StormFailure, startPurser, storm } from '../../../testing/index.ts'
import { root } from '../../support/harness.ts'
import { seedOfTest } from '../../support/random.ts'

/** Bugs that teams have, each as a change of the sample app: what it says, and what it says instead. */
const bugs: Record<string, readonly [said: string, instead: string]> = {
  'a transaction counts as often as its webhook comes': [
    'this.#store.entries.set(id,',
    'this.#store.entries.set(id + this.#store.entries.size,',
  ],
  'an answer overwrites what a webhook said before': [
    'stateAfter(await this.#purser.payments.get(payment.id))',
    'stateAfter(payment)',
  ],
  'a return after Sent is ignored': [
    'if (invoice.paymentId === payment.id) invoice.state',
    "if (invoice.paymentId === payment.id && invoice.state !== 'paid') invoice.state",
  ],
  'a second try has a key of its own': ['idempotencyKey: `invoice-', 'idempotencyKey: performance.now() + `invoice-'],
  'cents are dollars with a fraction': [
    'cents += entry.cents\n    }\n    return cents',
    'cents += entry.cents / 100\n    }\n    return cents * 100',
  ],
  'months are those of New York': [
    'createdAt.slice(0, 7)',
    'new Date(Date.parse(createdAt) - 5 * 3_600_000).toISOString().slice(0, 7)',
  ],
  'the first page of transactions counts as all': [
    'for await (const transaction of this.#purser.transactions.list({ accountId }))',
    'for (const transaction of (await this.#purser.transactions.list({ accountId }).page()).data)',
  ],
  'a 503 counts as a refusal': ['error.status >= 429', 'error.status === 429'],
  'a 429 counts as a refusal': ['error.status >= 429', 'error.status > 429'],
  'an answer that is lost counts as a refusal': ['isConnectionError(error) || isPassing', 'isPassing'],
  'an open request under the same key counts as a refusal': ["|| error.code === 'idempotency_in_progress'", ''],
  'a freeze does not reach the cache': [
    "type.startsWith('account.')",
    "type.startsWith('account.') && type !== 'account.frozen'",
  ],
  'an account stays open after its closing': [
    "type.startsWith('account.')",
    "type.startsWith('account.') && type !== 'account.closed'",
  ],
  'a reward is kept that was clawed back': ["type.startsWith('reward.')", "type === 'reward.created'"],
  'a reward counts for each of its events': ['rewards.set(reward.id,', 'rewards.set(this.#store.rewards.size,'],
  'a restart forgets the transactions': [
    'this.#store = store',
    'this.#store = Object.assign(new Store(), { invoices: store.invoices, accounts: store.accounts })',
  ],
  'what is not decided is never tried again': [
    "if (invoice.state === 'new') await",
    "if (invoice.state === 'never') await",
  ],
  'a payment that is clearing is paid': ["Clearing: 'paying'", "Clearing: 'paid'"],
  'a payment that was rejected is paid': ["Rejected: 'returned'", "Rejected: 'paid'"],
  'two transactions of one time are one': ['entries.set(id,', 'entries.set(createdAt,'],
  'a webhook that fails is taken': ['isWebhookError(error) ? 400 : 500', '204'],
  'a second try says something else': [
    'description: `Invoice ',
    'description: (Math.round(performance.now()) % 1_000) + ` In. ',
  ],
  'an event is known by its type and its record': [
    'const { type, data } = event',
    'const { type, data } = event; this.seen ??= new Set(); if (this.seen.has(type + data.id)) return; this.seen.add(type + data.id)',
  ],
  'an invoice is archived three days after its payment': [
    'if (invoice.paymentId === payment.id) invoice.state',
    'if (invoice.paymentId === payment.id && Date.parse(event.createdAt) - Date.parse(payment.createdAt) < 3 * 86_400_000) invoice.state',
  ],
  'a frozen account books nothing': [
    '    const month = createdAt',
    "    if (this.#store.accounts.get(accountId) === 'Frozen') return\n    const month = createdAt",
  ],
  'a payment is known by its amount': ['invoice.paymentId === payment.id', 'invoice.amount === payment.amount'],
}

const names = Object.keys(bugs)
/** Three that are found quickly; all of them in the soak. */
const chosen = process.env.SOAK ? names : names.filter((_, at) => [0, 4, 6].includes(at))
const BUDGET_MS = 300_000
const MOST_STEPS = 8

let bank: Bank
let folder: string
beforeAll(async () => {
  bank = await startPurser({ environment: { PURSER_ACH: 'windows' } })
  folder = mkdtempSync(join(tmpdir(), 'purser-bugs-'))
})
afterAll(async () => {
  await bank?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The life that broke a law first, and the steps of its story. Undefined if the bug was not found. */
async function searchFor(name: string, seed: number): Promise<{ life: number; steps: number } | undefined> {
  const text = readFileSync(join(root, 'examples/invoices/app.js'), 'utf8')
  const [said, instead] = bugs[name] ?? ['', '']
  expect(text, name).toContain(said)
  const path = join(folder, `app-${names.indexOf(name)}.js`)
  writeFileSync(
    path,
    text.replace(said, () => instead),
  )
  const subject = subjectOf(await import(path))
  let life = 0
  const progress = ({ lives, failed }: { lives: number; failed: boolean }) => {
    if (failed) life ||= lives
  }
  try {
    await storm({ ...subject, bank, seed, lives: 10_000, budgetMs: BUDGET_MS, progress })
    return undefined
  } catch (failure) {
    if (failure instanceof StormFailure) return { life, steps: failure.life.steps.length }
    throw failure
  }
}

test('the storm finds four of five bugs that teams have, in eight steps or fewer', {
  timeout: names.length * BUDGET_MS,
}, async () => {
  const seed = seedOfTest()
  const missed: string[] = []
  for (const name of chosen) {
    const startedMs = performance.now()
    const found = await searchFor(name, seed)
    const outcome = found ? `life ${found.life}, ${found.steps} steps` : 'not found'
    if (process.env.SOAK)
      process.stdout.write(`${name}: ${outcome}, ${Math.round((performance.now() - startedMs) / 1_000)} s\n`)
    if (found) expect(found.steps, name).toBeLessThanOrEqual(MOST_STEPS)
    else missed.push(name)
  }
  expect(missed.length, missed.join('; ')).toBeLessThanOrEqual(Math.floor(chosen.length / 5))
})
