import type { LedgerAccount } from '../../../../client/src/index.ts'
import { State } from '../../../components/display/state.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Empty } from '../../../components/feedback/empty.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { Filters } from '../../../components/lists/filters.tsx'
import { type Column, ListTable } from '../../../components/lists/table.tsx'
import { RecordLink } from '../../../components/records/record-link.tsx'
import { useFilters } from '../../../data/filters.ts'
import { money } from '../../../data/format.ts'
import { type AccountKind, accountKinds, kindName, kindNames } from '../../../data/ledger.ts'
import { useList } from '../../../data/list.ts'
import { LedgerHead } from './ledger.tsx'

const columns: Column<LedgerAccount>[] = [
  {
    head: 'Account',
    cell: ({ name, accountNumber }) => `${name}${accountNumber ? ` ··${accountNumber.slice(-4)}` : ''}`,
  },
  { head: 'Kind', cell: ({ kind }) => kindName(kind), wide: true },
  { head: 'State', cell: ({ status }) => <State of={status} />, wide: true },
  {
    head: 'Id',
    cell: ({ id, kind }) =>
      kind === 'deposit' ? <RecordLink type="account" id={id} /> : <span className="mono">{id}</span>,
    wide: true,
  },
  {
    head: 'Last transfer',
    cell: ({ lastTransferAt }) => lastTransferAt && <Time of={lastTransferAt} />,
    number: true,
    wide: true,
  },
  { head: 'Transfers', cell: ({ transfers }) => transfers.toLocaleString('en-US'), number: true, wide: true },
  { head: 'Balance', cell: ({ balance }) => money(balance), number: true },
]

/** The chart of accounts, the internal ones included. An account leads to its transfers. */
export function LedgerAccounts() {
  const [filters, setFilters] = useFilters(['kind'])
  const list = useList('listLedgerAccounts', {
    query: { limit: 100, ...(filters.kind && { kind: [filters.kind as AccountKind] }) },
  })
  return (
    <>
      <LedgerHead />
      <Filters
        values={filters}
        set={setFilters}
        fields={[{ name: 'kind', label: 'Kind', options: accountKinds, labels: kindNames }]}
      />
      <Card title="Accounts of the ledger" flush bare>
        <ListTable
          label="Accounts of the ledger"
          list={list}
          columns={columns}
          keyOf={({ id }) => id}
          path={({ id }) => `/ledger/journal?accountId=${id}`}
          empty={
            <Empty title="No account yet">
              <p>Internal accounts appear with the first transfer.</p>
            </Empty>
          }
        />
      </Card>
    </>
  )
}
