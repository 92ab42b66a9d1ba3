import { Link } from 'wouter'
import type { LookedUp, Payment as PaymentRecord } from '../../../client/src/index.ts'
import { Reason } from '../../components/feedback/reason.tsx'
import { mono } from '../../components/layout/details.tsx'
import { AccountLink, link, RecordLink } from '../../components/records/record-link.tsx'
import { recordScreen, relatedId } from '../../components/records/record-page.tsx'
import { date, lastFour, money, words } from '../../data/format.ts'
import { useList } from '../../data/list.ts'
import { paymentWay } from '../../data/payments.ts'
import { useMay } from '../../data/purser.tsx'

type Found = Extract<LookedUp, { type: 'payment' }>

/** One payment: the reason of its state, its history and its operations. */
export const Payment = recordScreen('payment', (found) => {
  const { id, record, related } = found
  const { amount, counterparty, status, direction, type, description } = record
  const accountId = relatedId(related, 'account')
  const account = accountId ? <AccountLink id={accountId} /> : 'an account'
  return {
    name: `Payment ${id}`,
    title: money(amount),
    beside:
      direction === 'Debit' ? (
        <>
          from <b>{counterparty.name}</b> to {account}
        </>
      ) : (
        <>
          from {account} to <b>{counterparty.name}</b>
        </>
      ),
    state: status,
    first: <StateReason found={found} />,
    way: paymentWay(record),
    api: ['getPayment', { params: { paymentId: id } }],
    details: {
      Type: type === 'achPayment' ? `ACH ${direction.toLowerCase()}` : 'Book payment',
      For: description,
      'Presents again': record.retryOf && link('payment', record.retryOf),
      Reverses: record.reversalOf && link('payment', record.reversalOf),
      'Reason of the reversal': record.reversalReason && words(record.reversalReason),
      [direction === 'Debit' ? 'To' : 'From']: accountId && <AccountLink id={accountId} />,
      [direction === 'Debit' ? 'From' : 'To']: `${counterparty.name} ${lastFour(counterparty.accountNumber)}`,
      'Routing number': mono(counterparty.routingNumber),
      ...railFacts(record),
      'Reason of the reviewer': record.reason,
    },
    without: ['account'],
  }
})

/** The members that a payment has only if it leaves with an ACH file. */
function railFacts(payment: PaymentRecord) {
  const { sameDay, secCode, traceNumber, settlementDate, expectedCompletionDate } = payment
  return {
    'Same day': sameDay && 'Yes',
    'SEC code': secCode,
    'Trace number': traceNumber && mono(traceNumber),
    Expected: !settlementDate && expectedCompletionDate && date(expectedCompletionDate),
    'Settlement day': settlementDate && date(settlementDate),
  }
}

/** The reason of a return, a rejection or a review, and the next step. */
function StateReason({ found: { id, record, related } }: { found: Found }) {
  const { status, returnCode, returnReason, reason, counterparty } = record
  if (status === 'PendingReview') return <InReview id={id} accountId={relatedId(related, 'account')} />
  if (status === 'Rejected') {
    return (
      <Reason tone="bad" title={reason ? `Rejected: ${reason}` : 'Rejected before it left'}>
        The money is back in the account.
      </Reason>
    )
  }
  if (status !== 'Returned' || (!returnCode && !returnReason)) return null
  const why = returnReason ? `${returnReason} (${returnCode})` : returnCode
  return (
    <Reason tone="bad" title={`Returned by the receiving bank: ${why}`}>
      The money is back in the account. Paying {counterparty.name} {lastFour(counterparty.accountNumber)} again may come
      back, too: ask for another account, then pay from{' '}
      <RecordLink type="account" id={relatedId(related, 'account') ?? ''}>
        the account
      </RecordLink>{' '}
      again.
    </Reason>
  )
}

/** The cause of a review, as far as the key may know it. */
function InReview({ id, accountId = '' }: { id: string; accountId: string | undefined }) {
  const may = useMay('listReviewPayments')
  const { rows } = useList('listReviewPayments', { query: { accountId, limit: 100 } }, { enabled: accountId !== '' })
  const cause = rows.find((each) => each.id === id)?.reviewReason
  return (
    <Reason tone="warn" title={cause ? (causes[cause] ?? words(cause)) : 'Waits for a reviewer'}>
      The money is kept aside, and the payment does not leave until a reviewer approves it.{' '}
      {may ? (
        <Link href="/review/payments">All payments that wait</Link>
      ) : (
        <>
          This key may not decide: <Link href="/access">make one</Link> with the scope <code>review:write</code>.
        </>
      )}
    </Reason>
  )
}

const causes: Record<string, string> = {
  accountLimit: 'Waits for a reviewer: above a limit of the account',
  organisationLimit: 'Waits for a reviewer: above a limit of the organisation',
  firstPayment: 'Waits for a reviewer: the first payment to a new external account',
  externalAccount: 'Waits for the review of its external account',
  screening: 'Waits for a reviewer: the screening asks for it',
  accountFrozen: 'Stopped, because the account was frozen before it left',
  legalHold: 'Stopped by a legal order that needs more than is available',
  stopped: 'Stopped by a reviewer before it left',
}
