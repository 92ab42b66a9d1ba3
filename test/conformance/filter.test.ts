import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Column, type ColumnType, columnsOf, type Value } from '../../src/rewards/filter/columns.ts'
import type { Comparison, Condition, OrderTerm } from '../../src/rewards/filter/condition.ts'
import { PartnerUserCard } from '../../src/rewards/records/partner-user-card.ts'
import { type Row, select } from '../support/evaluate.ts'
import { openTestBank, root, type TestBank } from '../support/harness.ts'
import { seedOfTest } from '../support/random.ts'
import { type FilterTexts, idsOf, insertRecord, listRecords, type RecordList } from '../support/rewards.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

/** How many sets of records the property is tried on, and how many clauses on each. */
const [recordSets, clausesEach] = process.env.SOAK ? [200, 50] : [12, 25]

describe('a list in the filter language', () => {
  test('answers what the meaning of its clauses says, on any records', async () => {
    let organisations = 0
    await fc.assert(
      fc.asyncProperty(
        anyRecords,
        fc.array(anyRequest, { minLength: clausesEach, maxLength: clausesEach }),
        async (records, requests) => {
          const rows = await insertLinks(`property-${organisations++}`, records)
          for (const { where, order, style } of requests) {
            const texts = written(where, order, style)
            // Longer than a clause may be: there is nothing to compare.
            if ((texts.whereClause ?? '').length > 2_000 || (texts.whereClause ?? '').includes('$V101')) continue
            const expected = select(rows.records, { where, order: withId(order) }).map(({ id }) => id)
            const found = await idsOf(bank, 'partner-user-cards', texts, rows.key)
            expect(found, JSON.stringify(texts)).toEqual(expected)
          }
        },
      ),
      { seed: seedOfTest(), numRuns: recordSets },
    )
  })
})

/** Every type is among the columns of card links: integers, a string, a boolean, and times of which one may be null. */
const columns: Column[] = [...columnsOf(PartnerUserCard)].map(([name, type]) => ({ name, type }))

const texts = ['', 'a', 'A', 'ab', 'a%b', 'a_b', 'a\\b', 'é', 'É', '😀', "it's", '"', 'null', '0039', '39', 'a b', '~']
const times = [
  '2026-01-01T00:00:00.000Z',
  '2026-01-01T00:00:00.001Z',
  '2026-02-28T12:30:00.500Z',
  '9999-12-31T23:59:59.999Z',
]

const anyRecords = fc.array(
  fc.record({
    user: fc.nat(3),
    bankCardId: fc.constantFrom(...texts),
    isRemoved: fc.boolean(),
    createdAt: fc.constantFrom(...times),
    updatedAt: fc.option(fc.constantFrom(...times)),
  }),
  { minLength: 1, maxLength: 25 },
)

const valuesOf: Record<ColumnType, fc.Arbitrary<Value>> = {
  // Small ones, which are there as ids, and any others.
  integer: fc.oneof({ weight: 4, arbitrary: fc.nat(60) }, { weight: 1, arbitrary: fc.maxSafeInteger() }),
  boolean: fc.boolean(),
  timestamp: fc.constantFrom(
    ...times,
    '2026-01-01T00:00:00.0005Z',
    '2026-01-15T00:00:00.000Z',
    '0001-01-01T00:00:00.000Z',
  ),
  string: fc.constantFrom(...texts, 'zzz', 'b'),
}
const anyPattern = fc.array(fc.constantFrom('%', '_', '\\%', '\\_', '\\\\', 'a', 'A', 'b', 'é', 'É', '😀', '3'), {
  maxLength: 5,
})
const orderings: Comparison[] = ['=', '<>', '<', '<=', '>', '>=']

