import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { clock } from '../../base/clock.ts'
import { Problem, UpstreamProblem } from '../../base/problem.ts'
import { DatabaseUnavailable } from '../../database/database.ts'
import { openMetrics } from '../../http/metrics/metrics.ts'
import { openSeals } from '../../secrets/seals.ts'
import { hmacCheck, type InboundSource, openInbox, unreadableReport } from './inbound.ts'

let bank: TestBank
const metrics = openMetrics()
const lines: Record<string, unknown>[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
/** The errors of reports, while they are fetched and while they are applied. */
const fetchErrors = new Map<string, unknown>()
const applyErrors = new Map<string, unknown>()
const unstorable = new Set<string>()
let databaseIsDown = false
/** The reports that were fetched and applied, in order; those named below fail. */
const fetched: string[] = []
const taken: string[] = []
let failing: string | undefined
let missing: string | undefined

const source: InboundSource = {
  provider: 'sample',
  signatureHeader: 'x-sample',
  isAuthentic: (_body, signature) => signature === 'yes',
  read: (content) =>
    (content as string[]).map((upstreamId) => ({
      upstreamId,
      type: 'sample.happened',
      ...(upstreamId.startsWith('about-') && { record: { type: 'reward', id: upstreamId.slice(6) } as const }),
      async fetch() {
        fetched.push(upstreamId)
        if (upstreamId === missing) throw new Problem('upstream_error')
        if (fetchErrors.has(upstreamId)) throw fetchErrors.get(upstreamId)
        return async (transaction, _organisationId) => {
          if (unstorable.has(upstreamId)) await transaction.query('select $1::text', ['\0'])
          if (applyErrors.has(upstreamId)) throw applyErrors.get(upstreamId)
          if (upstreamId === failing) throw new Problem('unavailable')
          taken.push(upstreamId)
          return [{ type: 'reward.created', id: upstreamId, version: 1, data: { id: upstreamId } }]
        }
      },
    })),
}

beforeAll(async () => {
  bank = await openTestBank({
    inventedEvents: true,
    inbound: [source],
    metrics,
    log,
    around: (database) => ({
      ...database,
      transaction: async (work, options) => {
        if (databaseIsDown) throw new DatabaseUnavailable('closed')
        return database.transaction(work, options)
      },
    }),
  })
})
afterEach(() => {
  lines.length = 0
  fetchErrors.clear()
  applyErrors.clear()
  unstorable.clear()
})
afterAll(() => bank.close())

const send = async (ids: string[]) =>
  (await bank.call('POST', '/v0/inbound/sample', { key: null, body: ids, headers: { 'x-sample': 'yes' } })).status
const emitted = async (ids: string[]) => {
  const rows = await bank.database.query<{ id: string }>(
    'select entity_id as id from event where entity_id = any($1) order by sequence',
    [ids],
  )
  return rows.map(({ id }) => id)
}

describe('The reports of a provider', () => {
  test('are applied in their order, each once', async () => {
    expect(await send(['b', 'a', 'b', 'c'])).toBe(200)
    expect(await send(['c', 'd', 'a'])).toBe(200)
    expect(taken).toEqual(['b', 'a', 'c', 'd'])
    expect(await emitted(taken)).toEqual(['b', 'a', 'c', 'd'])
  })

  test('are not fetched again once they were applied', async () => {
    await send(['once'])
    const before = fetched.length
    expect(await send(['once', 'new', 'once'])).toBe(200)
    expect(fetched.slice(before)).toEqual(['new'])
  })

  test('that cannot be fetched do not hold up others, and are applied when they are repeated', async () => {
    const ids = Array.from({ length: 50 }, (_, index) => `held-${index}`)
    missing = 'held-7'
    expect(await send(ids)).toBe(502)
    const rest = ids.filter((id) => id !== missing)
    expect(await emitted(ids)).toEqual(rest)
    missing = undefined
    const before = fetched.length
    expect(await send(ids)).toBe(200)
    expect(fetched.slice(before)).toEqual(['held-7'])
    expect(await emitted(ids)).toEqual([...rest, 'held-7'])
  })

  test('are fetched and committed twenty at a time', async () => {
    const ids = Array.from({ length: 60 }, (_, index) => `few-${index}`)
    failing = 'few-59'
    expect(await send(ids)).toBe(503)
    failing = undefined
    // Those before the last twenty were applied already.
    const before = fetched.length
    expect(await send(ids)).toBe(200)
    expect(fetched.length - before).toBeLessThanOrEqual(20)
    expect(await emitted(ids)).toEqual(ids)
  })

  test('that fail leave the rest of the body to be applied', async () => {
    const ids = Array.from({ length: 50 }, (_, index) => `rest-${index}`)
    failing = 'rest-3'
    expect(await send(ids)).toBe(503)
    expect(await emitted(ids)).toEqual(ids.slice(20))
    failing = undefined
    expect(await send(ids)).toBe(200)
    expect((await emitted(ids)).toSorted()).toEqual(ids.toSorted())
  })

  test('that are committed together are applied all or none, and can be repeated', async () => {
    failing = 'f'
    expect(await send(['e', 'f', 'g'])).toBe(503)
    expect(await emitted(['e', 'f', 'g'])).toEqual([])
    failing = undefined
    expect(await send(['e', 'f', 'g'])).toBe(200)
    expect(await emitted(['e', 'f', 'g'])).toEqual(['e', 'f', 'g'])
  })

  test('can come many times at once in any order', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `many-${index}`)
    const orders = Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? ids : ids.toReversed()))
    expect(await Promise.all(orders.map(send))).toEqual(orders.map(() => 200))
    expect((await emitted(ids)).toSorted()).toEqual(ids.toSorted())
  })

  test('can be none', async () => {
    expect(await send([])).toBe(200)
  })
})

