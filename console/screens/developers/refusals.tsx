import type { LoggedRequest } from '../../../client/src/index.ts'
import { Time } from '../../components/display/time.tsx'
import { Empty } from '../../components/feedback/empty.tsx'
import { Card } from '../../components/layout/card.tsx'
import { type Column, Table } from '../../components/lists/table.tsx'
import { groupsOf, type RefusalGroup } from '../../data/developers/traffic.ts'
import { count } from '../../data/format.ts'

const columns: Column<RefusalGroup>[] = [
  { head: 'Code', cell: ({ code }) => <code>{code}</code> },
  { head: 'Operation', cell: ({ operation }) => operation },
  { head: 'Latest', cell: ({ last }) => <Time of={last.at} real />, number: true, wide: true, card: 'when' },
  { head: 'Count', cell: (group) => count(group.count), number: true },
]

interface Props {
  requests: readonly LoggedRequest[]
  shown: number
}

/** Refused requests by operation and code. */
export function Refusals({ requests: rows, shown }: Props) {
  const groups = groupsOf(rows)
  return (
    <Card title="Refusals by operation and code" flush>
      {groups.length === 0 ? (
        <Empty title="No request was refused" />
      ) : (
        <Table
          label="Refusals by operation and code"
          rows={groups.slice(0, shown)}
          keyOf={({ key }) => key}
          path={({ operation, code }) => `/requests?operation=${operation}&code=${code}`}
          columns={columns}
        />
      )}
    </Card>
  )
}
