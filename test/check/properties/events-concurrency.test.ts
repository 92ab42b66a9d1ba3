import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type BuiltinBank, openBuiltinBank } from '../../../src/bank/bank.ts'
import { firstStatesReader } from '../../../src/bank/first-states/first-states.ts'
import { instant } from '../../../src/bank/parts/rail.ts'
import { bankKinds } from '../../../src/bank/records/kinds.ts'
import type { Write } from '../../../src/base/operation.ts'
import { openDatabase, plainTimeouts, type Queryable } from '../../../src/database/database.ts'
import { openRecordIds } from '../../../src/database/record-ids.ts'
import { openRunOnce } from '../../../src/idempotency/run-once.ts'
import type { Decided, Rows } from '../../../src/ledger/books.ts'
import { openLane } from '../../../src/ledger/lane.ts'
import { lockAccounts } from '../../../src/ledger/ledger.sql.ts'
import { rowsWriter, type WriteRows } from '../../../src/ledger/write-batch.sql.ts'
import { openSeals } from '../../../src/secrets/seals.ts'
import { organisationNamed } from '../../support/bank-time.ts'
import { makeFunded, makeVirtualCard } from '../../support/cards.ts'
import { openTestBank, type TestBank } from '../../support/harness.ts'
import { expectSoundLedger } from '../../support/ledger.ts'

const GATEWAYS = 3
const CHANGES = process.env.SOAK ? 8_000 : 1_000

let bank: TestBank
beforeEach(async () => {
  bank = await openTestBank({ inventedEvents: true })
})
afterEach(() => bank.close())

const times = <T>(count: number, make: (number: number) => T) => Array.from({ length: count }, (_, at) => make(at))

interface Owner {
  organisationId: number
  accountId: string
  cardId: string
}

/** For each gateway an account with a card in each of three organisations: what batches share is the counters alone. */
async function makeOwners(): Promise<Owner[][]> {
  const keys = { first: bank.key, second: bank.otherKey, third: await bank.makeKey('third', null) }
  async function makeOwner([name, key]: [string, string]): Promise<Owner> {
    const accountId = await makeFunded(bank, 1_000_00, key)
    const { id: cardId } = await makeVirtualCard(bank, accountId, key)
    return { organisationId: await organisationNamed(bank, name), accountId, cardId }
  }
  return Promise.all(times(GATEWAYS, () => Promise.all(Object.entries(keys).map(makeOwner))))
}

interface Gateway extends BuiltinBank {
  close(): Promise<void>
}

/** A gateway with two connections: one for its lane, one for its plain transactions. */
function openGateway(sql?: { lockAccounts: typeof lockAccounts; writeRows: WriteRows }): Gateway {
  const database = openDatabase({ servers: [bank.server], connections: 1, timeouts: plainTimeouts })
  const ids = openRecordIds(database)
  const seals = openSeals(database, [Buffer.alloc(32, 7)])
  // Lock waits last longer than PostgreSQL's deadlock_timeout of a second: a circle shows as a deadlock, not as a timeout.
  const timeouts = { lockMs: 5_000, statementMs: 10_000, idleMs: 5_000 }
  const lane = openLane({ servers: [bank.server], ids, kinds: bankKinds, timeouts, ...(sql && { sql }) })
  const gateway = openBuiltinBank({
    database,
    ids,
    runOnce: openRunOnce({
      database,
      seals,
      readFirstStates: firstStatesReader(seals),
      waitMs: 10_000,
      settleMs: 10_000,
    }),
    lane,
    seals,
    mode: 'sandbox',
    routingNumber: '812345678',
    overdraftCents: 0,
    reviewFirstPayment: false,
    debits: { clearingDays: 3, earlyAvailability: 0, blockOnReturn: false },
    verificationDays: 10,
    recurringOverdue: 'all',
    ach: 'instant',
    rails: { ACH: instant },
    payoutDelayMs: 0,
    review: 'automatic',
  })
  return {
    ...gateway,
    close: async () => {
      await lane.close()
      await database.close()
    },
  }
}

