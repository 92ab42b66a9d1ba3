import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AccountFilter, countAccounts, listAccountRows } from '../../../src/bank/accounts/accounts.sql.ts'
import { listReceived } from '../../../src/bank/ach/incoming/received.sql.ts'
import { findOwnedStart, listOwnedRows, type OwnedFilter } from '../../../src/bank/cards/authorizations.sql.ts'
import { listCardRows } from '../../../src/bank/cards/cards.sql.ts'
import { type CustomerFilter, countCustomers, listCustomerRows } from '../../../src/bank/customers/customers.sql.ts'
import { listQueues } from '../../../src/bank/lookup/attention.sql.ts'
import {
  countPayments,
  findSearchStart,
  listPaymentRows,
  type PaymentFilter,
} from '../../../src/bank/payments/payments.sql.ts'
import { Position } from '../../../src/base/page.ts'
import { type Database, openDatabase, plainTimeouts, type Queryable } from '../../../src/database/database.ts'
import type { ListWindow } from '../../../src/database/lists.ts'
import { openTestBank, type TestBank } from '../../support/harness.ts'
import { costOf } from '../../support/plans/cost.ts'
import { makeAccount, makeCustomer } from '../../support/world.ts'

const ROWS = 30_000
const LIMIT = 100
/** An account whose only payment is the oldest of the organisation, and an account of another organisation. */
const [OLD_ACCOUNT, OTHER_ACCOUNT] = [30_000_001, 31_000_001]
const [OLD_CUSTOMER, CUSTOMER_WITHOUT_ACCOUNTS] = [20_000_001, 20_000_002]

let bank: TestBank
let generic: Database
let organisationId: number
let customerId: number
let accountId: number

/** Rows a second apart, and as many of another organisation at the same times. */
beforeAll(async () => {
  bank = await openTestBank({ own: true })
  customerId = Number(await makeCustomer(bank))
  accountId = Number(await makeAccount(bank, { customerId: String(customerId) }))
  const [row] = await bank.database.query<{ id: number }>('select organisation_id as id from account where id = $1', [
    accountId,
  ])
  organisationId = row?.id ?? 0
  const each = `cross join (select id as organisation, rank() over (order by id = $1::bigint desc, id) - 1 as place
    from organisation limit 2) o`
  const at = `timestamptz '2026-01-01' + n * interval '1 second'`
  await bank.database.query(
    `insert into customer (id, organisation_id, created_at, name, status)
     select 20000000 + 1000000 * place + n, organisation, ${at}, 'Planted', 'Active'
     from generate_series(1, $2::int) n ${each}`,
    [organisationId, ROWS],
  )
  await bank.database.query(
    `insert into account (id, organisation_id, customer_id, created_at, name, status, close_reason)
     select 30000000 + 1000000 * place + n, organisation,
       case when place = 0 and n % 2 = 0 then $3::bigint else 20000000 + 1000000 * place + n end, ${at}, 'Planted',
       case when n % 10 = 0 then 'Closed' else 'Open' end, case when n % 10 = 0 then 'ByCustomer' end
     from generate_series(1, $2::int) n ${each}`,
    [organisationId, ROWS, customerId],
  )
  await bank.database.query(
    `insert into payment (id, organisation_id, account_id, customer_id, type, direction, status, amount, description,
       original_type, created_at, counterparty_name, counterparty_routing_number, counterparty_account_number,
       counterparty_account_type)
     select 40000000 + 1000000 * place + n, organisation,
       case when place = 0 and n % 2 = 0 then $3::bigint else 30000000 + 1000000 * place + n end, $4::bigint, 'achPayment',
       'Credit', 'Sent', n, 'Planted', 'ACH', ${at}, 'Sample', '021000021', '1', 'Checking'
     from generate_series(1, $2::int) n ${each}`,
    [organisationId, ROWS, accountId, customerId],
  )
  await bank.database.query(
    `insert into card (id, organisation_id, account_id, customer_id, created_at, last4, expires, status, type)
     select id, organisation_id, account_id, customer_id, created_at, '0000', '2030-01', 'Active', 'individualVirtualDebitCard'
     from (
       select p.id, p.organisation_id, p.account_id, a.customer_id, p.created_at
       from payment p join account a on a.id = p.account_id where p.id < 41000000) c`,
  )
  await bank.database.query(
    `insert into ach_file (id, organisation_id, key_organisation_id, direction, window_at, part, modifier, created_on, name, state,
       sealed_content, sha256)
     values (1, $1, $1, 'in', now(), 1, 'A', '2026-01-01', 'planted.ach', 'applied', '', sha256('planted'))`,
    [organisationId],
  )
  await bank.database.query(
    `insert into received_payment (id, organisation_id, account_id, customer_id, file_id, line, direction, status, amount,
       sec_code, company_name, description, sending_bank, trace_number, receiver_name, settles_on, due_at, created_at)
     select c.id, c.organisation_id, c.account_id, c.customer_id, 1, c.id - 40000000, 'Credit', 'Pending', 1, 'PPD', 'Planted',
       'Planted', '02100002', '021000020000001', 'Planted', '2026-01-01', c.created_at, c.created_at
     from card c`,
  )
  await bank.database.query(
    `insert into card_authorization (id, organisation_id, account_id, customer_id, card_id, card_last4, status, amount,
       merchant_name, merchant_category, merchant_location, decline_reason, created_at, expires_at)
     select c.id, c.organisation_id, c.account_id, c.customer_id, c.id, '0000',
       case when c.id % 3000 = 0 then 'Declined' else 'Completed' end, 1, 'Planted', '', '',
       case when c.id % 3000 = 0 then 'InsufficientFunds' end, c.created_at, c.created_at
     from card c`,
  )
  await bank.database.query(
    `insert into payment_review (id, organisation_id, created_at, reason)
     select id, organisation_id, created_at, 'firstPayment' from payment`,
  )
  await bank.database.query('analyze')
  // The plan that a prepared statement has after its first five runs.
  generic = openDatabase({
    servers: [{ ...bank.server, options: '-c TimeZone=UTC -c plan_cache_mode=force_generic_plan' }],
    connections: 1,
    timeouts: plainTimeouts,
  })
})
afterAll(async () => {
  await generic.close()
  await bank.close()
})

