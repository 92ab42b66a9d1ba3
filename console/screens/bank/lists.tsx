import { Link, useLocation } from 'wouter'
import type { Authorization, ListedPayment, ListedTransaction, Statement } from '../../../client/src/index.ts'
import { State } from '../../components/display/state.tsx'
import { Time } from '../../components/display/time.tsx'
import { mono } from '../../components/layout/details.tsx'
import { PageTitle } from '../../components/layout/page-title.tsx'
import { defineList, ListBody, ListScreen, useInput } from '../../components/lists/list-screen.tsx'
import type { Column } from '../../components/lists/table.tsx'
import { RecordLink } from '../../components/records/record-link.tsx'
import { amounts, builtinOnly, choiceOfMany, days, pick } from '../../data/filters.ts'
import { lastFour, money, month, words } from '../../data/format.ts'
import { useLatest } from '../../data/latest.ts'
import { useList } from '../../data/list.ts'
import { useHolder } from '../../data/names.ts'
import { stateReason } from '../../data/payments.ts'
import { useMay, useSession } from '../../data/purser.tsx'
import { NewStatement } from './statements/new-statement.tsx'

export const accounts = defineList({
  title: 'Accounts',
  operation: 'listAccounts',
  type: 'account',
  query: { sort: '-createdAt', limit: 100, count: true },
  sortNeeds: 'listLedgerAccounts',
  filters: [
    { name: 'search', label: 'Name, e-mail, number or id', builtin: true },
    { name: 'status', label: 'State', options: ['Open', 'Frozen', 'Closed'] },
    pick('customer', 'Customer'),
    {
      ...{ name: 'nearLimit', label: 'Limits', options: ['true', 'false'], builtin: true },
      labels: { true: 'Nearly used', false: 'Not nearly used' },
    },
    ...builtinOnly(days),
  ],
  views: [{ name: 'Limit nearly used', values: { nearLimit: 'true' }, builtin: true }],
  columns: [
    { head: 'Holder', cell: ({ name }) => name },
    { head: 'Number', cell: ({ accountNumber }) => mono(lastFour(accountNumber)) },
    { head: 'State', cell: ({ status }) => <State of={status} /> },
    { head: 'Opened', cell: ({ createdAt }) => <Time of={createdAt} />, wide: true, card: 'when' },
    { head: 'Id', cell: ({ id }) => mono(id), wide: true, optional: true },
    { head: 'Available', cell: ({ available }) => money(available), number: true },
    { head: 'Balance', cell: ({ balance }) => money(balance), number: true, wide: true },
  ],
  none: [
    'No account yet',
    <>
      Open a <Link href="/customers">customer</Link> and choose “New account”, or call createAccount.
    </>,
  ],
})

export const Accounts = () => <ListScreen of={accounts} />

const customers = defineList({
  title: 'Customers',
  operation: 'listCustomers',
  type: 'customer',
  create: 'createCustomer',
  query: { sort: '-createdAt', limit: 100, count: true },
  filters: [
    { name: 'search', label: 'Name, e-mail or id' },
    ...builtinOnly([{ name: 'status', label: 'State', options: ['Active', 'Erased'] }, ...days]),
  ],
  columns: [
    { head: 'Name', cell: ({ name }) => name },
    { head: 'E-mail', cell: ({ email }) => email, wide: true },
    { head: 'Phone', cell: ({ phone }) => phone, wide: true },
    { head: 'State', cell: ({ status }) => <State of={status} /> },
    { head: 'Id', cell: ({ id }) => mono(id), wide: true, optional: true },
    { head: 'Created', cell: ({ createdAt }) => <Time of={createdAt} />, number: true, wide: true, card: 'when' },
  ],
  none: [
    'No customer yet',
    'An approved application makes one: call createApplication. A sandbox has “New customer…” too.',
  ],
})

export const Customers = () => <ListScreen of={customers} />

/** The states of payments that have not reached the other bank. */
const ON_THE_WAY = 'Pending,Clearing'

