import type { Operation } from '../src/base/operation.ts'
import { openKard } from '../src/connectors/kard/kard.ts'
import { openUnitBank } from '../src/connectors/unit/unit.ts'
import { operations } from '../src/operations.ts'

/** Operations that a connector serves in part. */
const inPart: Record<string, string> = { getStatement: 'as HTML only' }

/** docs/providers.md: every operation, and which provider serves it. */
export function providersPage(): string {
  // No upstream is called: the table only needs the names of the methods.
  const unit = openUnitBank({ client: undefined as never, claims: undefined as never })
  const { offers: kard } = openKard(
    {
      url: 'https://upstream.invalid',
      tokenUrl: 'https://upstream.invalid',
      token: 'form',
      organizationId: 'organization',
      clientId: '',
      clientSecret: '',
      callMs: 1,
      totalMs: 1,
      log: { warn: () => undefined },
      centreOf: () => undefined,
    },
    { database: undefined as never, runOnce: undefined as never, seals: undefined as never },
  )
  const columns: ((operation: Operation) => string)[] = [
    () => 'yes',
    ({ area, id }) => (['banking', 'processor', 'review', 'closing', 'ledger'].includes(area) ? served(id, unit) : '–'),
    ({ area, id }) => (id in kard ? 'yes' : area === 'rewards' ? 'built in' : '–'),
  ]
  const rows = operations.map((operation) => {
    const { number = '', id, method, path } = operation
    return [number, `\`${id}\``, `\`${method} ${path}\``, ...columns.map((column) => column(operation))]
  })
  const lines = [
    ['', 'Operation', 'Address', 'Built-in', 'Unit', 'Kard'],
    ['---', '---', '---', '---', '---', '---'],
    ...rows,
  ]
  return `# Operations and providers

Written by \`npm run providers\`, and compared by a test. \`PURSER_BANKING_PROVIDER\` and \`PURSER_REWARDS_PROVIDER\` choose the
provider of each area. An operation that the provider does not serve answers 501 \`not_supported_by_provider\` and is not in
\`/openapi.json\`. Sandbox operations exist only with the built-in bank in sandbox mode. *Built in* marks operations on reward
records, which Purser serves itself whichever provider serves the offers. A dash marks an area that the provider does not have.

${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}
`
}

function served(id: string, provider: object): string {
  return id in provider ? (inPart[id] ?? 'yes') : 'no'
}
