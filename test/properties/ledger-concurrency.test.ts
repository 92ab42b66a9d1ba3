import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { authorizations } from '../../src/bank/records/cards.ts'
import { holds } from '../../src/bank/records/holds.ts'
import { bankKinds } from '../../src/bank/records/kinds.ts'
import type { Answer } from '../../src/base/operation.ts'
import { Problem } from '../../src/base/problem.ts'
import { LockTimeout, type Queryable } from '../../src/database/database.ts'
import { openRecordIds, type RecordIds } from '../../src/database/record-ids.ts'
import { KeyTaken } from '../../src/idempotency/run-once.ts'
import type { Books, Command, Rows } from '../../src/ledger/books.ts'
import { type Lane, type LaneOptions, openLane } from '../../src/ledger/lane.ts'
import { verifyLedger } from '../../src/ledger/verify.ts'
import type { TestBankOptions } from '../support/bank/options.ts'
import { openTestBank, type TestBank } from '../support/harness.ts'
import {
  accountOf,
  expectSoundLedger,
  holdAccount,
  locksAwaited,
  makePayer,
  type Payer,
  pay,
  receiveAch,
  transactionsOf,
} from '../support/ledger.ts'
import { type DatabaseProxy, openProxy } from '../support/proxy.ts'

const soak = Boolean(process.env.SOAK)
const LANES = 8
/** Transfers of all connections together. */
const TRANSFERS = soak ? 5_000 : 400

let bank: TestBank
let ids: RecordIds
let organisationId: number
const lanes: Lane[] = []

async function openBank(options: TestBankOptions = {}): Promise<void> {
  bank = await openTestBank(options)
  ids = openRecordIds(bank.database)
  organisationId = await organisationNamed('first')
}

async function organisationNamed(name: string): Promise<number> {
  const [row] = await bank.database.query<{ id: number }>('select id from organisation where name = $1', [name])
  if (!row) throw new Error(`no organisation ${name}`)
  return row.id
}

function lane(options: Partial<LaneOptions> = {}): Lane {
  const one = openLane({ servers: [bank.server], ids, kinds: bankKinds, ...options })
  lanes.push(one)
  return one
}

beforeEach(() => openBank())
afterEach(async () => {
  await Promise.all(lanes.splice(0).map((one) => one.close()))
  await bank.close()
})

/** A command as a provider makes it, given to a lane directly. */
function command<Data>(
  accountIds: number[],
  decide: (books: Books) => Data,
  { owner = organisationId, render = JSON.stringify as (data: unknown) => string } = {},
): Command<Data> {
  return {
    write: {
      caller: { organisationId: owner, keyId: 1 },
      requestId: 'test',
      key: { text: null, hash: randomBytes(32), fingerprint: randomBytes(32), fromCaller: false },
      render: (data) => ({ status: 201, body: render(data), replayed: false }),
    },
    accountIds,
    decide,
  }
}

async function transfer(
  from: number,
  to: number,
  amount: number,
  { id, description = 'a test', owner }: { id?: number; description?: string; owner?: number } = {},
): Promise<Command<unknown>> {
  const transferId = id ?? (await ids.nextPair())
  return command(
    [from, to],
    (books) =>
      books.transfer({
        id: transferId,
        debitAccountId: from,
        creditAccountId: to,
        amount,
        sourceKind: 'received_ach',
        sourceId: null,
        party: 'Sample',
        description,
      }),
    owner === undefined ? {} : { owner },
  )
}

/** Commands that hold an amount on an account and end the hold again. */
async function holdAndRelease(accountId: number, customerId: number, amount: number): Promise<Command<unknown>[]> {
  const id = await ids.next()
  const place = command([accountId], (books) => {
    books.of(holds).insert({
      ...{ id, organisationId, accountId, customerId, status: 'Active', amount, reason: 'Other', description: null },
      ...{ createdAt: books.now(organisationId), expiresAt: null, endedAt: null, byBank: false, version: 1 },
    })
    return { id }
  })
  const release = command([accountId], (books) => {
    const hold = books.of(holds).get(id)
    if (!hold) throw new Error('the hold was not read')
    return books.of(holds).update({ ...hold, status: 'Released', endedAt: books.now(organisationId) })
  })
  return [place, { ...release, reads: [holds.ids([id])] }]
}