export const payments = defineList({
  title: 'Payments',
  operation: 'listPayments',
  type: 'payment',
  query: { sort: '-createdAt', limit: 100, count: true, type: ['achPayment', 'bookPayment'] },
  filters: [
    { name: 'search', label: 'Name or description', builtin: true },
    choiceOfMany(
      'status',
      'State',
      ['Pending', 'PendingReview', 'Clearing', ON_THE_WAY, 'Sent', 'Returned', 'Rejected', 'Canceled'],
      { [ON_THE_WAY]: 'Pending or clearing' },
    ),
    choiceOfMany('type', 'Kind', ['achPayment', 'bookPayment'], { achPayment: 'ACH', bookPayment: 'Within the bank' }),
    choiceOfMany('direction', 'Direction', ['Credit', 'Debit'], { Credit: 'Out', Debit: 'In' }),
    pick('customer', 'Customer'),
    pick('account', 'Account'),
    ...days,
    { name: 'returnedSince', label: 'Returned from (UTC)', kind: 'date', builtin: true },
    ...amounts,
  ],
  views: [
    { name: 'On the way', values: { status: ON_THE_WAY } },
    { name: 'Waiting for review', values: { status: 'PendingReview' } },
    { name: 'Returned', values: { status: 'Returned' } },
    { name: 'Returned today', values: (today) => ({ returnedSince: today }), builtin: true },
    { name: 'Made today', values: (today) => ({ since: today }) },
    { name: 'Made this month', values: (today) => ({ since: `${today.slice(0, 7)}-01` }) },
  ],
  columns: [
    { head: 'From', cell: (payment) => <Party of={payment} side="Debit" />, wide: true, card: 'who' },
    { head: 'To', cell: (payment) => <Party of={payment} side="Credit" />, card: 'to' },
    { head: 'Amount', cell: ({ amount }) => money(amount), number: true },
    { head: 'State', cell: ({ status }) => <State of={status} /> },
    {
      head: 'Reason',
      cell: (payment) => <span className="muted">{stateReason(payment)}</span>,
      wide: 'widest',
      card: 'note',
    },
    { head: 'For', cell: ({ description }) => description, wide: 'widest' },
    { head: 'Id', cell: ({ id }) => mono(id), wide: true, optional: true },
    { head: 'Created', cell: ({ createdAt }) => <Time of={createdAt} />, number: true, wide: true, card: 'when' },
  ],
  bulk: [
    ...(['approvePayment', 'rejectPayment'] as const).map((operation) => ({
      operation,
      target: ({ id }: { id: string }) => ({ paymentId: id }),
      allowed: ({ status }: { status: string }) => status === 'PendingReview',
    })),
    {
      operation: 'cancelPayment',
      target: ({ id }) => ({ paymentId: id }),
      allowed: ({ status }) => status === 'Pending' || status === 'PendingReview',
    },
    {
      operation: 'returnPayment',
      target: ({ id }) => ({ paymentId: id }),
      allowed: ({ status, type }) => type === 'achPayment' && (status === 'Clearing' || status === 'Sent'),
    },
  ],
  sum: outAndIn,
  none: ['No payment yet', 'Open an account and choose “Pay…”, or call createPayment.'],
})

/** The sums of payments that leave and of those that are collected. */
function outAndIn(rows: readonly ListedPayment[]): string {
  const sumOf = (direction: string) =>
    rows.reduce((sum, each) => (each.direction === direction ? sum + each.amount : sum), 0)
  const [out, collected] = [sumOf('Credit'), sumOf('Debit')]
  return [out > 0 && `${money(out)} out`, collected > 0 && `${money(collected)} in`].filter(Boolean).join(', ')
}

/** The account of a payment, or the other party on its side: a credit goes to the counterparty, a debit comes from there. */
function Party({ of: { direction, counterparty, accountId = '' }, side }: { of: ListedPayment; side: string }) {
  const holder = useHolder(accountId)
  const name =
    direction === side ? `${counterparty.name} ${lastFour(counterparty.accountNumber)}` : (holder ?? accountId)
  const [, text = name, digits] = /^(.*) (··\d+)$/.exec(name) ?? []
  return (
    <>
      {text} <span className="muted">{digits}</span>
    </>
  )
}

export function Payments() {
  const may = useMay('createPaymentBatch')
  const [, go] = useLocation()
  const payMany = may && (
    <button type="button" onClick={() => go('/payments/batch')}>
      Pay many…
    </button>
  )
  return <ListScreen of={payments} actions={payMany} />
}

export const cards = defineList({
  title: 'Cards',
  operation: 'listCards',
  type: 'card',
  filters: [
    {
      ...{ name: 'status', label: 'State' },
      options: ['Inactive', 'Active', 'Frozen', 'Lost', 'Stolen', 'ClosedByCustomer', 'SuspectedFraud'],
    },
    {
      ...{ name: 'kind', label: 'Kind', options: ['Physical', 'Virtual'] },
      query: (kind) => ({ type: kind === 'Virtual' ? VIRTUAL : 'individualDebitCard' }),
    },
    pick('customer', 'Customer'),
    pick('account', 'Account'),
    ...builtinOnly([{ name: 'last4Digits', label: 'Last four', query: fourDigits }, ...days]),
  ],
  columns: [
    { head: 'Card', cell: ({ last4Digits }) => mono(`•••• ${last4Digits}`) },
    { head: 'Account', cell: ({ accountId }) => <Holder accountId={accountId} /> },
    { head: 'Kind', cell: ({ type }) => cardKind(type), wide: true },
    { head: 'State', cell: ({ status }) => <State of={status} /> },
    { head: 'Id', cell: ({ id }) => mono(id), wide: true, optional: true },
    { head: 'Expires', cell: ({ expirationDate }) => expiry(expirationDate), number: true, wide: true },
    { head: 'Created', cell: ({ createdAt }) => <Time of={createdAt} />, number: true, wide: true, card: 'when' },
  ],
  none: ['No card yet', 'Open an account and choose “New card…”, or call createCard.'],
})

