import { useMemo, useState } from 'react'
import type { BatchOutcome } from '../../../../client/src/index.ts'
import { type BatchedPayment, batchesOf, readPaymentList } from '../../../../client/src/payment-list.ts'
import { randomKey } from '../../../../client/src/transport.ts'
import { ProblemNote } from '../../../components/feedback/problem.tsx'
import { Unavailable } from '../../../components/feedback/unavailable.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { counted } from '../../../data/format.ts'
import { useMay, useSend } from '../../../data/purser.tsx'
import { saveFile } from '../../../data/save-file.ts'
import { ListSource } from './list-source.tsx'
import { ListedPayments, Reasons } from './listed-payments.tsx'
import styles from './pay-many.module.css'

/** Makes the payments of a list, each on its own, and shows their outcomes. */
export function PayMany() {
  const may = useMay('createPaymentBatch')
  return (
    <>
      <PageTitle title="Pay many" parent={{ name: 'Payments', path: '/payments' }} />
      {may ? (
        <Sending />
      ) : (
        <Unavailable title="Pay many" scope="banking:write" absent="Only the built-in bank takes lists of payments." />
      )}
    </>
  )
}

function Sending() {
  const [text, setText] = useState('')
  // The key stays as long as the list: sending it again then pays nothing twice.
  const [key, setKey] = useState(randomKey)
  const [outcomes, setOutcomes] = useState<BatchOutcome[]>([])
  const [isBusy, setBusy] = useState(false)
  const { mutateAsync, error, reset } = useSend('createPaymentBatch')
  const read = useMemo(() => listOf(text), [text])
  const change = (changed: string) => {
    setText(changed)
    setKey(randomKey())
    setOutcomes([])
    reset()
  }
  const send = async () => {
    setBusy(true)
    setOutcomes([])
    try {
      for (const payments of batchesOf(read.payments, key)) {
        const answers = await mutateAsync({ body: { payments } })
        setOutcomes((earlier) => [...earlier, ...answers])
      }
    } catch {
      // The hook shows the refusal; outcomes of earlier requests stay on screen.
    } finally {
      setBusy(false)
    }
  }
  const rows = read.payments.map((payment, at) => ({ item: at + 1, payment, outcome: outcomes[at] }))
  return (
    <>
      <Card title="List" bare>
        <ListSource text={text} open={!isBusy} change={change} />
        {read.fault && (
          <p role="alert" className={`bad ${styles.fault}`}>
            {read.fault}
          </p>
        )}
        <ProblemNote error={error} />
      </Card>
      {rows.length > 0 && (
        <>
          <Buttons count={rows.length} isBusy={isBusy} outcomes={outcomes} send={send} />
          <Reasons rows={rows} />
          <ListedPayments rows={rows} isSent={outcomes.length > 0} />
        </>
      )}
    </>
  )
}

interface ButtonsProps {
  count: number
  isBusy: boolean
  outcomes: readonly BatchOutcome[]
  send(): void
}

function Buttons({ count, isBusy, outcomes, send }: ButtonsProps) {
  const failed = outcomes.filter(({ payment }) => !payment).length + count - outcomes.length
  const label = outcomes.length > 0 ? 'Send again' : `Send ${counted(count, 'payment')}`
  return (
    <div className={styles.buttons}>
      {(outcomes.length === 0 || failed > 0) && (
        <button type="button" className="primary" disabled={isBusy} onClick={send}>
          {isBusy ? `Sending, ${outcomes.length} of ${count}…` : label}
        </button>
      )}
      {outcomes.length > 0 && !isBusy && (
        <>
          <button type="button" onClick={() => save(outcomes)}>
            Download the outcomes
          </button>
          {failed > 0 && <span className="muted">Payments that were made are not made twice.</span>}
        </>
      )}
    </div>
  )
}

function save(outcomes: readonly BatchOutcome[]): void {
  const text = `${JSON.stringify(outcomes, undefined, 2)}\n`
  saveFile(new TextEncoder().encode(text), 'outcomes.json', 'application/json')
}

function listOf(text: string): { payments: readonly BatchedPayment[]; fault?: string } {
  if (text.trim() === '') return { payments: [] }
  try {
    return { payments: readPaymentList(text) }
  } catch (error) {
    const { message } = error as Error
    return { payments: [], fault: `${message.charAt(0).toUpperCase()}${message.slice(1)}.` }
  }
}
