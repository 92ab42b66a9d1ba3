import { Link } from 'wouter'
import type { LookedUp, Payment as PaymentRecord } from '../../../client/src/index.ts'
import { Time } from '../../components/display/time.tsx'
import { Reason } from '../../components/feedback/reason.tsx'
import { Create } from '../../components/forms/actions.tsx'
import { mono } from '../../components/layout/details.tsx'
import { AccountLink, link, RecordLink } from '../../components/records/record-link.tsx'
import { recordScreen, relatedId } from '../../components/records/record-page.tsx'
import { date, lastFour, money, words } from '../../data/format.ts'
import { useList } from '../../data/list.ts'
import { paymentWay, reviewCause } from '../../data/payments.ts'
import { useCall, useMay } from '../../data/purser.tsx'
import { PayAgain } from './accounts/pay.tsx'
import { ShownMandate } from './customers/external-account.tsx'

type Found = Extract<LookedUp, { type: 'payment' }>

/** One payment: the reason of its state, its history and its operations. */
export const Payment = recordScreen('payment', (found) => {
  const { id, record, related } = found
  const { amount, counterparty, status, direction, type, description } = record
  const accountId = relatedId(related, 'account')
  const account = accountId ? <AccountLink id={accountId} /> : 'an account'
  const [own, other] = direction === 'Debit' ? ['To', 'From'] : ['From', 'To']
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
    details: {
      For: description,
      [own]: accountId && <AccountLink id={accountId} />,
      [other]: <OtherParty found={found} />,
      Mandate: direction === 'Debit' && !record.reversalOf && <MandateOf id={relatedId(related, 'externalAccount')} />,
      Type:
        type === 'achPayment'
          ? `ACH ${direction.toLowerCase()}${record.secCode ? `, ${record.secCode}` : ''}`
          : 'Book payment',
      'Presents again': record.retryOf && link('payment', record.retryOf),
      Reverses: record.reversalOf && link('payment', record.reversalOf),
      'Reason of the reversal': record.reversalReason && words(record.reversalReason),
      ...railFacts(record),
      'Reason of the reviewer': record.reason,
    },
    without: ['account', 'externalAccount'],
  }
})

/** The external account of a payment, as far as the key may see it. */
function useExternalAccount(id: string | undefined) {
  const params = { type: 'externalAccount', id: id ?? '' } as const
  const { data } = useCall('lookUpRecord', { params }, { enabled: id !== undefined })
  return data?.type === 'externalAccount' ? data.record : undefined
}

/** The payee or payer, and their bank. */
function OtherParty({ found: { record, related } }: { found: Found }) {
  const { name, accountNumber, routingNumber } = record.counterparty
  const id = relatedId(related, 'externalAccount')
  return (
    <>
      {link('externalAccount', id, name) || name} {lastFour(accountNumber)}
      <small>
        {useExternalAccount(id)?.bank} {mono(routingNumber)}
      </small>
    </>
  )
}

/** How the customer authorized debits of the external account. */
function MandateOf({ id }: { id: string | undefined }) {
  const mandate = useExternalAccount(id)?.mandate
  return mandate ? <ShownMandate of={mandate} /> : 'Not known'
}

/** The members that a payment has only if it leaves with an ACH file. */
function railFacts({ sameDay, traceNumber, settlementDate, expectedCompletionDate }: PaymentRecord) {
  return {
    'Same day': sameDay && 'Yes',
    Settles: !settlementDate && expectedCompletionDate && date(expectedCompletionDate),
    Settled: settlementDate && date(settlementDate),
    Trace: traceNumber && mono(traceNumber),
  }
}

/** The reason of a return, a rejection or a review, and the next step. */
function StateReason({ found }: { found: Found }) {
  const { status, returnCode, reason } = found.record
  if (status === 'PendingReview') return <InReview found={found} />
  if (status === 'Rejected') {
    return (
      <Reason tone="bad" title={reason ? `Rejected: ${reason}` : 'Rejected before it left'}>
        <Money found={found} />
      </Reason>
    )
  }
  return status === 'Returned' && returnCode ? <Returned found={found} /> : null
}

/** Return codes after which the same account fails again. */
const lasting = new Set(['R02', 'R03', 'R04', 'R07', 'R10', 'R13', 'R16', 'R20', 'R29'])

