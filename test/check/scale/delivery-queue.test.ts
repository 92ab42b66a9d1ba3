import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { clock } from '../../../src/base/clock.ts'
import type { Queryable } from '../../../src/database/database.ts'
import { type Claimed, type ClaimLimits, claimDeliveries } from '../../../src/webhooks/delivery/claim.sql.ts'
import { findBehind, insertDeliveries, lockCursor } from '../../../src/webhooks/delivery/follow.sql.ts'
import { followEvents } from '../../../src/webhooks/delivery/follow.ts'
import { InFlight } from '../../../src/webhooks/delivery/in-flight.ts'
import { writeOutcomes } from '../../../src/webhooks/delivery/outcomes.sql.ts'
import { recoverSome, redeliver, requestRecovery } from '../../../src/webhooks/delivery/restart.sql.ts'
import { deliveriesOf, makeEndpoint } from '../../support/consumer.ts'
import { openTestBank, type TestBank } from '../../support/harness.ts'
import { choicesOfTest } from '../../support/random.ts'

let bank: TestBank
beforeEach(async () => {
  bank = await openTestBank({ inventedEvents: true })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await bank.close()
})

/** An endpoint that follows from the next event on, and the organisation that it belongs to. */
async function openEndpoint(key = bank.key, events = ['card.*']): Promise<{ id: number; organisationId: number }> {
  const id = Number((await makeEndpoint(bank, 'http://127.0.0.1:1/hooks', events, key)).id)
  const [row] = await bank.database.query<{ organisationId: number }>(
    `update webhook_cursor c set sequence = n.sequence
     from webhook_endpoint e join event_counter n on n.organisation_id = e.organisation_id
     where e.id = c.endpoint_id and e.id = $1::bigint returning e.organisation_id as "organisationId"`,
    [id],
  )
  return { id, organisationId: row?.organisationId ?? 0 }
}

/** Emits an event for each of these cards. */
async function emitCards(organisationId: number, cards: (string | number)[]): Promise<void> {
  await bank.database.query(
    `with counted as (
       update event_counter set sequence = sequence + cardinality($2::text[])
       where organisation_id = $1::bigint returning sequence)
     insert into event_page (organisation_id, last, count, created_at, events)
     select $1::bigint, sequence - cardinality($2::text[]) + place, 1, bank_time($1::bigint),
       concat_ws(e'\\x1f', 'card.statusChanged', card, 1, '{}')
     from counted cross join unnest($2::text[]) with ordinality c (card, place)`,
    [organisationId, cards],
  )
}

/** Follows until the latest event. */
function catchUp(endpointId: number, max?: number): Promise<void> {
  return bank.database.transaction((transaction) => catchUpIn(transaction, endpointId, max))
}

async function catchUpIn(transaction: Queryable, endpointId: number, max = 100_000): Promise<void> {
  const cursor = await lockCursor(transaction, endpointId)
  if (cursor)
    await insertDeliveries(transaction, endpointId, { ...cursor, filter: { types: [], entities: ['card'] }, max })
}

function limits(changes: Partial<ClaimLimits> = {}): ClaimLimits {
  return {
    lease: randomUUID(),
    leaseMs: 60_000,
    max: 20,
    maxFailing: 20,
    maxPerEndpoint: 20,
    maxPerOrganisation: 20,
    maxFailingPerOrganisation: 20,
    inFlight: new InFlight(),
    ...changes,
  }
}

const claim = (changes: Partial<ClaimLimits> = {}) => claimDeliveries(bank.database, limits(changes))

type Status = 'Succeeded' | 'Failed' | 'Pending'

function finish(claimed: Claimed[], status: Status, delayMs = 0): Promise<Set<number>> {
  return bank.database.transaction((transaction) => finishIn(transaction, claimed, status, delayMs))
}

function finishIn(transaction: Queryable, claimed: Claimed[], status: Status, delayMs = 0): Promise<Set<number>> {
  const attempt = {
    at: '2026-01-31T12:00:00.000Z',
    status: status === 'Succeeded' ? ('Succeeded' as const) : ('Failed' as const),
    responseStatus: 500,
    durationMs: 1,
    error: null,
    response: null,
  }
  const outcomes = claimed.map(({ endpointId, id, lease }) => ({ endpointId, id, lease, status, delayMs, attempt }))
  return writeOutcomes(transaction, outcomes)
}

