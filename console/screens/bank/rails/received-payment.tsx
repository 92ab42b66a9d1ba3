import { Reason } from '../../../components/feedback/reason.tsx'
import { mono } from '../../../components/layout/details.tsx'
import { AccountLink } from '../../../components/records/record-link.tsx'
import { recordScreen } from '../../../components/records/record-page.tsx'
import { date } from '../../../data/format.ts'
import { signed } from '../lists.tsx'

/** One payment that another bank sent: its state, its history and its return. */
export const ReceivedPaymentScreen = recordScreen('receivedPayment', ({ id, record: payment }) => ({
  name: `Received payment ${id}`,
  title: signed(payment),
  beside: (
    <>
      {payment.direction === 'Debit' ? 'to' : 'from'} <b>{payment.counterparty.name}</b>
    </>
  ),
  state: payment.status,
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
  without: ['account', 'customer'],
}))

function wayOf(status: string) {
  const way = status === 'MarkedForReturn' || status === 'Returned' ? ['MarkedForReturn', 'Returned'] : ['Completed']
  const tone = status === 'Completed' ? 'good' : status === 'Returned' ? 'bad' : 'warn'
  return { way: ['Pending', ...way], present: status, tone } as const
}
