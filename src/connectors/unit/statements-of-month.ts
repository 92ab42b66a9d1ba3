import type { Statement } from '../../banking/statements/statement.ts'
import { UpstreamProblem } from '../../base/problem.ts'
import { statement } from './mapping/statement.ts'
import type { Connector } from './parts.ts'
import { listQuery } from './query.ts'

const PAGE = 1_000
const MAX_PAGES = 100

/** Reads the statements of all accounts for a month, 100,000 at most, which are kept in memory. */
export async function statementsOfMonth({ list }: Pick<Connector, 'list'>, period: string): Promise<Statement[]> {
  const statements: Statement[] = []
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = { limit: PAGE, offset: page * PAGE }
    const { items, more } = await list([], `/statements${listQuery(query, 'period', { period })}`, query, statement)
    statements.push(...items)
    if (!more) return statements
  }
  const detail = `There are more than ${MAX_PAGES * PAGE} statements for ${period}.`
  throw new UpstreamProblem('upstream_error', { detail, lasting: true })
}