function Returned({ found }: { found: Found }) {
  const { id, record, related } = found
  const { returnCode = '', returnReason, counterparty, direction } = record
  const payee = `${counterparty.name} ${lastFour(counterparty.accountNumber)}`
  const externalAccountId = relatedId(related, 'externalAccount')
  const accountId = relatedId(related, 'account')
  const lasts = lasting.has(returnCode)
  const isDebit = direction === 'Debit'
  const next = lasts
    ? isDebit
      ? `Do not collect from the account of ${payee} again: the next debit would come back, too. Ask the customer for another account.`
      : `Do not use the account of ${payee} again: the next payment would come back, too. Ask for another account, then pay again with amount and text taken over.`
    : isDebit
      ? 'The reason may pass: the payment can be presented again.'
      : `The reason may pass: ask ${counterparty.name} whether the account takes money now, then pay again.`
  return (
    <Reason
      tone="bad"
      title={
        <>
          Returned by the {isDebit ? 'other' : 'receiving'} bank <ReturnedOn id={id} />:{' '}
          {returnReason ? `${returnReason} (${returnCode})` : returnCode}
        </>
      }
      next={next}
      actions={
        <>
          {!isDebit && accountId && <PayAgain accountId={accountId} payment={record} without={externalAccountId} />}
          {lasts && externalAccountId && (
            <Create
              operation="deleteExternalAccount"
              form={{
                label: `Remove ${isDebit ? 'payer' : 'payee'} ${lastFour(counterparty.accountNumber)}…`,
                confirm: `Payments to and from ${payee} are no longer possible.`,
              }}
              target={{ externalAccountId }}
            />
          )}
        </>
      }
    >
      <Money found={found} />
    </Reason>
  )
}

/** The day on which the payment came back, from its history. */
function ReturnedOn({ id }: { id: string }) {
  const { rows } = useList('listHistory', { params: { type: 'payment', id } })
  const at = rows.findLast(({ changes }) => changes.some(({ status }) => status === 'Returned'))?.at
  return (
    at && (
      <>
        on <Time of={at} show="day" />
      </>
    )
  )
}

/** Where the money is after a payment that did not come about. */
function Money({ found: { record, related } }: { found: Found }) {
  const id = relatedId(related, 'account') ?? ''
  const { data } = useCall('getAccount', { params: { accountId: id } }, { enabled: id !== '' })
  const account = (
    <RecordLink type="account" id={id}>
      {data ? `the account of ${data.name}` : 'the account'}
    </RecordLink>
  )
  return record.direction === 'Debit' ? (
    <>The money could not be collected, and {account} does not have it.</>
  ) : (
    <>The money is back in {account}.</>
  )
}

/** The cause of a review, as far as the key may know it. */
function InReview({ found }: { found: Found }) {
  const { id, record, actions } = found
  const decisions = decided.filter((each) => actions.some(({ operation, allowed }) => operation === each && allowed))
  const may = useMay('approvePayment')
  const [proposal] = useList('listProposals', { query: { recordId: id, state: 'Waiting' } }).rows
  const [listed] = useList('listPayments', { query: { paymentId: id, type: ['achPayment', 'bookPayment'] } }).rows
  const cause = listed?.reviewReason
  if (proposal) {
    return (
      <Reason tone="warn" title="Waits for a second signature">
        The approval is proposed, and another person decides until <Time of={proposal.expiresAt} />.{' '}
        <RecordLink type="proposal" id={proposal.id}>
          Open the proposal
        </RecordLink>
      </Reason>
    )
  }
  return (
    <Reason
      tone="warn"
      title={reviewCause(cause)}
      next={
        may ? (
          <>
            Approve or reject it, or see <Link href="/review/payments">all payments that wait</Link>.
          </>
        ) : (
          <>
            This key may not decide: <Link href="/access">make one</Link> with the scope <code>review:write</code>.
          </>
        )
      }
      actions={decisions.map((operation) => (
        <Create key={operation} operation={operation} target={{ paymentId: id }} />
      ))}
    >
      {record.direction === 'Debit' ? 'No money has moved' : 'The money is kept aside'}, and the payment does not leave
      until a reviewer approves it.
    </Reason>
  )
}

const decided = ['approvePayment', 'rejectPayment'] as const
