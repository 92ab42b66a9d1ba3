import pg from 'pg'
import { visitDatabase } from '../src/database/visit.ts'
import { numberDigest, sealedNumber } from '../src/secrets/numbers.ts'
import { openSeals } from '../src/secrets/seals.ts'
import type { Service } from './service.ts'

/** Accounts of our own making: number `i` of `count` has id `firstAccount + i` and may pay to `firstExternal + i`. */
export interface World {
  organisationId: number
  count: number
  firstAccount: number
  firstExternal: number
}

/** The parts of a service that a world is made in. */
type Bank = Pick<Service, 'connection' | 'dataDir' | 'encryptionKeys'>

/** Plenty: no account runs dry, however long the load lasts. */
const FUNDS = 10_000_000_00
/** Slots that no lane takes, so that the funding accounts are ours alone. */
const FUNDING_SLOT = 1_000_000
const LIST_SLOT = 1_000_001

/** Fills the service's database in sets, by the laws of the ledger: every account is funded by a transfer of its own. */
export async function createWorld(service: Bank, count: number): Promise<World> {
  return administer(service, async (client) => {
    const organisationId = await theOrganisation(client)
    const first = await reserveIds(client, 2 + 5 * count)
    const [customers, accounts, externals] = [first, first + count, first + 2 * count]
    const transfers = evenFrom(first + 3 * count)
    const fundingId = -(transfers + 2 * count)
    await client.query('begin')
    await client.query(
      `insert into customer (id, organisation_id, created_at, name, status)
       select $1::bigint + i, $2::bigint, now(), 'Customer ' || i, 'Active' from generate_series(0, $3::int - 1) i`,
      [customers, organisationId, count],
    )
    await client.query(
      `insert into account (id, organisation_id, customer_id, created_at, name, status, balance, seq, posted_at)
       select $1::bigint + i, $2::bigint, $3::bigint + i, now(), 'Customer ' || i, 'Open', $4::bigint, 1, now()
       from generate_series(0, $5::int - 1) i`,
      [accounts, organisationId, customers, FUNDS, count],
    )
    await client.query(
      `insert into external_account
         (id, organisation_id, customer_id, created_at, name, routing_number, account_number, account_type, type, bank)
       select $1::bigint + i, $2::bigint, $3::bigint + i, now(), 'Landlord ' || i, '021000021', (1000000000 + i)::text,
         'Checking', 'Business', 'JPMorgan Chase Bank, N.A.'
       from generate_series(0, $4::int - 1) i`,
      [externals, organisationId, customers, count],
    )
    await insertFunding(client, { id: fundingId, organisationId, slot: FUNDING_SLOT, balance: -FUNDS * count, count })
    await client.query(
      `insert into transfer (id, organisation_id, debit_account_id, debit_seq, debit_balance, credit_account_id,
         credit_seq, credit_balance, amount, source_kind, party, description, created_at)
       select $1::bigint + 2 * i, $2::bigint, $3::bigint, i + 1, -$4::bigint * (i + 1), $5::bigint + i, 1, $4, $4,
         'received_ach', 'Employer', 'Salary', now()
       from generate_series(0, $6::int - 1) i`,
      [transfers, organisationId, fundingId, FUNDS, accounts, count],
    )
    await client.query('commit')
    await sealNumbers(client, service, { organisationId, externals, count })
    await settle(client)
    return { organisationId, count, firstAccount: accounts, firstExternal: externals }
  })
}

/**
 * Seals the account numbers of external accounts, as the service does. It would seal a number in clear for each payment. Versions
 * before there were seals have them in clear.
 */
async function sealNumbers(
  client: pg.Client,
  { dataDir, encryptionKeys }: Bank,
  { organisationId, externals, count }: { organisationId: number; externals: number; count: number },
): Promise<void> {
  const { rows } = await client.query(`select from pg_attribute where attname = 'number_digest' and not attisdropped`)
  if (rows.length === 0) return
  const seal = await visitDatabase({ databaseUrl: undefined, dataDir }, (database) =>
    openSeals(database, encryptionKeys).of(organisationId),
  )
  const numbers = Array.from({ length: count }, (_, i) => ({ id: externals + i, number: String(1_000_000_000 + i) }))
  await client.query(
    `update external_account e set account_number = n.sealed, number_digest = n.digest, last_digits = right(n.clear, 4)
     from unnest($1::bigint[], $2::text[], $3::bytea[], $4::text[]) n (id, sealed, digest, clear) where e.id = n.id`,
    [
      numbers.map(({ id }) => id),
      numbers.map(({ id, number }) => sealedNumber(seal, id, number)),
      numbers.map(({ number }) => numberDigest(seal, number)),
      numbers.map(({ number }) => number),
    ],
  )
}

