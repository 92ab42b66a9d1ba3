import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  countOfAccounts,
  countOfOrganisation,
  listOfAccount,
  listOfAccountSide,
  listOfAccounts,
  listOfOrganisation,
} from '../../../src/bank/accounts/transactions.sql.ts'
import { Position } from '../../../src/base/page.ts'
import { type Database, openDatabase, plainTimeouts, type Queryable } from '../../../src/database/database.ts'
import { openTestBank, type Reply, type TestBank } from '../../support/harness.ts'
import { expectSoundLedger } from '../../support/ledger.ts'
import { type Cost, costOf } from '../../support/plans/cost.ts'
import { makeAccount, makeCustomer } from '../../support/world.ts'

let bank: TestBank
let organisationId: number
let clearing: number

beforeAll(async () => {
  bank = await openTestBank({ own: true })
  const [row] = await bank.database.query<{ id: number }>(`select id from organisation where name = 'first'`)
  organisationId = row?.id ?? 0
  clearing = -1
  await bank.database.query(
    `insert into account (id, organisation_id, created_at, name, status, kind, slot)
     values ($1::bigint, $2::bigint, now(), 'ACH clearing', 'Open', 'ach_clearing', 63)`,
    [clearing, organisationId],
  )
})
afterAll(() => bank.close())

/** The expected row of one side of a transfer. */
interface Side {
  id: number
  accountId: number
  amount: number
  direction: 'Credit' | 'Debit'
  createdAt: string
}

/** Inserts transfers with chosen times, as the lane would have written them. */
async function post(moves: { id: number; from: number; to: number; amount: number; at: string }[]): Promise<Side[]> {
  const stand = new Map<number, { seq: number; balance: number }>()
  const step = (account: number, change: number) => {
    const { seq, balance } = stand.get(account) ?? { seq: 0, balance: 0 }
    const next = { seq: seq + 1, balance: balance + change }
    stand.set(account, next)
    return next
  }
  const touched = [...new Set(moves.flatMap(({ from, to }) => [from, to]))]
  for (const { id, seq, balance } of await bank.database.query<{ id: number; seq: number; balance: number }>(
    'select id, seq, balance from account where id = any($1::bigint[])',
    [touched],
  )) {
    stand.set(id, { seq, balance })
  }
  const sides: Side[] = []
  for (const { id, from, to, amount, at } of moves) {
    const [debit, credit] = [step(from, -amount), step(to, amount)]
    await bank.database.query(
      `insert into transfer (id, organisation_id, debit_account_id, debit_seq, debit_balance, credit_account_id,
         credit_seq, credit_balance, amount, source_kind, party, description, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'received_ach', 'Sample', 'Planted', $10)`,
      [id, organisationId, from, debit.seq, debit.balance, to, credit.seq, credit.balance, amount, at],
    )
    sides.push(
      { id, accountId: from, amount, direction: 'Debit', createdAt: at },
      { id: id + 1, accountId: to, amount, direction: 'Credit', createdAt: at },
    )
  }
  for (const [id, { seq, balance }] of stand) {
    await bank.database.query('update account set seq = $2, balance = $3, posted_at = $4 where id = $1', [
      id,
      seq,
      balance,
      moves.at(-1)?.at,
    ])
  }
  return sides
}

const instant = (ms: number) => new Date(Date.UTC(2026, 0, 31, 12) + ms).toISOString()

async function listed(query: string): Promise<number[]> {
  const { status, text, json } = await bank.call('GET', `/v0/banking/transactions?${query}`)
  expect(status, text).toBe(200)
  return json.data.map(({ id }: { id: string }) => Number(id))
}

/** All pages of a query by offset. Those that Link leads to are the same. */
async function paged(query: string, limit: number): Promise<number[]> {
  const all: number[] = []
  for (;;) {
    const page = await listed(`${query}&limit=${limit}&offset=${all.length}`)
    all.push(...page)
    if (page.length < limit) break
  }
  expect(await followed(`${query}&limit=${limit}`), `${query} by Link`).toEqual(all)
  return all
}

async function followed(query: string): Promise<number[]> {
  const all: number[] = []
  let next: string | undefined = `/v0/banking/transactions?${query}`
  while (next) {
    const { json, headers }: Reply = await bank.call('GET', next)
    all.push(...json.data.map(({ id }: { id: string }) => Number(id)))
    next = /<([^>]+)>; rel="next"/.exec(String(headers.link))?.[1]
  }
  return all
}