/** Deliveries whose flag is wrong: a pending one is blocked exactly if an earlier one of its record is pending. */
function misjudged(): Promise<unknown[]> {
  return bank.database.query(
    `select d.* from webhook_delivery d
     where d.blocked <> (d.status = 'Pending' and exists (
       select from webhook_delivery e
       where e.endpoint_id = d.endpoint_id and e.entity = d.entity and e.status = 'Pending' and e.id < d.id))`,
  )
}

describe('the look for due deliveries', () => {
  test.each([3_000, 6_000])('reads no more when %i wait for one that is not due', async (count) => {
    const { id, organisationId } = await openEndpoint()
    await emitCards(organisationId, Array(count).fill('frozen'))
    await catchUp(id)
    const first = await claim()
    expect(first).toHaveLength(1)
    await finish(first, 'Pending', 3_600_000)
    await emitCards(organisationId, ['other'])
    await catchUp(id)

    for (const analyzed of [false, true]) {
      if (analyzed) await bank.database.query('analyze webhook_delivery')
      const read = await rowsRead((explained) => claimDeliveries(explained, limits({ leaseMs: 0 })))
      expect(read).toBeGreaterThan(0)
      expect(read).toBeLessThan(20)
    }
    expect((await claim()).map(({ entityId }) => entityId)).toEqual(['other'])
    expect(await misjudged()).toEqual([])
  })

  test('reads no more to write an outcome, or to follow, when thousands wait', async () => {
    const { id, organisationId } = await openEndpoint()
    await emitCards(organisationId, [...Array(3_000).fill('frozen'), 'a', 'b', 'a'])
    await catchUp(id)
    await bank.database.query('analyze webhook_delivery')
    const claimed = await claim()
    expect(claimed.map(({ entityId }) => entityId).sort()).toEqual(['a', 'b', 'frozen'])
    const written = await tableReads((transaction) => finishIn(transaction, claimed, 'Succeeded'))
    expect(written).toBeGreaterThan(0)
    expect(written).toBeLessThan(60)
    expect((await claim()).map(({ entityId }) => entityId).sort()).toEqual(['a', 'frozen'])
    await emitCards(organisationId, ['frozen', 'a', 'c'])
    const followed = await tableReads((transaction) => catchUpIn(transaction, id))
    expect(followed).toBeGreaterThan(0)
    expect(followed).toBeLessThan(60)
    expect(await misjudged()).toEqual([])
  })

  test('serves the organisation with the fewest deliveries in flight first, and none beyond its share', async () => {
    const large = await openEndpoint()
    const inFlight = new InFlight()
    await emitCards(
      large.organisationId,
      Array.from({ length: 50 }, (_, card) => card),
    )
    await catchUp(large.id)
    for (const delivery of await claim({ max: 5, inFlight })) inFlight.add(delivery)
    const small = await openEndpoint(bank.otherKey)
    await emitCards(small.organisationId, ['one', 'two'])
    await catchUp(small.id)
    const next = await claim({ max: 4, inFlight })
    expect(next.map(({ organisationId }) => organisationId).sort()).toEqual(
      [small.organisationId, small.organisationId, large.organisationId, large.organisationId].sort(),
    )
    for (const delivery of next) inFlight.add(delivery)
    expect(await claim({ maxPerOrganisation: 10, inFlight })).toHaveLength(3)
  })
})