/** The outcome of each command: its status, or the error. */
async function outcomesOf(runs: Promise<Answer>[]): Promise<string[]> {
  return (await Promise.allSettled(runs)).map((run) =>
    run.status === 'fulfilled' ? String(run.value.status) : describeError(run.reason),
  )
}

function describeError(error: unknown): string {
  if (error instanceof Problem) return error.code
  if (error instanceof LockTimeout) return 'LockTimeout'
  return error instanceof Error ? error.message : String(error)
}

describe(`${LANES} connections and one hot account`, () => {
  /**
   * Every lane moves money in and out of the account until a number of transfers is done. In between
   * it holds amounts and ends some of the holds, except if statements are planted that write no holds.
   */
  async function hammer(
    connections: number,
    sql?: LaneOptions['sql'],
  ): Promise<{ moved: number; held: number; hot: number; failed: string[] }> {
    const payer = await makePayer(bank, 1_000_00)
    const [hot, customer] = [Number(payer.accountId), Number(payer.customerId)]
    const other = Number((await makePayer(bank, 1_000_00)).accountId)
    // Half of the connections are of lanes with two batches at once, half of lanes with one.
    const lanesOf = (length: number, batches: number) =>
      Array.from({ length }, () => lane({ batches, heldMs: 30_000, ...(sql && { sql }) }))
    const many =
      connections < 4 ? lanesOf(connections, 1) : [...lanesOf(connections / 4, 2), ...lanesOf(connections / 2, 1)]
    let moved = 0
    let held = 0
    const failed: string[] = []
    async function work(one: Lane, turn: number): Promise<void> {
      const clearing = await one.internalAccount(organisationId, 'ach_clearing')
      for (let round = turn; moved + failed.length < TRANSFERS; round++) {
        const [from = 0, to = 0] =
          [
            [hot, other],
            [clearing, hot],
            [hot, clearing],
            [other, hot],
          ][round % 4] ?? []
        const [outcome = ''] = await outcomesOf([one.run(await transfer(from, to, 1 + (round % 7)))])
        if (outcome === '201') moved++
        else failed.push(outcome)
        if (!sql && round % 3 === 0) await hold(one, 1 + (round % 7), round % 2 === 0)
      }
    }
    async function hold(one: Lane, amount: number, ends: boolean): Promise<void> {
      const commands = await holdAndRelease(hot, customer, amount)
      for (const each of ends ? commands : commands.slice(0, 1)) {
        failed.push(...(await outcomesOf([one.run(each)])).filter((outcome) => outcome !== '201'))
      }
      if (!ends) held += amount
    }
    await Promise.all(many.flatMap((one, turn) => [work(one, turn), work(one, turn + 1), work(one, turn + 2)]))
    return { moved, held, hot, failed }
  }

  test('lose nothing: balances sum to zero, every running balance follows from the one before', async () => {
    const { moved, held, hot, failed } = await hammer(LANES)
    expect(failed).toEqual([])
    expect(moved).toBeGreaterThan(LANES * 10)
    const [row] = await bank.database.query<{ seqs: number }>(
      `select sum(seq)::bigint as seqs from account where organisation_id = $1`,
      [organisationId],
    )
    expect(held).toBeGreaterThan(0)
    expect((await accountOf(bank, String(hot))).hold).toBe(held)
    // Each transfer takes two sequence numbers; so did the two that funded the accounts.
    expect(row?.seqs).toBe(2 * (moved + 2))
    await expectSoundLedger(bank)
  })

  test('lose money where rows are locked and changed in one statement, and verify reports it', async () => {
    await hammer(LANES, lockingAndWritingAtOnce)
    const broken = (await verifyLedger(bank.database)).map(({ law }) => law)
    expect(broken).toContain('an account has the balance and the sequence number of its last transfer')
  })

  test('lose nothing to that statement where there is only one connection', async () => {
    const { failed } = await hammer(1, lockingAndWritingAtOnce)
    expect(failed).toEqual([])
    await expectSoundLedger(bank)
  })
})

