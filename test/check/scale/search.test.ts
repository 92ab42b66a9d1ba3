import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listAccountRows } from '../../../src/bank/accounts/accounts.sql.ts'
import { listCustomerRows } from '../../../src/bank/customers/customers.sql.ts'
import {
  searchAccounts,
  searchApplications,
  searchAuthorizations,
  searchCards,
  searchCustomers,
  searchExternalAccounts,
  searchPayments,
} from '../../../src/bank/lookup/search.sql.ts'
import { sha256 } from '../../../src/base/sha256.ts'
import { type Database, openDatabase, plainTimeouts, type Queryable } from '../../../src/database/database.ts'
import { migrate } from '../../../src/database/migrate.ts'
import { createDatabase } from '../../support/harness.ts'
import { costOf } from '../../support/plans/cost.ts'

const COUNT = 100_000
const organisationId = 1

let place: Awaited<ReturnType<typeof createDatabase>>
let database: Database

beforeAll(async () => {
  place = await createDatabase()
  // The plan that a prepared statement keeps, whatever its values.
  const greet = async (connection: Queryable) => {
    await connection.query(`set plan_cache_mode = force_generic_plan`, [], 'once')
  }
  database = openDatabase({ servers: [place.server], connections: 1, timeouts: plainTimeouts, greet })
  await migrate(database, 'migrations')
  await grow()
})
afterAll(async () => {
  await database.close()
  await place.drop()
})

/** Makes customers with an account each, and fewer applications, external accounts and payments. */
async function grow(): Promise<void> {
  const each = `from generate_series(0, ${COUNT - 1}) i`
  const tenth = `from generate_series(0, ${COUNT - 1}, 10) i`
  // The rows that others refer to are there: to check each one would take most of the time.
  await database.query('set session_replication_role = replica', [], 'once')
  await database.query(`insert into organisation (id, name, created_at) values (${organisationId}, 'first', now())`)
  await database.query(
    `insert into customer (id, organisation_id, created_at, name, email, status)
     select 1000000 + i, 1, now(), 'Person ' || i, 'person' || i || '@example.com', 'Active' ${each}`,
  )
  await database.query(
    `insert into account (id, organisation_id, customer_id, created_at, name, status)
     select 2000000 + i, 1, 1000000 + i, now(), 'Person ' || i, 'Open' ${each}`,
  )
  await database.query(
    `insert into external_account
       (id, organisation_id, customer_id, created_at, name, routing_number, account_number, account_type, type, bank,
        last_digits, number_digest)
     select 3000000 + i, 1, 1000000 + i, now(), 'Payee ' || i, '021000021', '~sealed', 'Checking',
       'Business', 'Bank', right((1000000000 + i)::text, 4), sha256((1000000000 + i)::text::bytea) ${tenth}`,
  )
  await database.query(
    `insert into application
       (id, organisation_id, created_at, status, name, date_of_birth, sealed_ssn, email, phone, address)
     select 4000000 + i, 1, now(), 'Denied', 'Person ' || i, '1990-01-31', '', 'person' || i || '@example.com', '', '{}'
     ${tenth}`,
  )
  await database.query(
    `insert into payment (id, organisation_id, account_id, customer_id, type, direction, status, amount, description,
       original_type, created_at, counterparty_name, counterparty_routing_number, counterparty_account_number,
       counterparty_account_type)
     select 5000000 + i, 1, 2000000 + i, 1000000 + i, 'achPayment', 'Credit', 'Sent', 100, 'Rent ' || i, 'ACH', now(),
       'Payee', '021000021', '1', 'Checking' ${tenth}`,
  )
  await database.query(
    `insert into card (id, organisation_id, account_id, customer_id, created_at, last4, expires, status, type)
     select 6000000 + i, 1, 2000000 + i, 1000000 + i, now(), right((10000 + i)::text, 4), '2030-01', 'Active',
       'individualVirtualDebitCard' ${each}`,
  )
  await database.query(
    `insert into card_authorization (id, organisation_id, account_id, customer_id, card_id, card_last4, status, amount,
       merchant_name, merchant_category, merchant_location, created_at, expires_at)
     select 7000000 + i, 1, 2000000 + i, 1000000 + i, 6000000 + i, '1234', 'Authorized', 100, 'Shop ' || i, '5812', 'Here',
       now(), now() ${tenth}`,
  )
  await database.query('analyze', [], 'once')
}

const sought = (text: string, idsFrom: string[] = [], idsTo: string[] = []) => ({
  organisationId,
  text,
  idsFrom,
  idsTo,
  numberDigest: sha256(text),
  amount: /^\d+$/.test(text) ? Number(text) * 100 : null,
  isAmount: false,
})
const texts = {
  'one name': sought('person 77777'),
  'all names': sought('p'),
  'the last word of many names': sought('7'),
  'an e-mail address': sought('person77777@example.com'),
  'an account number': sought('1000077777'),
  'the last four digits of ten account numbers': sought('7777'),
  'the beginning of all ids': sought('1', ['1000000', '10000000'], ['1999999', '19999999']),
  nothing: sought('zzz'),
}
const page = { take: 101, offset: 0, ascending: false }

describe('a search among 100,000 accounts', () => {
  test.each(Object.entries(texts))(
    'for %s reads a few rows, the newest 5,000 payments and the newest 5,000 authorizations',
    async (_name, search) => {
      const touched = async (find: (explaining: Queryable) => Promise<unknown>) => (await costOf(database, find)).rows
      const customers = await touched((explaining) => searchCustomers(explaining, search))
      expect(customers.customer).toBeLessThanOrEqual(100)
      const some = Array.from({ length: 20 }, (_, index) => ({ id: 1_000_000 + index, rank: 1, name: '' }))
      const accounts = await touched((explaining) => searchAccounts(explaining, search, some))
      expect(accounts.account).toBeLessThanOrEqual(100)
      const externals = await touched((explaining) => searchExternalAccounts(explaining, search))
      expect(externals.external_account).toBeLessThanOrEqual(100)
      const applications = await touched((explaining) => searchApplications(explaining, search))
      expect(applications.application).toBeLessThanOrEqual(100)
      expect((await touched((explaining) => searchCards(explaining, search))).card ?? 0).toBeLessThanOrEqual(100)
      expect((await touched((explaining) => searchPayments(explaining, search))).payment).toBe(5_000)
      const authorizations = await touched((explaining) => searchAuthorizations(explaining, search))
      expect(authorizations.card_authorization).toBe(5_000)
    },
  )

  test.each(['person 77777', 'person77777@example.com', '1000077777', '1077777', 'zzz'])(
    'in the lists of customers and accounts reads only what %s matches',
    async (search) => {
      const customers = await costOf(database, (explaining) =>
        listCustomerRows(explaining, { organisationId, search }, page),
      )
      expect(customers.rows.customer).toBeLessThanOrEqual(20)
      const filter = { organisationId, only: null, without: null, search }
      const accounts = await costOf(database, (explaining) => listAccountRows(explaining, filter, page))
      expect((accounts.rows.account ?? 0) + (accounts.rows.customer ?? 0)).toBeLessThanOrEqual(50)
    },
  )
})
