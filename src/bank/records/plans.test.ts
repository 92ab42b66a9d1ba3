import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase } from '../../../test/support/harness.ts'
import { batchStatements } from '../../../test/support/plans/batch-statements.ts'
import { type Database, openDatabase, plainTimeouts, type Queryable } from '../../database/database.ts'
import { migrate } from '../../database/migrate.ts'
import { fixPlans } from '../../ledger/ledger.sql.ts'

let place: Awaited<ReturnType<typeof createDatabase>>
let database: Database
beforeAll(async () => {
  place = await createDatabase()
  database = openDatabase({
    servers: [place.server],
    connections: 1,
    timeouts: plainTimeouts,
    greet: fixPlans,
  })
  await migrate(database, 'migrations')
  // The worst case for a plan: statistics that say every table is empty.
  await database.query('analyze')
})
afterAll(async () => {
  await database.close()
  await place.drop()
})

/** The texts of the statements that `work` would run. */
async function statementsOf(work: (queryable: Queryable) => Promise<unknown>): Promise<string[]> {
  const texts: string[] = []
  const listening = {
    query: async (text: string) => {
      texts.push(text)
      return []
    },
  }
  await work(listening as Queryable)
  return texts
}

test.each(batchStatements)(
  'the plan %s reads no table whole, although it is made while all are empty',
  async (_name, work) => {
    const statements = await statementsOf(work)
    expect(statements).not.toEqual([])
    for (const statement of statements) {
      expect(walksOf(await genericPlanOf(statement))).toEqual([])
    }
  },
)

/** The plan that a prepared statement keeps, whatever its values. PostgreSQL 15 has no `explain (generic_plan)` yet. */
async function genericPlanOf(statement: string): Promise<Plan> {
  const numbers = [...statement.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number))
  const values = Array(Math.max(0, ...numbers)).fill('null')
  const run = <Row>(text: string) => database.query<Row>(text, [], 'once')
  await run('set plan_cache_mode = force_generic_plan')
  await run(`prepare planned as ${statement}`)
  const execute = `execute planned${values.length > 0 ? `(${values.join(', ')})` : ''}`
  const [row] = await run<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`explain (format json) ${execute}`)
  await run('deallocate planned')
  if (!row) throw new Error('no plan')
  return row['QUERY PLAN'][0].Plan
}

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: Plan[]
}

function walksOf(plan: Plan): string[] {
  const type = plan['Node Type']
  const walks = type === 'Seq Scan' || (/^(Bitmap )?Index/.test(type) && plan['Index Cond'] === undefined)
  const own = walks ? [`${type} ${plan['Index Name'] ?? plan['Relation Name']}`] : []
  return [...own, ...(plan.Plans ?? []).flatMap(walksOf)]
}