/**
 * The trap: a CTE locks the rows and feeds the UPDATE of the same statement. In READ COMMITTED the CTE waits and reads
 * the newest rows, but the UPDATE looks for them in the snapshot from before the wait, does not find them, and changes
 * nothing without a word.
 */
const lockingAndWritingAtOnce: NonNullable<LaneOptions['sql']> = {
  lockAccounts: (transaction, accountIds) =>
    transaction.query(
      `select id, organisation_id as "organisationId", customer_id as "customerId", name,
         account_number as "accountNumber", status, balance, hold, seq, posted_at as "postedAt"
       from account where id = any($1::bigint[])`,
      [accountIds],
    ),
  async writeRows(transaction: Queryable, { accounts, transfers }: Rows) {
    const changeOf = (id: number) =>
      transfers.reduce(
        (sum, { debitAccountId, creditAccountId, amount }) =>
          sum + (creditAccountId === id ? amount : 0) - (debitAccountId === id ? amount : 0),
        0,
      )
    const read = new Map(
      accounts.map(({ account, expectedSeq }) => [
        account.id,
        { seq: expectedSeq, balance: account.balance - changeOf(account.id) },
      ]),
    )
    const column = <Row>(rows: Row[], pick: (row: Row) => unknown) => rows.map(pick)
    await transaction.query(
      `with locked as (
         select id, seq, balance from account where id = any($1::bigint[]) order by id for no key update),
       moved as (
         update account a set balance = l.balance + n.change, seq = l.seq + n.steps, posted_at = n.posted_at
         from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::timestamptz[]) as n (id, change, steps, posted_at)
         join locked l on l.id = n.id
         where a.id = l.id and a.seq = l.seq)
       insert into transfer (id, organisation_id, debit_account_id, debit_seq, debit_balance, credit_account_id,
         credit_seq, credit_balance, amount, source_kind, party, description, created_at)
       select t.id, t.organisation_id, d.id, d.seq + t.debit_step, d.balance + t.debit_change, c.id,
         c.seq + t.credit_step, c.balance + t.credit_change, t.amount, 'received_ach', 'Sample', 'planted', t.created_at
       from unnest($5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[],
         $12::bigint[], $13::bigint[], $14::timestamptz[])
         as t (id, organisation_id, debit_account_id, debit_step, debit_change, credit_account_id, credit_step,
           credit_change, amount, created_at)
       join locked d on d.id = t.debit_account_id
       join locked c on c.id = t.credit_account_id`,
      [
        column(accounts, ({ account }) => account.id),
        column(accounts, ({ account }) => changeOf(account.id)),
        column(accounts, ({ account, expectedSeq }) => account.seq - expectedSeq),
        column(accounts, ({ account }) => account.postedAt),
        column(transfers, ({ id }) => id),
        column(transfers, (one) => one.organisationId),
        column(transfers, ({ debitAccountId }) => debitAccountId),
        column(transfers, ({ debitAccountId, debitSeq }) => debitSeq - (read.get(debitAccountId)?.seq ?? 0)),
        column(
          transfers,
          ({ debitAccountId, debitBalance }) => debitBalance - (read.get(debitAccountId)?.balance ?? 0),
        ),
        column(transfers, ({ creditAccountId }) => creditAccountId),
        column(transfers, ({ creditAccountId, creditSeq }) => creditSeq - (read.get(creditAccountId)?.seq ?? 0)),
        column(
          transfers,
          ({ creditAccountId, creditBalance }) => creditBalance - (read.get(creditAccountId)?.balance ?? 0),
        ),
        column(transfers, ({ amount }) => amount),
        column(transfers, ({ createdAt }) => createdAt),
      ],
    )
  },
}

