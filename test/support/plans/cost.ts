import type { Queryable } from '../../../src/database/database.ts'

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Plan[]
}

export interface Cost {
  /** Rows that the statement touched, by table. */
  rows: Record<string, number>
  /** The indexes of transfers that it used. */
  indexes: string[]
  /** Pages read, those of the bisection too. */
  pages: number
}

/** Runs a list function and answers what its statement cost instead of what it found. */
export async function costOf(database: Queryable, list: (explaining: Queryable) => Promise<unknown>): Promise<Cost> {
  let plan: Plan | undefined
  await list({
    async query<Row>(text: string, values?: unknown[]): Promise<Row[]> {
      const [row] = await database.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
        `explain (analyze, buffers, format json) ${text}`,
        values,
      )
      plan = row?.['QUERY PLAN'][0]?.Plan
      return []
    },
  })
  if (!plan) throw new Error('no plan')
  const cost: Cost = {
    rows: { transfer: 0, payment: 0, account: 0 },
    indexes: [],
    pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
  }
  const visit = (node: Plan) => {
    const table = node['Relation Name']
    if (table !== undefined) {
      const perLoop =
        node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
      cost.rows[table] = (cost.rows[table] ?? 0) + perLoop * node['Actual Loops']
    }
    const index = node['Index Name']
    if (index?.startsWith('transfer')) cost.indexes.push(index)
    for (const child of node.Plans ?? []) visit(child)
  }
  visit(plan)
  return cost
}
