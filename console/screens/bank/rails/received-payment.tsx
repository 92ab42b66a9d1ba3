import type { ReceivedPayment } from '../../../../client/src/index.ts'
import { State } from '../../../components/display/state.tsx'
import { Reading } from '../../../components/feedback/empty.tsx'
import { ProblemNote } from '../../../components/feedback/problem.tsx'
import { Action } from '../../../components/forms/actions.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { Details } from '../../../components/layout/details.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { ByApi } from '../../../components/records/by-api.tsx'
import { History } from '../../../components/records/history.tsx'
import { RecordLink } from '../../../components/records/record-link.tsx'
import { actionForms } from '../../../data/actions.ts'
import { date, dateTime, money } from '../../../data/format.ts'
import { useCall, useMay } from '../../../data/purser.tsx'
import { StateMachine } from '../../../pictures/state-machine.tsx'

const parent = { name: 'Received payments', path: '/rails/received' }

/** One payment that another bank sent: its state, its history and its return. */
export function ReceivedPaymentScreen({ id }: { id: string }) {
  const { data: payment, error } = useCall('getReceivedPayment', { params: { receivedPaymentId: id } })
  if (!payment) {
    return (
      <>
        <PageTitle title={`Received payment ${id}`} parent={parent} id={id} />
        {error ? <ProblemNote error={error} /> : <Reading lines={8} />}
      </>
    )
  }
  const { amount, counterparty, direction, status } = payment
  return (
    <>
      <PageTitle
        name={`Received payment ${id}`}
        title={money(direction === 'Debit' ? -amount : amount)}
        parent={parent}
        id={id}
        actions={<Return payment={payment} />}
      >
        <span>
          {direction === 'Debit' ? 'to' : 'from'} <b>{counterparty.name}</b>
        </span>
        <State of={status} />
      </PageTitle>
      <ProblemNote error={error} />
      <div className="columns">
        <div>
          <Card title="State">
            <StateMachine {...machineOf(status)} />
          </Card>
          <History type="receivedPayment" id={id} />
          <ByApi
            title="This received payment by API"
            operation="getReceivedPayment"
            input={{ params: { receivedPaymentId: id } }}
          />
        </div>
        <Facts payment={payment} />
      </div>
    </>
  )
}

function Return({ payment: { id, status } }: { payment: ReceivedPayment }) {
  const may = useMay('returnReceivedPayment')
  const form = actionForms.returnReceivedPayment
  if (!may || !form) return null
  const returnable = status === 'Pending' || status === 'Completed'
  return (
    <Action
      operation="returnReceivedPayment"
      form={form}
      target={{ receivedPaymentId: id }}
      refusal={returnable ? null : 'received_payment_not_returnable'}
    />
  )
}

function Facts({ payment }: { payment: ReceivedPayment }) {
  const { counterparty, expectedCompletionDate, createdAt } = payment
  return (
    <Card title="Details">
      <Details
        items={[
          ['Account', <RecordLink key="account" type="account" id={payment.accountId} />],
          ['Direction', payment.direction === 'Debit' ? 'Debit: money out' : 'Credit: money in'],
          ['Sender', counterparty.name],
          [
            'Sending bank',
            <span key="bank" className="mono">
              {counterparty.routingNumber}
            </span>,
          ],
          ['Purpose', payment.description],
          ['Receiver', payment.receiverName],
          ['Further text', payment.addenda],
          [
            'SEC code',
            payment.secCode && (
              <span key="sec" className="mono">
                {payment.secCode}
              </span>
            ),
          ],
          [
            'Trace number',
            payment.traceNumber && (
              <span key="trace" className="mono">
                {payment.traceNumber}
              </span>
            ),
          ],
          ['Completes', expectedCompletionDate && date(expectedCompletionDate)],
          ['Return', payment.returnCode],
          ['Reason', payment.returnReason],
          [
            'Received',
            <time key="at" title={createdAt}>
              {dateTime(createdAt)}
            </time>,
          ],
        ]}
      />
    </Card>
  )
}

function machineOf(status: string) {
  const way = status === 'MarkedForReturn' || status === 'Returned' ? ['MarkedForReturn', 'Returned'] : ['Completed']
  const tone = status === 'Completed' ? 'good' : status === 'Returned' ? 'bad' : 'warn'
  return { way: ['Pending', ...way], present: status, tone } as const
}