const lasting = () =>
  new UpstreamProblem('refused_by_provider', {
    errors: [{ code: 'not_found', message: 'No such record' }],
    lasting: true,
  })
const failedEvents = async (id: string) => {
  const { json } = await bank.call('GET', '/v0/events?type=upstreamEvent.*&limit=1000')
  return json.data.filter(({ entity }: { entity: { id: string } }) => entity.id === id)
}
async function failedCount(kind: string): Promise<number> {
  const line = `purser_upstream_events_failed_total{provider="sample",kind="${kind}"} `
  const found = (await metrics.text()).split('\n').find((text) => text.startsWith(line))
  return Number(found?.slice(line.length) ?? 0)
}
const faultOf = async (id: string) => {
  const [row] = await bank.database.query<{ fault: string | null }>(
    `select fault from inbound_event where upstream_id = $1`,
    [id],
  )
  return row && row.fault === null ? null : row && JSON.parse(row.fault ?? '')
}

describe('A report that fails for good', () => {
  test('is acknowledged, and reported once by feed, audit log, metric and log', async () => {
    fetchErrors.set('about-7', lasting())
    const before = await failedCount('reward')
    expect(await send(['fine-1', 'about-7', 'fine-2'])).toBe(200)
    expect(await emitted(['fine-1', 'about-7', 'fine-2'])).toEqual(['fine-1', 'about-7', 'fine-2'])
    const [event, ...others] = await failedEvents('about-7')
    expect(others).toEqual([])
    const fault = {
      code: 'refused_by_provider',
      detail: expect.any(String),
      errors: [{ code: 'not_found', message: 'No such record' }],
    }
    const record = { type: 'reward', id: '7' }
    expect([event.type, event.entity]).toEqual([
      'upstreamEvent.failed',
      { type: 'upstreamEvent', id: 'about-7', version: 1 },
    ])
    expect(event.data).toEqual({ id: 'about-7', provider: 'sample', type: 'sample.happened', record, fault })
    expect(await faultOf('about-7')).toEqual(fault)
    const { json } = await bank.call('GET', '/v0/audit-log?limit=1000')
    const entries = json.data.filter((entry: { record?: { id: string } }) => entry.record?.id === 'about-7')
    expect(entries).toMatchObject([{ action: 'upstreamEvent.failed', actor: { type: 'bank' }, eventId: event.id }])
    expect((await failedCount('reward')) - before).toBe(1)
    expect(lines).toMatchObject([
      { level: 40, msg: 'upstream event failed', provider: 'sample', upstreamId: 'about-7', record },
    ])
  })

  test('is tried again when it is repeated, and reported once', async () => {
    fetchErrors.set('again', lasting())
    const before = await failedCount('other')
    expect([await send(['again']), await send(['again'])]).toEqual([200, 200])
    expect(fetched.filter((id) => id === 'again')).toHaveLength(2)
    expect(await failedEvents('again')).toHaveLength(1)
    expect((await failedCount('other')) - before).toBe(1)
    expect(lines.map(({ msg }) => msg)).toEqual(['upstream event failed', 'upstream event failed again'])
    expect(taken).not.toContain('again')
  })

  test('takes effect when it is repeated after its cause is gone, once', async () => {
    fetchErrors.set('mended', lasting())
    await send(['mended'])
    fetchErrors.clear()
    expect(await Promise.all(Array.from({ length: 6 }, () => send(['mended'])))).toEqual(Array(6).fill(200))
    expect(taken.filter((id) => id === 'mended')).toHaveLength(1)
    expect(await faultOf('mended')).toBe(null)
    expect(await failedEvents('mended')).toHaveLength(1)
    expect(await emitted(['mended'])).toHaveLength(2)
  })

  test('is reported once if it comes many times at once', async () => {
    fetchErrors.set('crowd', lasting())
    const before = await failedCount('other')
    expect(await Promise.all(Array.from({ length: 8 }, () => send(['crowd', 'crowd'])))).toEqual(Array(8).fill(200))
    expect(await failedEvents('crowd')).toHaveLength(1)
    expect((await failedCount('other')) - before).toBe(1)
  })

  test('does not undo the effect that it had before', async () => {
    await send(['done'])
    fetchErrors.set('done', lasting())
    expect(await send(['done'])).toBe(200)
    expect([await faultOf('done'), await failedEvents('done')]).toEqual([null, []])
  })

  test.each<[string, (id: string) => void]>([
    ['a bug while it is fetched', (id) => fetchErrors.set(id, new TypeError('ada@example.com is not iterable'))],
    ['a bug while it is applied', (id) => applyErrors.set(id, new TypeError('ada@example.com is not iterable'))],
    ['a value that cannot be stored', (id) => unstorable.add(id)],
    ['a refusal while it is applied', (id) => applyErrors.set(id, new Problem('card_not_found'))],
  ])('by %s spares the others of the body', async (name, poison) => {
    const ids = ['a', 'b', 'poison', 'c'].map((id) => `${id} ${name}`)
    poison(`poison ${name}`)
    expect(await send(ids)).toBe(200)
    expect(await emitted(ids)).toEqual(ids)
    const [event] = await failedEvents(`poison ${name}`)
    expect(event.data.fault.code).toBe(name.startsWith('a refusal') ? 'card_not_found' : 'internal_error')
    expect(JSON.stringify(event)).not.toContain('ada@example.com')
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
      [name.startsWith('a refusal') ? 40 : 50, 'upstream event failed'],
    ])
  })

  test('can be one whose content cannot be read', async () => {
    const report = unreadableReport({ upstreamId: 'unread', type: 'sample.odd' }, 'the amount is not a number')
    const odd: InboundSource = { ...source, read: () => [report] }
    const { id: organisationId } = await firstOrganisation()
    await openInbox({
      database: bank.database,
      seals: openSeals(bank.database, [Buffer.alloc(32, 7)]),
      organisationId,
      log,
    })(odd, {})
    const [event] = await failedEvents('unread')
    expect(event.data.fault).toMatchObject({ code: 'invalid_request', detail: 'the amount is not a number' })
  })

  test('belongs to its organisation alone', async () => {
    fetchErrors.set('ours', lasting())
    await send(['ours'])
    fetchErrors.clear()
    const { id: organisationId } = await firstOrganisation('second')
    await openInbox({
      database: bank.database,
      seals: openSeals(bank.database, [Buffer.alloc(32, 7)]),
      organisationId,
      log,
    })(source, ['ours'])
    expect(await faultOf('ours')).toMatchObject({ code: 'refused_by_provider' })
    const rows = await bank.database.query('select 1 from event where organisation_id = $1 and entity_id = $2', [
      organisationId,
      'ours',
    ])
    expect(rows).toEqual([])
  })
})