function writeOf({ organisationId }: Owner): Write<unknown> {
  return {
    caller: { organisationId, keyId: 1 },
    requestId: 'test',
    key: { text: null, hash: randomBytes(32), fingerprint: randomBytes(32), fromCaller: false },
    render: (data) => ({ status: 201, body: JSON.stringify(data), replayed: false }),
  }
}

interface Outcome {
  failed: string[]
  deadlocks: number
}

/** Works with all gateways and for all organisations at once. A lane tries again after a deadlock: it is counted all the same. */
async function work(gateways: Gateway[], owners: Owner[][]): Promise<Outcome> {
  let done = 0
  const failed: string[] = []
  async function repeat(change: () => Promise<unknown>): Promise<void> {
    while (done + failed.length < CHANGES) {
      await change().then(
        () => done++,
        (error: Error) => failed.push(error.message),
      )
    }
  }
  const runs = gateways.flatMap((gateway, number) =>
    (owners[number] ?? []).flatMap((owner, place) => {
      // Plain transactions work on the accounts of the next gateway's lane.
      const other = owners[(number + 1) % GATEWAYS]?.[place] ?? owner
      const receive = () =>
        gateway.sandbox.receiveAch(writeOf(owner), { accountId: owner.accountId, amount: 1, companyName: 'Sample' })
      const authorize = () =>
        gateway.sandbox.createAuthorization(writeOf(owner), {
          cardId: owner.cardId,
          amount: 1,
          merchant: { name: 'Sample Coffee' },
        })
      const freeze = async () => {
        await gateway.bank.freezeCard?.(writeOf(other), other.cardId)
        await gateway.bank.unfreezeCard?.(writeOf(other), other.cardId)
      }
      return [receive, receive, authorize, freeze].map(repeat)
    }),
  )
  await Promise.all(runs)
  // The statistics of a connection are certain to show once it is closed.
  await Promise.all(gateways.map((gateway) => gateway.close()))
  const [row] = await bank.database.query<{ deadlocks: number }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  )
  return { failed, deadlocks: row?.deadlocks ?? 0 }
}

test('Batches over three organisations and plain transactions, on six connections, never deadlock', async () => {
  const owners = await makeOwners()
  const { failed, deadlocks } = await work(
    times(GATEWAYS, () => openGateway()),
    owners,
  )
  expect([deadlocks, failed]).toEqual([0, []])
  const [row] = await bank.database.query<{ most: number }>(
    `select max(organisations) as most from (
       select count(distinct organisation_id) as organisations from event_page group by xmin::text) batch`,
  )
  // There were batches with events of all three, or nothing was shown.
  expect(row?.most).toBe(3)
  await expectSoundLedger(bank)
})

test('Counters that one gateway locks in another order are seen to deadlock', async () => {
  const owners = await makeOwners()
  const writeRows = rowsWriter(bankKinds)
  const backwards = {
    lockAccounts,
    // Sent one after the other, as the lane's own statements: COMMIT follows without waiting.
    async writeRows(transaction: Queryable, rows: Rows, records: Decided['records']) {
      const organisations = new Set(rows.events.map(({ origin }) => origin.organisationId))
      const locks = [...organisations]
        .sort((a, b) => b - a)
        .map((id) => transaction.query('select from event_counter where organisation_id = $1::bigint for update', [id]))
      await Promise.all([...locks, writeRows(transaction, rows, records)])
    },
  }
  let deadlocks = 0
  // On a busy machine, few transactions run at the same moment.
  for (let run = 0; run < 10 && deadlocks === 0; run++) {
    const gateways = times(GATEWAYS, (number) => openGateway(number === 0 ? backwards : undefined))
    deadlocks = (await work(gateways, owners)).deadlocks
  }
  expect(deadlocks).toBeGreaterThan(0)
})