/** The number of transactions that `count` says. */
async function counted(query: string): Promise<unknown> {
  return (await bank.call('GET', `/v0/banking/transactions?${query}&count=true&limit=1`)).headers['x-total-count']
}

const idsOf = (sides: Side[]) => sides.map(({ id }) => id)

describe('since and until', () => {
  test('on one account are exact, also among transactions of one millisecond', async () => {
    const account = Number(await makeAccount(bank))
    // Some milliseconds have one posting, some several, some none; ids do not rise along the sequence.
    const times = [0, 0, 0, 1, 3, 3, 4, 4, 4, 4, 9, 10, 10, 500, 501, 501, 501]
    const posted = await post(
      times.map((ms, index) => ({
        id: 200_000 + ((index * 7) % times.length) * 2,
        from: index % 3 === 2 ? account : clearing,
        to: index % 3 === 2 ? clearing : account,
        amount: 1 + index,
        at: instant(ms),
      })),
    )
    const own = posted.filter(({ accountId }) => accountId === account)
    const bounds = [undefined, -1, 0, 1, 2, 3, 4, 5, 9, 10, 11, 500, 501, 502].map((ms) =>
      ms === undefined ? undefined : instant(ms),
    )
    // A time between two milliseconds, as a caller with a finer clock sends it.
    bounds.push('2026-01-31T12:00:00.0035Z')
    for (const since of bounds) {
      for (const until of bounds) {
        for (const direction of [undefined, 'Debit', 'Credit']) {
          const expected = own.filter(
            (side) =>
              (since === undefined || side.createdAt.slice(0, -1) > since.slice(0, -1)) &&
              (until === undefined || side.createdAt.slice(0, -1) < until.slice(0, -1)) &&
              (direction === undefined || side.direction === direction),
          )
          const query = Object.entries({ accountId: account, since, until, direction })
            .filter(([, value]) => value !== undefined)
            .map(([name, value]) => `${name}=${value}`)
            .join('&')
          expect(await listed(`${query}&sort=createdAt`), query).toEqual(idsOf(expected))
          expect(await listed(query), query).toEqual(idsOf(expected.toReversed()))
          const isSample = direction === undefined && bounds.indexOf(since) % 5 === 0
          if (isSample) expect(await counted(query), query).toBe(String(expected.length))
        }
      }
    }
    const window = `accountId=${account}&since=${instant(0)}&until=${instant(501)}`
    expect(await paged(window, 3)).toEqual(await listed(window))
    expect(await paged(`${window}&sort=createdAt`, 3)).toEqual((await listed(window)).toReversed())
  })
})

