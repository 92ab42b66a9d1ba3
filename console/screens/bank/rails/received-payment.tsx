import type { ReceivedPayment } from '../../../../client/src/index.ts'
import { Reason } from '../../../components/feedback/reason.tsx'
import { Action } from '../../../components/forms/actions.tsx'
import { mono } from '../../../components/layout/details.tsx'
import { AccountLink } from '../../../components/records/record-link.tsx'
import { plainScreen } from '../../../components/records/record-page.tsx'
import { actionForms } from '../../../data/actions.ts'
import { date } from '../../../data/format.ts'
import { useMay } from '../../../data/purser.tsx'
import { signed } from '../lists.tsx'

/** One payment that another bank sent: its state, its history and its return. */
export const ReceivedPaymentScreen = plainScreen('receivedPayment', 'getReceivedPayment', (payment, id) => ({
  name: `Received payment ${id}`,
  title: signed(payment),
  beside: (
    <>
      {payment.direction === 'Debit' ? 'to' : 'from'} <b>{payment.counterparty.name}</b>
    </>
  ),
  state: payment.status,
  history: false,
  buttons: <Return payment={payment} />,
  first: payment.returnReason && <Reason tone="bad" title={`${payment.returnReason} (${payment.returnCode})`} />,
  way: wayOf(payment.status),
  details: {
    Account: <AccountLink id={payment.accountId} />,
    Direction: payment.direction === 'Debit' ? 'Debit: money out' : 'Credit: money in',
    Sender: payment.counterparty.name,
    'Sending bank': mono(payment.counterparty.routingNumber),
    Purpose: payment.description,
    Receiver: payment.receiverName,
    'Further text': payment.addenda,
    'SEC code': mono(payment.secCode),
    'Trace number': mono(payment.traceNumber),
    Completes: payment.expectedCompletionDate && date(payment.expectedCompletionDate),
    'Return code': payment.returnCode,
  },
}))

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

function wayOf(status: string) {
  const way = status === 'MarkedForReturn' || status === 'Returned' ? ['MarkedForReturn', 'Returned'] : ['Completed']
  const tone = status === 'Completed' ? 'good' : status === 'Returned' ? 'bad' : 'warn'
  return { way: ['Pending', ...way], present: status, tone } as const
}