test('200 parallel payments for 100 payments’ worth of money: exactly 100 succeed', async () => {
  const ada = await makePayer(bank, 100 * 7_00)
  const replies = await Promise.all(Array.from({ length: 200 }, () => pay(bank, ada, { amount: 7_00 })))
  const outcomes = replies.map(({ status, json }) => `${status} ${json.code ?? json.data.status}`)
  expect(outcomes.filter((outcome) => outcome === '201 Sent')).toHaveLength(100)
  expect(outcomes.filter((outcome) => outcome === '422 insufficient_funds')).toHaveLength(100)
  expect((await accountOf(bank, ada.accountId)).balance).toBe(0)
  const [, ...debits] = await transactionsOf(bank, ada.accountId)
  expect(debits.map(({ balance }) => balance)).toEqual(Array.from({ length: 100 }, (_, index) => (99 - index) * 7_00))
  await expectSoundLedger(bank)
})

describe('a poisoned command in a batch', () => {
  let one: Lane
  let account: number
  let clearing: number

  beforeEach(async () => {
    one = lane()
    account = Number((await makePayer(bank)).accountId)
    clearing = await one.internalAccount(organisationId, 'ach_clearing')
  })

  const fail = (message: string) => () => {
    throw new Error(message)
  }
  const twice = 1_999_998
  const ways: [how: string, poison: () => Command<unknown> | Promise<Command<unknown>>, error: RegExp][] = [
    ['a decision that throws', () => command([account], fail('a bug')), /^a bug$/],
    ['a refusal', () => command([account], refuse), /^same_account$/],
    [
      'an answer that cannot be rendered',
      () => command([account], () => 1, { render: fail('no words') }),
      /^no words$/,
    ],
    ['a transfer id that is taken', () => transfer(clearing, account, 5, { id: twice }), /duplicate key/],
    ['a transfer that a check constraint refuses', () => transfer(clearing, account, 0), /check constraint/],
    ['a text that the database cannot hold', () => transfer(clearing, account, 5, { description: 'a\0b' }), /0x00/],
  ]
  function refuse(): never {
    throw new Problem('same_account')
  }

  test.each(ways)('fails alone: %s', async (_how, poison, error) => {
    const good = async (amount: number) => transfer(clearing, account, amount)
    // Commands that arrive in one turn of the event loop make up one batch.
    const commands = [
      await transfer(clearing, account, 1, { id: twice }),
      await good(2),
      await poison(),
      await good(3),
      await good(4),
    ]
    const outcomes = await outcomesOf(commands.map((each) => one.run(each)))
    expect(outcomes).toEqual(['201', '201', expect.stringMatching(error), '201', '201'])
    expect((await accountOf(bank, String(account))).balance).toBe(10)
    await expectSoundLedger(bank)
  })

  test('would have shared a transaction with its neighbours', async () => {
    const commands = await Promise.all([1, 2, 3, 4].map((amount) => transfer(clearing, account, amount)))
    await outcomesOf(commands.map((each) => one.run(each)))
    const rows = await bank.database.query(`select count(*) from transfer group by xmin::text order by 1`)
    expect(rows).toEqual([{ count: 4 }])
  })

  test('fails alone where its key has an answer, whether the batch looks keys up first or not', async () => {
    const first = await transfer(clearing, account, 1)
    const answered = { ...first, write: { ...first.write, key: { ...first.write.key, fromCaller: true } } }
    await one.run(answered)
    for (const _batch of ['unsuspecting', 'wary']) {
      const commands = [await transfer(clearing, account, 2), answered, await transfer(clearing, account, 3)]
      const runs = await Promise.allSettled(commands.map((each) => one.run(each)))
      expect(runs.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect(runs[1]).toMatchObject({ reason: expect.any(KeyTaken) })
    }
    expect((await accountOf(bank, String(account))).balance).toBe(1 + 5 + 5)
    await expectSoundLedger(bank)
  })

  /** A command that holds money, which is written before its answer is. */
  async function holding(render: (data: unknown) => string) {
    const { accountId, customerId } = await makePayer(bank)
    const authorization = {
      id: await ids.next(),
      organisationId,
      accountId: Number(accountId),
      customerId: Number(customerId),
      cardId: 1,
      cardLast4: '0001',
      status: 'Authorized' as const,
      amount: 1_00,
      settled: 0,
      refunded: 0,
      merchantName: 'Sample Shop',
      merchantCategory: 'Shops',
      merchantLocation: 'Here',
      merchantId: null,
      merchantCategoryCode: null,
      declineReason: null,
      overSettlement: null,
      createdAt: '2026-11-15T00:00:00.000Z',
      expiresAt: '2026-11-22T00:00:00.000Z',
      version: 1,
    }
    return command([authorization.accountId], (books) => books.of(authorizations).insert(authorization), { render })
  }

  test('is refused by its key, not by a row that it would insert again', async () => {
    const hold = await holding(() => 'held')
    const repeated = { ...hold, write: { ...hold.write, key: { ...hold.write.key, fromCaller: true } } }
    await one.run(repeated)
    await expect(one.run(repeated)).rejects.toThrow(KeyTaken)
    await expectSoundLedger(bank)
  })

  test('leaves nothing where its answer cannot be sent to the database', async () => {
    await expect(one.run(await holding(() => undefined as never))).rejects.toThrow(TypeError)
    expect(await bank.database.query('select id from card_authorization')).toEqual([])
    await expectSoundLedger(bank)
  })

  test('fails alone where another account of the batch is held, too', async () => {
    const impatient = lane({ timeouts: { lockMs: 200, statementMs: 10_000, idleMs: 5_000 } })
    const held = Number((await makePayer(bank)).accountId)
    const release = await hold(held)
    const commands = [
      await transfer(clearing, account, 1, { id: twice }),
      await transfer(clearing, account, 2),
      await transfer(clearing, account, 5, { id: twice }),
      await transfer(clearing, held, 6),
      await transfer(clearing, account, 3),
    ]
    const outcomes = await outcomesOf(commands.map((each) => impatient.run(each)))
    expect(outcomes).toEqual(['201', '201', expect.stringMatching(/duplicate key/), 'LockTimeout', '201'])
    await release()
    await expectSoundLedger(bank)
  })
})

const hold = (accountId: number | string) => holdAccount(bank, accountId)

describe('an account that another transaction holds', () => {
  async function openAgain(options: Partial<LaneOptions> = {}): Promise<void> {
    await bank.close()
    await openBank({ lane: { timeouts: { lockMs: 200, statementMs: 10_000, idleMs: 5_000 }, ...options } })
  }
  beforeEach(() => openAgain())

  test('answers 503 while payments of other accounts go on, and accepts payments once it is free', async () => {
    await openAgain({ heldMs: 2_000 })
    const held = await makePayer(bank, 100_00)
    const free = await makePayer(bank, 100_00)
    const release = await hold(held.accountId)
    const payers = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? held : free))
    const replies = await Promise.all(payers.map((payer) => pay(bank, payer, { amount: 1_00 })))
    for (const [index, { status, json, headers }] of replies.entries()) {
      if (payers[index] === free) expect(status).toBe(201)
      else expect([status, json.code, headers['retry-after']]).toEqual([503, 'unavailable', '1'])
    }
    expect((await accountOf(bank, free.accountId)).balance).toBe(90_00)
    await release()
    const after = await Promise.all(payers.map((payer) => pay(bank, payer, { amount: 1_00 })))
    expect(after.map(({ status }) => status)).toEqual(Array(20).fill(201))
    expect((await accountOf(bank, held.accountId)).balance).toBe(90_00)
    expect((await accountOf(bank, free.accountId)).balance).toBe(80_00)
    await expectSoundLedger(bank)
  })

  test('does not keep a repeated key from its answer', async () => {
    const held = await makePayer(bank, 100_00)
    const send = () => pay(bank, held, { amount: 1_00 }, { headers: { 'idempotency-key': 'once' } })
    const first = await send()
    const release = await hold(held.accountId)
    const again = await send()
    await release()
    expect([again.status, again.headers['idempotent-replayed'], again.text]).toEqual([201, 'true', first.text])
  })

  test('delays a payment only as long as it is held', async () => {
    await openAgain({ heldMs: 60_000 })
    const held = await makePayer(bank, 100_00)
    const release = await hold(held.accountId)
    const paying = pay(bank, held)
    await locksAwaited(bank)
    await release()
    expect((await paying).status).toBe(201)
    await expectSoundLedger(bank)
  })
})