const anyPredicate = fc.constantFrom(...columns).chain((column): fc.Arbitrary<Condition<Column, Value>> => {
  const value = valuesOf[column.type]
  const negated = fc.boolean()
  const is = fc.constant(column)
  const operator = fc.constantFrom(...(column.type === 'boolean' ? orderings.slice(0, 2) : orderings))
  const everywhere: fc.Arbitrary<Condition<Column, Value>>[] = [
    fc.record({ kind: fc.constant('compare'), column: is, operator, value }),
    fc.record({ kind: fc.constant('in'), column: is, negated, values: fc.array(value, { maxLength: 4 }) }),
    fc.record({ kind: fc.constant('null'), column: is, negated }),
  ]
  if (column.type !== 'boolean') {
    everywhere.push(fc.record({ kind: fc.constant('between'), column: is, negated, low: value, high: value }))
  }
  if (column.type === 'string') {
    const pattern = anyPattern.map((marks) => marks.join(''))
    everywhere.push(fc.record({ kind: fc.constant('like'), column: is, negated, anyCase: fc.boolean(), pattern }))
  }
  return fc.oneof(...everywhere)
})

const { condition: anyCondition } = fc.letrec<{ condition: Condition<Column, Value> }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 3, arbitrary: anyPredicate },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constantFrom('and', 'or'),
        parts: fc.array(tie('condition'), { minLength: 2, maxLength: 3 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('not'), part: tie('condition') }) },
  ),
}))

const anyOrder = fc
  .uniqueArray(fc.constantFrom(...columns), { maxLength: 5 })
  .chain((chosen) =>
    fc.tuple(
      ...chosen.map((column) =>
        fc.record({ column: fc.constant(column), descending: fc.boolean(), nullsFirst: fc.boolean() }),
      ),
    ),
  )

const anyRequest = fc.record({ where: fc.option(anyCondition, { nil: undefined }), order: anyOrder, style: fc.nat() })

function withId(order: OrderTerm<Column>[]): OrderTerm<Column>[] {
  const id = { column: { name: 'id', type: 'integer' as const }, descending: false, nullsFirst: false }
  return order.some(({ column }) => column.name === 'id') ? order : [...order, id]
}

/** The links as the service shows them, in an organisation of their own. */
async function insertLinks(
  organisation: string,
  records: typeof anyRecords extends fc.Arbitrary<infer Records> ? Records : never,
): Promise<{ key: string; records: Row[] }> {
  const key = await bank.makeKey(organisation, null)
  const users: number[] = []
  for (const userId of [1, 2, 3, 4]) users.push(await insertRecord(bank, 'partner_user', { userId }, organisation))
  const live = new Set<string>()
  for (const { user, ...record } of records) {
    const isRemoved = record.isRemoved || live.has(record.bankCardId)
    if (!isRemoved) live.add(record.bankCardId)
    await insertRecord(bank, 'partner_user_card', { ...record, isRemoved, partnerUserId: users[user] }, organisation)
  }
  return { key, records: (await listRecords(bank, 'partner-user-cards', {}, key)).json.data }
}