describe('deliveries of one record', () => {
  test('go one after the other in the order of their events', async () => {
    const { id, organisationId } = await openEndpoint()
    await emitCards(organisationId, ['a', 'a', 'b', 'a'])
    await catchUp(id, 2)
    await catchUp(id)
    const order: string[] = []
    for (;;) {
      const claimed = await claim()
      if (claimed.length === 0) break
      expect(new Set(claimed.map(({ entityId }) => entityId)).size).toBe(claimed.length)
      order.push(...claimed.map(({ entityId, sequence }) => `${entityId} ${sequence}`))
      await finish(claimed, order.length > 2 ? 'Failed' : 'Succeeded')
      expect(await misjudged()).toEqual([])
    }
    const ofA = order.filter((text) => text.startsWith('a')).map((text) => Number(text.slice(2)))
    expect([order.length, ofA]).toEqual([4, ofA.toSorted((one, other) => one - other)])
  })

  test('that are redelivered from the last to the first stay in order, and one waits for the other', async () => {
    const { id, organisationId } = await openEndpoint()
    await emitCards(organisationId, Array(30).fill('a'))
    await catchUp(id)
    for (let claimed = await claim(); claimed.length > 0; claimed = await claim()) await finish(claimed, 'Failed')
    const sequences = await bank.database.query<{ sequence: number }>(
      `select sequence from webhook_delivery where endpoint_id = $1::bigint order by sequence desc`,
      [id],
    )
    for (const { sequence } of sequences) {
      const event = { organisationId, sequence, type: 'card.statusChanged', entityId: 'a' }
      await bank.database.transaction((transaction) => redeliver(transaction, event))
      expect(await misjudged()).toEqual([])
    }
    expect((await claim()).map(({ sequence }) => sequence)).toEqual([sequences.at(-1)?.sequence])
  })

  test.each([1, 4])('are blocked by exactly those before them, whatever %i workers do at random', async (workers) => {
    const { id, organisationId } = await openEndpoint()
    const held: Claimed[] = []
    const cards = ['a', 'b', 'c']
    const { below, pick } = choicesOfTest()
    const steps = {
      emit: () =>
        emitCards(
          organisationId,
          Array.from({ length: 1 + below(4) }, () => pick(...cards)),
        ),
      follow: () => catchUp(id, 1 + below(5)),
      claim: async () => void held.push(...(await claim({ leaseMs: 50, max: 3 }))),
      finish: () => finish(held.splice(0, 1 + below(2)), pick('Succeeded', 'Failed', 'Pending')),
      redeliver: async () => {
        const events = await bank.database.query<{ sequence: number; entityId: string }>(
          `select sequence, split_part(entity, '/', 2) as "entityId" from webhook_delivery order by sequence`,
        )
        if (events.length === 0) return
        const event = pick(...events)
        await bank.database.transaction((transaction) =>
          redeliver(transaction, { ...event, organisationId, type: 'card.statusChanged' }),
        )
      },
      recover: () =>
        bank.database.transaction(async (transaction) => {
          await requestRecovery(transaction, id, '2000-01-01T00:00:00Z')
          await recoverSome(transaction, id, 2)
        }),
    }
    const names = [
      'emit',
      'follow',
      'follow',
      'claim',
      'claim',
      'finish',
      'finish',
      'finish',
      'redeliver',
      'recover',
    ] as const
    await Promise.all(
      Array.from({ length: workers }, async () => {
        for (let step = 0; step < 100; step++) {
          await steps[pick(...names)]()
          if (workers === 1) expect(await misjudged()).toEqual([])
        }
      }),
    )
    expect(await misjudged()).toEqual([])
    await catchUp(id)
    await expect
      .poll(
        async () => {
          await finish(await claim({ leaseMs: 50 }), 'Succeeded')
          return bank.database.query(`select from webhook_delivery where status = 'Pending'`)
        },
        { timeout: 20_000, interval: 1 },
      )
      .toEqual([])
  })
})

describe('a worker', () => {
  test('writes the outcomes of other endpoints while one is locked', async () => {
    const [locked, free] = [await openEndpoint(), await openEndpoint()]
    await emitCards(free.organisationId, ['a'])
    for (const { id } of [locked, free]) await catchUp(id)
    const claimed = await claim()
    expect(claimed).toHaveLength(2)
    await bank.database.transaction(async (transaction) => {
      await lockCursor(transaction, locked.id)
      expect(await finish(claimed, 'Succeeded')).toEqual(new Set([free.id]))
    })
    expect(await finish(claimed, 'Succeeded')).toEqual(new Set([locked.id, free.id]))
    expect(await bank.database.query(`select from webhook_delivery where status <> 'Succeeded'`)).toEqual([])
  })

  test('follows first for one endpoint of each organisation', async () => {
    const first: number[] = []
    for (let number = 0; number < 5; number++) first.push((await openEndpoint()).id)
    const other = await openEndpoint(bank.otherKey)
    await bank.database.query(`update webhook_cursor set sequence = 0`)
    for (let draw = 0; draw < 10; draw++) {
      const { behind } = await findBehind(bank.database, 2)
      const ids = behind.map(({ id }) => id)
      expect(ids).toHaveLength(2)
      expect(ids).toContain(other.id)
      expect(first).toContain(ids.find((id) => id !== other.id))
    }
  })

  test('follows for the other endpoints when one of them fails', async () => {
    const [broken, sound] = [await openEndpoint(), await openEndpoint()]
    await bank.database.query(`update webhook_endpoint set events = array['card.*', null] where id = $1::bigint`, [
      broken.id,
    ])
    await emitCards(sound.organisationId, ['a'])
    // Time stands still: however slow the machine is, the one that fails does not use up the time for following.
    vi.spyOn(clock, 'elapsedMs').mockReturnValue(0)
    const errors: Error[] = []
    const progress = await followEvents(bank.database, (error) => errors.push(error))
    expect(progress).toMatchObject({ anyEnabled: true, behind: true, moved: true, locked: false })
    expect(errors).toHaveLength(1)
    expect(await deliveriesOf(bank, String(sound.id))).toHaveLength(1)
  })

  test('follows for a quarter of a second at a time, and goes on in the next turn', async () => {
    const [first, second] = [await openEndpoint(), await openEndpoint()]
    await emitCards(first.organisationId, ['a'])
    let nowMs = 0
    vi.spyOn(clock, 'elapsedMs').mockImplementation(() => (nowMs += 200))
    for (const count of [1, 2]) {
      const { moved } = await followEvents(bank.database, (error) => expect.unreachable(error.message))
      const followed = [...(await deliveriesOf(bank, `${first.id}`)), ...(await deliveriesOf(bank, `${second.id}`))]
      expect([moved, followed.length]).toEqual([true, count])
    }
  })
})

