import { Link } from 'wouter'
import { Empty } from '../../../components/feedback/empty.tsx'
import { Unavailable } from '../../../components/feedback/unavailable.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { Filters } from '../../../components/lists/filters.tsx'
import { ListTable } from '../../../components/lists/table.tsx'
import { type FilterValues, useFilters } from '../../../data/filters.ts'
import { month } from '../../../data/format.ts'
import { useList } from '../../../data/list.ts'
import { useCall, useMay } from '../../../data/purser.tsx'
import { recordPath } from '../../../routes.ts'
import { NewStatement } from '../accounts/account-lists.tsx'
import { accountColumns } from '../accounts/accounts.tsx'
import { DownloadPdf, StatementPreview } from './statement-preview.tsx'

/** The statements of one account, with a preview of the chosen one. The account is chosen first. */
export function Statements() {
  const may = useMay('listStatements')
  const [filters, setFilters] = useFilters(['accountId', 'statement', 'search'])
  if (!may) {
    return (
      <>
        <PageTitle title="Statements" />
        <Unavailable title="Statements" scope="banking:read">
          The provider of accounts has no statements.
        </Unavailable>
      </>
    )
  }
  if (filters.accountId) return <OfAccount accountId={filters.accountId} chosen={filters.statement} set={setFilters} />
  return <ChooseAccount search={filters.search} set={setFilters} />
}

function addressOf(values: FilterValues): string {
  return `/statements?${new URLSearchParams(values)}`
}

function ChooseAccount({ search, set }: { search: string | undefined; set(values: FilterValues): void }) {
  const list = useList('listAccounts', { query: { sort: '-createdAt', limit: 100, ...(search && { search }) } })
  return (
    <>
      <PageTitle title="Statements">
        <span className="muted">Choose an account</span>
      </PageTitle>
      <Filters
        values={search ? { search } : {}}
        set={set}
        fields={[{ name: 'search', label: 'Name, e-mail, number or id' }]}
      />
      <Card title="Accounts" flush bare>
        <ListTable
          label="Accounts"
          list={list}
          columns={accountColumns}
          keyOf={({ id }) => id}
          path={({ id }) => addressOf({ accountId: id })}
          empty={
            search ? (
              <Empty title="No account matches" />
            ) : (
              <Empty title="No account yet">
                <p>An account has a statement for each month that is over.</p>
              </Empty>
            )
          }
        />
      </Card>
    </>
  )
}

interface OfAccountProps {
  accountId: string
  chosen: string | undefined
  set(values: FilterValues): void
}

function OfAccount({ accountId, chosen, set }: OfAccountProps) {
  const mayMake = useMay('createStatement')
  const { data: account } = useCall('getAccount', { params: { accountId } })
  const list = useList('listStatements', { query: { accountId, sort: '-createdAt', limit: 100 } })
  const statement = list.rows.find(({ id }) => id === chosen) ?? list.rows[0]
  return (
    <>
      <PageTitle
        title="Statements"
        parent={{ name: 'Statements', path: '/statements' }}
        id={accountId}
        actions={
          mayMake && (
            <NewStatement
              accountId={accountId}
              label="New statement…"
              done={(id) => set({ accountId, statement: id })}
            />
          )
        }
      >
        {account && (
          <span>
            of{' '}
            <Link href={recordPath('account', accountId)}>
              {account.name} ··{account.accountNumber.slice(-4)}
            </Link>
          </span>
        )}
      </PageTitle>
      <div className="aside">
        <Card title="Months" flush>
          <ListTable
            label="Statements"
            list={list}
            keyOf={({ id }) => id}
            path={({ id }) => addressOf({ accountId, statement: id })}
            columns={[
              { head: 'Month', cell: ({ id, period }) => <Month period={period} chosen={id === statement?.id} /> },
              { head: 'Id', cell: ({ id }) => <span className="mono">{id}</span>, number: true },
            ]}
            empty={
              <Empty title="No statement yet">
                <p>The first one follows at the end of the month.</p>
              </Empty>
            }
          />
        </Card>
        {statement && (
          <Card
            title={month(statement.period)}
            aside={
              <span className="row">
                <Link href={recordPath('statement', statement.id)}>Open</Link>
                <DownloadPdf statement={statement} />
              </span>
            }
            flush
          >
            <StatementPreview statement={statement} />
          </Card>
        )}
      </div>
    </>
  )
}

/** A month; the one whose statement is shown stands out. */
function Month({ period, chosen }: { period: string; chosen: boolean }) {
  if (!chosen) return month(period)
  return (
    <b>
      {month(period)}
      <span className="unseen">, shown</span>
    </b>
  )
}
