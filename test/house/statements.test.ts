import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { provenKinds } from '../../src/bank/proof/kinds.sql.ts'
import * as rewardTables from '../../src/bank/rewards/reward-records.sql.ts'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { lawNames } from '../../src/ledger/laws/laws.sql.ts'
import { walkedTables } from '../../src/retention/retention.sql.ts'
import { sources } from '../../src/secrets/reseal.sql.ts'
import { recordTypeNames } from '../../src/tools/record-types.ts'
import { createDatabase, patientTimeouts, root } from '../support/harness.ts'
import { batchStatements } from '../support/plans/batch-statements.ts'
import { sourcesIn } from './source.ts'

// Every statement of the `.sql.ts` files is prepared on the migrated schema, so that a list of columns that does not fit is found
// before the statement runs. The functions of these files are called with values that stand for anything, in all combinations of what
// decides about a statement: whether a value or a row is there. A function that looks at more is called with examples.

let place: Awaited<ReturnType<typeof createDatabase>>
let database: Database
beforeAll(async () => {
  place = await createDatabase()
  database = openDatabase({ servers: [place.server], connections: 1, timeouts: patientTimeouts })
  await migrate(database, 'migrations')
})
afterAll(async () => {
  await database.close()
  await place.drop()
})

interface Mode {
  /** What the members of a value are: again anything, or nothing. */
  member: 'anything' | null | undefined
  /** How many elements it has when it is walked through. */
  elements: 0 | 1
}

/** A value in place of every argument. Its members, its elements and the results of its calls are such values again. */
function anything({ member, elements }: Mode): unknown {
  const any: unknown = new Proxy(() => any, {
    apply: () => any,
    has: () => true,
    get(_target, name) {
      if (name === Symbol.toPrimitive) return (hint: string) => (hint === 'string' ? '1' : 1)
      if (name === Symbol.iterator) return () => Array(elements).fill(any).values()
      if (name === 'then') return undefined
      return member === 'anything' ? any : member
    },
  })
  return any
}

/** Arguments after the first one, and the rows that each statement returns. */
interface Example {
  given: unknown[]
  rows?: unknown[]
}

const nothing = new Proxy({}, { get: (_target, name) => (name === 'then' ? undefined : null) })
const { rewards, partnerUsers } = rewardTables
const orders = ['distance', 'commission', 'expirationDate', 'merchantName'].flatMap((order) => [order, `-${order}`])
const circle = { lat: 1, long: 1, bands: [], west: 1, east: 1, radius: 1 }
const listed = { clause: { where: undefined, order: [{ column: { name: 'id' } }] }, limit: 1, offset: 0 }
const page = { take: 1, offset: 0, ascending: true }
const each = (given: readonly unknown[], ...more: unknown[]): Example[] =>
  given.map((one) => ({ given: [one, ...more] }))

/** Calls of functions whose statements depend on more than whether a value is there. */
const examples: Record<string, Example[]> = {
  findBreaches: [...each(lawNames), ...lawNames.map((law) => ({ given: [law], rows: [{ found: true }] }))],
  findBreachesOf: each(lawNames, 1, 1),
  findBreachesSince: each(lawNames, '2026-01-01'),
  findRecord: each([rewards, partnerUsers], 1, 1),
  findRemoved: each(provenKinds, 1),
  findRow: each(['campaign', 'campaign_offer'], { organisationId: 1, id: 1 }),
  findTicket: each(['secret'], 'passkey'),
  hasRecord: each(['customer', 'achFile', 'achException', 'organisation'], 1),
  insertLines: each(['account', 'event_entity'], ['{}']),
  insertTicket: each(['secret'], nothing),
  listLocalOfferRows: [null, 'a'].flatMap((search) =>
    orders.map((order) => ({ given: [1, circle, { category: null, search }, order, page] })),
  ),
  listNationalOfferRows: [null, 'a'].flatMap((search) =>
    orders.slice(2).map((order) => ({ given: [1, { category: null, search }, order, page] })),
  ),
  listRecords: each([rewards, partnerUsers], 1, listed),
  listRelated: each(recordTypeNames, 1, 1),
  lockBudgets: (['wait', 'skip'] as const).map((locking) => ({
    given: [[{ campaignId: 1, offerIds: [1], partnerUserIds: [1] }], { periods: ['2026'], locking }],
    rows: [],
  })),
  lockEarning: each([[{ authorizationId: 1, partnerUserIds: [1] }]], 'skip'),
  lockShares: [true, false].map((exact) => ({ given: [new Map([[1, {}]]), new Map(), { slot: 1, exact }], rows: [] })),
  readNumbers: each([1], new Map([['account', ['id', 'organisation_id']]])),
  readProvenRows: each(provenKinds, 1, 1),
  readRows: each(sources, '1', []),
  recoverSome: [{ given: [1, 1], rows: [{ after: '1', id: 1, createdAt: '2026-01-01' }] }],
  replaceLines: each([1], [{ entry: '', fileId: null }]),
  replaceValue: each(sources, '1', {}),
  setRemoved: each([partnerUsers, rewardTables.partnerUserCards], 1, { id: 1, isRemoved: true }),
  takeTicket: each(['secret'], 'passkey'),
  walkBlocks: each(walkedTables, { requestsMs: 1 }, { from: 0, blocks: 1 }),
  writeReviews: each([
    {
      reviews: [{ ...{ id: 1, organisationId: 1, reason: 'screening', createdAt: '2026-01-01' }, screening: nothing }],
      steps: [
        { decision: 'Approved', decidedAt: '2026-01-01', payment: nothing },
        { reason: 'screening', payment: nothing, given: nothing },
      ],
      knownPayees: [1],
      keptWaiting: [nothing],
    },
  ]),
  writeSwitched: [
    {
      given: [
        { id: 1, epoch: 1 },
        { organisation: '{}', tables: [] },
      ],
      rows: [{ columns: 'id, name' }],
    },
  ],
}