describe('the merged list of several accounts', () => {
  let customerId: string
  let own: Side[]

  beforeAll(async () => {
    customerId = await makeCustomer(bank)
    const accounts: number[] = []
    for (const _number of [1, 2, 3]) accounts.push(Number(await makeAccount(bank, { customerId })))
    const [one = 0, two = 0, three = 0] = accounts
    // One is busy and one is not; long ties; some transfers stay among the three.
    const routes = [
      [clearing, one],
      [one, two],
      [clearing, one],
      [one, clearing],
      [clearing, three],
      [clearing, one],
      [two, one],
    ]
    const mixed = Array.from({ length: 90 }, (_, index) => {
      const [from = 0, to = 0] = routes[index % routes.length] ?? []
      return {
        id: 300_000 + ((index * 37) % 90) * 2,
        from,
        to,
        amount: 1 + index,
        at: instant(600 + (index < 30 ? Math.floor(index / 10) : index < 60 ? 5 : index)),
      }
    })
    // The oldest and the newest pages are of one account, without ties.
    const alone = (ms: number) => ({ id: 300_000 + 2 * ms, from: clearing, to: one, amount: ms, at: instant(ms) })
    const posted = await post([...[590, 591, 592].map(alone), ...mixed, ...[700, 701, 702].map(alone)])
    own = posted
      .filter(({ accountId }) => accounts.includes(accountId))
      .sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id - b.id)
  })

  test.each([1, 2, 7, 30, 1000])('pages by %i without repeats or gaps, in both sorts', async (limit) => {
    const query = `customerId=${customerId}`
    expect(await paged(`${query}&sort=createdAt`, limit)).toEqual(idsOf(own))
    expect(await paged(query, limit)).toEqual(idsOf(own.toReversed()))
  })

  test.each(['Debit', 'Credit'])('pages the %s side alone', async (direction) => {
    const query = `customerId=${customerId}&direction=${direction}`
    const expected = own.filter((side) => side.direction === direction)
    expect(await paged(`${query}&sort=createdAt`, 7)).toEqual(idsOf(expected))
    expect(await paged(query, 7)).toEqual(idsOf(expected.toReversed()))
  })

  test('respects since and until on every page', async () => {
    for (const [since, until] of [
      [600, 605],
      [601, 680],
      [605, 700],
      [604, 606],
      [605, 605],
      [700, 600],
    ] as const) {
      const query = `customerId=${customerId}&since=${instant(since)}&until=${instant(until)}`
      const expected = own.filter(({ createdAt }) => createdAt > instant(since) && createdAt < instant(until))
      expect(await paged(`${query}&sort=createdAt`, 7), query).toEqual(idsOf(expected))
      expect(await paged(query, 7), query).toEqual(idsOf(expected.toReversed()))
      expect(await counted(query), query).toBe(String(expected.length))
      const debits = expected.filter(({ direction }) => direction === 'Debit')
      expect(await counted(`${query}&direction=Debit`), query).toBe(String(debits.length))
    }
  })

  test('of the whole organisation pages the same way', async () => {
    const window = `since=${instant(589)}&until=${instant(800)}`
    expect(await paged(`${window}&sort=createdAt`, 7)).toEqual(idsOf(own))
    expect(await paged(window, 7)).toEqual(idsOf(own.toReversed()))
    const debits = own.filter(({ direction }) => direction === 'Debit')
    expect(await paged(`${window}&sort=createdAt&direction=Debit`, 7)).toEqual(idsOf(debits))
    expect(await counted(window)).toBe(String(own.length))
    expect(await counted(`${window}&direction=Debit`)).toBe(String(debits.length))
  })

  test('is tested on rows as the lane writes them: the ledger is sound', () => expectSoundLedger(bank))
})

