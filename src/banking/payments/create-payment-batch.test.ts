import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type Reply, type TestBank } from '../../../test/support/harness.ts'
import {
  accountOf,
  expectSoundLedger,
  holdAccount,
  locksAwaited,
  makeExternalAccount,
  makeOwnBankAccount,
  makePayer,
  type Payer,
  pay,
  transactionsOf,
} from '../../../test/support/ledger.ts'
import { firstStatesReader } from '../../bank/first-states/first-states.ts'
import type { Write } from '../../base/operation.ts'
import { openRunOnce } from '../../idempotency/run-once.ts'

let bank: TestBank
let ada: Payer

beforeAll(async () => {
  bank = await openTestBank()
  ada = await makePayer(bank, 1_000_000_00)
})
afterEach(() => expectSoundLedger(bank))
afterAll(() => bank.close())

type Item = Record<string, unknown>
const item = (payer: Payer, own: Item = {}): Item => ({
  accountId: payer.accountId,
  amount: 1_00,
  counterpartyAccountId: payer.externalAccountId,
  description: 'Rent',
  originalType: 'ACH',
  ...own,
})
const send = (payments: unknown, key?: string, options: Item = {}): Promise<Reply> =>
  bank.call('POST', '/v0/banking/payments/batch', {
    body: { payments },
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    ...options,
  })
/** The status of each payment, or the code of its problem. */
// biome-ignore lint/suspicious/noExplicitAny: tests read answers as the JSON they are
const outcomes = ({ json }: Reply): any[] =>
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as the JSON they are
  json.data.map(({ status, problem }: any) => problem?.code ?? status)
const balanceOf = async ({ accountId }: Payer) => (await accountOf(bank, accountId)).balance