/** A part of the digits finds nothing yet. */
function fourDigits(text: string) {
  return { last4Digits: /^\d{4}$/.test(text) ? text : undefined }
}

export const Cards = () => <ListScreen of={cards} />

const VIRTUAL = 'individualVirtualDebitCard'

export function cardKind(type: string): string {
  return type === VIRTUAL ? 'Virtual' : 'Physical'
}

/** The last month of a card as it is printed, `11/30`, of `2030-11` or a time in that month. */
export function expiry(day: string): string {
  return `${day.slice(5, 7)}/${day.slice(2, 4)}`
}

/** An account in a list, by its holder. */
export function Holder({ accountId }: { accountId: string }) {
  const name = useHolder(accountId)
  return <RecordLink type="account" id={accountId} {...(name && { children: name })} />
}

const authorizationColumns: readonly Column<Authorization>[] = [
  { head: 'Merchant', cell: ({ merchant }) => merchant.name },
  { head: 'Card', cell: ({ cardLast4Digits }) => mono(`··${cardLast4Digits}`), wide: true },
  { head: 'Amount', cell: ({ amount }) => money(amount), number: true },
  { head: 'State', cell: ({ status }) => <State of={status} /> },
  { head: 'Reason', cell: ({ reason }) => <span className="muted">{reason && words(reason)}</span>, wide: true },
  { head: 'Place', cell: ({ merchant }) => merchant.location, wide: true, optional: true },
  { head: 'Id', cell: ({ id }) => mono(id), wide: true, optional: true },
  { head: 'Created', cell: ({ createdAt }) => <Time of={createdAt} />, number: true, wide: true, card: 'when' },
]

/** The authorizations of one customer in one state, which every provider lists. */
export const authorizations = defineList({
  title: 'Authorizations',
  operation: 'listAuthorizations',
  type: 'authorization',
  filters: [pick('customer', 'Customer')],
  columns: authorizationColumns,
  none: ['No open authorization', 'Choose a customer: the provider of accounts lists the open authorizations of one.'],
})

const allAuthorizations = defineList({
  title: 'Authorizations',
  operation: 'listAllAuthorizations',
  type: 'authorization',
  filters: [
    { name: 'search', label: 'Merchant or place' },
    choiceOfMany('status', 'State', ['Authorized', 'Completed', 'Declined', 'Canceled']),
    pick('customer', 'Customer'),
    pick('account', 'Account'),
    pick('card', 'Card'),
    ...days,
    ...amounts,
  ],
  views: [
    { name: 'Open', values: { status: 'Authorized' } },
    { name: 'Declined', values: { status: 'Declined' } },
    { name: 'Declined today', values: (today) => ({ status: 'Declined', since: today }) },
  ],
  columns: [{ head: 'Customer', cell: ({ customerName }) => customerName }, ...authorizationColumns],
  none: ['No purchase by card yet', 'Open a card and choose “Simulate a purchase…”, or call createAuthorization.'],
})

export function Authorizations() {
  const all = useMay('listAllAuthorizations')
  return all ? <ListScreen of={allAuthorizations} /> : <OpenAuthorizations />
}

function OpenAuthorizations() {
  const { values, set, input } = useInput(authorizations)
  const { customerId = '' } = values
  const open = { query: { ...input.query, customerId, status: 'Authorized' } } as const
  const rows = useList('listAuthorizations', open, { enabled: customerId !== '' })
  return (
    <>
      <PageTitle title="Authorizations">
        <span className="muted">open, of one customer</span>
      </PageTitle>
      <ListBody
        of={authorizations}
        rows={{ ...rows, isPending: rows.isPending && customerId !== '' }}
        input={customerId === '' ? undefined : open}
        values={values}
        set={set}
      />
    </>
  )
}

export const transactions = defineList({
  title: 'Transactions',
  operation: 'listTransactions',
  type: 'transaction',
  query: { sort: '-createdAt', limit: 200, count: true },
  filters: [
    pick('customer', 'Customer'),
    pick('account', 'Account'),
    { name: 'direction', label: 'Direction', options: ['Credit', 'Debit'], labels: { Credit: 'In', Debit: 'Out' } },
    ...days,
    ...builtinOnly(amounts),
  ],
  columns: [
    {
      head: 'Account',
      cell: ({ accountId }) => accountId && <Holder accountId={accountId} />,
      wide: true,
      card: 'who',
    },
    { head: 'Counterparty', cell: ({ counterparty }) => counterparty.name, card: 'to' },
    { head: 'Purpose', cell: purpose, wide: true },
    { head: 'Posted', cell: ({ createdAt }) => <Time of={createdAt} />, wide: true, card: 'when' },
    { head: 'Id', cell: ({ id }) => mono(id), wide: true, optional: true },
    { head: 'Amount', cell: signed, number: true },
    { head: 'Balance', cell: ({ balance }) => money(balance), number: true, wide: true },
  ],
  none: ['No transaction yet', 'Open an account and choose “Receive money…”, or call receiveAch.'],
})