describe('a recovery of thousands', () => {
  test('takes one step in the request, goes on in the worker, and takes none twice', async () => {
    const { id } = await openEndpoint()
    await bank.database.query(
      `insert into webhook_delivery (endpoint_id, organisation_id, sequence, entity, status, created_at, due_at)
       select e.id, e.organisation_id, 10000 + i, 'card/' || i % 2, 'Failed', e.created_at + make_interval(secs => i / 3), e.created_at
       from webhook_endpoint e cross join generate_series(1, 2500) i where e.id = $1::bigint`,
      [id],
    )
    const pending = async () =>
      (await bank.database.query(`select from webhook_delivery where status = 'Pending'`)).length
    const path = `/v0/webhook-endpoints/${id}/recover`
    expect((await bank.call('POST', path, { body: { since: '2000-01-01' } })).status).toBe(200)
    expect(await pending()).toBe(1_000)
    const errors: Error[] = []
    for (const count of [2_000, 2_500]) {
      // One of those that were recovered fails again meanwhile, which is not the recovery's concern.
      await finish((await claim()).slice(0, 1), 'Failed')
      await followEvents(bank.database, (error) => errors.push(error))
      expect(await pending()).toBe(count - (count === 2_000 ? 1 : 2))
    }
    expect((await findBehind(bank.database, 10)).behind.filter(({ recovering }) => recovering)).toEqual([])
    expect(errors).toEqual([])
    expect(await misjudged()).toEqual([])
  })
})

/** Rows of the table of deliveries that a statement looks at, by its plan as it was run. */
async function rowsRead(run: (explained: Queryable) => Promise<unknown>): Promise<number> {
  interface Plan {
    'Relation Name'?: string
    'Actual Rows': number
    'Actual Loops': number
    'Rows Removed by Filter'?: number
    Plans?: Plan[]
  }
  const sum = (plan: Plan): number =>
    (plan['Relation Name'] === 'webhook_delivery'
      ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
      : 0) + (plan.Plans ?? []).reduce((total, child) => total + sum(child), 0)
  let read = 0
  await run({
    async query(text, values) {
      const [row] = await bank.database.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
        `explain (analyze, format json) ${text}`,
        values,
        'once',
      )
      read = sum(row?.['QUERY PLAN'][0]?.Plan as Plan)
      return []
    },
  })
  return read
}

/** Rows and index entries of deliveries that a transaction reads, by the counters of its own connection. */
function tableReads(run: (transaction: Queryable) => Promise<unknown>): Promise<number> {
  return bank.database.transaction(async (transaction) => {
    const count = async () => {
      const [row] = await transaction.query<{ rows: number }>(
        `select sum(pg_stat_get_xact_tuples_returned(read))::bigint as rows
         from (select 'webhook_delivery'::regclass::oid union all
           select indexrelid from pg_index where indrelid = 'webhook_delivery'::regclass) r (read)`,
      )
      return row?.rows ?? 0
    }
    const before = await count()
    await run(transaction)
    return (await count()) - before
  })
}
