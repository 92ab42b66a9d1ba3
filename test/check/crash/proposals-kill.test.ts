import { afterEach, expect, test } from 'vitest'
import { openDatabase, plainTimeouts } from '../../../src/database/database.ts'
import { expectSoundLedger } from '../../support/ledger.ts'
import { signIn } from '../../support/people/sign-in.ts'
import {
  ask,
  connect,
  embeddedOf,
  endServices,
  preparedDataDir,
  type Service,
  startService,
  until,
} from '../../support/service.ts'

const AMOUNT = 100_00

afterEach(endServices)

/** The payments of two accounts that wait for a review. */
async function paymentsInReview(service: Service): Promise<{ accountId: string; paymentId: string }[]> {
  const call = async (method: string, path: string, body: object) => {
    const { status, text, json } = await service.call(method, `/v0/${path}`, { body })
    expect(status, text).toBeLessThan(300)
    return json.data
  }
  const { id: customerId } = await call('POST', 'sandbox/customers', { name: 'Ada Example' })
  const payee = { type: 'Person', name: 'Grace Sample', accountType: 'Checking', accountNumber: '9876543210' }
  const external = { ...payee, routingNumber: '021000021' }
  const { id } = await call('POST', `banking/customers/${customerId}/external-accounts`, external)
  const order = { amount: AMOUNT, counterpartyAccountId: id, description: 'Kill', originalType: 'ACH' }
  const waiting = []
  for (let number = 0; number < 2; number++) {
    const { id: accountId } = await call('POST', 'banking/accounts', { customerId })
    await call('POST', `sandbox/accounts/${accountId}/receive-ach`, {
      amount: 2 * AMOUNT,
      companyName: 'Sample Payroll',
    })
    await call('PUT', `banking/accounts/${accountId}/limits`, { payment: { soft: 1 } })
    const payment = await call('POST', `banking/accounts/${accountId}/payments`, order)
    expect(payment.status).toBe('PendingReview')
    waiting.push({ accountId, paymentId: payment.id })
  }
  return waiting
}

test('a service that is killed between the second signature and its effect has the effect once after a restart', async () => {
  const dataDir = await preparedDataDir()
  const settings = { PURSER_DATA_DIR: dataDir, PURSER_TWO_SIGNATURES: 'paymentApproval:1' }
  let service = await startService({ PURSER_DATA_DIR: dataDir })
  const waiting = await paymentsInReview(service)
  const server = embeddedOf(dataDir)
  const database = openDatabase({ servers: [server], connections: 2, timeouts: plainTimeouts })
  const person = async (name: string) => {
    const unused = () => Promise.reject(new Error('a person of this test calls the service by its key'))
    return (await signIn({ database, call: unused }, { default: 'reviewer' }, { name, kind: 'command' })).token
  }
  const [ada, bob] = [await person('Ada'), await person('Bob')]
  await service.stop()
  service = await startService(settings)

  const proposals: string[] = []
  for (const { paymentId } of waiting) {
    const path = `/v0/review/payments/${paymentId}/approve`
    const { status, text, json } = await service.call('POST', path, { key: ada, body: { reason: 'Checked' } })
    expect(status, text).toBe(202)
    proposals.push(json.data.id)
  }
  const approve = (id: string) =>
    service.call('POST', `/v0/proposals/${id}/approve`, { key: bob, body: {}, idempotencyKey: `approve-${id}` })
  const statesIn = async () =>
    (await ask<{ state: string }>(server, 'select state from proposal')).map(({ state }) => state)

  // The accounts are locked, so that the signatures are stored and their effects are not.
  const lock = await connect(server)
  await lock.query('begin')
  await lock.query('select from account where id = any($1::bigint[]) for update', [
    waiting.map((each) => each.accountId),
  ])
  const cut = Promise.allSettled(proposals.map(approve))
  await until('the signatures', async () => String(await statesIn()) === 'Approved,Approved')
  await service.kill()
  expect((await cut).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const statuses = () =>
    ask(server, 'select status from payment where id = any($1::bigint[])', [waiting.map((each) => each.paymentId)])
  expect(await statuses()).toEqual([{ status: 'PendingReview' }, { status: 'PendingReview' }])
  await lock.end()

  service = await startService(settings)
  // The signer repeats one request. Nobody repeats the other one, which waited long.
  const [repeated = '', left = ''] = proposals
  expect((await approve(repeated)).json.data.state).toBe('Executed')
  await ask(server, `update proposal set changed_at = now() - interval '1 minute' where id = $1`, [left])
  await until('the background', async () => String(await statesIn()) === 'Executed,Executed')
  expect((await approve(repeated)).json.data.state).toBe('Executed')
  for (const { accountId, paymentId } of waiting) {
    expect((await service.call('GET', `/v0/banking/payments/${paymentId}`)).json.data.status).toBe('Sent')
    expect((await service.call('GET', `/v0/banking/accounts/${accountId}`)).json.data.balance).toBe(AMOUNT)
  }
  const events = (await service.call('GET', '/v0/events?after=0&limit=1000')).json.data
  const sent = events.filter(
    ({ type, data }: { type: string; data: { id: string } }) =>
      type === 'payment.sent' && waiting.some(({ paymentId }) => paymentId === data.id),
  )
  expect(sent).toHaveLength(2)
  await expectSoundLedger({ database })
  await database.close()
})
