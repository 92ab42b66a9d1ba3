import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase, openTestBank, type TestBank, type TestDatabase } from '../../../test/support/harness.ts'
import { chainBreaches, makePayer, type Payer, pay } from '../../../test/support/ledger.ts'
import { readFirstRows } from '../../bank/first-states/first-states.ts'
import { type Database, openDatabase, plainTimeouts } from '../../database/database.ts'
import { verifyChains } from './verify-chain.ts'

let original: TestDatabase
let copy: TestDatabase
let database: Database
let organisationId: number
let payer: Payer
/** Numbers of the first and the last event of the last payments. */
let payments: [first: number, last: number][]

beforeAll(async () => {
  original = await createDatabase()
  const bank = await openTestBank({ on: original })
  payer = await makePayer(bank, 1_000_00)
  payments = []
  for (let made = 0; made < 4; made++) {
    const before = (await counterOf(bank))?.sequence ?? 0
    await pay(bank, payer, { amount: 1_00, tags: { z: '1', a: '2', bb: '3' } })
    payments.push([before + 1, (await counterOf(bank))?.sequence ?? 0])
  }
  organisationId = (await counterOf(bank))?.id ?? 0
  await bank.close()
})
afterAll(() => original.drop())

async function counterOf(bank: Pick<TestBank, 'database'>): Promise<{ id: number; sequence: number } | undefined> {
  const [row] = await bank.database.query<{ id: number; sequence: number }>(
    `select organisation_id as id, sequence from event_counter`,
  )
  return row
}

const breaches = () => chainBreaches(database)