test.each([
  [1, [1]],
  [3, [2, 1]],
  [5, [3, 2]],
  [8, [4, 4]],
])('%d commands that come together are shared by two batches', async (commands, shares) => {
  const seen: number[] = []
  const two = lane({ batches: 2, observe: (batch) => seen.push(batch) })
  const idle = () => two.run(command([], () => null))
  expect(await outcomesOf(Array.from({ length: commands }, idle))).toEqual(Array(commands).fill('201'))
  expect(seen).toEqual(shares)
})

describe('a full queue', () => {
  const patient = { timeouts: { lockMs: 60_000, statementMs: 90_000, idleMs: 60_000 }, queueMs: 60_000 }

  test('refuses with Retry-After, and gives one organisation at most half of itself', async () => {
    const other = await organisationNamed('second')
    const one = lane({ maxWaiting: 10, ...patient })
    const account = Number((await makePayer(bank)).accountId)
    const clearing = await one.internalAccount(organisationId, 'ach_clearing')
    const others = await one.internalAccount(other, 'ach_clearing')
    const customer = await bank.call('POST', '/v0/sandbox/customers', { key: bank.otherKey, body: { name: 'Eve' } })
    const eves = await bank.call('POST', '/v0/banking/accounts', {
      key: bank.otherKey,
      body: { customerId: customer.json.data.id },
    })
    const move = (owner: number) =>
      owner === other ? transfer(others, Number(eves.json.data.id), 1, { owner }) : transfer(clearing, account, 1)
    async function runAll(owners: number[]): Promise<Promise<Answer>[]> {
      const commands = await Promise.all(owners.map(move))
      return commands.map((each) => one.run(each))
    }
    const release = await hold(account)
    const running = await runAll([organisationId])
    await locksAwaited(bank)
    // Five of ten places are for the first organisation; its sixth command is refused at once.
    const first = await runAll(Array(7).fill(organisationId))
    expect(await outcomesOf(first.slice(5))).toEqual(['unavailable', 'unavailable'])
    // The other organisation has its five places, and no organisation gets an eleventh.
    const second = await runAll(Array(7).fill(other))
    expect(await outcomesOf(second.slice(5))).toEqual(['unavailable', 'unavailable'])
    expect(await outcomesOf(await runAll([organisationId, other]))).toEqual(['unavailable', 'unavailable'])
    await release()
    expect(await outcomesOf([...running, ...first.slice(0, 5), ...second.slice(0, 5)])).toEqual(Array(11).fill('201'))

    // Refused commands are no longer counted.
    const again = await hold(account)
    const retried = [...(await runAll([organisationId]))]
    await locksAwaited(bank)
    retried.push(...(await runAll([...Array(5).fill(organisationId), ...Array(5).fill(other)])))
    await again()
    expect(await outcomesOf(retried)).toEqual(Array(11).fill('201'))
    await expectSoundLedger(bank)
  })

  test('answers 503 over HTTP, and the commands that were queued still run', async () => {
    await bank.close()
    await openBank({ lane: { batches: 1, maxWaiting: 8, ...patient } })
    const ada = await makePayer(bank, 100_00)
    const release = await hold(ada.accountId)
    const first = pay(bank, ada, { amount: 1_00 })
    await locksAwaited(bank)
    const paying = [first, ...Array.from({ length: 19 }, () => pay(bank, ada, { amount: 1_00 }))]
    const early = await Promise.race(paying)
    expect([early.status, early.json.code, early.headers['retry-after']]).toEqual([503, 'unavailable', '1'])
    await release()
    const replies = await Promise.all(paying)
    const done = replies.filter(({ status }) => status === 201)
    // One in the batch that waits, four in the queue.
    expect(done).toHaveLength(5)
    expect(replies.filter(({ status }) => status === 503)).toHaveLength(15)
    expect((await accountOf(bank, ada.accountId)).balance).toBe(95_00)
    await expectSoundLedger(bank)
  })
})