export const Transactions = () => <ListScreen of={transactions} />

/** The amount with its sign: money out is negative. */
export function signed({ amount, direction }: { amount: number; direction: string }): string {
  return money(direction === 'Debit' ? -amount : amount)
}

/** The purpose, which follows the name of the other party in the summary. */
export function purpose({ summary, counterparty }: Pick<ListedTransaction, 'summary' | 'counterparty'>): string {
  const named = `${counterparty.name}  |  `
  return summary.startsWith(named) ? summary.slice(named.length) : summary
}

const applications = defineList({
  title: 'Applications',
  operation: 'listApplications',
  type: 'application',
  create: 'createApplication',
  columns: [
    { head: 'Applicant', cell: ({ name }) => name },
    { head: 'E-mail', cell: ({ email }) => email, wide: true },
    { head: 'State', cell: ({ status }) => <State of={status} /> },
    { head: 'Id', cell: ({ id }) => mono(id), wide: true, optional: true },
    { head: 'Created', cell: ({ createdAt }) => <Time of={createdAt} />, number: true, wide: true, card: 'when' },
  ],
  none: ['No application yet', 'Choose “New application…”, or call createApplication.'],
})

const applicationStates = ['AwaitingDocuments', 'PendingReview', 'Approved', 'Denied']

/** All applications, newest first; only other providers have further states. */
export function Applications() {
  const { me } = useSession()
  const options = [...applicationStates, ...(me.providers.banking === 'builtin' ? [] : ['Pending', 'Canceled'])]
  const filters = [
    ...builtinOnly([{ name: 'search', label: 'Name, e-mail or id' }]),
    { name: 'status', label: 'State', options },
    ...builtinOnly(days),
  ]
  return <ListScreen of={{ ...applications, filters }} />
}

export const statements = defineList({
  title: 'Statements',
  operation: 'listStatements',
  type: 'statement',
  filters: [pick('account', 'Account')],
  columns: [
    { head: 'Month', cell: ({ period }) => month(period) },
    { head: 'Account', cell: ({ accountId }) => <Holder accountId={accountId} /> },
    { head: 'Id', cell: ({ id }) => mono(id), number: true, wide: true },
  ],
  none: ['No statement yet', 'Every account gets one at the end of the month.'],
})

/** The statements of an account, or the latest of all accounts by their events. */
export function Statements() {
  const { values, set, input } = useInput(statements)
  const { accountId } = values
  const [, go] = useLocation()
  const own = useList(
    'listStatements',
    { query: { ...input.query, accountId: accountId ?? '' } },
    { enabled: accountId !== undefined },
  )
  const latest = useLatest<Statement>('statement.created', accountId === undefined)
  const mayMake = useMay('createStatement')
  return (
    <>
      <PageTitle
        title="Statements"
        actions={
          mayMake &&
          accountId && (
            <NewStatement accountId={accountId} label="New statement…" done={(id) => go(`/statements/${id}`)} />
          )
        }
      >
        <span className="muted">{accountId ? 'of one account' : 'the latest of all accounts'}</span>
      </PageTitle>
      <ListBody
        of={statements}
        rows={accountId ? own : latest}
        input={accountId ? input : undefined}
        values={values}
        set={set}
      />
    </>
  )
}

/** The accounts at other banks that a customer can pay. They have no screen of their own. */
export const externalAccounts = defineList({
  title: 'External accounts',
  operation: 'listExternalAccounts',
  type: 'externalAccount',
  columns: [
    { head: 'Holder', cell: ({ name }) => name },
    { head: 'Bank', cell: ({ bank }) => bank, wide: true },
    { head: 'Kind', cell: ({ accountType }) => accountType, wide: true },
    { head: 'Number', cell: ({ accountNumber }) => lastFour(accountNumber) },
  ],
  none: ['No account to pay yet'],
})

/** The amounts of an account that cannot be spent until they are released or expire. */
export const holds = defineList({
  title: 'Holds',
  operation: 'listAccountHolds',
  type: 'accountHold',
  columns: [
    { head: 'Reason', cell: ({ reason, description }) => description ?? words(reason) },
    { head: 'Amount', cell: ({ amount }) => money(amount), number: true },
  ],
  none: ['No amount is held'],
})
