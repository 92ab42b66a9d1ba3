import type { ListedTransaction } from '../../../../client/src/index.ts'
import { Time } from '../../../components/display/time.tsx'
import { Empty } from '../../../components/feedback/empty.tsx'
import { Unavailable } from '../../../components/feedback/unavailable.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { Filters } from '../../../components/lists/filters.tsx'
import { type Column, ListTable } from '../../../components/lists/table.tsx'
import { useFilters } from '../../../data/filters.ts'
import { money } from '../../../data/format.ts'
import { useList } from '../../../data/list.ts'
import { useMay } from '../../../data/purser.tsx'
import { recordPath } from '../../../routes.ts'

const directions = ['Credit', 'Debit'] as const
type Direction = (typeof directions)[number]

export const transactionColumns: Column<ListedTransaction>[] = [
  { head: 'Counterparty', cell: ({ counterparty }) => counterparty.name },
  { head: 'Purpose', cell: purposeOf, wide: true },
  { head: 'Posted', cell: ({ createdAt }) => <Time of={createdAt} />, wide: true },
  { head: 'Amount', cell: signed, number: true },
  { head: 'Balance', cell: ({ balance }) => money(balance), number: true, wide: true },
]

/** The transactions of all accounts, of one customer or of one account, newest first. */
export function Transactions() {
  const may = useMay('listTransactions')
  const [filters, setFilters] = useFilters(['accountId', 'customerId', 'direction'])
  const list = useList('listTransactions', {
    query: {
      sort: '-createdAt',
      limit: 200,
      count: true,
      ...(filters.accountId && { accountId: filters.accountId }),
      ...(filters.customerId && { customerId: filters.customerId }),
      ...(filters.direction && { direction: filters.direction as Direction }),
    },
  })
  return (
    <>
      <PageTitle title="Transactions">{list.total && <span className="muted">{list.total}</span>}</PageTitle>
      <Filters
        values={filters}
        set={setFilters}
        fields={[
          { name: 'accountId', label: 'Account' },
          { name: 'customerId', label: 'Customer' },
          { name: 'direction', label: 'Direction', options: directions },
        ]}
      />
      {may ? (
        <Card title="Transactions" flush bare>
          <ListTable
            label="Transactions"
            list={list}
            columns={transactionColumns}
            keyOf={({ id }) => id}
            path={({ id }) => recordPath('transaction', id)}
            empty={
              <Empty title={Object.keys(filters).length > 0 ? 'No transaction matches' : 'No transaction yet'}>
                <p>Open an account and choose “Receive money…”, or call receiveAch.</p>
              </Empty>
            }
          />
        </Card>
      ) : (
        <Unavailable title="Transactions" scope="banking:read">
          The provider of accounts has no list of transactions.
        </Unavailable>
      )}
    </>
  )
}

/** The amount with its sign: money out is negative. */
export function signed({ amount, direction }: Pick<ListedTransaction, 'amount' | 'direction'>): string {
  return money(direction === 'Debit' ? -amount : amount)
}

/** The purpose, which follows the name of the other party in the summary. */
export function purposeOf({ summary, counterparty }: Pick<ListedTransaction, 'summary' | 'counterparty'>): string {
  const named = `${counterparty.name}  |  `
  return summary.startsWith(named) ? summary.slice(named.length) : summary
}