/** One of the many ways in which a request can be written. */
function written(where: Condition<Column, Value> | undefined, order: OrderTerm<Column>[], style: number): FilterTexts {
  let state = style
  const pick = <T>(...choices: T[]): T => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return choices[(state >> 8) % choices.length] as T
  }
  const word = (text: string) => pick(text, text.toLowerCase())
  const gap = () => pick('', ' ')

  const names: string[] = []
  const columnOf = ({ name }: Column): string => {
    if (!names.includes(name)) names.push(name)
    return `$C${names.indexOf(name) + 1}`
  }
  /** The value of each `$V`. */
  const parts: string[][] = []
  const numbered = (value: Value) => `$V${parts.push([literal(value)])}`
  const listOf = (values: Value[]): string => {
    if (values.length === 0 || pick(true, false)) return `$V${parts.push(values.map(literal))}`
    return values.map(numbered).join(`${gap()},${gap()}`)
  }
  const literal = (value: Value): string => {
    if (typeof value !== 'string') return typeof value === 'number' ? pick(String(value), `"${value}"`) : String(value)
    const bare = /^[A-Za-z0-9_.:+-]+$/.test(value) && value !== 'null' ? [value] : []
    return pick(JSON.stringify(value), `'${value.replaceAll("'", "''")}'`, ...bare)
  }

  const conditionOf = (condition: Condition<Column, Value>, binding: number): string => {
    switch (condition.kind) {
      case 'or':
      case 'and': {
        const own = condition.kind === 'or' ? 1 : 2
        const text = condition.parts
          .map((part) => conditionOf(part, own))
          .join(` ${word(condition.kind.toUpperCase())} `)
        return own < binding ? `(${gap()}${text}${gap()})` : text
      }
      case 'not':
        return `${word('NOT')} ${conditionOf(condition.part, 3)}`
      case 'compare':
        return `${columnOf(condition.column)}${gap()}${condition.operator === '<>' ? pick('<>', '!=') : condition.operator}${gap()}${numbered(condition.value)}`
      case 'null':
        return `${columnOf(condition.column)} ${word('IS')} ${condition.negated ? `${word('NOT')} ` : ''}${word('NULL')}`
    }
    const negated = condition.negated ? `${word('NOT')} ` : ''
    const head = `${columnOf(condition.column)} ${negated}`
    if (condition.kind === 'in') return `${head}${word('IN')}${gap()}(${listOf(condition.values)})`
    if (condition.kind === 'between') {
      const low = numbered(condition.low)
      return `${head}${word('BETWEEN')} ${low} ${word('AND')} ${numbered(condition.high)}`
    }
    return `${head}${word(condition.anyCase ? 'ILIKE' : 'LIKE')} ${numbered(condition.pattern)}`
  }

  const termOf = ({ column, descending, nullsFirst }: OrderTerm<Column>) => {
    const direction = descending ? ` ${word('DESC')}` : pick('', ` ${word('ASC')}`)
    const nulls = ` ${word('NULLS')} ${word(nullsFirst ? 'FIRST' : 'LAST')}`
    return `${columnOf(column)}${direction}${nullsFirst === descending ? pick('', nulls) : nulls}`
  }

  const whereClause = where && conditionOf(where, 0)
  const orderByClause = order.map(termOf).join(`,${gap()}`)
  const groups = parts.map((part) => `[${part.join(`,${gap()}`)}]`)
  const elements = parts.map((part) => (part.length === 1 ? pick(part[0], `[${part[0]}]`) : `[${part.join(',')}]`))
  const values = groups.length < 2 ? groups.join('') : pick(groups.join(','), `[${elements.join(', ')}]`)
  return {
    ...(whereClause !== undefined && { whereClause }),
    ...(orderByClause !== '' && { orderByClause }),
    ...(names.length > 0 && { columnNames: pick(names.join(','), JSON.stringify(names)) }),
    ...(values !== '' && { values }),
  }
}

interface Vector {
  id: string
  table: RecordList
  params: FilterTexts
  ids?: number[]
  code?: string
}

/** Vectors that several products share; they stand beside the repository where it is worked on, and nowhere else. */
const shared = join(root, '..', 'shared', 'spec', 'filter-vectors.json')

if (existsSync(shared)) {
  const { rows, good, bad } = JSON.parse(readFileSync(shared, 'utf8')) as {
    rows: Record<string, Record<string, unknown>[]>
    good: Vector[]
    bad: Vector[]
  }

  describe('the shared vectors', () => {
    // A bank of their own, in which their ids are free.
    let other: TestBank
    beforeAll(async () => {
      other = await openTestBank()
      const partnerUserId = await insertRecord(other, 'partner_user', { id: 1_000, userId: 1_000 }, 'second')
      const purchases = rows['rewardable-transactions'] ?? []
      for (const id of new Set(purchases.map(({ partnerUserCardId }) => partnerUserCardId))) {
        await insertRecord(other, 'partner_user_card', { id, partnerUserId, bankCardId: `card ${id}` }, 'second')
      }
      for (const row of rows['partner-users'] ?? []) await insertRecord(other, 'partner_user', row)
      for (const row of purchases) await insertRecord(other, 'rewardable_transaction', row)
    })
    afterAll(() => other.close())

    test.each(good.map((vector) => [vector.id, vector] as const))('%s is answered', async (_, vector) => {
      expect(await idsOf(other, vector.table, vector.params)).toEqual(vector.ids)
    })

    test.each(bad.map((vector) => [vector.id, vector] as const))('%s is refused', async (_, vector) => {
      const { status, json } = await listRecords(other, vector.table, vector.params)
      expect([status, json.errors?.[0].code]).toEqual([400, vector.code])
    })
  })
}