describe('a chain', () => {
  beforeEach(async () => {
    copy = await createDatabase(original.name)
    database = openDatabase({ servers: [copy.server], connections: 1, timeouts: plainTimeouts })
    return async () => {
      await database.close()
      await copy.drop()
    }
  })

  const tamper = async (...statements: string[]) => {
    for (const table of ['transfer', 'event_page', 'event_link']) {
      await database.query(`alter table ${table} disable trigger user`)
    }
    const [first = 0, last = 0] = payments[1] ?? []
    for (const statement of statements) {
      const text = statement.replaceAll('$first', String(first)).replaceAll('$last', String(last))
      expect((await database.query(`${text} returning 1`)).length, text).toBeGreaterThan(0)
    }
  }

  test('holds from its first event to its head', async () => {
    const [report, other] = await verifyChains(database, { readRows: readFirstRows })
    expect(report).toEqual({ organisationId, from: 1, head: payments.at(-1)?.[1], breaches: [] })
    expect(other).toMatchObject({ from: null, head: 0, breaches: [] })
  })

  const changed = 'the events were changed'
  test.each<[string, string[], string]>([
    [
      'a text',
      [`update event_page set events = replace(events, 'payment.created', 'payment.creaTed') where last = $last`],
      changed,
    ],
    ['the request of an event', [`update event_page set events = events || 'x' where last = $last`], changed],
    [
      'the description of a payment',
      [
        `update payment set description = 'other' where id = (
        select entity_id::bigint from event where page = $last and type = 'payment.created')`,
      ],
      changed,
    ],
    [
      'the account number that a payment went to',
      [
        `update payment set counterparty_account_number = '999999999' where id = (
        select entity_id::bigint from event where page = $last and type = 'payment.created')`,
      ],
      changed,
    ],
    [
      'the balance after a transfer',
      [
        `update transfer set debit_balance = debit_balance + 1 where id = (
        select entity_id::bigint from event where page = $last and type = 'transaction.created')`,
      ],
      changed,
    ],
    [
      'a payment that is gone',
      [
        `delete from payment where id = (
        select entity_id::bigint from event where page = $last and type = 'payment.created')`,
      ],
      changed,
    ],
    ['a page that is gone', [`delete from event_page where last = $last`], 'the events are missing'],
    [
      'a page that was added',
      [
        `insert into event_page (organisation_id, last, count, created_at, events)
         select organisation_id, last - 1, 1, created_at, split_part(events, e'\\x1e', 1) from event_page where last = $last`,
      ],
      changed,
    ],
    [
      'a pair of pages that were swapped',
      [
        `update event_page a set events = b.events from event_page b
         where a.last in ($last, $last + 2) and b.last in ($last, $last + 2) and a.last <> b.last`,
      ],
      changed,
    ],
    [
      'a digest',
      [`update event_link set digest = sha256(digest) where last = $last`],
      'the link does not follow from the one before',
    ],
    [
      'a link',
      [`update event_link set link = sha256(link) where last = $last`],
      'the link does not follow from the one before',
    ],
    [
      'a time',
      [`update event_link set created_at = created_at + interval '1 s' where last = $last`],
      'the link does not follow from the one before',
    ],
    [
      'the time of a page',
      [`update event_page set created_at = created_at + interval '1 day' where last = $last`],
      'the time or the history of the events was changed',
    ],
    [
      'the history of a page',
      [`update event_page set history = 'abcdef01' where last = $last`],
      'the time or the history of the events was changed',
    ],
    [
      'the history of a link and its page',
      [
        `update event_page set history = 'abcdef01' where last = $last`,
        `update event_link set history = 'abcdef01' where last = $last`,
      ],
      'the link does not follow from the one before',
    ],
    [
      'the history of a page and its link, as if the link covered none',
      [
        `update event_page set history = 'abcdef01' where last = $last`,
        `update event_link set history = null where last = $last`,
      ],
      'the link does not follow from the one before',
    ],
    ['a link that is gone', [`delete from event_link where last = $last`], 'the events have no link of their own'],
  ])('names %s that was changed', async (_what, statements, reason) => {
    await tamper(...statements)
    const [first, last] = payments[1] ?? []
    expect(await breaches()).toContainEqual({ organisationId, first, last, reason })
  })

  test('holds if a former version, whose links covered no history, wrote it after a restore', async () => {
    await tamper(`update event_page set history = 'abcdef01'`, 'update event_link set history = null')
    await database.query(
      `do $$ declare l event_link; before bytea; begin
         for l in select * from event_link where organisation_id = ${organisationId} order by last loop
           before := link_after(before, l.organisation_id, l.last - l.count + 1, l.last, l.created_at, l.digest);
           update event_link set link = before where organisation_id = l.organisation_id and last = l.last;
         end loop;
         update event_counter set link = before where organisation_id = ${organisationId};
       end $$`,
      [],
      'once',
    )
    expect(await breaches()).toEqual([])
  })

  test('names events that were added behind its head', async () => {
    const head = payments.at(-1)?.[1] ?? 0
    await tamper(
      `insert into event_page (organisation_id, last, count, created_at, events)
       select organisation_id, ${head} + 2, count, created_at, events from event_page where last = ${head}`,
      `update event_counter set sequence = sequence + 2`,
    )
    expect(await breaches()).toEqual([
      { organisationId, first: head + 1, last: head + 2, reason: 'the events have no link' },
    ])
  })

  test('names the latest events where they were removed with their links', async () => {
    const [first = 0, last] = payments.at(-1) ?? []
    await tamper(`delete from event_page where last = ${last}`, `delete from event_link where last = ${last}`)
    expect(await breaches()).toEqual([{ organisationId, first, last, reason: 'the events have no link' }])
    await tamper(`update event_counter set sequence = ${first - 1}`)
    expect(await breaches()).toEqual([
      { organisationId, first: first - 1, last: first - 1, reason: 'the newest link is not the head' },
    ])
  })

  test('is checked from a time on', async () => {
    const [, last = 0] = payments[0] ?? []
    await tamper(`update event_link set created_at = created_at - interval '1 day' where last = ${last}`)
    expect(await breaches()).toHaveLength(1)
    const [row] = await database.query<{ at: string }>(
      `select created_at as at from event_link where last = ${last + 2}`,
    )
    const [report] = await verifyChains(database, { readRows: readFirstRows, since: row?.at ?? '' })
    expect(report).toMatchObject({ from: last + 1, breaches: [] })
  })

  test('refuses changes, and deletion before its organisation has ended', async () => {
    for (const statement of [
      'update event_link set count = count',
      'delete from event_link',
      'truncate event_link',
      `select delete_ended('event_link', array[${organisationId}]::bigint[], 10)`,
    ]) {
      await expect(database.query(statement), statement).rejects.toThrow(/append-only|has not ended/)
    }
  })
})