describe('the plan of a list of one account with 100,000 entries', () => {
  const ENTRIES = 100_000
  const LIMIT = 100
  let big: TestBank
  let generic: Database
  let account: number
  let bigOrganisation: number
  let customerAccounts: number[]

  beforeAll(async () => {
    big = await openTestBank({ own: true })
    const customerId = await makeCustomer(big)
    account = Number(await makeAccount(big, { customerId }))
    customerAccounts = [account, Number(await makeAccount(big, { customerId }))]
    const [row] = await big.database.query<{ id: number }>('select organisation_id as id from account where id = $1', [
      account,
    ])
    bigOrganisation = row?.id ?? 0
    await big.database.query(
      `insert into account (id, organisation_id, created_at, name, status, kind, slot)
       values (-1, $1::bigint, now(), 'ACH clearing', 'Open', 'ach_clearing', 0)`,
      [bigOrganisation],
    )
    await big.database.query(
      `insert into transfer (id, organisation_id, debit_account_id, debit_seq, debit_balance, credit_account_id,
         credit_seq, credit_balance, amount, source_kind, source_id, party, description, created_at)
       select 2000000 + 2 * n, $2::bigint, case when n % 3 = 0 then $1::bigint else -1 end, n,
         case when n % 3 = 0 then balance else -balance end, case when n % 3 = 0 then -1 else $1::bigint end, n,
         case when n % 3 = 0 then -balance else balance end, 1,
         case when n % 3 = 0 then 'payment' else 'received_ach' end, case when n % 3 = 0 then 5000000 + n end,
         'Sample', 'Planted', timestamptz '2026-01-01' + n / 3 * interval '1 millisecond'
       from (select n, sum(case when n % 3 = 0 then -1 else 1 end) over (order by n) as balance
             from generate_series(1, $3::bigint) n) x`,
      [account, bigOrganisation, ENTRIES],
    )
    await big.database.query(
      `update account a set seq = $2::bigint, posted_at = t.created_at,
         balance = case when a.id = t.debit_account_id then t.debit_balance else t.credit_balance end
       from transfer t where t.id = 2000000 + 2 * $2::bigint and a.id in ($1::bigint, -1)`,
      [account, ENTRIES],
    )
    // Neighbours that a plan might read in full to join a page with a few of them.
    await big.database.query(
      `insert into payment (id, organisation_id, account_id, customer_id, type, direction, status, amount, description,
         original_type, created_at, counterparty_name, counterparty_routing_number, counterparty_account_number,
         counterparty_account_type)
       select source_id, organisation_id, debit_account_id, $1::bigint, 'achPayment', 'Credit', 'Sent', 1, 'Planted',
         'ACH', created_at, 'Sample', '021000021', '1', 'Checking' from transfer where source_kind = 'payment'`,
      [customerId],
    )
    await big.database.query(
      `insert into account (id, organisation_id, customer_id, created_at, name, status)
       select 6000000 + n, $1::bigint, $2::bigint, now(), 'Neighbour', 'Open' from generate_series(1, 30000) n`,
      [bigOrganisation, await makeCustomer(big)],
    )
    await big.database.query('analyze')
    // The plan that a prepared statement has after its first five runs.
    generic = openDatabase({
      servers: [{ ...big.server, options: '-c TimeZone=UTC -c plan_cache_mode=force_generic_plan' }],
      connections: 1,
      timeouts: plainTimeouts,
    })
  })
  afterAll(async () => {
    await generic.close()
    await big.close()
  })

  /** A page of transfers, and of its neighbours at most a few rows for each of them. */
  function expectCheap({ rows }: Cost, maxTransfers: number): void {
    expect(rows.transfer).toBeLessThanOrEqual(maxTransfers)
    expect(rows.payment).toBeLessThanOrEqual(LIMIT + 1)
    expect(rows.account).toBeLessThanOrEqual(2 * (LIMIT + 1) + 5)
  }

  const page = (offset: number, ascending: boolean) => ({ take: LIMIT + 1, offset, ascending })
  const filter = () => ({
    ...{ organisationId: bigOrganisation, accountId: account },
    ...{ since: null, until: null, fromAmount: null, toAmount: null },
  })
  const planned = [
    ['planned for its values', () => big.database],
    ['planned for any values', () => generic],
  ] as const

  describe.each(planned)('%s', (_how, database) => {
    test.each([false, true])('costs the same at offset 0 and at the far end (ascending: %s)', async (ascending) => {
      const costs: Cost[] = []
      for (const offset of [0, ENTRIES / 2, ENTRIES - LIMIT]) {
        costs.push(await costOf(database(), (each) => listOfAccount(each, filter(), page(offset, ascending))))
      }
      for (const cost of costs) {
        expectCheap(cost, LIMIT + 1)
        expect(cost.rows.transfer).toBeGreaterThanOrEqual(LIMIT)
        expect(cost.indexes.toSorted()).toEqual(['transfer_credit', 'transfer_debit'])
      }
      const [first, , last] = costs
      expect(last?.pages).toBeLessThan(2 * (first?.pages ?? 0) + 50)
    })

    test('costs a bisection more with since and until', async () => {
      const since = '2026-01-01T00:00:10.000Z'
      const until = '2026-01-01T00:00:20.000Z'
      const bounded = { ...filter(), since, until }
      const plain = await costOf(database(), (each) => listOfAccount(each, filter(), page(0, false)))
      for (const offset of [0, 29_000]) {
        const cost = await costOf(database(), (each) => listOfAccount(each, bounded, page(offset, false)))
        expectCheap(cost, LIMIT + 1)
        // Two bounds, seventeen steps each, two small index look-ups a step.
        expect(cost.pages).toBeLessThan(plain.pages + 2 * 17 * 2 * 10)
      }
    })

    test('reads about a page with a direction, of several accounts and of the organisation', async () => {
      for (const ascending of [false, true]) {
        const sided = { ...filter(), direction: 'Debit' as const }
        const side = await costOf(database(), (each) => listOfAccountSide(each, sided, page(0, ascending)))
        expectCheap(side, LIMIT + 1)
        const several = { ...filter(), accountIds: customerAccounts, direction: null }
        const merged = await costOf(database(), (each) => listOfAccounts(each, several, page(0, ascending)))
        // A tie at the cut is read to its end.
        expectCheap(merged, LIMIT + 1 + 3)
        const whole = { ...filter(), direction: null }
        const all = await costOf(database(), (each) => listOfOrganisation(each, whole, page(0, ascending)))
        expectCheap(all, 3 * LIMIT)
      }
    })
  })

  describe.each(planned)('after a position, %s', (_how, database) => {
    /** The page after the transaction of the account with a number, which three of them share a time with. */
    const after = (entry: number, ascending: boolean) => {
      const createdAt = new Date(Date.UTC(2026, 0, 1) + Math.floor(entry / 3)).toISOString()
      return {
        ...page(0, ascending),
        after: new Position(createdAt, 2_000_000 + 2 * entry + (entry % 3 === 0 ? 0 : 1)),
      }
    }

    test.each([false, true])('reads about a page wherever it begins (ascending: %s)', async (ascending) => {
      for (const entry of [300, ENTRIES / 2 + 1, ENTRIES - 298]) {
        const place = after(entry, ascending)
        const one = await costOf(database(), (each) => listOfAccount(each, filter(), place))
        // The transfer at the position itself is looked up.
        expectCheap(one, LIMIT + 2)
        const sided = { ...filter(), direction: 'Debit' as const }
        expectCheap(await costOf(database(), (each) => listOfAccountSide(each, sided, place)), LIMIT + 2)
        const several = { ...filter(), accountIds: customerAccounts, direction: null }
        expectCheap(await costOf(database(), (each) => listOfAccounts(each, several, place)), LIMIT + 1 + 6)
        const whole = { ...filter(), direction: null }
        expectCheap(await costOf(database(), (each) => listOfOrganisation(each, whole, place)), 3 * LIMIT)
      }
    })

    test('counts without reading more than 10,001 transfers', async () => {
      const cost = (count: (each: Queryable) => Promise<string>) =>
        database().transaction((transaction) => costOf(transaction, count))
      const several = { ...filter(), accountIds: customerAccounts }
      const bySeq = await cost((each) => countOfAccounts(each, { ...several, direction: null }))
      expect(bySeq.rows.transfer).toBe(0)
      const bySide = await cost((each) => countOfAccounts(each, { ...several, direction: 'Debit' }))
      expect([bySide.rows.transfer, bySide.indexes]).toEqual([10_001, ['transfer_debit']])
      const all = await cost((each) => countOfOrganisation(each, { ...filter(), direction: 'Debit' }))
      expect([all.rows.transfer, all.indexes]).toEqual([10_001, ['transfer_newest']])
    })
  })

  test('counts up to 10,000', async () => {
    const until = (entries: number) => new Date(Date.UTC(2026, 0, 1) + entries / 3).toISOString()
    const total = async (query: string) =>
      (await big.call('GET', `/v0/banking/transactions?${query}&count=true&limit=1`)).headers['x-total-count']
    // Entries of the first milliseconds: 2, then 3 in each.
    for (const owner of [`accountId=${account}&`, '']) {
      expect(await total(`${owner}until=${until(9_999)}`)).toBe('9998')
      expect(await total(`${owner}until=${until(10_002)}`)).toBe('10000+')
    }
    expect(await total(`accountId=${account}`)).toBe('10000+')
    // A third of the transfers that are looked at.
    expect(await total('direction=Debit')).toBe('3334+')
    expect(await total(`accountId=${account}&direction=Debit`)).toBe('10000+')
  })

  test('can fail: the offset that databases offer reads everything before it', async () => {
    const { rows } = await costOf(big.database, (each) =>
      each.query('select * from transfer where credit_account_id = $1 order by credit_seq limit 100 offset 50000', [
        account,
      ]),
    )
    expect(rows.transfer).toBeGreaterThan(50_000)
  })

  test('shows the right entries at the far end', async () => {
    const query = `/v0/banking/transactions?accountId=${account}&limit=2`
    const oldest = await big.call('GET', `${query}&offset=${ENTRIES - 2}`)
    expect(oldest.json.data.map(({ balance }: { balance: number }) => balance)).toEqual([2, 1])
    expect(oldest.headers.link).toBeUndefined()
    const newest = await big.call('GET', `${query}&offset=${ENTRIES - 1}&sort=createdAt`)
    expect(newest.json.data.map(({ id }: { id: string }) => id)).toEqual([String(2_000_000 + 2 * ENTRIES + 1)])
    await expectSoundLedger(big)
  })
})
