import { Link } from 'wouter'
import { Empty, Reading } from '../../../components/feedback/empty.tsx'
import { ProblemNote } from '../../../components/feedback/problem.tsx'
import { Unavailable } from '../../../components/feedback/unavailable.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { Filters } from '../../../components/lists/filters.tsx'
import { days, queryOf, useFilters } from '../../../data/filters.ts'
import { amount } from '../../../data/format.ts'
import { kindName, trialBalance } from '../../../data/ledger.ts'
import { useList } from '../../../data/list.ts'
import { useMay } from '../../../data/purser.tsx'
import { LazyFlow } from '../../../pictures/lazy.tsx'
import styles from './ledger.module.css'
import { Laws } from './ledger-laws.tsx'
import { LedgerHead } from './lists.tsx'

/** The ledger at a glance: where money flows, the balances by kind of account, and the laws. */
export function Ledger() {
  const may = useMay('listLedgerFlows')
  return (
    <>
      <LedgerHead />
      {may ? (
        <Flow />
      ) : (
        <Unavailable title="Ledger" scope="banking:read" absent="Only the built-in bank has a ledger." />
      )}
      <div className="halves">
        <TrialBalance />
        <Laws />
      </div>
    </>
  )
}

/** The money that moved between the kinds of accounts in a range of time. */
function Flow() {
  const [filters, setFilters] = useFilters(['since', 'until'])
  const { rows, error, isPending } = useList('listLedgerFlows', {
    query: queryOf(days, filters),
  })
  return (
    <Card title="Money flow" aside={<span>{filters.since || filters.until ? 'in the range' : 'last 30 days'}</span>}>
      <Filters values={filters} set={setFilters} fields={days} />
      <ProblemNote error={error} />
      {isPending && <Reading lines={6} />}
      {rows.length > 0 ? (
        <LazyFlow flows={rows} />
      ) : (
        !isPending &&
        !error && (
          <Empty title="No money moved in this time">
            <p>Open an account and choose “Receive money…”, or call receiveAch.</p>
          </Empty>
        )
      )}
    </Card>
  )
}

/** The balances by kind of account: debits and credits have the same sum. */
function TrialBalance() {
  const may = useMay('listLedgerBalances')
  const { rows: balances, error } = useList('listLedgerBalances', {})
  if (!may) return null
  const { rows, debit, credit } = trialBalance(balances)
  return (
    <Card title="Trial balance" aside={<span>now</span>} flush>
      <ProblemNote error={error} />
      <table className={styles.trial} aria-label="Trial balance">
        <thead>
          <tr>
            <th scope="col">Accounts</th>
            <th scope="col" className="number">
              Debit
            </th>
            <th scope="col" className="number">
              Credit
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.kind}>
              <td>
                <Link href={`/ledger/accounts?kind=${row.kind}`}>{kindName(row.kind)}</Link>
              </td>
              <td className="number">{row.debit > 0 && amount(row.debit)}</td>
              <td className="number">{(row.credit > 0 || row.debit === 0) && amount(row.credit)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Sum</th>
            <td className="number">{amount(debit)}</td>
            <td className="number">{amount(credit)}</td>
          </tr>
          <tr>
            <th scope="row">Difference</th>
            <td colSpan={2} className={`number ${debit === credit ? 'good' : 'bad'}`}>
              {amount(credit - debit)}
            </td>
          </tr>
        </tfoot>
      </table>
    </Card>
  )
}
