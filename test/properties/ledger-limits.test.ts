import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bankKinds } from '../../src/bank/records/kinds.ts'
import { MAX_CENTS } from '../../src/base/cents.ts'
import { openRecordIds, type RecordIds } from '../../src/database/record-ids.ts'
import { type Metrics, openMetrics } from '../../src/http/metrics/metrics.ts'
import type { Books, Command } from '../../src/ledger/books.ts'
import { type Lane, openLane } from '../../src/ledger/lane.ts'
import { organisationNamed } from '../support/bank-time.ts'
import { authorize, makeVirtualCard, refund, settle } from '../support/cards.ts'
import { openTestBank, type TestBank } from '../support/harness.ts'
import {
  accountOf,
  expectSoundLedger,
  holdAccount,
  holdRows,
  makePayer,
  type Payer,
  pay,
  receiveAch,
  returnPayment,
} from '../support/ledger.ts'
import { makeLink, makePartnerUser } from '../support/rewards.ts'

let bank: TestBank
let ids: RecordIds
let lane: Lane
let organisationId: number
let metrics: Metrics
/** The number of commands that batches of the bank have taken. */
let taken: number

beforeEach(async () => {
  metrics = openMetrics()
  taken = 0
  const observe = (commands: number) => {
    taken += commands
  }
  // One batch at a time, so that every command posts to the internal accounts of slot 0.
  bank = await openTestBank({ metrics, lane: { batches: 1, heldMs: 60_000, observe } })
  ids = openRecordIds(bank.database)
  organisationId = await organisationNamed(bank, 'first')
  lane = openLane({ servers: [bank.server], ids, kinds: bankKinds })
})
afterEach(async () => {
  await lane.close()
  await expectSoundLedger(bank)
  await bank.close()
})

function command(accountIds: number[], decide: (books: Books) => unknown): Command<unknown> {
  return {
    write: {
      caller: { organisationId, keyId: 1 },
      requestId: 'test',
      key: { text: null, hash: randomBytes(32), fingerprint: randomBytes(32), fromCaller: false },
      render: (data) => ({ status: 201, body: JSON.stringify(data), replayed: false }),
    },
    accountIds,
    decide,
  }
}

async function transfer(from: number, to: number, amount: number): Promise<void> {
  const id = await ids.nextPair()
  await lane.run(command([from, to], (books) => books.transfer(orderOf(id, from, to, amount))))
}

const orderOf = (id: number, debitAccountId: number, creditAccountId: number, amount: number) => ({
  id,
  debitAccountId,
  creditAccountId,
  amount,
  sourceKind: 'received_ach' as const,
  sourceId: null,
  party: 'Sample',
  description: 'a test',
})

const newAccount = async () => Number((await makePayer(bank)).accountId)

/** The balances of the internal accounts of a kind and slot 0, the oldest account first. */
async function internalBalances(kind: string): Promise<number[]> {
  const rows = await bank.database.query<{ balance: number }>(
    'select balance from account where organisation_id = $1 and kind = $2 and slot % 64 = 0 order by slot',
    [organisationId, kind],
  )
  return rows.map(({ balance }) => balance)
}

/** Brings the newest internal account of slot 0 to a balance, with customers' accounts on the other side. */
async function fill(kind: string, balance: number): Promise<void> {
  const [internal] = await bank.database.query<{ id: number; balance: number }>(
    `select id, balance from account where organisation_id = $1 and kind = $2 and slot % 64 = 0
     order by slot desc limit 1`,
    [organisationId, kind],
  )
  if (!internal) throw new Error(`no internal account ${kind}`)
  // In two steps: no account can have both ends of the way.
  for (const change of [-internal.balance, balance]) {
    const other = await newAccount()
    if (change > 0) await transfer(other, internal.id, change)
    if (change < 0) await transfer(internal.id, other, -change)
  }
}

