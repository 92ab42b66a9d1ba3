import { Link } from 'wouter'
import type { DepositAccount, OperationId, RecordAction } from '../../../../client/src/index.ts'
import { Time } from '../../../components/display/time.tsx'
import { Reading } from '../../../components/feedback/empty.tsx'
import { ProblemNote } from '../../../components/feedback/problem.tsx'
import { Reason } from '../../../components/feedback/reason.tsx'
import { Action, Create } from '../../../components/forms/actions.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { mono, tagPairs } from '../../../components/layout/details.tsx'
import { ShortList } from '../../../components/lists/list-screen.tsx'
import { link } from '../../../components/records/record-link.tsx'
import { Record, RecordPage } from '../../../components/records/record-page.tsx'
import { Stopped } from '../../../components/records/stopped.tsx'
import { actionForms } from '../../../data/actions.ts'
import { curveStart, useBankDay } from '../../../data/bank-time.ts'
import { lastFour, money } from '../../../data/format.ts'
import { useList } from '../../../data/list.ts'
import { useMay } from '../../../data/purser.tsx'
import { LazyCurve } from '../../../pictures/lazy.tsx'
import { authorizations, cards, externalAccounts, holds, statements, transactions } from '../lists.tsx'
import { RecurringOf } from '../recurring/of-account.tsx'
import { NewStatement } from '../statements/new-statement.tsx'
import { Limits } from './account-limits.tsx'
import { NewCard } from './new-card.tsx'
import { Collect, Pay } from './pay.tsx'
import { Transfer } from './transfer.tsx'

const order: readonly OperationId[] = [
  ...(['createPayment', 'createBookTransfer', 'receiveAch', 'createCard'] as const),
  ...(['freezeAccount', 'unfreezeAccount', 'blockPayments', 'releasePayments'] as const),
  ...(['closeAccount', 'reopenAccount'] as const),
]

/** One account: its balance over time, its ledger, the records around it, and its operations. */
export function Account({ id }: { id: string }) {
  return (
    <Record type="account" id={id}>
      {(found) => <AccountPage found={found} />}
    </Record>
  )
}

type Found = Parameters<Parameters<typeof Record<'account'>>[0]['children']>[0]

function AccountPage({ found }: { found: Found }) {
  const { id, record: account, actions } = found
  const { name, accountNumber, routingNumber, available, balance, hold, status, customerId, tags } = account
  const payees = useList('listExternalAccounts', { params: { customerId }, query: { sort: '-createdAt', limit: 100 } })
  return (
    <RecordPage
      found={found}
      parts={{
        name: `Account of ${name}`,
        title: money(available),
        beside: (
          <>
            available to <b>{name}</b> {lastFour(accountNumber)}
          </>
        ),
        state: status,
        first: <StateReason found={found} />,
        order,
        own: {
          createPayment: (refusal) => (
            <>
              <Pay account={account} payees={payees} refusal={refusal} />{' '}
              <Collect account={account} payees={payees} refusal={refusal} />
            </>
          ),
          createBookTransfer: (refusal) => <Transfer account={account} refusal={refusal} />,
          createCard: (refusal) => <NewCard account={account} refusal={refusal} />,
        },
        main: (
          <>
            <Balance account={account} />
            <ShortList
              of={transactions}
              where={{ accountId: id }}
              columns={['Counterparty', 'Purpose', 'Posted', 'Amount', 'Balance']}
              none="No money has moved yet. Choose “Receive money…” or “Pay…”."
              shown={15}
            />
          </>
        ),
        history: 'folded',
        details: {
          Customer: link('customer', customerId, name),
          'Account number': mono(accountNumber),
          'Routing number': mono(routingNumber),
          Balance: money(balance),
          Held: money(hold),
          ...tagPairs(tags),
        },
        side: (
          <>
            <Limits accountId={id} />
            <Lists account={account} actions={actions} />
          </>
        ),
        without: 'all',
      }}
    />
  )
}