describe('create payment batch', () => {
  test('makes payments of several accounts and answers in the order of the request', async () => {
    const [one, two] = [await makePayer(bank, 50_00), await makePayer(bank, 50_00)]
    const reply = await send([item(one), item(two, { amount: 2_00, addenda: 'Invoice 1' }), item(one)], 'november')
    expect(reply.status).toBe(200)
    expect(reply.json.data.map(({ idempotencyKey }: Item) => idempotencyKey)).toEqual([
      'november/0',
      'november/1',
      'november/2',
    ])
    const { payment, ...rest } = reply.json.data[1]
    expect(rest).toEqual({ idempotencyKey: 'november/1', status: 201 })
    expect(payment).toMatchObject({ type: 'achPayment', amount: 2_00, status: 'Sent', description: 'Rent' })
    expect((await bank.call('GET', `/v0/banking/payments/${payment.id}`)).json.data).toEqual(payment)
    expect([await balanceOf(one), await balanceOf(two)]).toEqual([48_00, 48_00])
    const { json } = await bank.call('GET', `/v0/events?entityType=payment&entityId=${payment.id}`)
    expect(json.data[0]).toMatchObject({ type: 'payment.created', request: { idempotencyKey: 'november/1' } })
  })

  test('says which limit a payment would exceed, and what is left of it', async () => {
    const payer = await makePayer(bank, 50_00)
    await bank.call('PUT', `/v0/banking/accounts/${payer.accountId}/limits`, { body: { day: { hard: 3_00 } } })
    const [first, second] = (await send([item(payer, { amount: 2_00 }), item(payer, { amount: 1_01 })])).json.data
    expect([first.status, second.status]).toEqual([201, 422])
    expect(second.problem.limit).toEqual({ scope: 'account', period: 'day', limit: 3_00, left: 1_00 })
  })

  test('makes each payment by itself: others fail with problems of their own', async () => {
    const poor = await makePayer(bank, 1_50)
    const other = await makePayer(bank, 1_00)
    const reply = await send([
      item(poor),
      item(poor),
      item(poor, { amount: 0 }),
      item(poor, { amount: 50 }),
      item(poor, { counterpartyAccountId: other.externalAccountId }),
      item(poor, { accountId: '1000000000' }),
      item(poor, { accountId: 7, description: 'a\u0000' }),
      item(poor, { extra: 1 }),
      item(poor, { idempotencyKey: 'with space' }),
      7,
      null,
      [],
      {},
      item(poor, { tags: JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) }),
    ])
    expect(reply.status).toBe(200)
    expect(outcomes(reply)).toEqual([
      ...[201, 'insufficient_funds', 'invalid_request', 201],
      ...['external_account_not_found', 'account_not_found'],
      ...Array.from({ length: 8 }, () => 'invalid_request'),
    ])
    const problems = reply.json.data.map(({ problem }: Item) => problem)
    expect(problems[1]).toEqual({
      type: '/docs/errors#insufficient_funds',
      title: 'Insufficient funds',
      status: 422,
      detail: expect.stringContaining('receive-ach'),
      code: 'insufficient_funds',
      requestId: reply.headers['x-request-id'],
    })
    const pointers = (at: number) => problems[at].errors.map(({ pointer }: Item) => pointer)
    expect([pointers(2), pointers(6), pointers(7), pointers(8)]).toEqual([
      ['/amount'],
      ['/description'],
      ['/extra'],
      ['/idempotencyKey'],
    ])
    for (const at of [9, 10, 11]) expect(problems[at].detail).toBe('the payment must be an object')
    expect(problems[13].detail).toBe('the payment must not nest deeper than 32 levels')
    expect(pointers(12)).toEqual(
      expect.arrayContaining(['/accountId', '/amount', '/counterpartyAccountId', '/description', '/originalType']),
    )
    expect(reply.json.data[0].idempotencyKey).toBeNull()
    expect(await balanceOf(poor)).toBe(0)
  })

  test('refuses a wrong envelope as a whole', async () => {
    const right = item(ada)
    for (const [body, pointer] of [
      [{}, '/payments'],
      [{ payments: [] }, '/payments'],
      [{ payments: Array.from({ length: 1_001 }, () => right) }, '/payments'],
      [{ payments: right }, '/payments'],
      [{ payments: null }, '/payments'],
      [{ payments: [right], other: 1 }, '/other'],
      [[right], ''],
      ['text', ''],
    ] as const) {
      const { status, json } = await bank.call('POST', '/v0/banking/payments/batch', { body })
      expect([status, json.errors?.[0]?.pointer], JSON.stringify(body).slice(0, 60)).toEqual([400, pointer])
    }
    const before = await balanceOf(ada)
    for (const [length, status] of [
      [250, 200],
      [251, 400],
    ] as const) {
      const key = 'k'.repeat(length)
      expect((await send([right], key)).status).toBe(status)
      const body = { payments: [{ ...right, amount: 3_00 }], idempotencyKey: `b${key.slice(1)}` }
      const inBody = await bank.call('POST', '/v0/banking/payments/batch', { body })
      expect(inBody.status).toBe(status)
      if (status === 400) expect(inBody.json.errors[0].pointer).toBe('/idempotencyKey')
    }
    expect(await balanceOf(ada)).toBe(before - 4_00)
    const text = (await bank.call('GET', '/v0/banking/payments/batch')).json.code
    expect(text).toBe('method_not_allowed')
  })

  test('replays a payment of createPayment with the same key and content, and the other way round', async () => {
    const payer = await makePayer(bank, 50_00)
    const body = { amount: 1_00, tags: { a: 'b' } }
    const single = await pay(bank, payer, body, { headers: { 'idempotency-key': 'shared-1' } })
    const [first] = (await send([item(payer, { ...body, idempotencyKey: 'shared-1' })])).json.data
    expect(first).toEqual({ idempotencyKey: 'shared-1', status: 201, payment: single.json.data })
    const [made] = (await send([item(payer, { amount: 2_00 })], 'outer')).json.data
    const again = await pay(bank, payer, { amount: 2_00 }, { headers: { 'idempotency-key': 'outer/0' } })
    expect([again.headers['idempotent-replayed'], again.json.data]).toEqual(['true', made.payment])
    const reused = await send([item(payer, { amount: 3_00, idempotencyKey: 'outer/0' })])
    expect(outcomes(reused)).toEqual(['idempotency_key_reused'])
    expect(await balanceOf(payer)).toBe(47_00)
  })

  test('sent again makes nothing twice, and makes the payments that were missing', async () => {
    const payer = await makePayer(bank, 3_00)
    const batch = [item(payer), item(payer, { amount: 9_00 }), item(payer)]
    const first = await send(batch, 'again')
    expect(outcomes(first)).toEqual([201, 'insufficient_funds', 201])
    await bank.call('POST', `/v0/sandbox/accounts/${payer.accountId}/receive-ach`, {
      body: { amount: 8_00, companyName: 'Sample Payroll' },
    })
    const second = await send(batch, 'again')
    expect(outcomes(second)).toEqual([201, 201, 201])
    expect(second.json.data[0]).toEqual(first.json.data[0])
    expect((await send(batch, 'again')).text).toBe(second.text)
    expect(await balanceOf(payer)).toBe(0)
  })

  test('replays single payments that were made before, wherever they are among new ones', async () => {
    const payer = await makePayer(bank, 200_00)
    const keys = ['before-a', 'before-b']
    const made = await send(keys.map((idempotencyKey) => item(payer, { amount: 2_00, idempotencyKey })))
    const batch = Array.from({ length: 100 }, () => item(payer))
    batch[5] = item(payer, { amount: 2_00, idempotencyKey: keys[0] })
    batch[52] = item(payer, { amount: 3_00, idempotencyKey: keys[1] })
    const reply = await send(batch, 'with-former')
    expect(outcomes(reply)).toEqual(batch.map((_, at) => (at === 52 ? 'idempotency_key_reused' : 201)))
    const paymentsOf = ({ json }: Reply) => json.data.map(({ payment }: Item) => payment)
    expect(paymentsOf(reply)[5]).toEqual(paymentsOf(made)[0])
    expect(await balanceOf(payer)).toBe(200_00 - 4_00 - 98_00)
    expect(paymentsOf(await send(batch, 'with-former'))).toEqual(paymentsOf(reply))
    expect(await balanceOf(payer)).toBe(200_00 - 4_00 - 98_00)
  })

  test('makes one payment of a key that occurs twice, and refuses it with another content', async () => {
    const payer = await makePayer(bank, 50_00)
    const twice = item(payer, { idempotencyKey: 'twice' })
    const reply = await send([twice, twice, { ...twice, amount: 2_00 }, { ...twice, tags: null }])
    expect(outcomes(reply)).toEqual([201, 201, 'idempotency_key_reused', 201])
    expect(new Set([0, 1, 3].map((at) => reply.json.data[at].payment.id)).size).toBe(1)
    expect(await balanceOf(payer)).toBe(49_00)
    // Tags are content, also those with the names of members that are none.
    for (const name of ['accountId', 'idempotencyKey']) {
      const tagged = (value: string) => item(payer, { idempotencyKey: `tagged-${name}`, tags: { [name]: value } })
      const replies = await send([tagged('1'), tagged('1'), tagged('2')])
      expect(outcomes(replies), name).toEqual([201, 201, 'idempotency_key_reused'])
    }
  })

  test('makes a payment whose key was refused before in its place', async () => {
    const payer = await makePayer(bank, 10_00)
    const keyed = (amount: number) => item(payer, { amount, idempotencyKey: 'refused-first' })
    const reply = await send([keyed(11_00), item(payer, { amount: 1_00 }), keyed(8_00), item(payer, { amount: 7_00 })])
    expect(outcomes(reply)).toEqual(['insufficient_funds', 201, 201, 'insufficient_funds'])
    expect(await balanceOf(payer)).toBe(1_00)
  })

  test('makes a thousand payments of one account in their order, also to accounts of the bank', async () => {
    const payer = await makePayer(bank, 1_000_00)
    const friend = await makePayer(bank)
    const own = await makeOwnBankAccount(bank, payer.customerId, friend.accountId)
    const batch = Array.from({ length: 1_000 }, (_, at) =>
      item(payer, { amount: at + 1, ...(at % 3 === 0 && { counterpartyAccountId: own }) }),
    )
    await bank.call('POST', `/v0/sandbox/accounts/${payer.accountId}/receive-ach`, {
      body: { amount: 10_000_00, companyName: 'Sample Payroll' },
    })
    const reply = await send(batch, 'thousand')
    expect(new Set(outcomes(reply))).toEqual(new Set([201]))
    const debits = (await transactionsOf(bank, payer.accountId)).filter(({ direction }) => direction === 'Debit')
    expect(debits.map(({ amount }) => amount)).toEqual(batch.map(({ amount }) => amount))
    expect(await balanceOf(friend)).toBe(batch.reduce((sum, { amount }, at) => sum + (at % 3 ? 0 : Number(amount)), 0))
  })

  test('keeps the order of an account that another transaction holds for a while', async () => {
    const [payer, free] = [await makePayer(bank, 2_000_00), await makePayer(bank, 2_000_00)]
    const batch = Array.from({ length: 600 }, (_, at) => item(at % 2 ? free : payer, { amount: at + 1 }))
    const release = await holdAccount(bank, payer.accountId)
    const sending = send(batch)
    await locksAwaited(bank)
    await release()
    expect(new Set(outcomes(await sending))).toEqual(new Set([201]))
    const debits = (await transactionsOf(bank, payer.accountId)).filter(({ direction }) => direction === 'Debit')
    expect(debits.map(({ amount }) => amount)).toEqual(batch.flatMap(({ amount }, at) => (at % 2 ? [] : [amount])))
  })

  test('keeps the order of an account behind a payment to an account of the bank that is held', async () => {
    const [payer, friend] = [await makePayer(bank, 100_00), await makePayer(bank, 100_00)]
    const own = { ...payer, externalAccountId: await makeOwnBankAccount(bank, payer.customerId, friend.accountId) }
    const release = await holdAccount(bank, friend.accountId)
    const sending = send([
      item(payer, { amount: 1 }),
      item(own, { amount: 2 }),
      item(payer, { amount: 3 }),
      item(own, { amount: 4 }),
    ])
    await locksAwaited(bank)
    await release()
    expect(outcomes(await sending)).toEqual([201, 201, 201, 201])
    const debits = (await transactionsOf(bank, payer.accountId)).filter(({ direction }) => direction === 'Debit')
    expect(debits.map(({ amount }) => amount)).toEqual([1, 2, 3, 4])
  })

  test('takes a thousand items at their largest, and no larger body', async () => {
    const tags = Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`${at}`.padEnd(255, 'n'), 'v'.repeat(255)]))
    const large = { description: 'D'.repeat(10), addenda: 'A'.repeat(80), tags, sameDay: true, secCode: 'PPD' }
    const batch = Array.from({ length: 1_000 }, (_, at) =>
      item(ada, { ...large, idempotencyKey: `${at}`.padEnd(255, 'k'), amount: 1 }),
    )
    const reply = await send(batch)
    expect([reply.status, new Set(outcomes(reply))]).toEqual([200, new Set([201])])
    const [start, end] = [`{"payments":[${JSON.stringify(item(ada))},"`, '"]}']
    const filled = (bytes: number) => `${start.padEnd(bytes - end.length, 'x')}${end}`
    const call = (bytes: number) => bank.call('POST', '/v0/banking/payments/batch', { raw: filled(bytes) })
    expect(outcomes(await call(10 * 1024 * 1024))).toEqual([201, 'invalid_request'])
    expect((await call(10 * 1024 * 1024 + 1)).status).toBe(413)
  })

  test('needs the scope of a payment, and sees no account of another organisation', async () => {
    const reader = await bank.makeKey('first', ['banking:read'])
    expect((await send([item(ada)], undefined, { key: reader })).status).toBe(403)
    const ours = await send([item(ada)], 'of-both')
    expect(outcomes(ours)).toEqual([201])
    const theirs = await send([item(ada)], 'of-both', { key: bank.otherKey })
    expect([theirs.status, outcomes(theirs)]).toEqual([200, ['account_not_found']])
    const customer = await bank.call('POST', '/v0/sandbox/customers', { key: bank.otherKey, body: { name: 'Eve' } })
    const body = { customerId: customer.json.data.id }
    const account = await bank.call('POST', '/v0/banking/accounts', { key: bank.otherKey, body })
    const own = await makeOwnBankAccount(bank, ada.customerId, ada.accountId)
    const mixed = item(ada, { accountId: account.json.data.id, counterpartyAccountId: own })
    expect(outcomes(await send([mixed], undefined, { key: bank.otherKey }))).toEqual(['external_account_not_found'])
  })
})

