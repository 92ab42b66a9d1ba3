import type { LedgerBreach, LedgerLaw } from '../../../../client/src/index.ts'
import { State } from '../../../components/display/state.tsx'
import { Time } from '../../../components/display/time.tsx'
import { ProblemNote } from '../../../components/feedback/problem.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { Table } from '../../../components/lists/table.tsx'
import { words } from '../../../data/format.ts'
import { useCall, useMay, useSend } from '../../../data/purser.tsx'
import styles from './ledger.module.css'

/** The laws of the ledger, whether each holds, and the rows that break it. */
export function Laws() {
  const may = useMay('getLedgerVerification')
  const mayRun = useMay('runLedgerVerification')
  const { data, error } = useCall('getLedgerVerification', {})
  const run = useSend('runLedgerVerification')
  if (!may) return null
  return (
    <Card
      title="Laws"
      flush
      aside={
        <span className="row">
          {data?.checkedAt ? (
            <span>
              checked at <Time of={data.checkedAt} />
            </span>
          ) : (
            <span>not checked yet</span>
          )}
          {mayRun && (
            <button type="button" disabled={run.isPending} onClick={() => run.mutate({})}>
              {run.isPending ? 'Checking…' : 'Check now'}
            </button>
          )}
        </span>
      }
    >
      <ProblemNote error={error ?? run.error} />
      <ul className={styles.laws}>
        {data?.laws.map((law) => (
          <Law key={law.law} law={law} />
        ))}
      </ul>
    </Card>
  )
}

function Law({ law: { law, holds, rows, more } }: { law: LedgerLaw }) {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return (
    <li>
      <div>
        <span>{law.charAt(0).toUpperCase() + law.slice(1)}</span>
        <State of={holds === null ? 'Not checked' : holds ? 'Holds' : 'Broken'} />
      </div>
      {rows.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the rows.
        <section className={styles.rows} tabIndex={0} aria-label="Rows that break the law">
          <Table
            label="Rows that break the law"
            rows={rows}
            keyOf={(row) => JSON.stringify(row)}
            columns={names.map((name) => ({ head: words(name), cell: (row: LedgerBreach) => String(row[name] ?? '') }))}
          />
          {more && <p className="muted">Further rows break the law.</p>}
        </section>
      )}
    </li>
  )
}
