import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { seedOfTest } from '../../../test/support/random.ts'
import { isLike, meets } from './condition.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

test('a pattern matches what LIKE of PostgreSQL matches', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '%', '_', '\\', '😀'), maxLength: 8 })
  const pattern = fc
    .array(fc.constantFrom('a', 'b', '%', '_', '\\%', '\\_', '\\\\', '😀'), { maxLength: 8 })
    .map((parts) => parts.join(''))
  const pairs = fc.sample(fc.tuple(text, pattern), { seed: seedOfTest(), numRuns: 2_000 })
  const rows = await bank.database.query<{ found: boolean }>(
    `select t like p as found from unnest($1::text[], $2::text[]) with ordinality as x (t, p, n) order by n`,
    [pairs.map(([each]) => each), pairs.map(([, each]) => each)],
  )
  expect(pairs.map(([each, like]) => isLike(each, like))).toEqual(rows.map(({ found }) => found))
  expect(rows.some(({ found }) => found)).toBe(true)
})

test('a pattern of many wildcards takes no longer than both lengths multiplied', () => {
  const before = performance.now()
  expect(isLike('a'.repeat(255), `${'%a'.repeat(99)}%b`)).toBe(false)
  expect(performance.now() - before).toBeLessThan(200)
})

test('nothing equals a tag that a user does not have, nor does anything differ from it', () => {
  const tags = { plan: 'gold' }
  const met = (whereClause: string) => meets(tags, { whereClause, columnNames: 'plan,toString', values: '[gold]' })
  expect(met('$C1 = $V1')).toBe(true)
  expect(met('$C2 = $V1')).toBe(false)
  expect(met('NOT $C2 = $V1')).toBe(false)
  expect(met('NOT ($C2 = $V1 AND $C1 <> $V1)')).toBe(true)
  expect(met('$C2 = $V1 OR $C1 = $V1')).toBe(true)
})