const firstOrganisation = async (name = 'first') => {
  const [row] = await bank.database.query<{ id: number }>('select id from organisation where name = $1', [name])
  return row ?? { id: 0 }
}

describe('A report that may succeed later', () => {
  test('is not acknowledged, and takes effect when it is repeated', async () => {
    const fault = fetchErrors.set('later', new UpstreamProblem('upstream_timeout', { outcomeUnknown: true }))
    expect(await send(['sooner', 'later'])).toBe(504)
    expect(await emitted(['sooner', 'later'])).toEqual(['sooner'])
    expect(await faultOf('later')).toBeUndefined()
    fault.clear()
    expect(await send(['sooner', 'later'])).toBe(200)
    expect(await emitted(['sooner', 'later'])).toEqual(['sooner', 'later'])
    expect(await failedEvents('later')).toEqual([])
  })

  test('does not keep a report of the same body that fails for good from being stored', async () => {
    fetchErrors.set('passing', new UpstreamProblem('upstream_unavailable')).set('lasting', lasting())
    expect(await send(['passing', 'lasting'])).toBe(503)
    expect(await failedEvents('lasting')).toHaveLength(1)
  })

  test('can be any while the database is down, also one that fails for good', async () => {
    fetchErrors.set('down-2', lasting())
    databaseIsDown = true
    expect(await send(['down-1', 'down-2'])).toBe(503)
    databaseIsDown = false
    expect(await send(['down-1', 'down-2'])).toBe(200)
    expect(await emitted(['down-1', 'down-2'])).toEqual(['down-1', 'down-2'])
    expect(await failedEvents('down-2')).toHaveLength(1)
  })
})