describe('a COMMIT whose answer is lost', () => {
  let proxy: DatabaseProxy
  let ada: Payer

  beforeEach(async () => {
    await bank.close()
    // The lane connects at its first command; by then the database and the proxy in front of it are there.
    const address: pg.ClientConfig = {}
    await openBank({ lane: { servers: [address] } })
    proxy = await openProxy(bank.server)
    Object.assign(address, proxy.server)
    ada = await makePayer(bank, 1_000_00)
  })
  afterEach(() => proxy.close())

  test.each([
    ['after it was done', ['after']],
    ['before it arrived', ['before']],
    ['several times in a row', ['after', 'before', 'before', 'after', 'after']],
  ] as [string, ('before' | 'after')[]][])(
    '%s has one effect, and every caller gets its answer',
    async (_when, moments) => {
      const keys = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? `a-key-${index}` : undefined))
      const send = (key: string | undefined) =>
        pay(bank, ada, { amount: 1_00 }, key === undefined ? {} : { headers: { 'idempotency-key': key } })
      proxy.breakCommits(moments)
      const replies = await Promise.all(keys.map(send))
      expect(replies.map(({ status, text }) => (status === 201 ? status : text))).toEqual(Array(40).fill(201))
      expect(proxy.left()).toBeLessThan(moments.length)
      proxy.breakCommits([])
      expect(replies.filter(({ headers }) => headers['idempotent-replayed'])).toEqual([])
      expect(new Set(replies.map(({ json }) => json.data.id)).size).toBe(40)
      expect((await accountOf(bank, ada.accountId)).balance).toBe(960_00)
      const [count] = await bank.database.query('select count(*) from payment')
      expect(count).toEqual({ count: 40 })
      for (const [index, key] of keys.entries()) {
        if (key === undefined) continue
        const again = await send(key)
        expect([again.headers['idempotent-replayed'], again.text]).toEqual(['true', replies[index]?.text])
      }
      await expectSoundLedger(bank)
    },
  )

  test('is not mistaken for that of another request with the same key', async () => {
    const send = (amount: number) => pay(bank, ada, { amount }, { headers: { 'idempotency-key': 'reused' } })
    expect((await send(1_00)).status).toBe(201)
    proxy.breakCommits(['before'])
    expect((await send(2_00)).json.code).toBe('idempotency_key_reused')
    expect(proxy.left()).toBe(0)
    await expectSoundLedger(bank)
  })

  test('is lost where the test says so', async () => {
    proxy.breakCommits(['before', 'after'])
    const { status } = await receiveAch(bank, ada.accountId)
    expect([status, proxy.left()]).toEqual([201, 0])
    await expectSoundLedger(bank)
  })
})
