import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Purser } from '../../../client/src/index.ts'
import { testSnippet } from '../../../console/data/developers/test-snippet.ts'
import { startPurser } from '../../../testing/index.ts'
import { openTestBank, type TestBank } from '../../support/harness.ts'
import { smallCatalogue } from '../../support/offers.ts'

let bank: TestBank
let url: string
let purser: Purser

beforeAll(async () => {
  bank = await openTestBank({ catalogue: smallCatalogue() })
  await bank.app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(bank.app.server.address() as AddressInfo).port}`
  purser = new Purser({ url, apiKey: bank.key, retries: 0 })
})
afterAll(() => bank?.close())

type Step = () => Promise<unknown>

/** Runs the text of a test as Vitest would, with the service of this file in place of a new one. */
async function run(text: string): Promise<string> {
  const names = ['startPurser', 'beforeAll', 'afterAll', 'expect', 'test']
  const code = text.replaceAll(/^import .*$/gm, '').replace('let bank: Bank', 'let bank')
  const steps: Step[] = []
  const last: Step[] = []
  let title = ''
  const values = [
    () => startPurser({ url, apiKey: bank.key }),
    (step: Step) => steps.push(step),
    (step: Step) => last.push(step),
    expect,
    (name: string, step: Step) => {
      title = name
      steps.push(step)
    },
  ]
  new Function(...names, code)(...values)
  for (const step of [...steps, ...last]) await step()
  return title
}

test('a logged request, copied as a test, passes on a bank of its own', async () => {
  const { accountId, externalAccountId, statementId } = await purser.sandbox.scenarios.create()
  const payment = {
    counterpartyAccountId: externalAccountId,
    originalType: 'ACH',
    description: "Ann's rent",
  } as const
  await purser.payments.create(accountId, { ...payment, amount: 2000 })
  await purser.payments.create(accountId, { ...payment, amount: 90_000_000 }).catch(() => undefined)
  await purser.accounts.get('9').catch(() => undefined)
  await purser.payments.list({ accountId, limit: 5, status: ['Sent'] }).page()
  await purser.statements.get(statementId)
  await purser.accounts.freeze(accountId)
  await purser.sandbox.faults.create({ match: { operation: 'getAccount' }, effect: { status: 503 }, times: 1 })
  await purser.accounts.get(accountId).catch(() => undefined)
  const titles: string[] = []
  // The runs add requests of their own to the log.
  const { data: logged } = await purser.requests.list().page()
  for (const { id } of logged) titles.push(await run(testSnippet(await purser.requests.get(id))))
  expect(titles).toEqual(
    expect.arrayContaining([
      'createScenario answers 201',
      'createPayment answers 201',
      'createPayment answers 422 insufficient_funds',
      'getAccount answers 404 account_not_found',
      'listPayments answers 200',
      'freezeAccount answers 200',
      'createFaultRule answers 201',
      'getAccount answers 503 unavailable',
    ]),
  )
})