describe('an internal account whose balance reaches the largest exact number', () => {
  test('takes the transfer that brings it there, and the next one goes to a new account', async () => {
    const ada = await makePayer(bank, 1)
    await fill('ach_clearing', 10 - MAX_CENTS)
    expect((await receiveAch(bank, ada.accountId, { amount: 10 })).status).toBe(201)
    expect(await internalBalances('ach_clearing')).toEqual([-MAX_CENTS])
    expect((await receiveAch(bank, ada.accountId, { amount: 1 })).status).toBe(201)
    expect(await internalBalances('ach_clearing')).toEqual([-MAX_CENTS, -1])
    expect((await accountOf(bank, ada.accountId)).balance).toBe(12)
  })

  test('refuses no payment, return, settlement or refund', async () => {
    const ada = await makePayer(bank, 100_00)
    const card = await makeVirtualCard(bank, ada.accountId)
    const sent = await pay(bank, ada, { amount: 10_00 })
    const bought = await authorize(bank, card.id, 5_00)
    expect((await settle(bank, bought.id)).status).toBe(201)
    for (const balance of [-MAX_CENTS, MAX_CENTS]) {
      await fill('ach_clearing', balance)
      await fill('card_settlement', balance)
    }
    expect((await pay(bank, ada, { amount: 1_00 })).status).toBe(201)
    const next = await authorize(bank, card.id, 2_00)
    expect((await settle(bank, next.id)).status).toBe(201)
    await fill('ach_clearing', -MAX_CENTS)
    await fill('card_settlement', -MAX_CENTS)
    expect((await returnPayment(bank, sent.json.data.id)).status).toBe(200)
    expect((await refund(bank, bought.id)).status).toBe(201)
    expect((await accountOf(bank, ada.accountId)).balance).toBe(97_00)
  })

  test('is replaced as often as the commands of one batch need', async () => {
    const accounts = await Promise.all([newAccount(), newAccount(), newAccount()])
    const commands = await Promise.all(
      accounts.map(async (account): Promise<Command<unknown>> => {
        const id = await ids.nextPair()
        const decide = (books: Books) =>
          books.transfer(orderOf(id, books.internal('rewards_funding').id, account, MAX_CENTS))
        return { ...command([account], decide), internal: ['rewards_funding'] }
      }),
    )
    const answers = await Promise.all(commands.map((each) => lane.run(each)))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    const rows = await bank.database.query(
      `select balance from account where kind = 'rewards_funding' and balance <> 0`,
    )
    expect(rows).toEqual(Array(3).fill({ balance: -MAX_CENTS }))
  })

  test('refuses a command that moves more than any account can hold, and that command alone', async () => {
    const [rich, richer, poor] = [await newAccount(), await newAccount(), await newAccount()]
    const [first, second, third] = [await ids.nextPair(), await ids.nextPair(), await ids.nextPair()]
    const internal = ['rewards_funding' as const]
    const tooMuch = command([rich, richer], (books) => {
      const funding = books.internal('rewards_funding').id
      books.transfer(orderOf(first, funding, rich, MAX_CENTS))
      books.transfer(orderOf(second, funding, richer, MAX_CENTS))
    })
    const little = command([poor], (books) =>
      books.transfer(orderOf(third, books.internal('rewards_funding').id, poor, 5)),
    )
    const [refused, done] = await Promise.allSettled([
      lane.run({ ...tooMuch, internal }),
      lane.run({ ...little, internal }),
    ])
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'balance_limit' } })
    expect(done).toMatchObject({ status: 'fulfilled' })
  })
})

describe('payments of other accounts, while another transaction holds an account', () => {
  const PAYMENTS = 10

  /** Waits until so many commands wait outside of batches. */
  const setAside = (commands: number) =>
    expect
      .poll(async () => (await metrics.text()).match(/^purser_lane_waiting_commands (\d+)$/m)?.[1])
      .toBe(`${commands}`)

  /** Pays while so many commands are held, with more of them beside each payment: no batch takes one of these and waits for its lock. */
  async function expectUndelayed(payer: Payer, held: number, more?: () => void): Promise<void> {
    await setAside(held)
    const before = taken
    for (let count = 0; count < PAYMENTS; count++) {
      more?.()
      const { status, text } = await pay(bank, payer, { amount: 1 })
      expect(status, text).toBe(201)
    }
    await setAside(held + (more ? PAYMENTS : 0))
    expect(taken - before).toBe(PAYMENTS)
  }

  test('are not delayed by the commands that wait for the account', async () => {
    const held = await makePayer(bank, 100_00)
    const free = await makePayer(bank, 100_00)
    const release = await holdAccount(bank, held.accountId)
    const waiting = Array.from({ length: 4 }, () => pay(bank, held, { amount: 1 }))
    await expectUndelayed(free, 4, () => waiting.push(pay(bank, held, { amount: 1 })))
    await release()
    const replies = await Promise.all(waiting)
    expect(replies.map(({ status }) => status)).toEqual(Array(4 + PAYMENTS).fill(201))
    expect((await accountOf(bank, held.accountId)).balance).toBe(100_00 - replies.length)
  })

  test('are not delayed by an account of another organisation whose events cannot be numbered', async () => {
    const key = { key: bank.otherKey }
    const eve = await makePayerOfOther()
    const free = await makePayer(bank, 100_00)
    const other = await organisationNamed(bank, 'second')
    const release = await holdRows(bank, 'select from event_counter where organisation_id = $1 for update', other)
    const waiting = [1, 2, 3].map(() => receiveAch(bank, eve, { amount: 5 }, key))
    await expectUndelayed(free, 3)
    await release()
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([201, 201, 201])
  })

  test('are not delayed by a settlement whose partner user another transaction holds', async () => {
    const buyer = await makePayer(bank, 100_00)
    const free = await makePayer(bank, 100_00)
    const card = await makeVirtualCard(bank, buyer.accountId)
    const user = await makePartnerUser(bank)
    await makeLink(bank, user.id, card.id)
    const bought = await authorize(bank, card.id, 5_00)
    const release = await holdRows(bank, 'select from partner_user where id = $1 for no key update', user.id)
    const settling = settle(bank, bought.id)
    await expectUndelayed(free, 1)
    // The account of the buyer is free meanwhile.
    expect((await pay(bank, buyer, { amount: 1 })).status).toBe(201)
    await release()
    expect((await settling).status).toBe(201)
  })

  async function makePayerOfOther(): Promise<string> {
    const key = bank.otherKey
    const customer = await bank.call('POST', '/v0/sandbox/customers', { key, body: { name: 'Eve' } })
    const { json } = await bank.call('POST', '/v0/banking/accounts', {
      key,
      body: { customerId: customer.json.data.id },
    })
    return json.data.id
  }
})