test('A body that takes too long is continued when it is repeated', async () => {
  const { id: organisationId } = await firstOrganisation()
  const inbox = openInbox({
    database: bank.database,
    seals: openSeals(bank.database, [Buffer.alloc(32, 7)]),
    organisationId,
    log,
    bodyMs: 60,
  })
  const ids = Array.from({ length: 41 }, (_, index) => `slow-${index}`)
  let elapsedMs = 0
  const time = vi.spyOn(clock, 'elapsedMs').mockImplementation(() => elapsedMs)
  const slow: InboundSource = {
    ...source,
    read: (content) =>
      source.read(content).map((report) => ({
        ...report,
        fetch: async () => {
          elapsedMs += 5
          return report.fetch()
        },
      })),
  }
  await expect(inbox(slow, ids)).rejects.toMatchObject({ code: 'unavailable' })
  time.mockRestore()
  expect(await emitted(ids)).toHaveLength(20)
  expect(await send(ids)).toBe(200)
  expect((await emitted(ids)).toSorted()).toEqual(ids.toSorted())
})

test.each(['sha1', 'sha256'] as const)('A signature by %s depends on every byte of the body', (algorithm) => {
  const check = hmacCheck(algorithm, 'key')
  // Computed elsewhere.
  const vectors = { sha1: '3nybhbi3iqa8ino29wqQcBydtNk=', sha256: '97yD9DBThCSxMpjmqm+xQ+9NWaFJRhdZl0edvC0aPNg=' }
  const body = Buffer.from('The quick brown fox jumps over the lazy dog')
  expect(check(body, vectors[algorithm])).toBe(true)
  expect(check(body.subarray(1), vectors[algorithm])).toBe(false)
})