const customers = (search?: string, filter: Partial<CustomerFilter> = {}): CustomerFilter => ({
  organisationId,
  search,
  ...filter,
})
const accounts = (filter: Partial<AccountFilter> = {}): AccountFilter => ({
  ...{ organisationId, search: undefined, only: null, without: null },
  ...filter,
})
const payments = (filter: Partial<PaymentFilter> = {}): PaymentFilter => ({
  ...{ organisationId, accountIds: null, paymentId: null, type: ['achPayment'] },
  ...filter,
})

const authorizations: OwnedFilter = { organisationId: 0, customerId: null, accountId: null, cardId: null }

const behind = (entry: number, ascending: boolean) => ({
  take: LIMIT + 1,
  offset: 0,
  ascending,
  after: new Position(new Date(Date.UTC(2026, 0, 1) + entry * 1000).toISOString(), 40_000_000),
})

async function rowsOf(
  database: Queryable,
  table: string,
  list: (each: Queryable) => Promise<unknown>,
): Promise<number> {
  return (await costOf(database, list)).rows[table] ?? 0
}

describe.each([
  ['planned for its values', () => bank.database],
  ['planned for any values', () => generic],
] as const)('%s', (_how, database) => {
  test.each([false, true])('a page after a position reads a page, however deep (ascending: %s)', async (ascending) => {
    for (const entry of [200, ROWS / 2, ROWS - 200]) {
      const page = behind(entry, ascending)
      const read = [
        await rowsOf(database(), 'customer', (each) => listCustomerRows(each, customers(), page)),
        await rowsOf(database(), 'account', (each) => listAccountRows(each, accounts(), page)),
        await rowsOf(database(), 'payment', (each) => listPaymentRows(each, payments(), page)),
      ]
      expect(read).toEqual([LIMIT + 1, LIMIT + 1, LIMIT + 1])
    }
  })

  test('a page of an account or of a customer reads no rows of others, even where theirs are old or none', async () => {
    const page = { take: LIMIT + 1, offset: 0, ascending: false, after: undefined }
    const none = { accountId: null, customerId: null }
    const ofAccount = async (id: number) => [
      await rowsOf(database(), 'payment', (each) => listPaymentRows(each, payments({ accountIds: [id] }), page)),
      await rowsOf(database(), 'card', (each) => listCardRows(each, { organisationId, ...none, accountId: id }, page)),
      await rowsOf(database(), 'received_payment', (each) =>
        listReceived(each, { organisationId, ...none, accountId: id }, page),
      ),
    ]
    expect(await ofAccount(accountId)).toEqual([LIMIT + 1, LIMIT + 1, LIMIT + 1])
    expect(await ofAccount(OLD_ACCOUNT)).toEqual([1, 1, 1])
    expect(await ofAccount(OTHER_ACCOUNT)).toEqual([0, 0, 0])
    const ofCustomer = async (id: number) => [
      await rowsOf(database(), 'account', (each) => listAccountRows(each, accounts({ customerId: id }), page)),
      await rowsOf(database(), 'card', (each) => listCardRows(each, { organisationId, ...none, customerId: id }, page)),
      await rowsOf(database(), 'received_payment', (each) =>
        listReceived(each, { organisationId, ...none, customerId: id }, page),
      ),
    ]
    expect(await ofCustomer(OLD_CUSTOMER)).toEqual([1, 1, 1])
    expect(await ofCustomer(CUSTOMER_WITHOUT_ACCOUNTS)).toEqual([0, 0, 0])
  })

  test('a page of a time or of named accounts reads its rows alone', async () => {
    const page = { take: LIMIT + 1, offset: 0, ascending: false, after: undefined }
    const [since, until] = ['2026-01-01T00:00:10.000Z', '2026-01-01T00:00:20.000Z']
    const accountIds = Array.from({ length: LIMIT }, (_, at) => OLD_ACCOUNT + 200 * at)
    const read = [
      await rowsOf(database(), 'customer', (each) =>
        listCustomerRows(each, customers(undefined, { since, until }), page),
      ),
      await rowsOf(database(), 'account', (each) => listAccountRows(each, accounts({ since, until }), page)),
      await rowsOf(database(), 'account', (each) => listAccountRows(each, accounts({ accountIds }), page)),
      await rowsOf(database(), 'account', (each) => countAccounts(each, accounts({ accountIds }))),
    ]
    expect(read).toEqual([9, 9, LIMIT, LIMIT])
  })

  test('a page of authorizations reads a page, and declined ones have an index of their own', async () => {
    const read = (filter: Partial<OwnedFilter>, page: ListWindow) =>
      rowsOf(database(), 'card_authorization', (each) =>
        listOwnedRows(each, { ...authorizations, organisationId, ...filter }, page),
      )
    for (const entry of [200, ROWS / 2, ROWS - 200]) expect(await read({}, behind(entry, false))).toBe(LIMIT + 1)
    const page = { take: LIMIT + 1, offset: 0, ascending: false, after: undefined }
    expect(await read({ status: ['Declined'] }, page)).toBe(ROWS / 3000)
    expect(await read({ reason: 'InsufficientFunds' }, page)).toBe(ROWS / 3000)
    expect(await read({ customerId }, page)).toBe(LIMIT + 1)
    expect(await read({ accountId: OLD_ACCOUNT }, page)).toBe(1)
    expect(await read({ cardId: 40_000_001 }, page)).toBe(1)
    const searched = { ...authorizations, organisationId, search: 'no such' }
    const start = (each: Queryable) => findOwnedStart(each, searched)
    expect(await rowsOf(database(), 'card_authorization', start)).toBe(10_001)
    expect(await read({ search: 'no such', since: await findOwnedStart(bank.database, searched) }, page)).toBe(10_000)
  })

  test('what needs attention is counted in 1,001 rows of a queue', async () => {
    const { rows } = await costOf(database(), (each) => listQueues(each, organisationId, '2026-01-01'))
    expect([rows.payment_review, rows.payment]).toEqual([1_001, 1_001])
  })

  test('a page of several accounts is in one order, and has none of another organisation', async () => {
    const accountIds = [accountId, OLD_ACCOUNT, OLD_ACCOUNT + 2, OTHER_ACCOUNT]
    const idsOf = async (take: number, offset: number, ascending: boolean) => {
      const page = { take, offset, ascending, after: undefined }
      return (await listPaymentRows(database(), payments({ accountIds }), page)).map(
        ({ id }) => Number(id) - 40_000_000,
      )
    }
    expect(await idsOf(5, 0, true)).toEqual([1, 2, 3, 4, 6])
    expect(await idsOf(3, 1, true)).toEqual([2, 3, 4])
    expect(await idsOf(2, 1, false)).toEqual([ROWS - 2, ROWS - 4])
    expect(await idsOf(5, ROWS / 2, false)).toEqual([2, 1])
  })

  test('a count reads 10,001 rows at most, whatever the filter', async () => {
    const read = [
      await rowsOf(database(), 'customer', (each) => countCustomers(each, customers())),
      await rowsOf(database(), 'account', (each) => countAccounts(each, accounts())),
      await rowsOf(database(), 'account', (each) => countAccounts(each, accounts({ status: 'Closed' }))),
      await rowsOf(database(), 'account', (each) => countAccounts(each, accounts({ customerId }))),
      await rowsOf(database(), 'payment', (each) => countPayments(each, payments())),
      await rowsOf(database(), 'payment', (each) => countPayments(each, payments({ fromAmount: ROWS }))),
      await rowsOf(database(), 'payment', (each) => countPayments(each, payments({ tags: { no: 'such' } }))),
      await rowsOf(database(), 'payment', (each) => countPayments(each, payments({ accountIds: [accountId] }))),
    ]
    expect(read).toEqual(read.map(() => 10_001))
    // A search has a limit for each way to find a record: by name, last word, e-mail address and id.
    const searched = [
      await rowsOf(database(), 'customer', (each) => countCustomers(each, customers('planted'))),
      await rowsOf(database(), 'account', (each) => countAccounts(each, accounts({ search: 'planted' }))),
    ]
    for (const rows of searched) expect(rows).toBeLessThanOrEqual(4 * 10_001)
    const texts = [{ search: 'no such' }, { search: 'no such', accountIds: [accountId] }]
    for (const text of texts) {
      expect(await rowsOf(database(), 'payment', (each) => findSearchStart(each, payments(text)))).toBe(10_001)
    }
    const start = await findSearchStart(bank.database, payments({ search: 'no such' }))
    const after = payments({ search: 'no such', since: start })
    expect(await rowsOf(database(), 'payment', (each) => countPayments(each, after))).toBe(10_000)
    const [since, until] = ['2026-01-01T00:00:10.000Z', '2026-01-01T00:00:20.000Z']
    const few = [
      await rowsOf(database(), 'payment', (each) => countPayments(each, payments({ since, until }))),
      await rowsOf(database(), 'payment', (each) => countPayments(each, payments({ paymentId: 40_000_001 }))),
      await rowsOf(database(), 'payment', (each) => countPayments(each, payments({ accountIds: [31_000_001] }))),
      await rowsOf(database(), 'account', (each) => countAccounts(each, accounts({ customerId: 21_000_001 }))),
    ]
    expect(few).toEqual([9, 1, 0, 0])
  })
})