test('A payment for which the queue has no room is refused by itself, and made when it is sent again', async () => {
  const small = await openTestBank({ lane: { maxWaiting: 40 } })
  const payer = await makePayer(small, 100_00)
  const payments = Array.from({ length: 50 }, () => item(payer))
  const call = () =>
    small.call('POST', '/v0/banking/payments/batch', { body: { payments }, headers: { 'idempotency-key': 'full' } })
  const first = await call()
  expect(new Set(outcomes(first))).toEqual(new Set([201, 'unavailable']))
  expect(first.json.data.find(({ problem }: { problem?: object }) => problem).status).toBe(503)
  for (let tries = 0; tries < 5; tries++) await call()
  expect(new Set(outcomes(await call()))).toEqual(new Set([201]))
  expect((await accountOf(small, payer.accountId)).balance).toBe(50_00)
  await expectSoundLedger(small)
  await small.close()
})

test('Batches of one organisation leave the single payments of another their place', async () => {
  const mine = await makePayer(bank, 1_000_00)
  const externals = await makeExternalAccount(bank, mine.customerId)
  const batch = Array.from({ length: 1_000 }, () => item({ ...mine, externalAccountId: externals }, { amount: 1 }))
  const startedMs = performance.now()
  const sending = [send(batch), send(batch), send(batch)]
  const taken: number[] = []
  let running = true
  const pulse = (async () => {
    for (; running; ) {
      const began = performance.now()
      expect((await pay(bank, ada, { amount: 1 })).status).toBe(201)
      taken.push(performance.now() - began)
    }
  })()
  for (const reply of await Promise.all(sending)) expect(new Set(outcomes(reply))).toEqual(new Set([201]))
  const batchesMs = performance.now() - startedMs
  running = false
  await pulse
  process.stdout.write(`${taken.length} single payments beside batches of ${Math.round(batchesMs)} ms\n`)
  // Behind the batches there would be one to three.
  expect(taken.length).toBeGreaterThan(5)
  // On a busy machine the batches take longer, too.
  expect(Math.max(...taken)).toBeLessThan(Math.max(2_000, batchesMs / 2))
})

