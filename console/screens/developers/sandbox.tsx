import { type FormEvent, useId, useState } from 'react'
import type { Scenario } from '../../../client/src/index.ts'
import { ProblemNote } from '../../components/feedback/problem.tsx'
import { Unavailable } from '../../components/feedback/unavailable.tsx'
import { Card } from '../../components/layout/card.tsx'
import { PageTitle } from '../../components/layout/page-title.tsx'
import { RecordLink } from '../../components/records/record-link.tsx'
import { words } from '../../data/format.ts'
import { useMay, useSend } from '../../data/purser.tsx'
import { FaultRules } from './fault-rules.tsx'
import { Organisations } from './organisations.tsx'
import styles from './sandbox.module.css'

/** Records to try things with, failures to test with, and banks of one's own. */
export function Sandbox() {
  const may = useMay('createScenario')
  return (
    <>
      <PageTitle title="Sandbox" />
      {may ? (
        <div className="columns">
          <div>
            <Scenarios />
            <FaultRules />
          </div>
          <Organisations />
        </div>
      ) : (
        <Unavailable
          title="Sandbox"
          scope="sandbox:write"
          absent="Only a sandbox has scenarios, fault rules and organisations to reset."
        />
      )}
    </>
  )
}

/** The type of the record that each member of a scenario names. */
const types: Record<keyof Scenario, string> = {
  customerId: 'customer',
  accountId: 'account',
  closedAccountId: 'account',
  cardId: 'card',
  virtualCardId: 'card',
  externalAccountId: 'externalAccount',
  paymentId: 'payment',
  transactionId: 'transaction',
  authorizationId: 'authorization',
  statementId: 'statement',
  applicationId: 'application',
  documentId: 'document',
  partnerUserId: 'partnerUser',
  fundingAccountId: 'externalAccount',
  debitId: 'payment',
  returnedDebitId: 'payment',
}

/** Creates scenarios, and links the records of those that were made. */
function Scenarios() {
  const id = useId()
  const [made, setMade] = useState<Scenario[]>([])
  const [seed, setSeed] = useState('')
  const [debits, setDebits] = useState(false)
  const { mutate, error, isPending } = useSend('createScenario', (scenario) => setMade((all) => [scenario, ...all]))
  const create = (event: FormEvent) => {
    event.preventDefault()
    mutate({ body: { ...(seed.trim() !== '' && { seed: Number(seed) }), ...(debits && { debits }) } })
  }
  return (
    <Card title="Scenarios">
      <div className="stack">
        <p className="muted">
          A scenario is a customer with an account that has money, cards, a payment, a purchase that earns a reward, a
          statement, and an application that waits for a document.
        </p>
        <form className={styles.form} onSubmit={create}>
          <div>
            <label htmlFor={id}>
              Seed <span className="muted">optional</span>
            </label>
            <div>
              <input
                id={id}
                value={seed}
                inputMode="numeric"
                autoComplete="off"
                aria-describedby={`${id}-hint`}
                onChange={(event) => setSeed(event.target.value)}
              />
            </div>
          </div>
          <label className={styles.check}>
            <input type="checkbox" checked={debits} onChange={(event) => setDebits(event.target.checked)} />
            With debits
          </label>
          <button type="submit" className="primary" disabled={isPending}>
            {isPending ? 'Creating…' : 'Create a scenario'}
          </button>
        </form>
        <p id={`${id}-hint`} className="muted">
          The same seed gives the same names, amounts and days. With debits the customer also funds the account, and one
          debit is returned.
        </p>
        <ProblemNote error={error} />
        <div role="status" className="stack">
          {made.map((scenario) => (
            <Made key={scenario.customerId} scenario={scenario} open={scenario === made[0]} />
          ))}
        </div>
      </div>
    </Card>
  )
}

/** Links to the records of a scenario. */
function Made({ scenario, open }: { scenario: Scenario; open: boolean }) {
  return (
    <details className={styles.made} open={open}>
      <summary>Records of customer {scenario.customerId}</summary>
      <dl>
        {Object.entries(scenario).map(([name, id]) => (
          <div key={name}>
            <dt>{words(name.replace(/Id$/, ''))}</dt>
            <dd>
              <RecordLink type={types[name as keyof Scenario]} id={id} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
