import { afterAll, beforeAll, expect, test } from 'vitest'
import * as app from '../../../examples/invoices/app.js'
import { subjectOf } from '../../../examples/invoices/storm.js'
import { refusals } from '../../../src/base/refusals.ts'
import { operations } from '../../../src/operations.ts'
import { faults } from '../../../storm/network.ts'
import { type Bank, type Law, startPurser, storm } from '../../../testing/index.ts'
import { seedOfTest } from '../../support/random.ts'

const LIVES = process.env.SOAK ? 200 : 10

const banks: Bank[] = []
beforeAll(async () => {
  for (const PURSER_ACH of ['windows', 'instant']) banks.push(await startPurser({ environment: { PURSER_ACH } }))
})
afterAll(async () => {
  for (const bank of banks) await bank.stop()
})

/**
 * The bank has taken every request of the storm and of the app, or refused it with a code that the operation declares. Every operation
 * may also be `unavailable` for a moment, on a machine that is too busy.
 */
const isSpecified: Law<app.InvoiceApp> = async ({ purser }) => {
  for await (const { operation, status, code } of purser.requests.list({ limit: 100 })) {
    const { problems = [] } = operations.find(({ id }) => id === operation) ?? {}
    if (status >= 400 && code !== 'unavailable' && !problems.some((each) => each === code))
      return `${operation} answers ${status} ${code}`
  }
  return true
}

test('the bank takes or refuses everything that a storm does as specified, and a sound app survives it', async () => {
  const { laws, ...subject } = subjectOf(app)
  const seed = seedOfTest()
  for (const bank of banks) {
    const options = { ...subject, laws: { ...laws, 'requests are specified': isSpecified }, bank, seed }
    await expect(storm({ ...options, lives: LIVES, budgetMs: 2 ** 31 })).resolves.toMatchObject({ lives: LIVES, seed })
  }
})

test('the refusals of the storm’s network are those of the service', () => {
  const own = Object.values(faults).flatMap((fault) => ('refusal' in fault ? fault.refusal : []))
  for (const { code, ...refusal } of own) {
    const { status, title, detail } = refusals[code as keyof typeof refusals]
    expect({ code, ...refusal }).toEqual({ code, status, title, detail })
  }
})