test('The refusals of a batch are compared with stored answers together, not one by one', async () => {
  let lookUps = 0
  const counting = await openTestBank({
    around: (database) => ({
      ...database,
      query: (text, ...rest) => {
        if (text.includes('from answer')) lookUps++
        return database.query(text, ...rest)
      },
    }),
  })
  const poor = await makePayer(counting, 1_00)
  lookUps = 0
  const headers = { 'idempotency-key': 'refused' }
  const payments = Array.from({ length: 300 }, () => item(poor))
  const reply = await counting.call('POST', '/v0/banking/payments/batch', { body: { payments }, headers })
  expect(outcomes(reply)).toEqual([201, ...Array(299).fill('insufficient_funds')])
  // One before the first payment, and one for each batch of the lane.
  expect(lookUps).toBeLessThan(10)
  await counting.close()
})

describe('payments with the longest tags', () => {
  const longest = Object.fromEntries(
    Array.from({ length: 15 }, (_, place) => [`${place}`.padEnd(255, 'n'), `${place}`.padEnd(255, 'v')]),
  )
  let observed: number[] = []
  let counting: TestBank
  let payer: Payer
  beforeAll(async () => {
    counting = await openTestBank({ lane: { observe: (commands) => observed.push(commands) } })
    payer = await makePayer(counting, 100_000_00)
  })
  afterAll(() => counting.close())

  /** The largest number of payments that were decided in one turn of the event loop. */
  async function mostTogether(make: () => Promise<unknown>): Promise<number> {
    observed = []
    await make()
    return Math.max(...observed)
  }
  async function batchOf(own: Item): Promise<void> {
    const payments = Array.from({ length: 300 }, () => item(payer, own))
    const reply = await counting.call('POST', '/v0/banking/payments/batch', { body: { payments } })
    expect(new Set(outcomes(reply))).toEqual(new Set([201]))
  }

  test('are made in smaller portions than others, of a batch and alone', async () => {
    expect(await mostTogether(() => batchOf({}))).toBe(250)
    // Each has 7,650 characters, and a portion ends with the one that takes it past 512 * 1,024.
    expect(await mostTogether(() => batchOf({ tags: longest }))).toBe(69)
    const alone = () => Promise.all(Array.from({ length: 200 }, () => pay(counting, payer, { tags: longest })))
    expect(await mostTogether(alone)).toBeLessThanOrEqual(69)
    await expectSoundLedger(counting)
  })

  test('that are sent again are answered in portions', async () => {
    const payments = Array.from({ length: 250 }, (_, place) => item(payer, { idempotencyKey: `again-${place}` }))
    await counting.call('POST', '/v0/banking/payments/batch', { body: { payments } })
    const { database, seals } = counting
    const stored = await database.query<{ organisationId: number; hash: Buffer; fingerprint: Buffer }>(
      `select organisation_id as "organisationId", key_hash as hash, fingerprint from answer
       where payment_id is not null and length(key_hash) = 32`,
    )
    let [inTurn, most] = [0, 0]
    const render: Write<never>['render'] = () => {
      if (inTurn === 0) setImmediate(() => (inTurn = 0))
      most = Math.max(most, ++inTurn)
      return { status: 201, body: '', replayed: false }
    }
    const writes = stored.map(({ organisationId, ...key }): Write<never> => {
      const caller = { organisationId, keyId: 1 }
      return { caller, requestId: null, key: { ...key, text: null, fromCaller: true }, secret: undefined, render }
    })
    const parts = { database, seals, readFirstStates: firstStatesReader(seals), waitMs: 2_000, settleMs: 1_000 }
    const replays = await openRunOnce(parts).replays(writes)
    expect([writes.length, replays.filter((replay) => replay?.status === 'fulfilled').length]).toEqual([250, 250])
    expect(most).toBe(100)
  })
})