/** Why no payment leaves the account, and what follows. */
function StateReason({ found: { id, record, actions } }: { found: Found }) {
  const { status, paymentBlock } = record
  const of = { type: 'account', id, status } as const
  const waiting = <Link href={`/payments?status=PendingReview&accountId=${id}`}>Payments that wait</Link>
  if (status === 'Frozen') {
    const thaw = actions.find(({ operation }) => operation === 'unfreezeAccount')
    const next =
      thaw?.allowed === false
        ? 'The bank froze it: a key that decides risk can unfreeze it.'
        : 'Unfreeze it when the reason is gone. Payments that were stopped still wait for a reviewer then.'
    return (
      <Stopped
        {...of}
        tone="warn"
        title="Frozen: no payment leaves, and its cards decline"
        next={next}
        actions={waiting}
      />
    )
  }
  if (status === 'Closed') return <Stopped {...of} tone="bad" title="Closed" />
  if (!paymentBlock) return null
  return (
    <Reason
      tone="warn"
      title={`Payments are blocked: ${paymentBlock.reason}`}
      next="New ones are refused until payments are released. Those that had not left wait for a reviewer."
      actions={waiting}
    >
      Since <Time of={paymentBlock.since} />
      {paymentBlock.paymentId && <> because of {link('payment', paymentBlock.paymentId, 'a returned payment')}</>}
    </Reason>
  )
}

/** The records around the account. */
function Lists({ account, actions }: { account: DepositAccount; actions: readonly RecordAction[] }) {
  const { id, customerId, hold } = account
  const mayMake = useMay('createStatement')
  const newHold = actions.find(({ operation }) => operation === 'createAccountHold')
  const form = actionForms.createAccountHold
  const newPayee = actionForms.createExternalAccount
  return (
    <>
      <ShortList
        of={holds}
        params={{ accountId: id }}
        query={{ status: 'Active' }}
        columns={['Reason', 'Amount']}
        none={hold > 0 ? 'None beside the open authorizations.' : 'No amount is held.'}
        shown={10}
        aside={
          newHold &&
          form && (
            <Action
              operation="createAccountHold"
              form={{ ...form, label: 'New…', title: 'New hold' }}
              target={{ accountId: id }}
              refusal={newHold.allowed === false ? newHold.problem : null}
            />
          )
        }
      />
      <ShortList
        of={authorizations}
        title="Open authorizations"
        where={{ customerId, accountId: id }}
        query={{ status: 'Authorized' }}
        columns={['Merchant', 'Amount']}
        none="No open authorization."
      />
      <RecurringOf account={account} />
      <ShortList
        of={cards}
        where={{ accountId: id }}
        columns={['Card', 'Kind', 'State']}
        none="No card draws on the account."
      />
      <ShortList
        of={externalAccounts}
        title="External accounts to pay"
        params={{ customerId }}
        columns={['Holder', 'Number']}
        none="None yet."
        aside={
          newPayee && (
            <Create
              operation="createExternalAccount"
              form={{ ...newPayee, label: 'New…', title: 'New external account' }}
              target={{ customerId }}
            />
          )
        }
      />
      <ShortList
        of={statements}
        where={{ accountId: id }}
        columns={['Month']}
        none="The first one follows at the end of the month."
        aside={mayMake && <NewStatement accountId={id} />}
      />
    </>
  )
}

const DAYS = 90

/** The curve of the last 90 days, or of the days since the account was opened. */
function Balance({ account: { id, createdAt } }: { account: DepositAccount }) {
  const may = useMay('listLedgerBalances')
  const today = useBankDay()
  const since = today && curveStart(today, createdAt.slice(0, 10), DAYS)
  const query = { accountId: id, ...(since && { since }) }
  const { rows, error, isPending } = useList('listLedgerBalances', { query }, { enabled: today !== undefined })
  if (!may) return null
  return (
    <Card title="Balance" aside={<span>end of each day, UTC</span>}>
      <ProblemNote error={error} />
      {isPending && <Reading />}
      {rows.length > 0 && <LazyCurve days={rows} />}
    </Card>
  )
}