/** Adds an account with `entries` transactions over 90 days, credits of 2.00 and debits of 1.00 in turn, and returns its id. */
export async function createLongAccount(service: Service, entries: number): Promise<number> {
  return administer(service, async (client) => {
    const organisationId = await theOrganisation(client)
    const first = await reserveIds(client, 5 + 2 * entries)
    const [customerId, accountId, transfers] = [first, first + 1, first + 2]
    const fundingId = -(first + 4 + 2 * entries)
    const balanceAfter = (number: string) => `(2_00::bigint * ((${number} + 1) / 2) - 1_00::bigint * (${number} / 2))`
    await client.query('begin')
    await client.query(
      `insert into customer (id, organisation_id, created_at, name, status)
       values ($1::bigint, $2::bigint, now(), 'Busy customer', 'Active')`,
      [customerId, organisationId],
    )
    await client.query(
      `insert into account (id, organisation_id, customer_id, created_at, name, status, balance, seq, posted_at)
       values ($1::bigint, $2::bigint, $3::bigint, now(), 'Busy customer', 'Open', ${balanceAfter('$4::bigint')}, $4, now())`,
      [accountId, organisationId, customerId, entries],
    )
    const { rows } = await client.query<{ balance: string }>('select balance from account where id = $1', [accountId])
    const balance = -Number(rows[0]?.balance)
    await insertFunding(client, { id: fundingId, organisationId, slot: LIST_SLOT, balance, count: entries })
    for (const side of ['credit', 'debit']) {
      const other = side === 'credit' ? 'debit' : 'credit'
      await client.query(
        `insert into transfer (id, organisation_id, ${side}_account_id, ${side}_seq, ${side}_balance, ${other}_account_id,
           ${other}_seq, ${other}_balance, amount, source_kind, party, description, created_at)
         select $1::bigint + 2 * i, $2::bigint, $3::bigint, i, ${balanceAfter('i')}, $4::bigint, i, -${balanceAfter('i')},
           ${side === 'credit' ? '2_00' : '1_00'}, 'received_ach', 'Shop', 'Sale',
           now() - interval '90 days' * (($5::int - i)::float8 / $5::int)
         from generate_series(${side === 'credit' ? 1 : 2}, $5::int, 2) i`,
        [transfers, organisationId, accountId, fundingId, entries],
      )
    }
    await client.query('commit')
    await settle(client)
    return accountId
  })
}

/** Runs statements on the service's database server over a connection of their own. */
export async function administer<T>(
  { connection }: Pick<Service, 'connection'>,
  work: (client: pg.Client) => Promise<T>,
  database = connection.database,
): Promise<T> {
  const client = new pg.Client({ ...connection, database })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function theOrganisation(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ id: string }>('select id from organisation')
  return Number(rows[0]?.id)
}

/** Takes whole blocks of the one sequence of ids; the first of them is even. */
export async function reserveIds(client: pg.Client, count: number): Promise<number> {
  const { rows } = await client.query<{ last: string }>(
    `select setval('record_id', nextval('record_id') + ceil($1::numeric / 100)::bigint * 100) as last`,
    [count],
  )
  return Number(rows[0]?.last) - Math.ceil(count / 100) * 100
}

function evenFrom(id: number): number {
  return id + (id % 2)
}

/** Inserts the account that funds the accounts of a benchmark world. */
async function insertFunding(
  client: pg.Client,
  account: { id: number; organisationId: number; slot: number; balance: number; count: number },
): Promise<void> {
  await client.query(
    `insert into account (id, organisation_id, created_at, name, status, kind, slot, balance, seq, posted_at)
     values ($1::bigint, $2::bigint, now(), 'ACH clearing', 'Open', 'ach_clearing', $3::int, $4::bigint, $5::bigint, now())`,
    [account.id, account.organisationId, account.slot, account.balance, account.count],
  )
}

/**
 * Work that loading leaves for later would disturb the first figures, as would the check of an organisation that is due once a day
 * and keeps a core busy. Empty tables keep their default statistics.
 */
async function settle(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`select to_regclass('ledger_verification') is not null as "isChecked"`)
  const checked = `insert into ledger_verification (organisation_id, checked_at, duration_ms, laws)
    select id, bank_time(id), 0, '[]' from organisation
    on conflict (organisation_id) do update set checked_at = excluded.checked_at`
  if (rows[0]?.isChecked) await client.query(checked)
  await client.query('vacuum analyze customer, account, external_account, transfer')
  await client.query('checkpoint')
}