test('a count is exact up to 10,000, and says where it stopped looking', async () => {
  const total = (count: (each: Queryable) => Promise<string>) => bank.database.transaction(count)
  expect(await total((each) => countCustomers(each, customers()))).toBe('10000+')
  expect(await total((each) => countCustomers(each, customers('planted')))).toBe('10000+')
  expect(await total((each) => countCustomers(each, customers('ada')))).toBe('1')
  expect(await total((each) => countCustomers(each, customers('ada', { status: 'Erased' })))).toBe('0')
  expect(await total((each) => countCustomers(each, customers('ada', { until: '2026-01-01' })))).toBe('0')
  expect(await total((each) => countCustomers(each, customers(undefined, { since: '2026-01-01T08:19:50Z' })))).toBe(
    '11',
  )
  expect(await total((each) => countAccounts(each, accounts({ status: 'Closed' })))).toMatch(/^100\d\+$/)
  expect(await total((each) => countAccounts(each, accounts({ search: '20000001' })))).toBe('1')
  expect(await total((each) => countAccounts(each, accounts({ search: '20000001', status: 'Closed' })))).toBe('0')
  expect(await total((each) => countPayments(each, payments({ accountIds: [accountId] })))).toBe('10000+')
  const until = (entry: number) => new Date(Date.UTC(2026, 0, 1) + entry * 1000).toISOString()
  expect(await total((each) => countPayments(each, payments({ until: until(10_001) })))).toBe('10000')
  expect(await total((each) => countPayments(each, payments({ until: until(10_002) })))).toBe('10000+')
  const large = payments({ until: until(10_001), fromAmount: 9_999 })
  expect(await total((each) => countPayments(each, large))).toBe('2')
})