const choices = <Choice>(...all: Choice[]) => all
/** Calls with anything, and without anything, at every place. */
const calls: Example[] = choices('anything', null, undefined).flatMap((member) =>
  choices(0, 1).flatMap((elements) => {
    const any = anything({ member: member as Mode['member'], elements: elements as Mode['elements'] })
    return [any, member === 'anything' ? null : member].flatMap((given) =>
      [[], [any]].map((rows) => ({ given: Array(6).fill(given), rows })),
    )
  }),
)

type Statement = (queryable: unknown, ...given: unknown[]) => unknown

/** The exported functions of a file that run statements. */
async function statementsOf({ path, text }: { path: string; text: string }): Promise<[string, Statement][]> {
  const members = (await import(join(root, path))) as Record<string, Statement | Statement[]>
  return Object.entries(members).flatMap(([name, member]) => {
    const isStatement = new RegExp(`\\b(${name} = .*|function ${name}(<.*>)?)\\(\\s*\\w+: (Queryable|Database)\\b`)
    return isStatement.test(text) ? [member].flat().map((each): [string, Statement] => [name, each]) : []
  })
}

// Changes of the session or the schema, which PostgreSQL does not prepare.
const isPlanned = (text: string) => /^[\s(]*(with|select|insert|update|delete)\b/i.test(text)

test('every statement of the `.sql.ts` files fits the migrated schema', async () => {
  /** The texts, each with the function that it comes from. */
  const texts = new Map<string, string>()
  /** The places in `.sql.ts` files that called `query`. */
  const reached = new Set<string | undefined>()
  const queryable = (name: string, rows: unknown[]) => {
    const query = async (text: string) => {
      reached.add(new Error('here').stack?.match(/src\/[\w/-]+\.sql\.ts:\d+/)?.[0])
      if (isPlanned(text)) texts.set(text, name)
      return rows
    }
    const one = { query, transaction: (work: (each: unknown) => unknown) => work(one) }
    return one
  }
  // Those of the session run with every connection.
  const files = sourcesIn('src').filter(({ path }) => path.endsWith('.sql.ts') && !path.startsWith('src/database/'))
  for (const file of files) {
    for (const [name, run] of await statementsOf(file)) {
      for (const { given, rows = [anything({ member: 'anything', elements: 0 })] } of examples[name] ?? calls) {
        // A function may fail after its statement, because the values are no real ones. `reached` shows whether it came there.
        await (async () => run(queryable(`${file.path} ${name}`, rows), ...given))().catch(() => undefined)
      }
    }
  }
  for (const [name, run] of batchStatements) await run(queryable(name, []) as never)

  const unreached = files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => {
      const place = `${path}:${index + 1}`
      return /\.query[(<]/.test(line) && !reached.has(place) ? [place] : []
    }),
  )
  expect(unreached).toEqual([])

  const misfits: string[] = []
  for (const [text, name] of texts) {
    await database.query(`prepare fitting as ${text}`, [], 'once').then(
      () => database.query('deallocate fitting', [], 'once'),
      (error: Error) => misfits.push(`${name}: ${error.message}`),
    )
  }
  expect(misfits).toEqual([])
  expect(texts.size).toBeGreaterThan(700)
}, 30_000)
