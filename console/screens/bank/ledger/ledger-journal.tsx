import { Link } from 'wouter'
import type { LedgerTransfer, LedgerTransferSide } from '../../../../client/src/index.ts'
import { Time } from '../../../components/display/time.tsx'
import { Empty } from '../../../components/feedback/empty.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { Filters } from '../../../components/lists/filters.tsx'
import { type Column, ListTable } from '../../../components/lists/table.tsx'
import { RecordLink } from '../../../components/records/record-link.tsx'
import { useFilters } from '../../../data/filters.ts'
import { amount, words } from '../../../data/format.ts'
import { useList } from '../../../data/list.ts'
import { recordPath } from '../../../routes.ts'
import { LedgerHead } from './ledger.tsx'

const sources = ['payment', 'authorization', 'reward'] as const
type Source = (typeof sources)[number]

const columns: Column<LedgerTransfer>[] = [
  { head: 'Transfer', cell: ({ kind }) => words(kind).replace(/ ach$/, ' ACH') },
  { head: 'Debit', cell: ({ debit }) => <Side side={debit} />, wide: true },
  { head: 'Credit', cell: ({ credit }) => <Side side={credit} />, wide: true },
  {
    head: 'Source',
    cell: ({ source }) => source && <RecordLink type={source.type} id={source.id} />,
    wide: true,
  },
  { head: 'Created', cell: ({ createdAt }) => <Time of={createdAt} />, number: true, wide: true },
  { head: 'Amount', cell: (transfer) => amount(transfer.amount), number: true },
]

/** The transfers of the ledger, each with both sides, newest first. */
export function LedgerJournal() {
  const [filters, setFilters] = useFilters(['accountId', 'sourceType', 'sourceId', 'since', 'until'])
  const { accountId, sourceType, sourceId, since, until } = filters
  const list = useList('listLedgerTransfers', {
    query: {
      sort: '-createdAt',
      limit: 100,
      ...(accountId && { accountId }),
      ...(sourceType && { sourceType: sourceType as Source }),
      ...(sourceId && { sourceId }),
      ...(since && { since }),
      ...(until && { until }),
    },
  })
  return (
    <>
      <LedgerHead />
      <Filters
        values={filters}
        set={setFilters}
        fields={[
          { name: 'accountId', label: 'Account' },
          { name: 'sourceType', label: 'Kind of source', options: sources },
          { name: 'sourceId', label: 'Source' },
          { name: 'since', label: 'From', kind: 'date' },
          { name: 'until', label: 'Before', kind: 'date' },
        ]}
      />
      <Card title="Journal" flush bare>
        <ListTable
          label="Journal"
          list={list}
          columns={columns}
          keyOf={({ id }) => id}
          path={pathOf}
          empty={
            <Empty title={Object.keys(filters).length > 0 ? 'No transfer matches' : 'No transfer yet'}>
              <p>Open an account and choose “Receive money…”, or call receiveAch.</p>
            </Empty>
          }
        />
      </Card>
    </>
  )
}

/** The transaction that a customer sees; it shows both sides. */
function pathOf({ debit, credit }: LedgerTransfer): string | undefined {
  const id = debit.transactionId ?? credit.transactionId
  return id === null ? undefined : recordPath('transaction', id)
}

/** An account of a transfer, which leads to its other transfers, and its balance after it. */
function Side({ side: { accountId, name, balance } }: { side: LedgerTransferSide }) {
  return (
    <span title={`Balance after: ${amount(balance)}`}>
      <Link href={`/ledger/journal?accountId=${accountId}`}>{name}</Link>
    </span>
  )
}
