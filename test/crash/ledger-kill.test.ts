import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase, plainTimeouts } from '../../src/database/database.ts'
import { type Attempt, runKillLoop } from '../support/kill-loop.ts'
import { expectSoundLedger } from '../support/ledger.ts'
import {
  ask,
  embeddedOf,
  endServices,
  gone,
  postmasterOf,
  preparedDataDir,
  type Service,
  startService,
} from '../support/service.ts'

const rounds = process.env.SOAK ? 30 : 2
const PER_ROUND = 120
const requests = rounds * PER_ROUND
/** Every sixth request holds an amount, the others pay. */
const holds = requests / 6
const payments = requests - holds
const FUNDS = 999_999_999_999

let dataDir: string
let service: Service

beforeEach(async () => {
  dataDir = await preparedDataDir()
  service = await startService({ PURSER_DATA_DIR: dataDir })
})
afterEach(endServices)

async function post(path: string, body: unknown) {
  const { status, text, json } = await service.call('POST', path, { body })
  expect(status, text).toBe(201)
  return json.data
}

async function expectSoundBank(): Promise<void> {
  const database = openDatabase({ servers: [embeddedOf(dataDir)], connections: 1, timeouts: plainTimeouts })
  try {
    await expectSoundLedger({ database })
  } finally {
    await database.close()
  }
}

test(`${rounds} kills under payments and holds, of the service and every other time of its database server too, lose and double nothing`, async () => {
  const { id: customerId } = await post('/v0/sandbox/customers', { name: 'Ada Example' })
  const [from, to] = [
    await post('/v0/banking/accounts', { customerId }),
    await post('/v0/banking/accounts', { customerId }),
  ]
  await post(`/v0/sandbox/accounts/${from.id}/receive-ach`, { amount: FUNDS, companyName: 'Sample Payroll' })
  const external = (routingNumber: string, accountNumber: string) =>
    post(`/v0/banking/customers/${customerId}/external-accounts`, {
      type: 'Person',
      name: 'Ada Example',
      accountType: 'Checking',
      routingNumber,
      accountNumber,
    })
  const outside = await external('021000021', '9876543210')
  const inside = await external(to.routingNumber, to.accountNumber)

  const amountOf = (index: number) => 1 + (index % 97)
  const isHold = (index: number) => index % 6 === 5
  const acknowledged: string[] = []
  let survived = 0
  async function send(index: number, idempotencyKey: string): Promise<Attempt> {
    const payment = { counterpartyAccountId: index % 2 === 0 ? outside.id : inside.id, originalType: 'ACH' }
    const path = `/v0/banking/accounts/${from.id}/${isHold(index) ? 'holds' : 'payments'}`
    const { status, text, headers, json } = await service.call('POST', path, {
      body: { amount: amountOf(index), description: 'Kill', ...(isHold(index) ? { reason: 'Other' } : payment) },
      idempotencyKey,
    })
    if (status === 201) acknowledged.push(json.data.id)
    return { status, text, replayed: headers.get('Idempotent-Replayed') === 'true' }
  }

  async function kill(): Promise<void> {
    const postmaster = postmasterOf(dataDir)
    const died = service.kill()
    if (survived % 2 === 1 && postmaster !== undefined) {
      process.kill(postmaster, 'SIGKILL')
      await gone(postmaster)
    }
    await died
    const promised = [...acknowledged]
    service = await startService({ PURSER_DATA_DIR: dataDir })
    const kept = await ask(
      embeddedOf(dataDir),
      `select count(*)::int from (select id from payment union all select id from account_hold) made
       where id = any($1::bigint[])`,
      [promised],
    )
    expect(kept, `after ${survived} kills and one`).toEqual([{ count: new Set(promised).size }])
    await expectSoundBank()
    survived++
  }

  const { first, again, refused, retries } = await runKillLoop({ requests, kills: rounds, send, kill })
  expect(refused).toEqual([])
  expect(retries).toBeGreaterThanOrEqual(rounds)
  expect(first).toHaveLength(requests)
  expect(again).toEqual(first.map((text) => ({ status: 201, text, replayed: true })))

  const ids = first.map((text) => JSON.parse(text).data.id)
  expect(new Set(ids).size).toBe(requests)
  const sumOf = (counts: (index: number) => boolean) =>
    ids.reduce((sum, _id, index) => sum + (counts(index) ? amountOf(index) : 0), 0)
  const spent = sumOf((index) => !isHold(index))
  const arrived = sumOf((index) => !isHold(index) && index % 2 === 1)
  const held = sumOf(isHold)
  const rows = await ask(
    embeddedOf(dataDir),
    `select (select count(*)::int from payment) as payments,
       (select count(*)::int from transfer where debit_account_id = $1) as debits,
       (select count(*)::int from account_hold where status = 'Active') as holds,
       (select balance::text from account where id = $1) as left,
       (select hold::text from account where id = $1) as held,
       (select balance::text from account where id = $2) as arrived`,
    [from.id, to.id],
  )
  const left = String(FUNDS - spent)
  expect(rows).toEqual([{ payments, debits: payments, holds, left, held: String(held), arrived: String(arrived) }])
  await expectSoundBank()
})
